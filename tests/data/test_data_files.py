from __future__ import annotations

import csv
import gzip
import io
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_trust.data import TextDataset, load_dataset
from pytest_trust.errors import DataError, MissingExtraError

ACCEPTED = ".csv, .tsv, .jsonl, .ndjson (each also with .gz) or .parquet"
ROWS: list[tuple[str, str, bool | None]] = [
    ('He said "no",\nthen left', "neg", True),
    ("tab\there; naïve 電影 👍🏽", "pos", False),
    ("", "pos", None),
    ("   ", "1", None),
    ("'single'\u2028line\\n", "True", True),
]
NAMES = ("text", "label", "trustworthy")


def delimited(rows: list[tuple[Any, ...]], delimiter: str, names: tuple[str, ...] = NAMES) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue().encode()


def json_lines(rows: list[tuple[Any, ...]], names: tuple[str, ...] = NAMES) -> bytes:
    objects = [dict(zip(names, row, strict=True)) for row in rows]
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects).encode()


def parquet(rows: list[tuple[Any, ...]], names: tuple[str, ...] = NAMES) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))), out)
    return out.getvalue()


FORMATS: dict[str, Callable[[list[Any]], bytes]] = {
    "films.csv": lambda rows: delimited(rows, ","),
    "films.TSV": lambda rows: delimited(rows, "\t"),
    "films.jsonl": json_lines,
    "films.v2.ndjson": json_lines,
    "films.csv.gz": lambda rows: gzip.compress(delimited(rows, ",")),
    "films.tsv.gz": lambda rows: gzip.compress(delimited(rows, "\t")),
    "films.jsonl.GZ": lambda rows: gzip.compress(json_lines(rows)),
    "films.ndjson.gz": lambda rows: gzip.compress(json_lines(rows)),
    "films.parquet": parquet,
}

Write = Callable[[str, bytes | str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


def message_of(source: object, **options: Any) -> str:
    with pytest.raises(DataError) as caught:
        load_dataset(source, **options)
    return str(caught.value)


# Every format


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_dataset(write: Write, name: str) -> None:
    path = write(name, FORMATS[name](ROWS))

    data = load_dataset(path)

    texts, labels, verdicts = zip(*ROWS, strict=True)
    assert data == TextDataset(texts, labels, verdicts, str(path))
    assert data.fingerprint == load_dataset(ROWS).fingerprint


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", delimited([("a", 1), ("b", 0)], ",", ("body", "target"))),
        ("a.tsv", delimited([("a", 1), ("b", 0)], "\t", ("body", "target"))),
        ("a.jsonl", json_lines([("a", 1), ("b", 0)], ("body", "target"))),
        ("a.parquet", parquet([("a", 1), ("b", 0)], ("body", "target"))),
    ],
)
def test_columns_of_other_names(write: Write, name: str, content: bytes) -> None:
    path = write(name, content)

    data = load_dataset(path, columns={"text": "body", "label": "target"})
    assert (data.texts, data.labels, data.trustworthy) == (("a", "b"), ("1", "0"), (None, None))

    message = message_of(path)
    assert f"{path}: no column 'text' for the text; columns found: ['body', 'target']" in message
    assert "--trust-columns=text=COLUMN" in message


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.csv", "text\na\n"), ("a.jsonl", '{"text": "a"}\n'), ("a.parquet", parquet([("a",)], ("text",)))],
)
def test_label_column_may_be_missing_only_where_labels_are_not_required(
    write: Write, name: str, content: bytes | str
) -> None:
    path = write(name, content)

    assert load_dataset(path, require_labels=False).labels == (None,)
    assert "no column 'label' for the label; columns found: ['text']" in message_of(path)


