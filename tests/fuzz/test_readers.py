"""A slice of ``python -m benchmarks.fuzz``, and what it once found."""

from __future__ import annotations

import gzip
import io
import json
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.fuzzing import ROOMS
from benchmarks.fuzzing.fasttext import fasttext_vectors
from benchmarks.fuzzing.models import skops_model
from benchmarks.fuzzing.target import Outcome, Target, fuzz
from pytest_trust.data import load_dataset
from pytest_trust.data.verdicts import append_verdict, read_verdicts
from pytest_trust.embeddings.base import WordVectors
from pytest_trust.embeddings.conversion import table_in_memory
from pytest_trust.embeddings.kept import Keep
from pytest_trust.embeddings.loading import ensemble_names
from pytest_trust.embeddings.reading import read_vectors
from pytest_trust.errors import (
    BaselineError,
    ConfigurationError,
    DataError,
    EmbeddingError,
    IndexFileError,
    ModelError,
    TrustWarning,
)
from pytest_trust.keywords import dump_index, load_index
from pytest_trust.keywords.descriptions import read_descriptions
from pytest_trust.keywords.index import ClassKeywords, IndexOrigin, IndexSettings, KeywordIndex, MemberSettings
from pytest_trust.keywords.pool import PoolWord
from pytest_trust.models import load_model
from pytest_trust.models.tokenizer_file import FileTokenizer, longest_input
from pytest_trust.perturb.calls import perturbation_of
from pytest_trust.reports import read_run

DEEP = b"[" * 100_000 + b"]" * 100_000
VERDICT: dict[str, Any] = {
    "text": "a fine film", "label": "good", "words": [["fine", 0.5]], "annotator": "ann", "guess": None,
    "verdict": "unsure", "model": "m", "explainer": {"samples": 5},
}  # fmt: skip


@pytest.mark.parametrize("room", ROOMS)
def test_a_slice_of_the_inputs(tmp_path: Path, room: str) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("skops")
    pytest.importorskip("gensim")
    pytest.importorskip("tokenizers")
    found = [fuzz(target, len(target.seeds) + round(40 * target.share), seed=7) for target in ROOMS[room](tmp_path)]
    assert {item.name: item.findings for item in found if item.findings} == {}
    assert all(item.accepted for item in found)


def outcome(read: Callable[[bytes], None], n: int = 40, **more: Any) -> Outcome:
    return fuzz(Target("a reader", (b"[1, 2]",), read, (DataError,), **more), n, seed=0)


def problems(found: Outcome) -> str:
    return "\n".join(item.problem for item in found.findings)


def test_another_error_is_a_finding() -> None:
    def read(content: bytes) -> None:
        if content != b"[1, 2]":
            raise KeyError("a key")

    assert "KeyError: 'a key'" in problems(outcome(read))


def test_a_wrong_result_is_a_finding() -> None:
    def read(content: bytes) -> None:
        assert content == b"[1, 2]", "not as promised"

    assert "not as promised" in problems(outcome(read))


def test_a_warning_is_a_finding() -> None:
    assert "warns: UserWarning: odd" in problems(outcome(lambda content: warnings.warn("odd", stacklevel=1)))
    assert not outcome(lambda content: warnings.warn("odd", TrustWarning, stacklevel=1)).findings


def test_a_refused_valid_input_and_an_error_without_the_file_are_findings() -> None:
    def read(content: bytes) -> None:
        raise DataError("no")

    assert "a valid input is refused" in problems(outcome(read, 1))
    assert "does not name 'data.csv'" in problems(outcome(read, 1, named="data.csv"))


def test_a_hang_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.fuzzing.target.LONGEST", 0.05)

    def read(content: bytes) -> None:
        while True:
            pass

    assert "TooLong" in problems(outcome(read, 1))


def test_inputs_depend_on_the_seed_alone(tmp_path: Path) -> None:
    def seen(seed: int) -> list[bytes]:
        inputs: list[bytes] = []
        fuzz(Target("a reader", (b"[1, 2]",), inputs.append), 50, seed)
        return inputs

    assert seen(1) == seen(1) != seen(2)


