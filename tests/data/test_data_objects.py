from __future__ import annotations

import enum
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pytest_trust.data import TextDataset, load_dataset
from pytest_trust.errors import DataError

PAIRS = [("good film", "pos"), ("bad film", "neg")]


class Colour(enum.Enum):
    RED = 1


class Sentiment(str, enum.Enum):  # noqa: UP042 - str() of this kind is not its value
    POSITIVE = "pos"


def message_of(source: object, **options: Any) -> str:
    with pytest.raises(DataError) as caught:
        load_dataset(source, **options)
    return str(caught.value)


# Lists


def test_list_of_pairs() -> None:
    data = load_dataset(PAIRS)

    assert data == TextDataset(("good film", "bad film"), ("pos", "neg"), (None, None), "list of 2 items")


def test_list_of_triples() -> None:
    data = load_dataset([("a", "x", True), ("b", "y", "no"), ("c", "x", None)])

    assert data.trustworthy == (True, False, None)


def test_list_of_texts_has_no_labels() -> None:
    data = load_dataset(["a", "", "   "], require_labels=False)

    assert data.texts == ("a", "", "   ")
    assert data.labels == (None, None, None)


def test_list_of_dicts_with_a_key_missing_in_one() -> None:
    data = load_dataset([{"text": "a", "label": "x", "trustworthy": "yes"}, {"label": "y", "text": "b", "id": 3}])

    assert data == TextDataset(("a", "b"), ("x", "y"), (True, None), "list of 2 items")


def test_dict_keys_by_columns() -> None:
    data = load_dataset([{"body": "a", "target": 1}], columns={"text": "body", "label": "target"})

    assert (data.texts, data.labels) == (("a",), ("1",))


def test_columns_do_not_bear_on_values_without_names() -> None:
    assert load_dataset(PAIRS, columns={"text": "body"}).texts == ("good film", "bad film")


def test_tuple_of_lists_is_taken_as_well() -> None:
    assert load_dataset((["a", "x"], ["b", "y"])).labels == ("x", "y")


def test_strings_of_a_subclass_become_plain_strings() -> None:
    data = load_dataset([(np.str_("a"), Sentiment.POSITIVE)])

    assert data.labels == ("pos",)
    assert type(data.texts[0]) is str
    assert type(data.labels[0]) is str


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([], "list of 0 items: no rows"),
        (["a", "b"], "texts without labels; expected (text, label) pairs"),
        ([("a", "x"), "b"], "row 2 is one of texts; expected (text, label) pairs as in row 1"),
        ([("a", "x"), ("b", "y", True)], "row 2 is one of (text, label, trustworthy) triples"),
        ([{"text": "a", "label": "x"}, ("b", "y")], "row 2 is one of (text, label) pairs; expected dicts"),
        ([("a",)], "row 1 has 1 values; expected (text, label) or (text, label, trustworthy)"),
        ([("a", "x"), ("b", "y", True, 1)], "row 2 has 4 values"),
        ([{"body": "a", "label": "x"}], "no column 'text' for the text; columns found: ['body', 'label']"),
        ([{"text": "a", "label": "x"}, {"label": "y"}], "row 2, column 'text': the text is missing (found None)"),
    ],
)
def test_malformed_list_is_refused(items: list[Any], message: str) -> None:
    assert message in message_of(items)


@pytest.mark.parametrize("text", [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT])
def test_missing_text_is_refused(text: object) -> None:
    assert "row 2, column 'text': the text is missing" in message_of([("a", "x"), (text, "y")])


@pytest.mark.parametrize(
    ("text", "found"), [(3, "int 3"), (1.5, "float 1.5"), (b"a", "bytes b'a'"), (True, "bool True"), ([], "list []")]
)
def test_text_of_another_type_is_refused(text: object, found: str) -> None:
    message = message_of([("a", "x"), (text, "y")])

    assert f"row 2, column 'text': the text is {found}; expected a string" in message


def test_list_of_values_that_are_no_texts_is_refused() -> None:
    assert "row 2, column 'text': the text is int 7" in message_of(["a", 7], require_labels=False)


def test_lone_surrogate_is_refused() -> None:
    assert r"row 1, column 'text': the lone surrogate '\ud800' stands at character 3" in message_of([("ab\ud800", "x")])


@pytest.mark.parametrize("source", [3, None, {"text": ["a"]}, np.array(["a"]), iter(PAIRS), b"train.csv"])
def test_unknown_kind_of_source_is_refused(source: object) -> None:
    message = message_of(source)

    assert f"found {type(source).__name__}; expected a file (.csv, " in message
    assert "a DataFrame or a TextDataset" in message


