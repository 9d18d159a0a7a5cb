"""Vectors from text and binary files: what is read, and what is said of a file that is broken."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from pytest_trust.embeddings import load_ensemble
from pytest_trust.embeddings.blocks import BLOCK
from pytest_trust.embeddings.reading import read_vectors
from pytest_trust.errors import EmbeddingError
from tests.embeddings.vector_files import ENTRIES, binary, text, unit, written

MANY = {f"w{i}": (float(i + 1), 1.0, -1.0) for i in range(2 * BLOCK + 7)}


def load(path: Path):
    (member,) = load_ensemble(str(path))
    return member


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("v.txt", text()),
        ("v.txt", text(header=True)),
        ("v.vec", text(header=True, end=" \n")),
        ("v.txt", text(end="\r\n")),
        ("v.txt", text().rstrip(b"\n")),
        ("v.txt", text().replace(b" ", b"\t")),
        ("v.txt.gz", text()),
        ("V.VEC.GZ", text(header=True)),
        ("v.bin", binary()),
        ("v.bin", binary(end=b"")),
        ("v.bin.gz", binary()),
    ],
)
def test_every_form_of_a_file(tmp_path, name, content):
    member = load(written(tmp_path, name, content))
    assert member.name == name[0]
    assert member.dimension == 3
    found = member.vectors(["Good", "table", "zzqx"])
    assert found.known.tolist() == [True, True, False]
    np.testing.assert_allclose(found.matrix, [unit("good"), unit("table"), [0, 0, 0]], atol=1e-7)


@pytest.mark.parametrize("content", [text(MANY), text(MANY, header=True), binary(MANY)], ids=["plain", "header", "bin"])
def test_files_of_several_blocks(tmp_path, content):
    member = load(written(tmp_path, "v.txt" if content.startswith((b"w0", b"2007 3\nw0 1.0")) else "v.bin", content))
    words = ["w0", f"w{BLOCK - 1}", f"w{BLOCK}", f"w{len(MANY) - 1}"]
    rows = np.array([MANY[word] for word in words])
    found = member.vectors(words)
    np.testing.assert_allclose(found.matrix, rows / np.linalg.norm(rows, axis=1, keepdims=True), atol=1e-7)


def test_the_first_of_equal_words_counts(tmp_path):
    member = load(written(tmp_path, "v.txt", text() + b"good 0 0 1\n"))
    np.testing.assert_allclose(member.vectors(["good"]).matrix[0], unit("good"), atol=1e-7)


def test_a_word_may_hold_spaces(tmp_path):
    """GloVe of 840 billion tokens has ". . ." and "at name@domain.com"."""
    content = text() + b". . . 1 0 0\nat name@domain.com 0 1 0\n" + text({"last": (0.0, 0.0, 1.0)})
    found = load(written(tmp_path, "v.txt", content)).vectors(["at name@domain.com", ". . .", "good", "last"])
    assert found.known.all()
    np.testing.assert_allclose(found.matrix, [[0, 1, 0], [1, 0, 0], unit("good"), [0, 0, 1]], atol=1e-7)


def test_a_table_with_capitals_is_asked_for_them(tmp_path):
    cased = {**ENTRIES, "Paris": (1.0, 0.0, 0.0), "NASA": (0.0, 1.0, 0.0), "New_York": (0.0, 0.0, 1.0)}
    found = load(written(tmp_path, "v.bin", binary(cased))).vectors(["paris", "nasa", "New York", "good"])
    np.testing.assert_allclose(found.matrix, [[1, 0, 0], [0, 1, 0], [0, 0, 1], unit("good")], atol=1e-7)


def test_a_mark_in_capitals_makes_no_cased_table(tmp_path):
    member = load(written(tmp_path, "v.txt", text({**MANY, "UNK": (1.0, 0.0, 0.0)})))
    assert member.vectors(["unk", "w0"]).known.tolist() == [False, True]


def test_words_that_are_no_utf8_harm_nobody(tmp_path):
    member = load(written(tmp_path, "v.bin", binary().replace(b"great", b"gr\xff\xfet")))
    assert member.vectors(["good", "great"]).known.tolist() == [True, False]


def test_names_without_a_suffix_are_told_by_their_bytes(tmp_path):
    """So come the files of gensim.downloader."""
    for name, content in {"text.gz": text(header=True), "plain.gz": text(), "binary.gz": binary()}.items():
        (block,) = read_vectors(written(tmp_path, name, content)).blocks
        assert block.words == [b"good", b"great", b"table", b"chair"]
        np.testing.assert_allclose(block.matrix, list(ENTRIES.values()))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (text() + b"short 1 2\n", r"line 5: found 3 fields: .*short 1 2.*expected a word and 3 numbers"),
        (text() + b"long 1 2 3 4\n", r"line 5: found 5 fields: .*long 1 2 3 4.*expected a word and 3 numbers"),
        (text() + b"a 1 2\nb 1 2 3 4\n", r"line 5: found 3 fields"),
        (text() + b"odd 1 x 3\n", r"line 5: found bytes b'x' among the numbers; expected a word and 3 numbers"),
        (text() + b"nan 1 nan 3\n", r"line 5: found the word 'nan' with \[.*nan.*\.\.\., expected .* finite numbers"),
        (text() + b"big 1 1e39 3\n", r"line 5: found the word 'big' with .*inf.* finite numbers"),
        (text() + b"\n", r"line 5: found 0 fields"),
        (text() + b" 1 2 3\n", r"line 5: found 3 fields"),
        (text(MANY) + b"short 1 2\n", rf"line {len(MANY) + 1}: found 3 fields"),
        (text(header=True) + b"more 1 2 3\n", r"found 5 vectors, expected 4 as line 1 says"),
        (b"4 3\ngood 1 2 3\n", r"found 1 vectors, expected 4 as line 1 says"),
        (b"1 4\ngood 1 2 3\n", r"line 2: found 4 fields: .*; expected a word and 4 numbers"),
        (b"1 0\ngood\n", r"line 2: found 1 fields: .*; expected a word and its numbers"),
        (b"good\n", r"line 1: found 1 fields: .*; expected a word and its numbers"),
        (b"", r"found no vectors, expected words with their vectors"),
        (b"0 3\n", r"found no vectors, expected words with their vectors"),
        (b"good 0 0 0\nbad 0 0 0\n", r"found 2 vectors, all of them zero, expected words with their vectors"),
        (binary({f"{word}": (1e-40, 0.1, 3e8) for word in "abcdef"}), r"line 2: found "),
    ],
)
def test_a_malformed_text_file(tmp_path, content, message):
    path = written(tmp_path, "broken.txt", content)
    with pytest.raises(EmbeddingError, match=rf"{re.escape(str(path))}\W.*{message}"):
        load(path).vectors(["good"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (binary()[:-20], r"vector 4: the file ends here; expected 4 vectors of dimension 3 as in line 1"),
        (binary().replace(b"4 3\n", b"5 3\n"), r"vector 5: the file ends here; expected 5 vectors"),
        (binary().replace(b"4 3\n", b"3 3\n"), r"found more than the 3 vectors that line 1 speaks of"),
        (binary().replace(b"4 3\n", b"4 900\n"), r"vector 1: the file ends here; expected 4 vectors of dimension 900"),
        (b"2 1\n" + b"x" * 20_000, r"vector 1: found no end of its word in 10000 bytes"),
        (text(), r"found bytes b'good .*' in line 1, expected the count and the dimension"),
        (b"", r"found bytes b'' in line 1, expected the count and the dimension"),
        (b"4 0\n", r"in line 1, expected the count and the dimension"),
        (b"0 3\n", r"found no vectors, expected words with their vectors"),
        (binary({"nan": (1.0, float("nan"), 0.0)}), r"vector 1: found the word 'nan' with .* finite numbers"),
        (binary({"": (1.0, 2.0, 0.0)}), r"vector 1: found the word '' with .*expected a word that is not empty"),
    ],
)
def test_a_malformed_binary_file(tmp_path, content, message):
    path = written(tmp_path, "broken.bin", content)
    with pytest.raises(EmbeddingError, match=rf"{re.escape(str(path))}\W.*{message}"):
        load(path).vectors(["good"])


@pytest.mark.parametrize("content", [written, None])
def test_a_packed_file_that_is_cut_short(tmp_path, content):
    path = written(tmp_path, "v.txt.gz", text(MANY))
    path.write_bytes(path.read_bytes()[:-200] if content else text())
    with pytest.raises(EmbeddingError, match=r"v\.txt\.gz: cannot be read \((EOFError|BadGzipFile): "):
        load(path).vectors(["w0"])


def test_a_file_that_is_gone(tmp_path):
    path = written(tmp_path, "v.txt", text())
    member = load(path)
    path.unlink()
    with pytest.raises(EmbeddingError, match=r"v\.txt: cannot be read"):
        member.vectors(["good"])