# What was found.


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_a_verdict_nested_too_deep_is_torn(tmp_path: Path) -> None:
    path = written(tmp_path / "verdicts.jsonl", json.dumps(VERDICT).encode() + b"\n" + DEEP)
    with pytest.warns(TrustWarning, match="the last line is torn"):
        assert len(read_verdicts(path)) == 1


@pytest.mark.parametrize("value", [float("nan"), [1], {"a": 1}, None])
def test_settings_of_a_verdict_that_are_none_are_refused(tmp_path: Path, value: object) -> None:
    line = json.dumps(VERDICT | {"explainer": {"samples": value}}).encode()
    with pytest.raises(DataError, match=r"explainer is .*expected an object of settings: texts, finite numbers"):
        read_verdicts(written(tmp_path / "verdicts.jsonl", line))


def test_a_verdict_that_was_read_can_be_appended(tmp_path: Path) -> None:
    path = written(tmp_path / "verdicts.jsonl", json.dumps(VERDICT).encode() + b"\n")
    (verdict,) = read_verdicts(path)
    append_verdict(path, verdict)
    assert read_verdicts(path) == [verdict, verdict]


def bomb(byte: bytes, mebibytes: int = 80) -> bytes:
    """Many times a hundred times its size unpacked."""
    return gzip.compress(byte * 2**20, mtime=0) * mebibytes


@pytest.mark.parametrize("name", ["data.csv.gz", "data.jsonl.gz"])
def test_data_that_unpack_to_a_thousandfold_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match=f"{name}: cannot be read as gzip: .* bytes unpack to more than"):
        load_dataset(written(tmp_path / name, bomb(b"a")))


def test_a_baseline_that_unpacks_to_a_thousandfold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match=r"main\.json\.gz: cannot be read: .* bytes unpack to more than"):
        read_run(written(tmp_path / "main.json.gz", bomb(b" ")))


def test_a_line_of_vectors_without_an_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match=r"packed\.txt\.gz, line 1: found no end in 524288 bytes"):
        table(written(tmp_path / "packed.txt.gz", bomb(b"a", 1)))


@pytest.mark.parametrize("value", [b"9" * 5_000, b"[" * 9_000, b"{a=" * 9_000])
def test_toml_that_cannot_be_read_is_refused(tmp_path: Path, value: bytes) -> None:
    path = written(tmp_path / "classes.toml", b"[good]\nwords = " + value)
    with pytest.raises(ConfigurationError, match=r"classes\.toml: cannot be read as TOML"):
        read_descriptions(path)


def index() -> KeywordIndex:
    settings = IndexSettings({"name": "lime"}, 0, (MemberSettings("axes", "f", 0.5),), (("good",),))
    pool = (PoolWord("fine", 0.5, 2), PoolWord("host", 0.25, 1))
    vectors = {"axes": WordVectors(np.eye(2, dtype=np.float32), np.ones(2, dtype=np.bool_))}
    classes = (ClassKeywords("good", ("good",), pool, frozenset({"fine"})),)
    return KeywordIndex(IndexOrigin("m", "d", settings, "model", "data"), classes, vectors, 3)


def repacked(path: Path, name: str, change: Callable[[bytes], bytes], kind: int = zipfile.ZIP_STORED) -> Path:
    """An index in which one member is another."""
    with zipfile.ZipFile(io.BytesIO(dump_index(index()))) as old, zipfile.ZipFile(path, "w", kind) as new:
        for member in old.namelist():
            content = old.read(member)
            new.writestr(member, change(content) if member == name else content)
    return path


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"threshold": 0.5', b'"threshold": {"a": 1}'),
        (b'"threshold": 0.5', b'"threshold": NaN'),
        (b'"explained": 3', b'"explained": true'),
        (b'"explained": 3', b'"explained": -1'),
        (b'"label": "good"', b'"label": [1]'),
        (b'"label": "good"', b'"label": "\\ud800"'),
        (b'"model": "m"', b'"model": ["m"]'),
        (b'"name": "lime"', b'"name": null'),
        (b'"seed": 0', b'"seed": "0"'),
        (b"0.25,", b"[0.25],"),
    ],
)
def test_values_of_an_index_of_another_type_are_refused(tmp_path: Path, before: bytes, after: bytes) -> None:
    def change(content: bytes) -> bytes:
        assert before in content
        return content.replace(before, after)

    with pytest.raises(IndexFileError, match=r"index\.zip: not a whole keyword index"):
        load_index(repacked(tmp_path / "index.zip", "index.json", change))