# Labels and verdicts


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("pos", "pos"),
        (" pos", " pos"),
        ("nan", "nan"),
        ("1.0", "1.0"),
        (1, "1"),
        (-2, "-2"),
        (np.int64(0), "0"),
        (True, "True"),
        (np.bool_(False), "False"),
        (1.0, "1"),
        (np.float32(2), "2"),
        (-0.0, "0"),
    ],
)
def test_label_becomes_a_string(label: object, expected: str) -> None:
    assert load_dataset([("a", label)]).labels == (expected,)


@pytest.mark.parametrize("label", [None, float("nan"), np.float64("nan"), pd.NA, "", "  "])
def test_missing_label_is_refused_only_where_labels_are_required(label: object) -> None:
    rows = [("a", "x"), ("b", label)]

    assert load_dataset(rows, require_labels=False).labels == ("x", None)
    assert "row 2, column 'label': the label is missing" in message_of(rows)


@pytest.mark.parametrize("label", [1.5, float("inf"), Fraction(1, 2), ["x"], b"x", Colour.RED])
@pytest.mark.parametrize("require_labels", [True, False])
def test_label_of_another_type_is_refused(label: object, require_labels: bool) -> None:
    message = message_of([("a", label)], require_labels=require_labels)

    assert f"row 1, column 'label': the label is {type(label).__name__}" in message
    assert "expected a string, an integer or a boolean" in message


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        *[(v, True) for v in ("true", "True", "T", "yes", "Y", "1", " TRUSTWORTHY ", True, np.True_, 1, 1.0)],
        *[(v, False) for v in ("false", "F", "No", "n", "0", "untrustworthy", False, np.False_, 0, 0.0)],
        *[(v, None) for v in ("", " ", "unsure", "Unsure", None, float("nan"), pd.NA)],
    ],
)
def test_spellings_of_a_verdict(verdict: object, expected: bool | None) -> None:
    (found,) = load_dataset([("a", "x", verdict)]).trustworthy

    assert found is expected


@pytest.mark.parametrize("verdict", ["maybe", "2", "nan", 2, 0.5, [True]])
def test_other_verdicts_are_refused(verdict: object) -> None:
    message = message_of([("a", "x", True), ("b", "x", verdict)])

    assert f"row 2, column 'trustworthy': the verdict is {type(verdict).__name__} {verdict!r}" in message
    assert "expected true/false, yes/no, 1/0" in message


# DataFrames


def test_frame() -> None:
    frame = pd.DataFrame({"id": [7, 8], "text": ["a", "b"], "label": ["x", "y"], "trustworthy": [True, None]})

    assert load_dataset(frame) == TextDataset(("a", "b"), ("x", "y"), (True, None), "DataFrame of 2 rows")


def test_duplicated_index_of_a_frame_does_not_matter() -> None:
    rows = [("a", "x"), ("b", "y"), ("c", "z"), ("d", "x")]
    frame = pd.DataFrame(rows, columns=["text", "label"], index=[5, 5, 0, 5])

    assert load_dataset(frame).fingerprint == load_dataset(rows).fingerprint


def test_integer_labels_with_gaps() -> None:
    frame = pd.DataFrame({"text": ["a", "b", "c"], "label": [1, None, 0]})
    assert frame["label"].dtype == np.float64

    assert load_dataset(frame, require_labels=False).labels == ("1", None, "0")


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [("category", ("1", "0")), ("Int64", ("1", "0")), ("boolean", ("True", "False")), ("uint8", ("1", "0"))],
)
def test_label_dtypes(dtype: str, expected: tuple[str, ...]) -> None:
    frame = pd.DataFrame({"text": ["a", "b"], "label": pd.Series([1, 0]).astype(dtype)})

    assert load_dataset(frame).labels == expected


def test_columns_of_a_frame_that_are_not_called_by_strings() -> None:
    frame = pd.DataFrame([("a", "x")])

    assert load_dataset(frame, columns={"text": "0", "label": "1"}).texts == ("a",)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"text": [1, 2], "label": ["x", "y"]}), "row 1, column 'text': the text is int 1"),
        (pd.DataFrame({"text": ["a", np.nan], "label": ["x", "y"]}), "row 2, column 'text': the text is missing"),
        (pd.DataFrame({"text": ["a", "b"], "label": ["x", None]}), "row 2, column 'label': the label is missing"),
        (pd.DataFrame({"text": ["a"], "label": [0.5]}), "row 1, column 'label': the label is float 0.5"),
        (pd.DataFrame({"text": ["a"], "label": pd.to_datetime(["2020-01-01"])}), "the label is Timestamp"),
        (pd.DataFrame({"body": ["a"], "label": ["x"]}), "no column 'text' for the text; columns found: ['body', "),
        (pd.DataFrame({"text": [], "label": []}), "DataFrame of 0 rows: no rows"),
        (pd.DataFrame([["a", "b", "x"]], columns=["text", "text", "label"]), "found more than once: ['text']"),
    ],
)
def test_malformed_frame_is_refused(frame: pd.DataFrame, message: str) -> None:
    assert message in message_of(frame)