@pytest.mark.parametrize("columns", [{"label": "target"}, {"trustworthy": "human"}])
def test_column_that_was_asked_for_must_be_there(write: Write, columns: dict[str, str]) -> None:
    path = write("a.csv", "text,label\na,x\n")

    ((role, name),) = columns.items()
    assert f"no column {name!r} for the {role}" in message_of(path, columns=columns, require_labels=False)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", ""),
        ("a.csv", "\ufeff"),
        ("a.csv", "\r\n\r\n"),
        ("a.csv", "text,label\n"),
        ("a.tsv", "text\tlabel"),
        ("a.jsonl", ""),
        ("a.jsonl", "\n  \n"),
        ("a.csv.gz", gzip.compress(b"", mtime=0)),
        ("a.csv.gz", b""),
    ],
)
def test_nothing_in_the_file_is_refused(write: Write, name: str, content: bytes | str) -> None:
    path = write(name, content)

    assert f"{path}: no rows" in message_of(path)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"text,label\na,x\n", b"PAR1" * 10])
def test_what_is_no_parquet_file_is_refused(write: Write, content: bytes) -> None:
    path = write("a.parquet", content)

    assert message_of(path).startswith(f"{path}: not a Parquet file that can be read: ")


def test_parquet_without_rows_is_refused(write: Write) -> None:
    out = io.BytesIO()
    pq.write_table(pa.table({"text": pa.array([], pa.string()), "label": pa.array([], pa.string())}), out)

    assert "no rows" in message_of(write("a.parquet", out.getvalue()))


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("a.csv", "text,verdict,label\na,yes,x\n\n'b,maybe,y\n", "row 2 (line 4)"),
        ("a.tsv", 'text\tverdict\tlabel\n"a\nb"\tyes\tx\n"c\nd"\tmaybe\ty\n', "row 2 (line 4)"),
        ("a.jsonl", '{"text":"a","label":1}\n\n{"text":"b","label":1,"verdict":"maybe"}', "row 2 (line 3)"),
        ("a.parquet", parquet([("a", "x", "yes"), ("b", "x", "maybe")], ("text", "label", "verdict")), "row 2"),
    ],
)
def test_error_names_file_row_line_and_column(write: Write, name: str, content: bytes | str, place: str) -> None:
    path = write(name, content)

    message = message_of(path, columns={"trustworthy": "verdict"})

    assert message.startswith(f"{path}: {place}, column 'verdict': the verdict is str 'maybe'; expected true/false")


def test_missing_label_names_row_and_line(write: Write) -> None:
    path = write("a.csv", "text,label\na,x\nb,\n")

    assert load_dataset(path, require_labels=False).labels == ("x", None)
    assert f"{path}: row 2 (line 3), column 'label': the label is missing (found '')" in message_of(path)


# Paths


def test_relative_path_starts_from_rootpath_or_the_current_folder(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.csv", "text,label\na,x\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)

    assert load_dataset("a.csv", rootpath=tmp_path).name == "a.csv"
    assert f"no data file at {elsewhere / 'a.csv'}" in message_of("a.csv")
    monkeypatch.chdir(tmp_path)
    assert load_dataset(Path("a.csv")).texts == ("a",)
    assert load_dataset(tmp_path / "a.csv", rootpath=elsewhere).texts == ("a",)


@pytest.mark.parametrize("source", ["none.csv", "none", "package.module", "a/b.py:TRAIN", "nul\0.csv", "x" * 5000])
def test_file_that_is_not_there_is_refused(tmp_path: Path, source: str) -> None:
    message = message_of(source, rootpath=tmp_path)

    assert "no data file" in message
    assert str(tmp_path / source) in message


def test_folder_is_refused(tmp_path: Path) -> None:
    message = message_of("", rootpath=tmp_path)

    assert f"{tmp_path} is a folder; expected a file: {ACCEPTED}" in message


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("a.pkl", ".pkl"),
        ("a.joblib", ".joblib"),
        ("a.json", ".json"),
        ("a.xlsx", ".xlsx"),
        ("a.parquet.gz", ".gz"),
        ("a.pkl.gz", ".gz"),
        ("a", ""),
        (".csv", ""),
    ],
)
def test_unknown_extension_is_refused_with_those_accepted(write: Write, name: str, suffix: str) -> None:
    path = write(name, b"cos\nsystem\n(S'exit 1'\ntR.")

    assert message_of(path) == f"{path}: unknown data format {suffix!r}; accepted: {ACCEPTED}"