def test_an_index_that_unpacks_to_a_thousandfold_is_refused(tmp_path: Path) -> None:
    path = repacked(tmp_path / "index.zip", "index.json", lambda content: b" " * 2**27 + content, zipfile.ZIP_DEFLATED)
    with pytest.raises(IndexFileError, match=r"index\.zip: .* unpack to 134"):
        load_index(path)


def test_an_index_that_was_packed_by_hand_is_read(tmp_path: Path) -> None:
    path = repacked(tmp_path / "index.zip", "index.json", lambda content: content, zipfile.ZIP_DEFLATED)
    assert load_index(path).classes == index().classes


@pytest.mark.parametrize("word", [b"'\\d'", b"'<f9'"])
def test_an_odd_header_of_an_array_does_not_warn(tmp_path: Path, word: bytes) -> None:
    path = repacked(tmp_path / "index.zip", "axes.matrix.npy", lambda content: content.replace(b"'<f4'", word.ljust(5)))
    with pytest.raises(IndexFileError):
        load_index(path)


def test_enormous_vectors_of_an_index_are_refused_without_a_warning(tmp_path: Path) -> None:
    row = np.array([1.0], np.float32).tobytes()
    huge = np.array([1e30], np.float32).tobytes()
    path = repacked(tmp_path / "index.zip", "axes.matrix.npy", lambda content: content.replace(row, huge))
    with pytest.raises(IndexFileError, match="expected rows of length one"):
        load_index(path)


@pytest.mark.parametrize("change", [lambda b: b.replace(b"0.25", b"0.75"), lambda b: DEEP, lambda b: b'{"of": 1}'])
def test_a_damaged_threshold_is_computed_anew(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    keep = Keep(tmp_path)
    assert keep.threshold("f", "p", lambda: 0.25) == 0.25
    (path,) = tmp_path.rglob("*.json")
    path.write_bytes(change(path.read_bytes()))
    assert keep.threshold("f", "p", lambda: 0.25) == 0.25


@pytest.mark.parametrize("change", [lambda b: DEEP, lambda b: b"7", lambda b: b.replace(b"false", b"true ")])
def test_a_damaged_description_of_a_table_is_made_anew(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    source, keep = written(tmp_path / "v.txt", b"good 3 4\n"), Keep(tmp_path)
    keep.table(source, "d", lambda: read_vectors(source))
    (path,) = tmp_path.rglob("table.json")
    path.write_bytes(change(path.read_bytes()))
    assert keep.table(source, "d", lambda: read_vectors(source)).cased is False


def table(path: Path) -> object:
    return table_in_memory(path, read_vectors(path))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("vectors.txt", b"4 " + b"9" * 5_000 + b"\ngood 1 2\n"),  # more digits than int reads
        ("vectors.txt", b"good 1e300 2\nbad thing 1 2\n"),  # infinite as float32
        ("vectors.bin", b"4 9999999999\ngood " + bytes(400)),
    ],
)
def test_numbers_beyond_all_bounds_are_refused(tmp_path: Path, name: str, content: bytes) -> None:
    with pytest.raises(EmbeddingError, match=name):
        table(written(tmp_path / name, content))


