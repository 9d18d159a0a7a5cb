"""Model files are found without importing their package, and used only where version and digest are the pinned ones."""

from __future__ import annotations

import hashlib
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from pytest_trust.embeddings import GloVe, MiniLM, UniversalSentenceEncoder
from pytest_trust.embeddings.files import Package, PackagedFile, require_modules
from pytest_trust.errors import EmbeddingError, MissingExtraError, TrustError

MEMBERS = (GloVe, UniversalSentenceEncoder, MiniLM)
CONTENT = b"three small vectors"


def install(folder: Path, distribution: str, version: str, files: dict[str, bytes]) -> None:
    """A distribution as an installer leaves it, as far as its metadata and files go."""
    info = folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def file():
    package = Package(member="tiny", distribution="tiny-vectors", version="1.0.0")
    return package.file("tiny_vectors/data.bin", hashlib.sha256(CONTENT).hexdigest())


def test_a_file_is_found_without_importing_its_package(site, file):
    install(
        site,
        "tiny-vectors",
        "1.0.0",
        {file.path: CONTENT, "tiny_vectors/__init__.py": b"raise RuntimeError('imported')"},
    )
    assert file.verified() == site / file.path
    assert "tiny_vectors" not in sys.modules


def test_a_missing_distribution_names_the_extra(file):
    with pytest.raises(MissingExtraError) as caught:
        file.verified()
    assert "the embedding 'tiny' needs the package 'tiny-vectors'" in str(caught.value)
    assert "pip install 'pytest-trust[embeddings]'" in str(caught.value)


def test_another_version_is_refused(site, file):
    install(site, "tiny-vectors", "1.0.1", {file.path: CONTENT})
    with pytest.raises(EmbeddingError) as caught:
        file.locate()
    assert "version 1.0.1 is installed" in str(caught.value)
    assert "pinned to 1.0.0" in str(caught.value)
    assert "pip install 'tiny-vectors==1.0.0'" in str(caught.value)


def test_a_file_that_is_gone_is_named(site, file):
    install(site, "tiny-vectors", "1.0.0", {})
    with pytest.raises(EmbeddingError, match=r"tiny_vectors/data\.bin of tiny-vectors 1\.0\.0: the file is missing"):
        file.locate()


@pytest.mark.parametrize("content", [b"", CONTENT[:-1], CONTENT + b"\n", CONTENT.replace(b"t", b"T")])
def test_a_changed_file_is_refused(site, file, content):
    install(site, "tiny-vectors", "1.0.0", {file.path: content})
    with pytest.raises(EmbeddingError) as caught:
        file.verified()
    assert "tiny_vectors/data.bin of tiny-vectors 1.0.0" in str(caught.value)
    assert f"sha256 is {hashlib.sha256(content).hexdigest()}" in str(caught.value)
    assert f"expected {file.sha256}" in str(caught.value)


def test_a_module_that_is_absent_names_the_extra():
    require_modules(["json"], "tiny")
    with pytest.raises(MissingExtraError, match="'no_such_module_at_all'"):
        require_modules(["json", "no_such_module_at_all"], "tiny")


def test_the_extra_and_the_constraints_pin_the_packages_of_the_members():
    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    constraints = (root / ".ci/constraints.txt").read_text(encoding="utf-8").splitlines()
    expected = {file.package.requirement for member in MEMBERS for file in member.files}
    assert {line for line in project["optional-dependencies"]["embeddings"] if "==" in line} == expected
    assert expected <= set(constraints)


def test_the_installed_files_are_the_pinned_ones(member_type):
    for file in member_type.files:
        assert file.verified().is_file()


def test_a_tampered_model_is_refused(member_type, site, fresh_models):
    for file in member_type.files:
        install(site, file.package.distribution, file.package.version, {file.path: b"not the model"})
    with pytest.raises(EmbeddingError, match=r"sha256 is [0-9a-f]{64}, expected [0-9a-f]{64}; restore it with: pip"):
        member_type().vectors(["good"])


def test_a_refused_model_works_once_it_is_restored(all_members, tmp_path, fresh_models):
    for file in MiniLM.files:
        install(tmp_path, file.package.distribution, file.package.version, {file.path: b"not the model"})
    member = MiniLM()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        with pytest.raises(EmbeddingError, match="sha256"):
            member.vectors(["good"])
    assert member.vectors(["good"]).known.all()


@pytest.mark.parametrize("place", [0, 1])
def test_each_model_file_is_checked(member_type, place, tmp_path, fresh_models, monkeypatch):
    """One file is damaged, the others are the real ones."""
    damaged = member_type.files[place]
    bad_file = tmp_path / Path(damaged.path).name
    bad_file.write_bytes(b"damaged")
    locate = PackagedFile.locate
    monkeypatch.setattr(PackagedFile, "locate", lambda file: bad_file if file == damaged else locate(file))
    with pytest.raises(EmbeddingError, match=Path(damaged.path).name):
        member_type().vectors(["good"])


def test_a_member_of_another_version_is_refused_when_made(member_type, site):
    file = member_type.files[0]
    install(site, file.package.distribution, "99.0", {})
    with pytest.raises(EmbeddingError, match=rf"{file.package.distribution}: version 99\.0 is installed"):
        member_type()


def test_a_member_without_its_package_says_how_to_install_it(member_type, monkeypatch):
    def absent(name: str) -> metadata.Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", absent)
    with pytest.raises(MissingExtraError, match=r"pytest-trust\[embeddings\]"):
        member_type()


def test_a_member_without_its_engine_says_how_to_install_it(all_members):
    class Engineless(GloVe):
        modules = ("no_such_engine",)

    with pytest.raises(TrustError, match="the embedding 'glove' needs the package 'no_such_engine'"):
        Engineless()
