from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_trust.errors import ConfigurationError, MissingExtraError, ModelError
from pytest_trust.models import TransformersClassifier, as_classifier, is_hub_name, load_model

TEXTS = ["the film was good", "", "a boring plot"]


@pytest.fixture
def saved(make_tiny: Callable[..., Any], tokenizer: Any, tmp_path: Path) -> Path:
    folder = tmp_path / "models" / "tiny"
    make_tiny(id2label={0: "no", 1: "yes"}).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture
def pickled(saved: Path) -> Path:
    """The same folder with its weights in a pickle alone."""
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(saved / "model.safetensors"), saved / "pytorch_model.bin")
    (saved / "model.safetensors").unlink()
    return saved


def test_a_folder(saved: Path, tmp_path: Path, make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    model = load_model("models/tiny", rootpath=tmp_path, classes="no=negative,yes=positive")
    assert isinstance(model, TransformersClassifier)
    assert (model.classes, model.source, model.max_length) == (("negative", "positive"), "models/tiny", 512)
    expected = as_classifier((make_tiny(), tokenizer)).predict_proba(TEXTS)
    assert np.allclose(model.predict_proba(TEXTS), expected, rtol=0, atol=1e-6)
    assert not any(module.training for module in model.model.modules())


def test_a_folder_is_read_in_float32(saved: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification

    model = AutoModelForSequenceClassification.from_pretrained(saved).to(torch.float16)
    model.save_pretrained(saved)
    loaded = load_model(saved)
    assert {parameter.dtype for parameter in loaded.model.parameters()} == {torch.float32}


def test_a_folder_in_bfloat16(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_trust.models.logits.has_bfloat16_instructions", lambda: True)
    coarse = load_model(saved, precision="bfloat16")
    assert coarse.precision == "bfloat16"
    assert 0 < np.abs(coarse.predict_proba(TEXTS) - load_model(saved).predict_proba(TEXTS)).max() < 0.05


def test_weights_in_a_pickle(pickled: Path) -> None:
    assert load_model(pickled).predict_proba(TEXTS).shape == (3, 2)
    with pytest.raises(
        ConfigurationError, match=r"tiny keeps its weights in a pickle \(pytorch_model\.bin\).*--trust-no-pickle.*safe"
    ):
        load_model(pickled, allow_pickle=False)


def test_safetensors_come_first(saved: Path) -> None:
    (saved / "pytorch_model.bin").write_bytes(b"no pickle")
    assert load_model(saved).predict_proba(TEXTS).shape == (3, 2)
    assert load_model(saved, allow_pickle=False).predict_proba(TEXTS).shape == (3, 2)


def test_a_model_without_a_trained_head(encoder_folder: Path) -> None:
    with pytest.raises(ModelError, match=r"no weights for classifier\.bias, classifier\.weight .*random"):
        load_model(encoder_folder)


def test_folders_that_cannot_be_read(saved: Path) -> None:
    weights = (saved / "model.safetensors").read_bytes()
    (saved / "model.safetensors").write_bytes(weights[:100])
    with pytest.raises(ModelError, match=r"tiny cannot be read by transformers \("):
        load_model(saved)
    (saved / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"tiny cannot be read by transformers \("):
        load_model(saved)
    for file in saved.glob("*"):
        if file.name != "config.json":
            file.unlink()
    with pytest.raises(ModelError, match=r"tiny cannot be read by transformers \("):
        load_model(saved)
    (saved / "config.json").unlink()
    with pytest.raises(ModelError, match=r"tiny is a folder; expected a file"):
        load_model(saved)


def test_code_of_a_folder_is_not_run(saved: Path) -> None:
    config = json.loads((saved / "config.json").read_text())
    config["model_type"] = "unheard-of"
    config["auto_map"] = {"AutoConfig": "own.Config", "AutoModelForSequenceClassification": "own.Model"}
    (saved / "config.json").write_text(json.dumps(config))
    (saved / "own.py").write_text("raise SystemExit('code was run')")
    with pytest.raises(ModelError, match="cannot be read by transformers"):
        load_model(saved)


def test_the_fingerprint_is_one_of_the_files(saved: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    before = load_model(saved).fingerprint()
    copied = shutil.copytree(saved, tmp_path / "copy")
    (copied / "README.md").write_text("about it")
    assert load_model(copied).fingerprint() == before
    weights = load_file(copied / "model.safetensors")
    weights["bert.embeddings.word_embeddings.weight"][7, 3] += 1e-6
    save_file(weights, copied / "model.safetensors", {"format": "pt"})
    assert load_model(copied).fingerprint() != before
    assert load_model(saved, classes="no=bad,yes=good").fingerprint() != before


def test_a_model_that_was_changed_after_it_was_loaded_is_another(saved: Path) -> None:
    model: Any = load_model(saved)
    before = model.fingerprint()
    weights = model.model.get_input_embeddings().weight.data
    token = model.tokenizer.convert_tokens_to_ids("##ably")
    weights[token, 0] += 1.0
    changed = model.fingerprint()
    weights[token, 0] -= 1.0
    assert changed != before


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("owner/name", True),
        ("distilbert/distilbert-base-uncased-finetuned-sst-2-english", True),
        ("hf:bert-base-uncased", True),
        ("hf:owner/name-v1.0", True),
        ("bert-base-uncased", False),
        ("models/sentiment.joblib", False),
        ("models/sentiment.onnx", False),
        ("no/file.bin", False),
        ("./models/tiny", False),
        ("../tiny", False),
        ("/models/tiny", False),
        ("~/tiny", False),
        ("a/b/c", False),
        ("package.module:attribute", False),
        ("hf:", False),
        ("owner/", False),
        ("https://example.org", False),
        ("", False),
    ],
)
def test_names_of_the_hub(spec: str, expected: bool) -> None:
    assert is_hub_name(spec) is expected


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the hub, with no way to fetch anything."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def keep(cache: Path, name: str, folder: Path) -> None:
    """Puts a folder into the cache as the hub's library keeps it."""
    commit = "0123456789abcdef0123456789abcdef01234567"
    repository = cache / f"models--{name.replace('/', '--')}"
    shutil.copytree(folder, repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)


@pytest.mark.parametrize("spec", ["owner/nothing", "hf:nothing"])
def test_a_name_that_is_not_in_the_cache(spec: str, cache: Path) -> None:
    with pytest.raises(
        ModelError,
        match=rf"^model {spec}: no such file or folder; on the .* hub it is not in the local cache, and HF_HUB_OFFLINE",
    ):
        load_model(spec)


@pytest.mark.parametrize(("spec", "name"), [("owner/tiny", "owner/tiny"), ("hf:tiny", "tiny")])
def test_a_name_that_is_in_the_cache(spec: str, name: str, cache: Path, saved: Path) -> None:
    keep(cache, name, saved)
    model = load_model(spec)
    assert (model.source, model.classes) == (spec, ("no", "yes"))
    assert np.array_equal(model.predict_proba(TEXTS), load_model(saved).predict_proba(TEXTS))
    assert model.fingerprint() == load_model(saved).fingerprint()


def test_a_pickle_of_the_hub(cache: Path, pickled: Path) -> None:
    keep(cache, "owner/tiny", pickled)
    assert load_model("owner/tiny").predict_proba(TEXTS).shape == (3, 2)
    with pytest.raises(ConfigurationError, match=r"weights in a pickle \(pytorch_model\.bin\)"):
        load_model("owner/tiny", allow_pickle=False)


def test_a_missing_folder_is_not_asked_for_on_the_hub(saved: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"'models/tinny' is neither an existing file .* hf:NAME"):
        load_model("models/tinny", rootpath=tmp_path)


@pytest.mark.parametrize("package", ["transformers", "torch"])
def test_a_missing_package(package: str, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"tiny needs the package '{package}'.*pytest-trust\[transformers\]"):
        load_model(saved)


def test_other_models_import_nothing_of_it() -> None:
    program = (
        "import sys\nfrom pytest_trust.models import as_classifier, load_model\n"
        "load_model(lambda texts: [[0.5, 0.5]] * len(texts), classes='a,b').predict_proba(['x'])\n"
        "try: as_classifier((1, 2))\nexcept ValueError: pass\n"
        "print(sorted({'torch', 'transformers', 'huggingface_hub', 'tokenizers'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout == "[]\n"


def test_a_name_that_is_nowhere_in_a_fresh_process() -> None:
    code = "from pytest_trust.models import load_model; load_model('nobody/nothing')"
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert "ModelError: model nobody/nothing: no such file or folder" in found.stderr
    assert "HF_HUB_OFFLINE forbids to fetch it" in found.stderr