def test_settings_of_a_tokenizer_nested_too_deep_are_refused(tmp_path: Path) -> None:
    written(tmp_path / "config.json", b'{"a": ' + DEEP + b"}")
    with pytest.raises(ModelError, match=r"config\.json cannot be read as JSON \(RecursionError"):
        longest_input(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "longest"),
    [
        ("config.json", b'{"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": NaN}', 514),
        ("config.json", b'{"max_position_embeddings": true}', None),
        ("tokenizer.json", b'{"truncation": [1]}', None),
        ("tokenizer.json", b'{"truncation": {"max_length": "8"}}', None),
        ("tokenizer.json", b'{"truncation": {"max_length": 8}}', 8),
    ],
)
def test_limits_that_are_no_numbers_are_none(tmp_path: Path, name: str, content: bytes, longest: int | None) -> None:
    written(tmp_path / name, content)
    assert longest_input(tmp_path) == longest


def tokenizer(folder: Path, unknown: str = "[UNK]", **settings: object) -> Any:
    pytest.importorskip("tokenizers")
    model = {"type": "WordLevel", "vocab": {"[UNK]": 0, "fine": 1}, "unk_token": unknown}
    plain = dict.fromkeys(("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder"))
    document = plain | {"version": "1.0", "added_tokens": [], "model": model}
    written(folder / "tokenizer.json", json.dumps(document).encode())
    written(folder / "tokenizer_config.json", json.dumps(settings).encode())
    return FileTokenizer(folder, ["input_ids"], 8)


def test_words_of_fasttext_that_are_cut_off_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    content = fasttext_vectors()
    table(written(tmp_path / "whole.bin", content))
    with pytest.raises(EmbeddingError, match=r"cut\.bin: .*it ends within word 2 of 4"):  # gensim would never end
        table(written(tmp_path / "cut.bin", content[: content.index(b"new_york") + 3]))


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_subwords_that_are_not_finite_are_refused(tmp_path: Path, number: float) -> None:
    pytest.importorskip("gensim")
    content = fasttext_vectors()[:-4] + np.array([number], "<f4").tobytes()
    with pytest.raises(EmbeddingError, match=r"odd\.bin: found numbers that are not finite among its sub-words"):
        table(written(tmp_path / "odd.bin", content))


def test_a_pipeline_that_lacks_a_parameter_is_asked_or_refused(tmp_path: Path) -> None:
    pytest.importorskip("skops")
    path, buffer = tmp_path / "model.skops", io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(skops_model())) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'"fit_intercept"', b'"other"'))
    model = load_model(str(written(path, buffer.getvalue())), allow_pickle=False)
    assert model.predict_proba(["a fine film"]).shape == (1, 2)


@pytest.mark.parametrize("side", ["middle", "\ud800", 1, None, {"a": 2}])
def test_a_side_of_truncation_that_is_none_is_refused(tmp_path: Path, side: object) -> None:
    with pytest.raises(ModelError, match=r"tokenizer_config\.json: truncation_side is .*; expected 'left' or 'right'"):
        tokenizer(tmp_path, truncation_side=side)


def test_a_special_token_that_cannot_be_written_has_no_number(tmp_path: Path) -> None:
    assert tokenizer(tmp_path, pad_token="\ud800").pad_token_id is None


def test_a_tokenizer_without_the_token_for_unknown_words_is_told_of(tmp_path: Path) -> None:
    assert tokenizer(tmp_path)("fine")["input_ids"] == [1]
    with pytest.raises(ModelError, match=r"tokenizer\.json cannot encode a text"):
        tokenizer(tmp_path, unknown="<none>")("dull")


@pytest.mark.parametrize("name", ["a" * 2_000, "[" * 2_000, "9" * 2_000 + "@0.5"])
def test_the_name_of_an_embedding_may_be_too_long_for_a_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match="is unknown, expected"):
        ensemble_names(name, tmp_path)


def test_what_the_parser_finds_odd_does_not_warn() -> None:
    assert perturbation_of(r"replace({'\d': 'a'})").name
    with pytest.raises(ConfigurationError, match=r"typos\(1or 2\)"):
        perturbation_of("typos(1or 2)")