@pytest.mark.parametrize(
    "content",
    [
        b"text,label\na,x\n",
        gzip.compress(b"text,label\na,x\n")[:-9],
        gzip.compress(b"text,label\na,x\n")[:12] + b"\xff" * 9,
        gzip.compress(b"text,label\na,x\n") + b"more",
    ],
    ids=["no gzip", "cut short", "damaged", "with a tail"],
)
def test_damaged_gzip_is_refused(write: Write, content: bytes) -> None:
    path = write("a.csv.gz", content)

    assert message_of(path).startswith(f"{path}: cannot be read as gzip: ")


# Text files


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("ended", [True, False])
def test_byte_order_mark_and_line_ends(write: Write, bom: str, end: str, ended: bool) -> None:
    content = f"{bom}text,label{end}a,x{end}b,y{end if ended else ''}"

    assert load_dataset(write("a.csv", content)).fingerprint == load_dataset([("a", "x"), ("b", "y")]).fingerprint


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_byte_order_mark_and_line_ends_of_json_lines(write: Write, end: str) -> None:
    content = f'\ufeff{{"text": "a", "label": "x"}}{end}{{"text": "b", "label": "y"}}{end}'

    assert load_dataset(write("a.jsonl", content)).fingerprint == load_dataset([("a", "x"), ("b", "y")]).fingerprint


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_bytes_that_are_not_utf_8_are_named(write: Write, bom: bytes, end: bytes) -> None:
    raw = bom + b"text,label" + end + b"caf\xe9,x" + end
    path = write("a.csv", raw)

    expected = f"{path}: line 2: the byte 0xe9 at offset {raw.index(0xE9)} is not UTF-8; save the file as UTF-8"
    assert message_of(path) == expected


def test_utf_16_is_refused(write: Write) -> None:
    path = write("a.jsonl", json_lines([("a", "x")], ("text", "label")).decode().encode("utf-16"))

    assert f"{path}: line 1: the byte 0xff at offset 0 is not UTF-8" in message_of(path)


# CSV and TSV


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("text,label\na,x\nb\n", "row 2 (line 3) has 1 cells; expected 2 as in the header"),
        ("text,label\na,x\n\nb,y,z\n", "row 2 (line 4) has 3 cells; expected 2 as in the header"),
        ("text,label\na,x\n   \n", "row 2 (line 3) has 1 cells"),
        ('text,label\na,x\n"b,y\nc,z\n', "row 2 (line 3): unexpected end of data; a cell that begins with a quote"),
        ('text,label\n"a" b,x\n', "row 1 (line 2): ',' expected after '\"'"),
        ('"text,label\na,x\n', "header (line 1): unexpected end of data"),
        ("text,label,text\na,x,b\n", "column names must differ; found more than once: ['text']"),
        ("text,label,id,id\na,x,1,2\n", "column names must differ; found more than once: ['id']"),
        ("text;label\na;x\n", "no column 'text' for the text; columns found: ['text;label']"),
        ("Text,Label\na,x\n", "no column 'text' for the text; columns found: ['Text', 'Label']"),
    ],
)
def test_malformed_csv_is_refused(write: Write, content: str, message: str) -> None:
    path = write("a.csv", content)

    assert message_of(path).startswith(f"{path}: ")
    assert message in message_of(path)


def test_columns_without_a_name_do_no_harm(write: Write) -> None:
    assert load_dataset(write("a.csv", ",text,label,,\n0,a,x,,\n")).texts == ("a",)


def test_long_header_is_shortened_in_the_message(write: Write) -> None:
    message = message_of(write("a.csv", f"{'long text ' * 5000},x\n" + "a,b\n"))

    assert len(message) < 600


def test_digits_in_a_csv_are_text(write: Write) -> None:
    data = load_dataset(write("a.csv", "text,label\n007,1.0\nnan,NA\n"))

    assert (data.texts, data.labels) == (("007", "nan"), ("1.0", "NA"))


