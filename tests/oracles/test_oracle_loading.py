"""Oracles by name, with their settings and what they need."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_trust.embeddings.calibration import calibrate
from pytest_trust.embeddings.kept import Keep
from pytest_trust.embeddings.pairs import shipped_pairs
from pytest_trust.errors import ConfigurationError
from pytest_trust.keywords import ClassKeywords, IndexOrigin, IndexSettings, KeywordIndex, MemberSettings, PoolWord
from pytest_trust.keywords.descriptions import ClassDescription
from pytest_trust.models import as_classifier, load_model, parse_class_names
from pytest_trust.oracles import (
    ORACLES,
    ConfidenceOracle,
    ContrastiveOracle,
    DirectOracle,
    Oracle,
    TokiOracle,
    TowerOracle,
    TowerSettings,
    make_oracle,
    parse_oracle,
)
from tests.oracles.planes import axes, explanation, two_topics

FIVE = {
    "good": ClassDescription(("fine", "nice", "great", "lovely", "glad")),
    "bad": ClassDescription(("awful", "nasty", "vile", "rotten", "grim")),
}


@pytest.fixture
def model(make_word_model):
    return as_classifier(make_word_model({"fine": 1.0}))


@pytest.fixture
def member(make_embedding):
    return make_embedding(two_topics(fine=0.5, awful=-0.5, host=0.0))


@pytest.fixture
def index(member) -> KeywordIndex:
    settings = IndexSettings({}, 0, (MemberSettings("table", member.fingerprint, 0.5),), (("bad",), ("good",)))
    classes = (
        ClassKeywords("bad", ("bad",), (PoolWord("awful", 0.5, 3), PoolWord("host", 0.2, 1)), frozenset({"awful"})),
        ClassKeywords("good", ("good",), (PoolWord("fine", 0.5, 3), PoolWord("host", 0.2, 1)), frozenset({"fine"})),
    )
    origin = IndexOrigin("m", "d", settings, "model", "data")
    return KeywordIndex(origin, classes, {"table": member.vectors(("awful", "fine", "host"))}, explained=6)


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("toki", {}),
        ("direct", {}),
        ("direct:", {}),
        ("confidence:threshold=0.8", {"threshold": 0.8}),
        ("contrastive:threshold=-0.1", {"threshold": -0.1}),
        ("tower: top = 5 , decision = plurality", {"top": 5, "decision": "plurality"}),
        (
            "tower:exclusion=0,auc_weighting=True,combination=voting,min_score=0.05",
            {"exclusion": 0.0, "auc_weighting": True, "combination": "voting", "min_score": 0.05},
        ),
        ("tower:auc_weighting=false,", {"auc_weighting": False}),
    ],
)
def test_names_with_settings(text: str, settings: dict[str, Any]) -> None:
    spec = parse_oracle(text)
    assert (spec.name, dict(spec.settings)) == (text.partition(":")[0], settings)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("shap", "unknown oracle 'shap'; choose one of: toki, direct, confidence, tower, contrastive"),
        ("", "unknown oracle ''"),
        ("TOKI", "unknown oracle 'TOKI'"),
        ("toki:top=5", "oracle 'toki': no setting 'top=5'; it has no settings"),
        ("tower:most=5", "oracle 'tower': no setting 'most=5'; its settings are exclusion, auc_weighting, combination"),
        ("tower:top", "oracle 'tower': no setting 'top'"),
        ("tower:top=many", "oracle 'tower': top=many cannot be read"),
        ("tower:top=2.5", "oracle 'tower': top=2.5 cannot be read"),
        ("tower:auc_weighting=1", "oracle 'tower': auc_weighting=1 cannot be read"),
        ("tower:top=0", "top=0: expected a whole number of at least 1"),
        ("tower:decision=most", "decision='most': expected 'average', 'plurality' or 'sufficiency'"),
        ("confidence:threshold=2", "threshold=2.0: expected"),
        ("confidence:threshold=nan", "threshold=nan: expected"),
        ("contrastive:threshold=3", "threshold=3.0: expected"),
        ("tower:top=5,top=6", "oracle 'tower': top is given twice"),
    ],
)
def test_what_cannot_be_used_is_named(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_oracle(text)
    assert message in str(caught.value)


def test_every_oracle_judges(model, member, index) -> None:
    kinds = {}
    for name in ORACLES:
        oracle = make_oracle(name, model, members=[member], index=index, descriptions=FIVE)
        kinds[name] = type(oracle)
        assert isinstance(oracle, Oracle)
        assert oracle.name == name
        assert oracle.judge(explanation("good", ("good", 0.5), column=1, probability=0.95)).trustworthy is True
    assert kinds == {
        "toki": TokiOracle,
        "direct": DirectOracle,
        "confidence": ConfidenceOracle,
        "tower": TowerOracle,
        "contrastive": ContrastiveOracle,
    }


def test_settings_reach_the_oracle(model, member) -> None:
    confidence = make_oracle("confidence:threshold=0.8", model)
    assert (confidence.threshold, confidence.calibrated) == (0.8, True)
    tower = make_oracle("tower:top=3,exclusion=0", model, members=[member])
    assert tower.settings == TowerSettings(exclusion=0.0, top=3)
    contrastive = make_oracle("contrastive:threshold=0.2", model, members=[member], descriptions=FIVE)
    assert (contrastive.threshold, contrastive.calibrated) == (0.2, True)


def test_members_weigh_by_their_auc(model, make_embedding) -> None:
    pairs = shipped_pairs()
    knowing = make_embedding(_telling(pairs.related) | {"good": (1.0, 0.0), "fine": (0.3, 0.95)}, name="knowing")
    assert calibrate(knowing, pairs).auc > 0.5
    oracle = make_oracle("tower:auc_weighting=true", model, members=[knowing])
    assert oracle.settings.auc_weighting
    assert oracle.judge(explanation("good", ("fine", 0.5), column=1)).trustworthy is False


def _telling(related) -> dict[str, tuple[float, float]]:
    """Words of a related pair lie together, on one of two axes by turns."""
    table: dict[str, tuple[float, float]] = {}
    for place, (one, other) in enumerate(related):
        axis = table.get(one) or table.get(other) or ((1.0, 0.0), (0.0, 1.0))[place % 2]
        table[one] = table[other] = axis
    return table


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("toki", "the oracle 'toki' needs a keyword index"),
        ("contrastive", "class 'bad' is described by 0 words beside its name (bad), expected at least 5"),
    ],
)
def test_without_an_index(model, member, spec: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        make_oracle(spec, model, members=[member])
    assert message in str(caught.value)


@pytest.mark.parametrize("spec", ["toki", "direct", "tower", "contrastive"])
def test_without_embeddings(model, index, spec: str) -> None:
    with pytest.raises(ConfigurationError, match=f"the oracle '{spec}' needs at least one embedding"):
        make_oracle(spec, model, index=index)


@pytest.mark.parametrize("spec", ["toki", "direct", "tower", "contrastive"])
def test_a_description_of_no_class_is_named(model, member, index, spec: str) -> None:
    with pytest.raises(ConfigurationError, match="'Good', which is no class of the model; its classes are bad, good"):
        make_oracle(spec, model, members=[member], index=index, descriptions={"Good": ClassDescription(("fine",))})


def test_other_embeddings_than_those_of_the_index(model, index, make_embedding) -> None:
    other = make_embedding(two_topics(fine=0.5), name="other")
    allowing = {"good": ClassDescription(allow=("host",))}
    for descriptions in (None, allowing):
        with pytest.raises(ConfigurationError, match="built with the embeddings table, but other"):
            make_oracle("toki", model, members=[other], index=index, descriptions=descriptions)


@pytest.mark.parametrize("spec", ["direct", "tower", "contrastive"])
@pytest.mark.parametrize("names", [("0", "1"), ("/", "good")])
def test_classes_without_a_name_in_words_are_refused(
    make_word_model, member, spec: str, names: tuple[str, str]
) -> None:
    model = as_classifier(make_word_model({"fine": 1.0}, class_names=names))
    described = {names[0]: FIVE["bad"], names[1]: FIVE["good"]}
    with pytest.raises(ConfigurationError, match=f"class '{names[0]}' of .* has no name in words"):
        make_oracle(spec, model, members=[member], descriptions=described)
    assert make_oracle("confidence", model)


def test_what_an_oracle_needs(model) -> None:
    assert [name for name in ORACLES if not parse_oracle(name).needs_members] == ["confidence"]
    assert [name for name in ORACLES if parse_oracle(name).needs_index(model, None)] == ["toki", "contrastive"]
    assert [name for name in ORACLES if parse_oracle(name).needs_index(model, FIVE)] == ["toki"]
    assert parse_oracle("contrastive").needs_index(model, {"good": FIVE["good"]})
    four = {label: replace(item, words=item.words[:4]) for label, item in FIVE.items()}
    assert parse_oracle("contrastive").needs_index(model, four)


def test_vectors_of_common_words_are_kept(model, member, tmp_path) -> None:
    judged = []
    for _ in range(2):
        member.asked.clear()
        oracle = make_oracle("contrastive", model, members=[member], descriptions=FIVE, keep=Keep(tmp_path))
        judged.append((oracle.judge(explanation("good", ("fine", 0.5), column=1)), len(member.asked) > 2000))
    assert judged == [(judged[0][0], True), (judged[0][0], False)]
    assert len(list((tmp_path / "vectors").glob("*.npz"))) == 1


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04"])
def test_kept_vectors_that_are_damaged_are_made_anew(model, member, tmp_path, content: bytes) -> None:
    make_oracle("contrastive", model, members=[member], descriptions=FIVE, keep=Keep(tmp_path))
    (kept,) = (tmp_path / "vectors").glob("*.npz")
    whole = kept.read_bytes()
    for damaged in (content, whole[: len(whole) // 2]):
        kept.write_bytes(damaged)
        make_oracle("contrastive", model, members=[member], descriptions=FIVE, keep=Keep(tmp_path))
        assert kept.read_bytes() == whole


@pytest.mark.parametrize("spec", ["direct", "tower:exclusion=0", "contrastive"])
def test_classes_with_names_of_several_words_in_capitals(make_embedding, spec: str) -> None:
    import numpy as np

    def model(texts: list[str]) -> np.ndarray:
        return np.full((len(texts), 3), 1 / 3)

    model.classes_ = [0, 1, 2]  # type: ignore[attr-defined]
    named = load_model(model, classes=parse_class_names("0=Sci/Tech,1=World,2=SPORT|Games"))
    assert named.classes == ("Sci/Tech", "World", "SPORT")
    table = two_topics() | axes(["sci", "lab"], ["tech"]) | {"world": (0, 0, 1), "sport": (1, 1, 1), "games": (1, 0, 1)}
    more = ("lab", "good", "bad", "fine", "host", "rim")
    descriptions = {"Sci/Tech": ClassDescription(more), "1": ClassDescription(more), "SPORT": ClassDescription(more)}
    oracle = make_oracle(spec, named, members=[make_embedding(table)], descriptions=descriptions)
    found = oracle.judge(explanation("Sci/Tech", ("lab", 0.5), probability=0.5))
    assert found.words[0].word == "lab"
    if spec != "contrastive":
        assert found.trustworthy is True
