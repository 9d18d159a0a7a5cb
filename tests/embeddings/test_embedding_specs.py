"""What ``--trust-embeddings`` may name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pytest_trust.embeddings import CustomEmbedding, ensemble_names, load_ensemble
from pytest_trust.embeddings.specs import Kind, parse_spec
from pytest_trust.errors import ConfigurationError
from tests.embeddings.vector_files import text, written


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("GENSIM_DATA_DIR", str(tmp_path / "gensim-data"))
    for name in ("v.txt", "deep/v.kv", "encoder/config.json", "st/modules.json", "nnlm/saved_model.pb", "other/x.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        written(tmp_path, name, b"")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("glove", Kind.PACKAGED, "glove"),
        ("package.module:attribute", Kind.IMPORTED, "package.module:attribute"),
        ("v.txt", Kind.TABLE, "v"),
        ("./v.txt", Kind.TABLE, "v"),
        ("deep/v.kv", Kind.TABLE, "v"),
        ("encoder", Kind.ENCODER, "encoder"),
        ("st/", Kind.ENCODER, "st"),
        ("nnlm", Kind.SAVED_MODEL, "nnlm"),
        ("glove-wiki-gigaword-300", Kind.DOWNLOAD, "glove-wiki-gigaword-300"),
        ("sentence-transformers/all-mpnet-base-v2", Kind.HUB, "all-mpnet-base-v2"),
        ("hf:bert-base-uncased", Kind.HUB, "bert-base-uncased"),
    ],
)
@pytest.mark.parametrize("suffix", ["", "@0.35"])
def test_kinds_and_names(folder, text, kind, name, suffix):
    spec = parse_spec(text + suffix, folder)
    assert (spec.kind, spec.name) == (kind, name)
    assert spec.threshold == (0.35 if suffix else None)
    assert parse_spec(spec.text) == spec


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word2vec", "'word2vec' is unknown, expected some of glove, use, minilm, or an import path .*, a file of vec"),
        ("absent.txt", r"'absent\.txt' is unknown, expected a file, but there is no .*absent\.txt"),
        ("deep/absent.vec.gz", r"expected a file, but there is no .*absent\.vec\.gz"),
        ("other", r"other is not an embedding, expected some of .*\.txt, \.vec, \.bin, .*config\.json"),
        ("encoder/config.json", r"config\.json is not an embedding"),
        ("a/b/c", "'a/b/c' is unknown"),
        ("glove@1.5", r"threshold of 'glove@1\.5'=1\.5: expected a number above -1 and at most 1"),
        ("glove@1.2.3", r"'glove@1\.2\.3': expected a number behind the @"),
        ("glove@high", "'glove@high' is unknown"),
    ],
)
def test_what_is_refused(folder, text, message):
    with pytest.raises(ConfigurationError, match=message):
        ensemble_names(text, folder)


def test_names_of_files_come_back_absolute(folder, monkeypatch):
    names = ensemble_names("use, v.txt@0.4,hf:x", folder)
    assert names == ["use", f"{folder / 'v.txt'}@0.4", "hf:x"]
    monkeypatch.chdir(folder / "deep")
    assert ensemble_names(names) == names
    assert ensemble_names("v.kv") == [str(folder / "deep/v.kv")]


@pytest.mark.parametrize("text", ["glove,glove@0.3", "v.txt@0.2,v.txt@0.3"])
def test_another_threshold_makes_no_other_member(folder, text):
    with pytest.raises(ConfigurationError, match="is named twice"):
        ensemble_names(text, folder)


def test_two_files_of_one_name(folder):
    with pytest.raises(ConfigurationError, match="'v' is named twice in v, v"):
        load_ensemble("v.txt,deep/v.kv", rootpath=folder)


def test_a_threshold_for_a_packaged_member(all_members):
    plain, given = load_ensemble("glove")[0], load_ensemble("glove@0.41")[0]
    assert (plain.threshold != 0.41, given.threshold, given.name) == (True, 0.41, "glove")
    assert plain.fingerprint == given.fingerprint


def test_a_threshold_for_a_users_own_object(tmp_path):
    (tmp_path / "own_with_threshold.py").write_text(
        "import numpy as np\n"
        "class Own:\n"
        "    name, threshold, fingerprint = 'own', 0.5, 'own-1'\n"
        "    def vectors(self, words):\n"
        "        return np.ones((len(words), 2)), np.ones(len(words), bool)\n"
    )
    (member,) = load_ensemble("own_with_threshold:Own@-0.25", rootpath=tmp_path)
    assert isinstance(member, CustomEmbedding)
    assert member.threshold == -0.25


def test_names_are_checked_without_anything_heavy(folder):
    script = (
        "import sys; from pathlib import Path\n"
        "from pytest_trust.embeddings.loading import ensemble_names, load_ensemble\n"
        "ensemble_names('glove,v.txt,deep/v.kv,nnlm,encoder,glove-twitter-25,hf:x,a/b', Path(sys.argv[1]))\n"
        "load_ensemble('v.txt,nnlm,encoder', rootpath=Path(sys.argv[1]))\n"
        "heavy = {'gensim', 'torch', 'transformers', 'tensorflow', 'huggingface_hub', 'pyarrow'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_nothing_is_kept_for_what_comes_in_packages(all_members, tmp_path):
    load_ensemble("glove", rootpath=tmp_path)
    assert not list(tmp_path.iterdir())
    written(tmp_path, "v.txt", text())
    load_ensemble("v.txt", rootpath=tmp_path)
    assert (tmp_path / ".trust").is_dir()