def test_quotes_inside_an_unquoted_cell_are_text(write: Write) -> None:
    assert load_dataset(write("a.csv", 'text,label\nsay "hi",x\n')).texts == ('say "hi"',)


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_texts_longer_than_the_limit_of_the_csv_module(write: Write, name: str) -> None:
    long = "long text " * 20_000
    before = csv.field_size_limit()
    path = write(name, delimited([(long, "x")], "," if name == "a.csv" else "\t", ("text", "label")))
    assert len(long) > before

    assert load_dataset(path).texts == (long,)
    assert csv.field_size_limit() == before


def test_limit_of_the_csv_module_is_restored_after_an_error(write: Write) -> None:
    before = csv.field_size_limit()

    assert "unexpected end of data" in message_of(write("a.csv", 'text,label\n"' + "a" * 200_000))
    assert csv.field_size_limit() == before


def test_frame_written_by_pandas(write: Write) -> None:
    frame = pd.DataFrame(ROWS, columns=list(NAMES))

    for name, content in {
        "a.csv": frame.to_csv(),
        "a.tsv": frame.to_csv(sep="\t", index=False),
        "a.jsonl": frame.to_json(orient="records", lines=True),
    }.items():
        assert load_dataset(write(name, content)).fingerprint == load_dataset(frame).fingerprint


# JSON Lines


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "b", "label": }', "not JSON: Expecting value at character 24; expected one object a line"),
        ('{"text": "b"} {"text": "c"}', "not JSON: Extra data"),
        ('{"text": "b\tc"}', "not JSON: Invalid control character"),
        ('["b", "y"]', "found list; expected an object"),
        ('"b"', "found str; expected an object"),
        ("null", "found NoneType; expected an object"),
        ('{"text": "b", "label": "y", "text": "c"}', "keys come more than once in one object: ['text']"),
        ('{"text": "b", "label": ' + "1" * 5000 + "}", "JSON that cannot be read: Exceeds the limit"),
        ("[" * 200_000, "JSON that cannot be read: "),
    ],
    ids=lambda value: str(value)[:20],
)
def test_malformed_json_line_is_refused(write: Write, line: str, message: str) -> None:
    path = write("a.jsonl", f'{{"text": "a", "label": "x"}}\n\n{line}\n')

    assert message_of(path).startswith(f"{path}:3: {message}")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ('"text": null, "label": "x"', "row 1 (line 1), column 'text': the text is missing (found None)"),
        ('"text": NaN, "label": "x"', "row 1 (line 1), column 'text': the text is missing (found nan)"),
        ('"text": 3, "label": "x"', "row 1 (line 1), column 'text': the text is int 3; expected a string"),
        ('"text": "a", "label": null', "row 1 (line 1), column 'label': the label is missing"),
        ('"text": "a", "label": 0.5', "row 1 (line 1), column 'label': the label is float 0.5"),
        ('"text": "a", "label": {"id": 1}', "row 1 (line 1), column 'label': the label is JsonObject {'id': 1}"),
        (r'"text": "\ud800", "label": "x"', "row 1 (line 1), column 'text': the lone surrogate"),
    ],
)
def test_malformed_json_value_is_refused(write: Write, fields: str, message: str) -> None:
    path = write("a.jsonl", f"{{{fields}}}\n")

    assert message_of(path).startswith(f"{path}: {message}")


def test_json_labels_of_several_types(write: Write) -> None:
    lines = "".join(f'{{"text": "a", "label": {label}, "meta": {{"k": 1, "k": 2}}}}\n' for label in ("true", 2, "2.0"))

    assert load_dataset(write("a.jsonl", lines)).labels == ("True", "2", "2")


# Parquet


def test_parquet_index_and_other_columns_do_not_matter(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"text": ["a", "b"], "label": pd.Categorical(["x", "y"]), "vector": [[1.0], [2.0]]}, index=[4, 4]
    )
    frame.to_parquet(tmp_path / "a.parquet")

    data = load_dataset(tmp_path / "a.parquet")

    assert data.fingerprint == load_dataset([("a", "x"), ("b", "y")]).fingerprint


