"""Classifiers in ONNX files, run by ONNX Runtime on the processor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.messages import listed
from pytest_trust.models.abilities import Encoded
from pytest_trust.models.adapters import Adapter, GivenNames
from pytest_trust.models.classes import resolve_classes
from pytest_trust.models.logits import softmax
from pytest_trust.models.onnx_file import OnnxFile
from pytest_trust.models.token_batches import score_by_length
from pytest_trust.models.token_classifier import TokenClassifier
from pytest_trust.models.tokenizer_file import FileTokenizer, longest_input
from pytest_trust.models.tokens import TextTokens

_IDS, _MASK, _TYPES = "input_ids", "attention_mask", "token_type_ids"
_LOGITS = "logits"
_PROBABILITIES = ("probabilities", "output_probability")
_NUMBERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(float)": np.float32}
_STRINGS = "tensor(string)"
_MAPS = "seq(map("
# Tokens of a batch; their states stay in the cache of a processor.
_BATCH_TOKENS = 1024
_FIRST_TEXT = "This is a first text."


def read_onnx(path: Path, source: str, *, classes: GivenNames = None) -> Adapter:
    """The classifier in an ONNX file, or in the ``model.onnx`` of a folder: one of tokens, or one of strings.

    Raises:
        ModelError: the file is missing or damaged, its inputs and outputs are not those of a text classifier, or
            ``classes`` do not fit it.
        MissingExtraError: a package that is needed is not installed.
    """
    model = OnnxFile(path, source)
    if _IDS in model.inputs:
        return OnnxClassifier(model, classes=classes)
    return OnnxTextClassifier(model, classes=classes)


class OnnxClassifier(TokenClassifier):
    """A classifier of token numbers, with the ``tokenizer.json`` beside it and, where there is one, ``config.json``.

    The inputs are ``input_ids`` and, where the model takes them, ``attention_mask`` and ``token_type_ids``, for any
    number of texts and tokens; the output is ``logits``, of which a softmax is taken in float64, or ``probabilities``.
    Texts of equal length are run together, so that none is padded. One by one are run those of a model that scales its
    states by batches, as dynamic 8-bit quantization does: an answer would depend on the texts around.

    Raises:
        ModelError: inputs, outputs or tokenizer are not of that kind, or ``classes`` do not fit ``config.json``.
        MissingExtraError: the package tokenizers is not installed.
    """

    def __init__(self, model: OnnxFile, *, classes: GivenNames = None) -> None:
        _check_token_inputs(model)
        self._model = model
        self._output = model.output_of((_LOGITS, *_PROBABILITIES))
        self._batch_tokens = 1 if model.mixes_texts else _BATCH_TOKENS
        limit = longest_input(model.folder)
        self._tokens = TextTokens(FileTokenizer(model.folder, list(model.inputs), limit), limit)
        own = model.labels()
        super().__init__(own, resolve_classes(own, classes, model.source), model.origin())

    libraries = ("onnxruntime", "tokenizers")

    @property
    def known_by_state(self) -> bool:
        """True: the files hold all of the model."""
        return True

    def _answer(self, batch: Sequence[str | Encoded]) -> object:
        return score_by_length(self._tokens.encode(batch), len(self.classes), self._batch_tokens, self._score)

    def _score(self, ids: NDArray[np.int64]) -> NDArray[Any]:
        """Probabilities, shape (b, k), of texts of equal length, shape (b, length)."""
        rows = np.asarray(self._model.run(self._output, self._feeds(ids)))
        expected = (len(ids), len(self.classes))
        if rows.shape != expected:
            names = listed(self.classes)
            raise self._model.refusal(
                f"gives {self._output} of shape {rows.shape}; expected {expected}, a column a class ({names})"
            )
        return softmax(rows.astype(np.float64)) if self._output == _LOGITS else rows

    def _feeds(self, ids: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        types = self._tokens.token_types(ids.shape[1]) if _TYPES in self._model.inputs else None
        found = {_IDS: ids, _MASK: np.ones_like(ids), _TYPES: np.zeros_like(ids)}
        if types is not None:
            found[_TYPES] = found[_TYPES] + types
        return {name: found[name].astype(_NUMBERS[put.type]) for name, put in self._model.inputs.items()}

    def _identity(self) -> str:
        return self.source


class OnnxTextClassifier(Adapter):
    """A classifier of strings, such as a scikit-learn pipeline that skl2onnx has converted.

    The one input is strings, of shape (n,) or (n, 1); the output ``probabilities`` or ``output_probability`` is a
    table, or a mapping from class to probability for each text, which names the classes. Those of a table are in the
    ``config.json`` beside the file, as ``{"id2label": {"0": "negative", ...}}``, or in ``classes``.

    Raises:
        ModelError: inputs or outputs are not of that kind; there are no classes, or ``classes`` do not fit them.
    """

    def __init__(self, model: OnnxFile, *, classes: GivenNames = None) -> None:
        _check_text_input(model)
        self._model = model
        self._output = model.output_of(_PROBABILITIES)
        maps = model.outputs[self._output].type.startswith(_MAPS)
        self._keys: list[object] | None = list(self._run([_FIRST_TEXT])[0]) if maps else None
        own = model.labels() if self._keys is None else self._keys
        super().__init__(own, resolve_classes(own, classes, model.source), model.origin())

    libraries = ("onnxruntime",)

    @property
    def known_by_state(self) -> bool:
        """True: the files hold all of the model."""
        return True

    def _answer(self, batch: list[str]) -> object:
        found = self._run(batch)
        return found if self._keys is None else [[row[key] for key in self._keys] for row in found]

    def _run(self, texts: list[str]) -> Any:
        [(name, put)] = self._model.inputs.items()
        strings = np.array(texts, dtype=np.object_)
        return self._model.run(self._output, {name: strings.reshape(-1, 1) if len(put.shape) == 2 else strings})

    def _identity(self) -> str:
        return self.source


def _check_token_inputs(model: OnnxFile) -> None:
    for name, put in model.inputs.items():
        fixed = any(isinstance(size, int) for size in put.shape)
        if name not in (_IDS, _MASK, _TYPES) or put.type not in _NUMBERS or fixed or len(put.shape) != 2:
            raise model.refuse_inputs(f"numbers of shape (texts, tokens), both free, named {_IDS}, {_MASK}, {_TYPES}")


def _check_text_input(model: OnnxFile) -> None:
    puts = list(model.inputs.values())
    if len(puts) != 1 or puts[0].type != _STRINGS or len(puts[0].shape) > 2 or isinstance(puts[0].shape[0], int):
        raise model.refuse_inputs(f"{_IDS} of tokens, or one input of strings for any number of texts")
