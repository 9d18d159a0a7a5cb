"""Parts of speech without a download: by NLTK where its data is present, else by the rules that come with textblob."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, ClassVar

from pytest_trust.arguments import require_choice
from pytest_trust.attacks.base import Tagger
from pytest_trust.errors import ConfigurationError, MissingExtraError
from pytest_trust.messages import in_short

TAGGERS = ("nltk", "pattern")

_NLTK_DATA = "averaged_perceptron_tagger_eng"
_WAYS = (
    "parts of speech need a tagger: pip install 'pytest-trust[attack]' brings one that needs no data (pattern), or "
    f"NLTK with its data: python -m nltk.downloader {_NLTK_DATA}"
)
# Tags of the Penn treebank by the classes of Petrov et al. (2012), the longest prefix first.
_CLASSES = {
    "NN": "NOUN", "VB": "VERB", "MD": "VERB", "JJ": "ADJ", "RB": "ADV", "WRB": "ADV", "PRP": "PRON", "WP": "PRON",
    "DT": "DET", "PDT": "DET", "WDT": "DET", "EX": "DET", "IN": "ADP", "CD": "NUM", "CC": "CONJ", "TO": "PRT",
    "RP": "PRT", "POS": "PRT",
}  # fmt: skip
_OTHER = "X"


def make_tagger(name: str | None = None) -> Tagger:
    """The tagger called ``name``, one of ``TAGGERS``; by default the first of these that can be had.

    Raises:
        ConfigurationError: there is no such tagger, or NLTK's is asked for and its data is not there.
        MissingExtraError: its package, or by default that of any, is not installed.
    """
    if name is not None:
        require_choice("tagger", name, TAGGERS)
        return NltkTagger() if name == "nltk" else PatternTagger()
    if find_spec("nltk") is not None and NltkTagger.has_data():
        return NltkTagger()
    return PatternTagger()


def coarse_class(tag: str) -> str:
    """The class of a tag of the Penn treebank, such as NOUN for NNS."""
    return next((name for prefix, name in _CLASSES.items() if tag.startswith(prefix)), _OTHER)


def _why_not_found() -> str | None:
    """None where NLTK finds the data of its tagger; else what it says of the folders that it does not trust."""
    from nltk.data import find

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            find(f"taggers/{_NLTK_DATA}/")
        except LookupError:
            return f" ({told[0].message})" if told else ""
    return None


class NltkTagger:
    """NLTK's averaged perceptron, trained on the Wall Street Journal.

    Raises:
        MissingExtraError: NLTK is not installed.
        ConfigurationError: its data is not there.
    """

    name: ClassVar[str] = "nltk"

    def __init__(self) -> None:
        if find_spec("nltk") is None:
            raise MissingExtraError(f"the tagger 'nltk' needs the package 'nltk', which is not installed; {_WAYS}")
        from nltk.tag.perceptron import PerceptronTagger

        reason = _why_not_found()
        if reason is not None:
            raise ConfigurationError(f"the tagger 'nltk' does not find NLTK's data {_NLTK_DATA}{reason}; {_WAYS}")
        try:
            self._tagger: Any = PerceptronTagger(lang="eng")
        except (LookupError, OSError, TypeError, ValueError) as error:
            raise ConfigurationError(
                f"the tagger 'nltk' cannot read NLTK's data {_NLTK_DATA} ({in_short(error)}); expected it as "
                f"python -m nltk.downloader {_NLTK_DATA} puts it there"
            ) from None

    @staticmethod
    def has_data() -> bool:
        """Whether NLTK finds the data of the tagger; NLTK is installed."""
        return _why_not_found() is None

    def tags(self, words: Sequence[str]) -> list[str]:
        """See :class:`~pytest_trust.attacks.Tagger`."""
        return [coarse_class(tag) for _, tag in self._tagger.tag(list(words))]


class PatternTagger:
    """The lexicon and suffix rules of pattern.en (De Smedt and Daelemans, 2012), which come in the package textblob.

    A word is tagged by itself, not in its context.

    Raises:
        MissingExtraError: textblob is not installed.
    """

    name: ClassVar[str] = "pattern"

    def __init__(self) -> None:
        if find_spec("textblob") is None:
            raise MissingExtraError(f"the package 'textblob' is not installed; {_WAYS}")
        from textblob.en import parser

        self._parser: Any = parser
        with warnings.catch_warnings():
            # Its files are read at the first use, and left open.
            warnings.simplefilter("ignore", ResourceWarning)
            self.tags(["word"])

    def tags(self, words: Sequence[str]) -> list[str]:
        """See :class:`~pytest_trust.attacks.Tagger`."""
        # A capital would make a name of a word that the lexicon has in lower case alone.
        found = self._parser.find_tags([word.lower() for word in words])
        return [coarse_class(tag) for _, tag in found]