# Data sets


def test_dataset_passes_through() -> None:
    data = load_dataset(PAIRS)

    assert load_dataset(data, columns={"text": "body"}) is data


def test_dataset_is_checked_for_labels_and_rows() -> None:
    unlabelled = TextDataset(("a", "b"), ("x", None), (None, None), "made by hand")

    assert load_dataset(unlabelled, require_labels=False) is unlabelled
    assert message_of(unlabelled) == "made by hand: row 2: the label is missing"
    assert message_of(unlabelled.take([])) == "made by hand: no rows; expected at least one text"


# Import paths


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An importable package ``film_reviews`` whose module ``corpus`` a test writes."""
    package = tmp_path / "film_reviews"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield package / "corpus.py"
    for name in ("film_reviews", "film_reviews.corpus"):
        sys.modules.pop(name, None)


def test_import_path_of_a_module_beside_the_tests(tmp_path: Path) -> None:
    (tmp_path / "reviews_beside_the_tests.py").write_text("TRAIN = [('a', 'x')]")

    assert load_dataset("reviews_beside_the_tests:TRAIN", rootpath=tmp_path).texts == ("a",)
    assert str(tmp_path) not in sys.path


@pytest.mark.parametrize(
    "code",
    [
        "TRAIN = [('a', 'x'), ('b', 'y')]",
        "def TRAIN(): return [('a', 'x'), ('b', 'y')]",
        "TRAIN = lambda: ({'text': 'a', 'label': 'x'}, {'text': 'b', 'label': 'y'})",
        "import pandas\nTRAIN = pandas.DataFrame({'text': ['a', 'b'], 'label': ['x', 'y']})",
    ],
)
def test_import_path_of_data_or_of_a_factory(module: Path, code: str) -> None:
    module.write_text(code)

    data = load_dataset("film_reviews.corpus:TRAIN")

    assert data == TextDataset(("a", "b"), ("x", "y"), (None, None), "film_reviews.corpus:TRAIN")


def test_import_path_with_a_dotted_attribute(module: Path) -> None:
    module.write_text("class Films:\n    @staticmethod\n    def train(): return [('a', 'x')]")

    assert load_dataset("film_reviews.corpus:Films.train").texts == ("a",)


def test_import_path_of_a_dataset_keeps_its_name(module: Path) -> None:
    module.write_text(
        "from pytest_trust.data import TextDataset\n"
        "def train(): return TextDataset(('a',), ('x',), (None,), 'my films')"
    )

    assert load_dataset("film_reviews.corpus:train").name == "my films"


@pytest.mark.parametrize(
    ("code", "attribute", "message"),
    [
        ("", "TRAIN", "cannot be imported: AttributeError: "),
        ("import no_such_module_", "TRAIN", "cannot be imported: ModuleNotFoundError: No module named 'no_such_"),
        ("1 / 0", "TRAIN", "cannot be imported: ZeroDivisionError: division by zero"),
        ("TRAIN = 3", "TRAIN", "found int; expected a file"),
        ("def train(): return 3", "train", "found int; expected a file"),
        ("def train(): return 'train.csv'", "train", "found str; expected a file"),
        ("def train(): return train", "train", "found function; expected a file"),
        ("def train(path): return []", "train", "called without arguments, it raised TypeError: "),
        ("def train(): raise OSError('no disk')", "train", "called without arguments, it raised OSError: no disk"),
        ("TRAIN = []", "TRAIN", "no rows"),
        ("TRAIN = [('a', None)]", "TRAIN", "row 1, column 'label': the label is missing"),
    ],
)
def test_import_path_without_data_is_refused(module: Path, code: str, attribute: str, message: str) -> None:
    module.write_text(code)

    found = message_of(f"film_reviews.corpus:{attribute}")

    assert found.startswith(f"film_reviews.corpus:{attribute}: ")
    assert message in found


@pytest.mark.parametrize("code", ["raise DataError('mine')", "def train(): raise DataError('mine')"])
def test_errors_of_this_package_pass_through_an_import_path(module: Path, code: str) -> None:
    module.write_text(f"from pytest_trust.errors import DataError\n{code}")

    assert message_of("film_reviews.corpus:train") == "mine"


def test_module_that_is_not_there_is_refused_with_advice() -> None:
    message = message_of("no_such_package_.films:TRAIN")

    assert "no_such_package_.films:TRAIN: cannot be imported: ModuleNotFoundError" in message
    assert "pythonpath" in message


def test_light_sources_import_neither_pandas_nor_pyarrow(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,label\na,x\n")
    code = (
        "import sys\nfrom pytest_trust.data import load_dataset\n"
        "load_dataset(sys.argv[1]); load_dataset([('a', 'x')])\n"
        "print(sorted({'pandas', 'pyarrow'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a.csv")],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )

    assert run.stdout.strip() == "[]"
