"""What is kept below the cache folder: tables that are mapped, digests that are trusted, thresholds."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pytest_trust.embeddings import Embedding, kept, load_ensemble, local, table_files
from pytest_trust.embeddings.calibration import calibrate
from pytest_trust.errors import EmbeddingError, TrustWarning
from tests.embeddings.vector_files import ENTRIES, PAIRS, text, unit, written

SHOWN_MAPS = Path("/proc/self/maps")


@pytest.fixture
def source(tmp_path) -> Path:
    return written(tmp_path, "v.txt", text())


@pytest.fixture
def pairs(monkeypatch) -> None:
    monkeypatch.setattr(local, "shipped_pairs", lambda: PAIRS)


@pytest.fixture
def no_conversion(monkeypatch):
    """From here on a file of vectors may not be read."""

    def forbid() -> None:
        def refuse(*_):
            raise AssertionError("read again")

        monkeypatch.setattr(local, "read_vectors", refuse)
        monkeypatch.setattr(kept, "_file_digest", refuse)

    return forbid


def load(path: Path, **settings):
    (member,) = load_ensemble(path.name, rootpath=path.parent, **settings)
    return member


def tables(folder: Path) -> list[Path]:
    return sorted((folder / ".trust/embeddings/tables").iterdir())


def test_the_second_start_reads_no_vectors(source, no_conversion):
    first = load(source)
    expected = first.vectors(["good", "table", "zzqx"])
    no_conversion()
    second = load(source)
    found = second.vectors(["good", "table", "zzqx"])
    assert np.array_equal(found.matrix, expected.matrix)
    assert np.array_equal(found.known, expected.known)
    assert second.fingerprint == first.fingerprint
    np.testing.assert_allclose(found.matrix[0], unit("good"), atol=1e-7)


def test_kept_and_in_memory_are_the_same(source):
    kept_member, (memory,) = load(source), load_ensemble(str(source))
    words = [*ENTRIES, "good table"]
    assert np.array_equal(kept_member.vectors(words).matrix, memory.vectors(words).matrix)
    assert kept_member.fingerprint == memory.fingerprint


@pytest.mark.skipif(not SHOWN_MAPS.exists(), reason="needs a system that shows what is mapped")
def test_kept_rows_are_mapped_from_the_file(source):
    member = load(source)
    member.vectors(["good"])
    (folder,) = tables(source.parent)
    mapped = SHOWN_MAPS.read_text()
    assert all(str(folder / name) in mapped for name in ("rows", "text", "hashes", "order", "offsets"))


def test_a_changed_file_is_read_anew(source):
    before = load(source)
    before.vectors(["good"])
    source.write_bytes(text({"good": (0.0, 0.0, 1.0)}))
    after = load(source)
    assert after.vectors(["good", "table"]).known.tolist() == [True, False]
    assert after.fingerprint != before.fingerprint


def test_a_file_with_another_date_is_the_same(source, monkeypatch):
    fingerprint = load(source).fingerprint
    load(source).vectors(["good"])
    os.utime(source, (1, 1))
    monkeypatch.setattr(local, "read_vectors", None)
    member = load(source)
    assert member.fingerprint == fingerprint
    assert member.vectors(["good"]).known.all()


def test_equal_files_share_a_table(source):
    shutil.copy(source, source.with_name("copy.txt"))
    for member in load_ensemble("v.txt,copy.txt", rootpath=source.parent):
        member.vectors(["good"])
    assert len(tables(source.parent)) == 1


@pytest.mark.parametrize("name", ["rows", "text", "offsets", "hashes", "order", "table.json"])
@pytest.mark.parametrize("damage", ["gone", "short"])
def test_a_damaged_table_is_made_anew(source, name, damage):
    load(source).vectors(["good"])
    path = tables(source.parent)[0] / name
    content = path.read_bytes()
    path.unlink()
    if damage == "short":
        path.write_bytes(content[:-1])
    np.testing.assert_allclose(load(source).vectors(["good"]).matrix[0], unit("good"), atol=1e-7)
    assert len(path.read_bytes()) == len(content)


def test_an_interrupted_conversion_is_begun_again(source):
    source.write_bytes(text() + b"odd 1 x 3\n")
    for _ in range(2):
        with pytest.raises(EmbeddingError, match="line 5"):
            load(source).vectors(["good"])
    assert {path.suffix for path in tables(source.parent)[0].iterdir()} <= {".lock"}


def test_making_a_table_anew_leaves_those_alone_who_have_it_mapped(source):
    member = load(source)
    member.vectors(["good"])
    (tables(source.parent)[0] / "table.json").unlink()
    load(source).vectors(["table"])
    np.testing.assert_allclose(member.vectors(["table"]).matrix[0], unit("table"), atol=1e-7)


def test_a_full_disk_leaves_nothing_behind(source, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(table_files, "_mapped", full)
    with pytest.warns(TrustWarning, match=r"v\.txt is kept in memory: .*No space left on device"):
        assert load(source).vectors(["good"]).known.all()
    assert {path.suffix for path in tables(source.parent)[0].iterdir()} <= {".lock"}


def test_a_folder_that_cannot_be_made_costs_a_warning(source):
    (source.parent / ".trust").write_text("a file where the folder should be")
    with pytest.warns(TrustWarning, match="no cache folder") as caught:
        member = load(source)
    assert len(caught) == 1
    assert member.vectors(["good"]).known.all()


def test_a_table_that_cannot_be_written_costs_a_warning(source):
    folder = source.parent / ".trust/embeddings"
    folder.mkdir(parents=True)
    (folder / "tables").write_text("a file where the folder should be")
    with pytest.warns(TrustWarning, match=r"v\.txt is kept in memory: .* cannot be used") as caught:
        found = load(source).vectors(["good"])
    assert len(caught) == 1
    np.testing.assert_allclose(found.matrix[0], unit("good"), atol=1e-7)


def test_without_a_root_nothing_is_written(source, monkeypatch):
    monkeypatch.chdir(source.parent)
    (member,) = load_ensemble("v.txt")
    assert member.vectors(["good"]).known.all()
    assert [path.name for path in source.parent.iterdir()] == ["v.txt"]


def test_a_member_travels_by_its_path(source):
    (member,) = load_ensemble("v.txt@0.5", rootpath=source.parent)
    member.vectors(["good"])
    message = pickle.dumps(member)
    assert len(message) < 600
    copy = pickle.loads(message)
    assert isinstance(copy, Embedding)
    assert np.array_equal(copy.vectors(["good"]).matrix, member.vectors(["good"]).matrix)


def test_two_processes_make_one_table(source):
    script = (
        "import sys; from pathlib import Path; from pytest_trust.embeddings import load_ensemble; "
        "(m,) = load_ensemble('v.txt', rootpath=Path(sys.argv[1])); print(m.vectors(['good']).matrix.tolist())"
    )
    command = [sys.executable, "-W", "error", "-c", script, str(source.parent)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert answers[0] == answers[1]
    np.testing.assert_allclose(json.loads(answers[0])[0], unit("good"), atol=1e-7)


@pytest.mark.usefixtures("pairs")
class TestThreshold:
    def test_it_is_that_of_the_shipped_pairs(self, source):
        member = load(source)
        assert member.threshold == calibrate(member, PAIRS).threshold
        assert 0.0 < member.threshold < 1.0

    def test_it_is_computed_once_and_kept(self, source, monkeypatch):
        first = load(source).threshold
        monkeypatch.setattr(local, "calibrate", None)
        assert load(source).threshold == first

    @pytest.mark.parametrize("change", ["vectors", "pairs"])
    def test_other_vectors_or_pairs_get_their_own(self, source, monkeypatch, change):
        results = iter([SimpleNamespace(threshold=0.25), SimpleNamespace(threshold=0.75)])
        monkeypatch.setattr(local, "calibrate", lambda *_: next(results))
        assert load(source).threshold == 0.25
        if change == "vectors":
            source.write_bytes(text({**ENTRIES, "good": (2.0, 5.0, 0.0)}))
        else:
            monkeypatch.setattr(local, "shipped_pairs", lambda: replace(PAIRS, related=PAIRS.related[:1]))
        assert load(source).threshold == load(source).threshold == 0.75

    def test_a_given_one_comes_first(self, source, monkeypatch):
        monkeypatch.setattr(local, "calibrate", None)
        (member,) = load_ensemble("v.txt@0.35", rootpath=source.parent)
        assert (member.name, member.threshold) == ("v", 0.35)
        assert pickle.loads(pickle.dumps(member)).threshold == 0.35

    def test_vectors_that_know_none_of_the_words_need_one(self, tmp_path):
        path = written(tmp_path, "odd.txt", text({"zzqx": (1.0, 0.0)}))
        with pytest.raises(EmbeddingError, match="odd: no related pair is known"):
            _ = load(path).threshold
