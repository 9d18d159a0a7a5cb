"""What ``--trust-embeddings`` names, read without loading or importing any of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from pytest_trust.arguments import require_between
from pytest_trust.embeddings.blocks import GZIP
from pytest_trust.embeddings.gensim_vectors import DOWNLOADS, local_download
from pytest_trust.errors import ConfigurationError
from pytest_trust.hub import HUB, has_hub_form
from pytest_trust.imports import is_import_path

KNOWN_EMBEDDINGS = ("glove", "use", "minilm")
TEXT = (".txt", ".vec")
BINARY = ".bin"
# A pickle: loading it runs code.
KEYED_VECTORS = ".kv"
ENCODER_FILES = ("modules.json", "config.json")
SAVED_MODEL_FILE = "saved_model.pb"

_SUFFIXES = (*TEXT, BINARY, *(suffix + GZIP for suffix in (*TEXT, BINARY)), KEYED_VECTORS)
_THRESHOLD = re.compile(r"(.*)@(-?[\d.]+)")


class Kind(Enum):
    """Where an embedding comes from."""

    PACKAGED = auto()
    IMPORTED = auto()
    TABLE = auto()
    DOWNLOAD = auto()
    ENCODER = auto()
    HUB = auto()
    SAVED_MODEL = auto()


@dataclass(frozen=True, slots=True)
class Spec:
    """One embedding as a user names it: ``target`` is a name, an import path or an absolute path."""

    kind: Kind
    target: str
    threshold: float | None = None

    @property
    def text(self) -> str:
        """The spec in one string, which means the same in any folder."""
        return self.target if self.threshold is None else f"{self.target}@{self.threshold:.12g}"

    @property
    def path(self) -> Path:
        """The file or folder, where ``target`` is one."""
        return Path(self.target)

    @property
    def name(self) -> str:
        """The member's name: a file's without its suffix, else the last part."""
        last = self.path.name.removeprefix(HUB)
        suffix = suffix_of(self.path)
        return last[: len(last) - len(suffix)] if self.kind is Kind.TABLE and suffix else last

    @property
    def is_pickle(self) -> bool:
        """Whether it is a file that runs code when it is loaded."""
        return self.kind is Kind.TABLE and suffix_of(self.path) == KEYED_VECTORS


def parse_spec(text: str, base: Path | None = None) -> Spec:
    """The embedding that ``text`` names; a relative path starts at ``base``, by default the working folder.

    A number behind ``@`` is its threshold.

    Raises:
        ConfigurationError: there is no such embedding, or the threshold is no cosine.
    """
    match = _THRESHOLD.fullmatch(text)
    target, number = match.groups() if match else (text, None)
    kind, found = _kind(target, (base or Path()).absolute() / target)
    return Spec(kind, found, None if number is None else _threshold(number, text))


def suffix_of(path: Path) -> str:
    """The suffix of a file of vectors, in lower case, with .gz where it ends so; empty where it has none of these."""
    return next((suffix for suffix in _SUFFIXES if path.name.lower().endswith(suffix)), "")


def choices() -> str:
    """What an embedding can be, for messages."""
    return (
        f"some of {', '.join(KNOWN_EMBEDDINGS)}, or an import path package.module:attribute, a file of vectors "
        f"({', '.join(_SUFFIXES)}), a folder with {' or '.join((*ENCODER_FILES, SAVED_MODEL_FILE))}, a name known to "
        f"gensim.downloader (such as {DOWNLOADS[-3]}), or OWNER/NAME or {HUB}NAME on the Hugging Face hub; "
        "@0.35 behind any of them sets its threshold"
    )


def _kind(target: str, path: Path) -> tuple[Kind, str]:
    if target in KNOWN_EMBEDDINGS:
        return Kind.PACKAGED, target
    if _exists(path):
        return _kind_of_path(path), str(path)
    if is_import_path(target):
        return Kind.IMPORTED, target
    if target in DOWNLOADS or ("/" not in target and local_download(target)):
        return Kind.DOWNLOAD, target
    if suffix_of(path):
        raise ConfigurationError(f"embeddings: {target!r} is unknown, expected a file, but there is no {path}")
    if has_hub_form(target):
        return Kind.HUB, target
    raise ConfigurationError(f"embeddings: {target!r} is unknown, expected {choices()}")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False  # a name too long for a file, or a folder that may not be looked into


def _kind_of_path(path: Path) -> Kind:
    if path.is_file() and suffix_of(path):
        return Kind.TABLE
    if (path / SAVED_MODEL_FILE).is_file():
        return Kind.SAVED_MODEL
    if any((path / name).is_file() for name in ENCODER_FILES):
        return Kind.ENCODER
    raise ConfigurationError(f"embeddings: {path} is not an embedding, expected {choices()}")


def _threshold(number: str, text: str) -> float:
    try:
        value = float(number)
    except ValueError:
        raise ConfigurationError(f"embeddings: {text!r}: expected a number behind the @") from None
    return require_between(f"embeddings: threshold of {text!r}", value, -1.0, 1.0, high_included=True)
