"""Encoders of transformers and sentence-transformers, on a small BERT with random weights."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from pytest_trust.embeddings import load_ensemble
from pytest_trust.embeddings.pooling import read_layout
from pytest_trust.embeddings.runner import BATCH
from pytest_trust.errors import ConfigurationError, EmbeddingError, MissingExtraError

LETTERS = "abcdefghijklmnopqrstuvwxyz"
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "good", "great", "table", "hockey", *LETTERS]
VOCABULARY += [f"##{letter}" for letter in LETTERS]
WORDS = ["good", "great", "table", "hockey", "goods", "zzqxjkvw", "ice hockey table"]
MANY = [first + second + third for first in "abcd" for second in "efgh" for third in "ijk"]


@pytest.fixture(scope="module")
def plain(tmp_path_factory) -> Path:
    """A folder as save_pretrained writes it."""
    torch = pytest.importorskip("torch", reason="needs the extra [transformers]")
    transformers = pytest.importorskip("transformers", reason="needs the extra [transformers]")
    folder = tmp_path_factory.mktemp("encoder") / "tiny-bert"
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY))
    transformers.BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(VOCABULARY), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32
    )
    transformers.BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder


def sentence_folder(
    plain: Path, folder: Path, pooling: object, modules=("Transformer", "Pooling", "Normalize")
) -> Path:
    """``plain`` in the layout of sentence-transformers."""
    shutil.copytree(plain, folder)
    places = {"Transformer": ""}
    listed = [
        {"idx": i, "path": places.get(name, f"{i}_{name}"), "type": f"sentence_transformers.models.{name}"}
        for i, name in enumerate(modules)
    ]
    (folder / "modules.json").write_text(json.dumps(listed))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling/config.json").write_text(json.dumps(pooling))
    return folder


def states_of(folder: Path, word: str) -> np.ndarray:
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        return model(**tokenizer(word, return_tensors="pt")).last_hidden_state[0].numpy()


def test_the_mean_of_the_tokens(plain):
    (member,) = load_ensemble(str(plain))
    assert (member.name, member.dimension) == ("tiny-bert", 16)
    found = member.vectors(WORDS)
    expected = np.array([states_of(plain, word).mean(axis=0) for word in WORDS])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert found.known.all()
    np.testing.assert_allclose(found.matrix, expected, atol=1e-6)


@pytest.mark.parametrize(
    ("pooling", "parts"),
    [
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}, ["mean"]),
        ({"pooling_mode_mean_tokens": False, "pooling_mode_cls_token": True}, ["cls"]),
        ({"pooling_mode": "max"}, ["max"]),
        ({"pooling_mode": ["lasttoken", "weightedmean"]}, ["last", "weighted"]),
        ({"pooling_mode_mean_sqrt_len_tokens": True, "pooling_mode_mean_tokens": True}, ["sqrt", "mean"]),
        ({"word_embedding_dimension": 16}, ["mean"]),
    ],
)
def test_pooling_as_the_folder_says(plain, tmp_path, pooling, parts):
    folder = sentence_folder(plain, tmp_path / "st", pooling)
    found = load_ensemble(str(folder))[0].vectors(["goods"]).matrix[0]
    states = states_of(plain, "goods")
    weights = np.arange(1, len(states) + 1)[:, None]
    pooled = {
        "mean": states.mean(axis=0),
        "cls": states[0],
        "max": states.max(axis=0),
        "last": states[-1],
        "sqrt": states.sum(axis=0) / len(states) ** 0.5,
        "weighted": (states * weights).sum(axis=0) / weights.sum(),
    }
    expected = np.concatenate([pooled[part] for part in parts])
    np.testing.assert_allclose(found, expected / np.linalg.norm(expected), atol=1e-6)


def test_a_vector_depends_on_no_other_word(plain):
    assert len(MANY) > 2 * BATCH
    together = load_ensemble(str(plain))[0].vectors(MANY + WORDS).matrix
    backwards = load_ensemble(str(plain))[0].vectors((MANY + WORDS)[::-1]).matrix[::-1]
    member = load_ensemble(str(plain))[0]
    alone = np.vstack([member.vectors([word]).matrix for word in MANY + WORDS])
    assert np.array_equal(together, backwards)
    assert np.array_equal(together, alone)


def test_what_has_no_token_is_unknown(plain):
    found = load_ensemble(str(plain))[0].vectors(["", " ", "☃", "good ☃"])
    assert found.known.tolist() == [False, False, False, True]
    assert load_ensemble(str(plain))[0].vectors([]).matrix.shape == (0, 16)


def test_the_most_tokens_are_those_of_the_folder(plain, tmp_path):
    folder = sentence_folder(plain, tmp_path / "st", {"pooling_mode": "mean"})
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 5}')
    member = load_ensemble(str(folder))[0]
    long, limit, short = member.vectors(["good " * 9, "good " * 3, "good " * 2]).matrix
    assert np.array_equal(long, limit)
    assert not np.array_equal(limit, short)


def test_fingerprints_follow_weights_and_pooling(plain, tmp_path):
    first = sentence_folder(plain, tmp_path / "a", {"pooling_mode": "mean"})
    same = sentence_folder(plain, tmp_path / "b", {"pooling_mode": "mean"})
    other = sentence_folder(plain, tmp_path / "c", {"pooling_mode": "max"})
    prints = [load_ensemble(str(folder))[0].fingerprint for folder in (first, same, other, plain)]
    assert prints[0] == prints[1]
    assert len(set(prints)) == 3


def test_a_member_travels_by_its_path(plain):
    (member,) = load_ensemble(f"{plain}@0.5")
    member.vectors(["good"])
    copy = pickle.loads(pickle.dumps(member))
    assert copy.threshold == 0.5
    assert np.array_equal(copy.vectors(["good"]).matrix, member.vectors(["good"]).matrix)


@pytest.mark.parametrize(
    ("pooling", "modules", "message"),
    [
        ({"pooling_mode": "median"}, ("Transformer", "Pooling"), r"config\.json: found the pooling median, expected"),
        ({"pooling_mode_odd": True}, ("Transformer", "Pooling"), "found the pooling odd, expected some of mean, cls"),
        ({}, ("Transformer", "Pooling", "Dense"), r"found the modules .*Dense, expected Transformer, Pooling and Norm"),
        ({}, ("WordEmbeddings", "Pooling"), r"found the modules WordEmbeddings, Pooling, expected"),
    ],
)
def test_a_folder_that_does_more_than_is_known(plain, tmp_path, pooling, modules, message):
    with pytest.raises(EmbeddingError, match=message):
        read_layout(sentence_folder(plain, tmp_path / "st", pooling, modules))


def test_a_folder_that_cannot_be_read(plain, tmp_path):
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    with pytest.raises(EmbeddingError, match=r"embedding .*broken: transformers cannot read it \(\w+: "):
        load_ensemble(str(folder))[0].vectors(["good"])


def test_weights_that_are_missing_are_not_made_up(plain, tmp_path):
    from transformers import BertConfig

    folder = shutil.copytree(plain, tmp_path / "deeper")
    config = BertConfig.from_pretrained(folder)
    config.num_hidden_layers = 3
    config.save_pretrained(folder)
    with pytest.raises(EmbeddingError, match=r"found no weights for encoder\.layer\.2\..*, which would be random"):
        load_ensemble(str(folder))[0].vectors(["good"])


def test_pickled_weights_can_be_forbidden(plain, tmp_path):
    folder = shutil.copytree(plain, tmp_path / "pickled")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    load_ensemble(str(folder))
    with pytest.raises(ConfigurationError, match=r"weights in a pickle \(pytorch_model\.bin\).*--trust-no-pickle"):
        load_ensemble(str(folder), allow_pickle=False)


def test_safe_weights_elsewhere_hide_no_pickle(plain, tmp_path):
    folder = shutil.copytree(plain, tmp_path / "pickled")
    (folder / "checkpoint").mkdir()
    shutil.copy(folder / "model.safetensors", folder / "checkpoint")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ConfigurationError, match=r"weights in a pickle \(pytorch_model\.bin\)"):
        load_ensemble(str(folder), allow_pickle=False)


def test_a_hub_name_out_of_reach(plain, monkeypatch):
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(EmbeddingError, match=r"embedding owner/no-such-encoder: no such .*HF_HUB_OFFLINE forbids"):
        load_ensemble("owner/no-such-encoder")


def test_a_hub_name(plain, monkeypatch):
    import huggingface_hub

    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda *_, **__: str(plain))
    (member,) = load_ensemble("hf:owner/some-encoder@0.3")
    assert member.name == "some-encoder"
    assert np.array_equal(member.vectors(["good"]).matrix, load_ensemble(str(plain))[0].vectors(["good"]).matrix)


def test_without_transformers_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(MissingExtraError, match=r"needs the package 'transformers'.*pytest-trust\[transformers\]"):
        load_ensemble(str(tmp_path))[0].vectors(["good"])