def test_folder_names_do_not_become_columns_of_a_parquet_file(tmp_path: Path) -> None:
    folder = tmp_path / "label=x"
    folder.mkdir()
    (folder / "a.parquet").write_bytes(parquet([("a",)], ("text",)))

    assert "no column 'label'" in message_of(folder / "a.parquet")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"text": [1], "label": ["x"]}, "row 1, column 'text': the text is int 1"),
        ({"text": ["a", None], "label": ["x", "y"]}, "row 2, column 'text': the text is missing (found None)"),
        ({"text": [b"a"], "label": ["x"]}, "row 1, column 'text': the text is bytes b'a'"),
        ({"text": [["a"]], "label": ["x"]}, "row 1, column 'text': the text is list ['a']"),
        ({"text": ["a"], "label": [0.5]}, "row 1, column 'label': the label is float 0.5"),
    ],
)
def test_malformed_parquet_cell_is_refused(tmp_path: Path, table: dict[str, list[Any]], message: str) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table(table), path)

    assert message_of(path).startswith(f"{path}: {message}")


def test_repeated_parquet_columns_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    columns = [pa.array(["a"]), pa.array(["b"]), pa.array(["x"])]
    pq.write_table(pa.Table.from_arrays(columns, names=["text", "text", "label"]), path)

    assert "found more than once: ['text']" in message_of(path)


def test_strings_of_a_parquet_file_that_are_not_utf_8_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    broken = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff")])
    pq.write_table(pa.table({"text": broken, "label": ["x"]}), path)

    assert message_of(path).startswith(f"{path}: not a Parquet file that can be read: ")


def test_parquet_without_pyarrow_names_the_extra(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("a.parquet", parquet(ROWS))
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(MissingExtraError, match=r"'pyarrow'.*pip install 'pytest-trust\[data\]'"):
        load_dataset(path)


# Any text, any bytes

unicode_rows = st.lists(st.tuples(st.text(max_size=20), st.text(max_size=5)), min_size=1, max_size=8)
nasty = st.lists(
    st.tuples(st.text(alphabet="\r\n\t\0\",' \u2028\x85\ufeffa", max_size=12), st.just("x")), min_size=1, max_size=8
)
fixture_once = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl"])
@fixture_once
@given(rows=unicode_rows | nasty)
def test_any_text_comes_back_as_it_was(write: Write, name: str, rows: list[tuple[str, str]]) -> None:
    names = ("text", "label")
    content = json_lines(rows, names) if name == "a.jsonl" else delimited(rows, ",\t"[name == "a.tsv"], names)

    data = load_dataset(write(name, content), require_labels=False)

    assert list(data.texts) == [text for text, _ in rows]
    assert list(data.labels) == [label if label.strip() else None for _, label in rows]


def loads_or_is_refused(path: Path) -> None:
    try:
        data = load_dataset(path, require_labels=False)
    except DataError as error:
        found = str(error)
    else:
        found = data.name
        assert len(data) > 0
    assert str(path) in found


pieces = st.sampled_from(
    [b"text", b"label", b",", b"\t", b'"', b"\n", b"\r", b"{", b"}", b":", b"null", b'"text":"a"', b"\xff", b"\0", b"1"]
)


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl", "a.csv.gz", "a.parquet"])
@fixture_once
@given(content=st.binary(max_size=200) | st.lists(pieces, max_size=30).map(b"".join))
def test_any_bytes_load_or_are_refused(write: Write, name: str, content: bytes) -> None:
    loads_or_is_refused(write(name, content))
    if name == "a.csv.gz":
        loads_or_is_refused(write(name, gzip.compress(content)))


def test_damaged_parquet_loads_or_is_refused(write: Write) -> None:
    whole = parquet(ROWS * 20)
    chance = random.Random(3)
    for _ in range(100):
        damaged = bytearray(whole)
        for _ in range(chance.choice([1, 2, 5])):
            damaged[chance.randrange(len(whole))] = chance.randrange(256)
        loads_or_is_refused(write("a.parquet", bytes(damaged)))
