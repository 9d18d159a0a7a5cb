"""ONNX files: their session, what stands beside them, and their digest."""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pytest_trust.errors import ModelError, missing_extra
from pytest_trust.hub import PICKLED_WEIGHTS, WEIGHTS
from pytest_trust.messages import in_short, listed
from pytest_trust.models.adapters import Origin
from pytest_trust.models.fingerprints import file_digest
from pytest_trust.models.tokenizer_file import SET_UP_BY, read_json
from pytest_trust.models.transformers_state import classes_of

FILE = "model.onnx"
SUFFIX = ".onnx"

_OTHER_WEIGHTS = (WEIGHTS, PICKLED_WEIGHTS)
# The operators that scale states by the largest value of a whole batch, such as DynamicQuantizeLinear.
_SCALES_BY_BATCH = b"DynamicQuantize"
# How an ONNX file names a file of weights: the entry "location" of a tensor's external data, in protocol buffers.
_LOCATION = re.compile(rb"\x0a\x08location\x12([\x80-\xff]?)([\x00-\x7f])")
# What is wrong is in the error, and need not be printed as well.
_FATAL_ONLY = 4


def is_onnx(path: Path) -> bool:
    """True for the name of an ONNX file, and for a folder with a ``model.onnx`` and no weights of another format."""
    if path.suffix.lower() == SUFFIX:
        return True
    return (path / FILE).is_file() and not any(any(path.glob(weights)) for weights in _OTHER_WEIGHTS)


class OnnxFile:
    """An ONNX file, or the ``model.onnx`` of a folder, with its session; ``source`` is what messages call it.

    As many threads as OMP_NUM_THREADS says work on an answer, one a core where it says nothing.

    Raises:
        ModelError: the file is missing or damaged.
        MissingExtraError: onnxruntime is not installed.
    """

    def __init__(self, path: Path, source: str) -> None:
        self.path = path / FILE if path.is_dir() else path
        self.source = source
        self._session = _session(self.path, source)
        self.inputs = {put.name: put for put in self._session.get_inputs()}
        self.outputs = {put.name: put for put in self._session.get_outputs()}

    def __reduce__(self) -> tuple[type[OnnxFile], tuple[Path, str]]:
        return OnnxFile, (self.path, self.source)  # another process reads the file anew

    @property
    def folder(self) -> Path:
        """Where tokenizer and configuration lie, if anywhere."""
        return self.path.parent

    @property
    def mixes_texts(self) -> bool:
        """True where the states of a text are rounded by the largest value of all texts of its batch."""
        with self._content() as content:
            return content.find(_SCALES_BY_BATCH) >= 0

    def run(self, output: str, feeds: Mapping[str, Any]) -> Any:
        """What the model gives under the name ``output``."""
        return self._session.run([output], feeds)[0]

    def output_of(self, names: Sequence[str]) -> str:
        """The first of ``names`` that the model gives.

        Raises:
            ModelError: it gives none of them.
        """
        found = next((name for name in names if name in self.outputs), None)
        if found is None:
            raise self.refusal(f"has the outputs {_listed(self.outputs.values())}; expected {' or '.join(names)}")
        return found

    def refuse_inputs(self, expected: str) -> ModelError:
        """The error for other inputs than ``expected``."""
        return self.refusal(f"has the inputs {_listed(self.inputs.values())}; expected {expected}")

    def refusal(self, problem: str) -> ModelError:
        """The error for a model that is no text classifier."""
        return ModelError(f"model {self.source} {problem}")

    def labels(self) -> Sequence[object] | None:
        """The classes by ``config.json`` (see :func:`classes_of`); None where it does not say.

        Raises:
            ModelError: the classes are not numbered from 0, or the model is for something else than one of several.
        """
        config = read_json(self.folder / "config.json")
        labels = config.get("id2label")
        if labels is None:
            return None
        if not isinstance(labels, dict) or set(labels) != {str(number) for number in range(len(labels))}:
            raise self.refusal(f"has the id2label {labels!r} in config.json; expected labels of 0, 1 and so on")
        by_column = {int(column): str(label) for column, label in labels.items()}
        problem = config.get("problem_type")
        return classes_of(
            SimpleNamespace(id2label=by_column, num_labels=len(labels), problem_type=problem), self.source
        )

    def origin(self) -> Origin:
        """The origin, with a digest of the model, of weights in files of their own, and of what sets it up."""
        files = {file for file in self.folder.iterdir() if file.is_file() and self._counts(file.name)}
        files |= {file for file in map(self.folder.joinpath, self._locations()) if file.is_file()}
        digests = json.dumps([file_digest(file) for file in sorted(files)])
        return Origin(self.source, identity=hashlib.sha256(digests.encode()).hexdigest())

    def _counts(self, name: str) -> bool:
        return name.startswith(self.path.name) or name in SET_UP_BY

    def _locations(self) -> set[str]:
        """The files of weights that the model names, from its folder."""
        with self._content() as content:
            found = set()
            for match in _LOCATION.finditer(content):
                low, high = (int.from_bytes(part, "big") for part in match.groups())
                length = (low & 0x7F) | high << 7 if match[1] else high  # a varint of two bytes or one
                found.add(content[match.end() : match.end() + length].decode("utf-8", "replace"))
        return {name for name in found if "\0" not in name}

    @contextmanager
    def _content(self) -> Iterator[mmap.mmap]:
        """The bytes of the file."""
        with self.path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            yield content


def _session(path: Path, source: str) -> Any:
    if not path.is_file():
        raise ModelError(f"model file {path} is missing; expected an ONNX file")
    try:
        import onnxruntime
    except ModuleNotFoundError as error:
        raise missing_extra("onnxruntime", "onnx", f"model {source}") from error
    # Builds for Windows report usage unless told not to.
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _threads()
    options.log_severity_level = _FATAL_ONLY
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ModelError(f"model file {path} cannot be read as ONNX ({in_short(error)})") from error


def _threads() -> int:
    """What OMP_NUM_THREADS says, whose first number counts; 0, by which ONNX Runtime decides, where it says nothing."""
    first = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return int(first) if first.isascii() and first.isdigit() else 0


def _listed(puts: Iterable[Any]) -> str:
    return f"({listed(f'{put.name}: {put.type} {put.shape}' for put in puts)})"
