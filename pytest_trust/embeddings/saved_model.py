"""Text encoders of TensorFlow Hub, such as NNLM and Swivel, from a SavedModel on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from pytest_trust.embeddings.local import LocalEmbedding
from pytest_trust.embeddings.wordwise import Vector
from pytest_trust.errors import EmbeddingError, MissingExtraError
from pytest_trust.messages import shown

_SIGNATURES = ("serving_default", "default")
_PROBE = "good"


class SavedModelEmbedding(LocalEmbedding):
    """A SavedModel that takes n texts, a string tensor of shape (n,), and gives (n, d) numbers.

    It is one that can be called so, else one with such a signature. A word or phrase is a text of its own; one whose
    vector is zero is unknown. What the model makes of words outside its vocabulary cannot be seen from outside.
    """

    recipe: ClassVar[str] = "1: NFC, lower case, one text a run"

    @cached_property
    def dimension(self) -> int:
        """d, the length of a vector."""
        return len(self._run(_PROBE))

    @cached_property
    def _model(self) -> Callable[[str], Any]:
        tensorflow = _tensorflow(self._path)
        try:
            loaded = tensorflow.saved_model.load(str(self._path))
        except Exception as error:
            raise self._error(f"tensorflow cannot load it ({type(error).__name__}: {error})") from error
        if callable(loaded):
            return lambda text: loaded(tensorflow.constant([text]))
        signature = next((loaded.signatures[name] for name in _SIGNATURES if name in loaded.signatures), None)
        if signature is None:
            raise self._error(f"found the signatures {list(loaded.signatures)}")
        (argument,) = signature.structured_input_signature[1]
        return lambda text: signature(**{argument: tensorflow.constant([text])})

    def _files(self) -> list[Path]:
        return sorted(path for path in self._path.rglob("*") if path.is_file())

    def _raw(self, words: Sequence[str]) -> dict[str, Vector | None]:
        rows = {word: self._run(word) for word in words}
        return {word: row if row.any() else None for word, row in rows.items()}

    def _run(self, word: str) -> Vector:
        model = self._model
        try:
            answer = model(word)
        except Exception as error:
            raise self._error(f"for the text {word!r} it raised {type(error).__name__}: {error}") from error
        values = list(answer.values()) if isinstance(answer, dict) else [answer]
        row = np.asarray(values[0]) if len(values) == 1 else None
        if row is None or row.ndim != 2 or len(row) != 1 or not np.isfinite(row).all():
            raise self._error(f"for the text {word!r} it gave {shown(answer)}")
        return np.asarray(row[0], dtype=np.float32)

    def _error(self, finding: str) -> EmbeddingError:
        return EmbeddingError(
            f"SavedModel {self._path}: {finding}; expected one that is callable, or has the signature "
            f"{' or '.join(_SIGNATURES)}, with texts as a string tensor (n,), giving finite numbers (n, d)"
        )


def _tensorflow(path: Path) -> Any:
    try:
        import tensorflow
    except ImportError as error:
        raise MissingExtraError(
            f"SavedModel {path} needs the package 'tensorflow', which is not installed; "
            "install it with: pip install tensorflow"
        ) from error
    return tensorflow
