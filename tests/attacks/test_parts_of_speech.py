"""Taggers: which one is taken, what is said where there is none, and what they tell."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from pytest_trust.attacks import make_tagger, tagging
from pytest_trust.attacks.base import Tagger
from pytest_trust.attacks.tagging import coarse_class
from pytest_trust.errors import ConfigurationError, MissingExtraError

_HAS = {name: find_spec(name) is not None for name in ("nltk", "textblob")}
needs_textblob = pytest.mark.skipif(not _HAS["textblob"], reason="needs the extra [attack]")
needs_nltk = pytest.mark.skipif(not _HAS["nltk"], reason="needs nltk")


@pytest.fixture
def without(monkeypatch):
    """As if packages were not installed."""

    def hide(*names: str) -> None:
        found = tagging.find_spec
        monkeypatch.setattr(tagging, "find_spec", lambda name: None if name in names else found(name))

    return hide


@pytest.fixture
def no_nltk_data(monkeypatch) -> None:
    import nltk.data

    monkeypatch.setattr(nltk.data, "path", [])


@pytest.fixture
def nltk_data(tmp_path: Path, monkeypatch) -> None:
    """Data by which "great" is an adjective, and what follows it a noun."""
    import nltk.data

    name = "averaged_perceptron_tagger_eng"
    folder = tmp_path / "taggers" / name
    folder.mkdir(parents=True)
    parts = {"weights": {"i-1 tag JJ": {"NN": 1.0}}, "tagdict": {"great": "JJ"}, "classes": ["JJ", "NN", "VB"]}
    for part, content in parts.items():
        (folder / f"{name}.{part}.json").write_text(json.dumps(content), encoding="utf-8")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("NN", "NOUN"),
        ("NNPS", "NOUN"),
        ("VBZ", "VERB"),
        ("MD", "VERB"),
        ("JJR", "ADJ"),
        ("RBS", "ADV"),
        ("PRP$", "PRON"),
        ("WDT", "DET"),
        ("WRB", "ADV"),
        ("RP", "PRT"),
        ("CD", "NUM"),
        ("UH", "X"),
        (".", "X"),
    ],
)
def test_coarse_classes(tag: str, expected: str) -> None:
    assert coarse_class(tag) == expected


@needs_textblob
def test_the_packaged_tagger_needs_no_data(no_nltk_data) -> None:
    tagger = make_tagger()
    assert isinstance(tagger, Tagger)
    assert tagger.name == "pattern"
    assert tagger.tags(["A", "TERRIFIC", "Movie", "went", "quickly"]) == ["DET", "ADJ", "NOUN", "VERB", "ADV"]
    assert tagger.tags([]) == []


@needs_nltk
def test_nltk_is_taken_where_its_data_is(nltk_data) -> None:
    tagger = make_tagger()
    assert isinstance(tagger, Tagger)
    assert tagger.name == "nltk"
    assert tagger.tags(["great", "film"]) == ["ADJ", "NOUN"]


SENTENCES = [
    [("the", "DT"), ("great", "JJ"), ("film", "NN"), ("moved", "VBD"), ("me", "PRP"), ("deeply", "RB")],
    [("a", "DT"), ("dull", "JJ"), ("story", "NN"), ("dragged", "VBD"), ("slowly", "RB")],
    [("we", "PRP"), ("film", "VBP"), ("a", "DT"), ("story", "NN")],
    [("to", "TO"), ("film", "VB"), ("it", "PRP")],
    [("we", "PRP"), ("film", "VBP"), ("the", "DT"), ("great", "JJ"), ("film", "NN")],
]


@pytest.fixture
def trained(tmp_path: Path, monkeypatch) -> Path:
    """The folder of a tagger that NLTK trained on a few sentences and saved as it saves its own."""
    import nltk.data
    from nltk.tag.perceptron import PerceptronTagger

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    monkeypatch.setenv("NLTK_DATA", str(tmp_path))
    tagger = PerceptronTagger(load=False)
    tagger.train([list(sentence) for sentence in SENTENCES], nr_iter=8)
    (tmp_path / "taggers").mkdir(mode=0o755)
    folder = tmp_path / "taggers" / "averaged_perceptron_tagger_eng"
    tagger.save_to_json(lang="eng", loc=str(folder))
    return folder


@needs_nltk
@pytest.mark.usefixtures("trained")
def test_a_tagger_that_nltk_trained_tells_words_by_their_context() -> None:
    tagger = make_tagger()
    assert tagger.name == "nltk"
    assert tagger.tags(["we", "film", "the", "great", "film"]) == ["PRON", "VERB", "DET", "ADJ", "NOUN"]
    assert tagger.tags([]) == []


@needs_nltk
@needs_textblob
def test_data_that_nltk_does_not_trust_is_none(trained: Path) -> None:
    trained.parent.chmod(0o777)
    assert make_tagger().name == "pattern"
    with pytest.raises(ConfigurationError, match=r"does not find NLTK's data .* \(NLTK will not read data from"):
        make_tagger("nltk")


@needs_nltk
@pytest.mark.parametrize("content", [None, "{"])
def test_data_that_cannot_be_read_is_one_clear_error(trained: Path, content: str | None) -> None:
    file = trained / "averaged_perceptron_tagger_eng.weights.json"
    file.unlink() if content is None else file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"cannot read NLTK's data averaged_perceptron_tagger_eng \(.*Error"):
        make_tagger()


@needs_nltk
def test_nltk_without_its_data_is_one_clear_error(no_nltk_data) -> None:
    with pytest.raises(ConfigurationError, match=r"pip install 'pytest-trust\[attack\]'.*python -m nltk.downloader"):
        make_tagger("nltk")


def test_without_any_package_the_ways_to_one_are_named(without) -> None:
    without("nltk", "textblob")
    with pytest.raises(
        MissingExtraError, match=r"'textblob' is not installed.*pytest-trust\[attack\].*nltk.downloader"
    ):
        make_tagger()
    with pytest.raises(MissingExtraError, match="'nltk', which is not installed"):
        make_tagger("nltk")


def test_unknown_taggers_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="tagger='spacy': expected 'nltk' or 'pattern'"):
        make_tagger("spacy")
