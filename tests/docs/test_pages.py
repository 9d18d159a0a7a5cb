"""What the pages show is there: their code runs, and names, options, links and settings in them exist."""

from __future__ import annotations

import ast
import json
import re
import shlex
import tomllib
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs.tables import registered_options
from pytest_trust import cli
from tests.docs.pages import PAGES, ROOT, Block, blocks, is_shown

README = (ROOT / "README.md").read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def all_blocks(*languages: str) -> list[object]:
    return [
        pytest.param(block, id=f"{name_of(page)}:{block.line}") for page in PAGES for block in blocks(page, *languages)
    ]


every_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


@pytest.mark.parametrize("block", all_blocks("python"))
def test_python_runs(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the imports to the asserts; bodies of tests and fixtures run in test_projects.py and test_tutorial.py."""
    monkeypatch.chdir(tmp_path)
    for name in ("train.csv", "test.csv"):
        (tmp_path / name).write_bytes((ROOT / "fixtures" / "reviews" / name).read_bytes())
    monkeypatch.syspath_prepend(str(ROOT / "fixtures" / "reviews"))
    names: dict[str, object] = {"__name__": "page", **(given() if "(model, " in block.text else {})}
    exec(compile(block.text, "page", "exec"), names)
    for node in ast.walk(ast.parse(block.text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "perturb":
            assert hasattr(names["perturb"], node.attr)


def given() -> dict[str, object]:
    """What pages take for given: a model and data, the index and the embeddings behind it."""
    from pytest_trust.data import load_dataset
    from pytest_trust.embeddings import load_ensemble
    from pytest_trust.explain import make_explainer
    from pytest_trust.keywords import build_index, index_origin
    from pytest_trust.models import load_model

    model, members = load_model("models:honest"), load_ensemble(["embedding:ThreeAxes"])
    train, explainer = load_dataset("train.csv"), make_explainer("omission", samples=100, features=10)
    origin = index_origin(model, train, explainer, members, seed=0)
    index = build_index(origin, model, train, explainer, members)
    return {"model": model, "members": members, "index": index, "data": load_dataset("test.csv")}


@pytest.mark.parametrize("block", all_blocks("toml"))
def test_toml_can_be_read(block: Block, tmp_path: Path) -> None:
    from pytest_trust.keywords.descriptions import read_descriptions

    path = tmp_path / "classes.toml"
    path.write_text(block.text, encoding="utf-8")
    assert read_descriptions(path).keys() == tomllib.loads(block.text).keys()


@pytest.mark.parametrize("block", all_blocks("ini"))
def test_settings_exist(block: Block) -> None:
    settings = ConfigParser()
    settings.read_string(block.text)
    assert set(settings["pytest"]) <= {option.key for option in registered_options()}


@pytest.mark.parametrize("block", all_blocks("yaml"))
def test_pipelines_run_what_the_readme_runs(block: Block) -> None:
    document = yaml.safe_load(block.text)
    # YAML 1.1 reads GitHub's key "on" as true.
    jobs = document["jobs"] if True in document else document
    lines = [
        line for job in jobs.values() for line in job.get("script", [step.get("run") for step in job.get("steps", [])])
    ]
    pip, *_, run = [line for line in lines if line]
    assert pip in README
    assert run.startswith("pytest")
    assert run == "pytest" or run.split(" --trust-json")[0] in README


def commands_of(job: dict[str, Any]) -> list[str]:
    """The commands of a job of GitLab's or of GitHub's."""
    return job["script"] if "script" in job else [step["run"] for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("block", all_blocks("json"))
def test_json_can_be_read(block: Block) -> None:
    assert json.loads(block.text)


@every_page
def test_options_exist(page: Path) -> None:
    known = {option.flag.partition("=")[0] for option in registered_options()}
    named = set(re.findall(r"--(?:no-)?trust(?:-[a-z]+)*", page.read_text(encoding="utf-8")))
    assert named - known == set()


@every_page
def test_commands_exist(page: Path) -> None:
    for command in re.findall(r"^(?:    |\$ )(pytest-trust .+)$", page.read_text(encoding="utf-8"), re.MULTILINE):
        given = shlex.split(command.partition(" #")[0].replace("...", "x"))[1:]
        assert cli._parser().parse_args(given).run, command


@every_page
def test_extras_exist(page: Path) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = re.findall(r"pytest-trust\[([\w,]+)\]", page.read_text(encoding="utf-8"))
    assert {extra for group in named for extra in group.split(",")} <= extras.keys()


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    """To a file, and to a heading of it where one is named."""
    for link, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", page.read_text(encoding="utf-8")):
        target = (page.parent / link).resolve() if link else page
        assert target.is_file(), link
        assert not anchor or anchor in headings(target), f"{link}#{anchor}"


def headings(page: Path) -> list[str]:
    """Anchors of the headings, as GitHub and MyST make them."""
    titles = re.findall(r"^#{1,3} (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]


def test_figures_of_the_comparison_are_those_measured() -> None:
    page = (ROOT / "docs" / "explanation" / "comparison.md").read_text(encoding="utf-8")
    attack, lime = measured("attack-textattack"), measured("explain-vectorizers")
    black, white = (
        [lime[f"TF-IDF (1-2 grams) + logistic regression{box}, {n} words"] for n in (15, 60, 250)]
        for box in (" as a black box", ", white box")
    )
    rates = [f"{attack[f'ASR, {who}']:.3f}".removeprefix("0") for who in ("theirs", "ours")]
    short, long = (f"{words} words: time, theirs by ours" for words in ("about 30", "200"))
    many = ", ours on many texts at once"
    for line in (
        f"| same outcome | {100 * attack['same outcome']:.1f} % of 500 texts |",
        f"| success rate, theirs and ours | {rates[0]} and {rates[1]} |",
        f"| model calls, theirs by ours | {attack['queries, theirs by ours']:.2f} |",
        *(
            f"{attack[name]:.1f} (median); {attack[name + many]:.1f} with many texts at once |"
            for name in (short, long)
        ),
        "| faster than lime, asked with strings | " + " | ".join(f"{value:.1f} times" for value in black) + " |",
        "| faster than lime, scored from counts | " + " | ".join(f"{value:.0f} times" for value in white) + " |",
    ):
        assert line in page


def measured(name: str) -> dict[str, float]:
    """The figures of a file of results, by name."""
    rows = json.loads((ROOT / "docs" / "results" / f"{name}.json").read_text(encoding="utf-8"))["rows"]
    return {row["name"]: row["value"] for row in rows}


def test_every_page_is_in_a_table_of_contents() -> None:
    for folder in ("tutorial", "how-to", "explanation", "reference"):
        index = ROOT / "docs" / folder / "index.md"
        trees = re.findall(r"^```\{toctree\}\n(.*?)```", index.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        listed = {line for tree in trees for line in tree.split()}
        assert {page.stem for page in index.parent.glob("*.md")} - {"index"} - listed == set()


@pytest.mark.parametrize(
    ("shown", "output", "same"),
    [
        ("===== 1 passed in 0.12s =====", "=== 1 passed in 3.45s ===", True),
        ("rate 0.4\n...\nlast", "rate 0.4\nand more\nand more\nlast", True),
        ("rate 0.4", "rate 0.5", False),
        ("first", "first\nsecond", False),
    ],
)
def test_shown_output_is_compared(shown: str, output: str, same: bool) -> None:
    assert is_shown(shown, output) is same
