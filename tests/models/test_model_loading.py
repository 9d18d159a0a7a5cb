from __future__ import annotations

import json
import pickle
import re
import sys
import textwrap
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_trust.errors import ConfigurationError, MissingExtraError, ModelError, TrustWarning
from pytest_trust.models import load_model

TEXTS = ["great film", "awful film", "", "unseen words"]


@pytest.fixture
def write_module(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Writes a module into tmp_path under a fresh name, and forgets it afterwards."""
    before = set(sys.modules)

    def write(source: str, name: str = "scoring") -> str:
        module = f"{name}_{abs(hash(tmp_path))}"
        (tmp_path / f"{module}.py").write_text(textwrap.dedent(source))
        return module

    yield write
    for name in set(sys.modules) - before:
        if name.startswith("scoring"):
            del sys.modules[name]


@pytest.fixture
def dump(tmp_path: Path) -> Callable[[Any, str], Path]:
    def save(thing: Any, name: str) -> Path:
        import joblib
        import skops.io

        path = tmp_path / name
        if path.suffix == ".skops":
            skops.io.dump(thing, path)
        elif path.suffix == ".joblib":
            joblib.dump(thing, path)
        else:
            path.write_bytes(pickle.dumps(thing))
        return path

    return save


FORMS = {
    "an estimator": "model = Half()",
    "a class": "model = Half",
    "a factory": "def model(): return Half()",
    "a factory with defaults": "def model(path='x', *, device='cpu'): return Half()",
    "a cached factory": "import functools\n@functools.cache\ndef model(): return Half()",
    "a partial factory": "import functools\ndef make(kind): return kind()\nmodel = functools.partial(make, Half)",
    "a function of texts": "def model(texts): return [[0.5, 0.5]] * len(texts)\nmodel.classes_ = ['neg', 'pos']",
    "a function of texts with options": "def model(texts, size=8): return [[0.5, 0.5]] * len(texts)\n"
    "model.classes_ = ['neg', 'pos']",
    "a callable object": "class Score:\n    classes_ = ['neg', 'pos']\n"
    "    def __call__(self, *args): return Half().predict_proba(*args)\nmodel = Score()",
    "a factory of a function": "def model():\n    def score(texts): return [[0.5, 0.5]] * len(texts)\n"
    "    score.classes_ = ['neg', 'pos']\n    return score",
    "an attribute of an object": "class Box: pass\nmodel = Box()\nmodel.inner = Half()",
}

HALF = """
class Half:
    classes_ = ["neg", "pos"]
    def predict_proba(self, texts):
        return [[0.5, 0.5]] * len(texts)
"""


@pytest.mark.parametrize("form", FORMS)
def test_import_paths(form: str, write_module: Callable[[str], str], tmp_path: Path) -> None:
    module = write_module(HALF + textwrap.dedent(FORMS[form]))
    spec = f"{module}:model" + (".inner" if form == "an attribute of an object" else "")
    model = load_model(spec, rootpath=tmp_path)
    assert model.classes == ("neg", "pos")
    assert model.source == spec
    assert model.predict_proba(TEXTS).tolist() == [[0.5, 0.5]] * 4


def test_a_method_of_an_object_is_a_function_of_texts(write_module: Callable[[str], str], tmp_path: Path) -> None:
    module = write_module(HALF + "model = Half()")
    model = load_model(f"{module}:model.predict_proba", classes="no,yes", rootpath=tmp_path)
    assert model.predict_proba(["x"]).tolist() == [[0.5, 0.5]]


def test_a_factory_is_called_once(write_module: Callable[[str], str], tmp_path: Path) -> None:
    module = write_module(HALF + "calls = []\ndef model():\n    calls.append(1)\n    return Half()")
    load_model(f"{module}:model", rootpath=tmp_path).predict_proba(TEXTS)
    assert sys.modules[module].calls == [1]


def test_names_are_applied(write_module: Callable[[str], str], tmp_path: Path) -> None:
    spec = write_module(HALF + "model = Half()") + ":model"
    model = load_model(spec, classes=["neg=negative", "pos=positive|good"], rootpath=tmp_path)
    assert model.classes == ("negative", "positive")
    with pytest.raises(ModelError, match=rf"model {spec}: .*\(neg, pos\).*\(pos, neg\)"):
        load_model(spec, classes="pos,neg", rootpath=tmp_path)


def test_sys_path_is_left_as_found(write_module: Callable[[str], str], tmp_path: Path) -> None:
    module = write_module(HALF + "import sys\nfirst = sys.path[0]\nmodel = Half()")
    before = list(sys.path)
    load_model(f"{module}:model", rootpath=tmp_path)
    assert sys.path == before
    assert sys.modules[module].first == str(tmp_path)
    with pytest.raises(ModelError):
        load_model("scoring_missing:model", rootpath=tmp_path)
    assert sys.path == before


def test_a_root_that_is_on_the_path_already_stays(
    write_module: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = write_module(HALF + "model = Half()")
    monkeypatch.syspath_prepend(tmp_path)
    before = list(sys.path)
    load_model(f"{module}:model", rootpath=tmp_path)
    assert sys.path == before


def test_what_a_module_does_to_sys_path_stays(
    write_module: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = list(sys.path)
    module = write_module(HALF + "import sys\nsys.path.append('vendored')\nmodel = Half()")
    load_model(f"{module}:model", rootpath=tmp_path)
    assert sys.path == [*before, "vendored"]


def test_a_module_may_take_the_root_off_the_path_itself(
    write_module: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = list(sys.path)
    module = write_module(HALF + f"import sys\nsys.path.remove({str(tmp_path)!r})\nmodel = Half()")
    load_model(f"{module}:model", rootpath=tmp_path)
    assert sys.path == before


@pytest.mark.parametrize(
    ("source", "attribute", "message"),
    [
        (
            "import no_such_package",
            "model",
            "cannot be imported: ModuleNotFoundError: No module named 'no_such_package'",
        ),
        ("1 / 0", "model", "cannot be imported: ZeroDivisionError: division by zero"),
        ("def f(:", "model", "cannot be imported: SyntaxError"),
        ("classifier = 1", "model", "cannot be imported: AttributeError: .* has no attribute 'model'"),
        ("class model:\n    def __init__(self, path, size): pass", "model", "needs the arguments path, size"),
        ("class model:\n    def __init__(self, path): pass", "model", "needs the arguments path; expected"),
        ("def model(texts, weights): pass", "model", "needs the arguments texts, weights"),
        ("def model(): 1 / 0", "model", "called without arguments, it raised ZeroDivisionError: division by zero"),
        ("def model(): return None", "model", "of type builtins.NoneType; expected an object with predict_proba"),
        ("model = {}", "model", "of type builtins.dict; expected an object with predict_proba"),
        ("def model(texts): return texts", "model", "does not say what its classes are.*--trust-classes"),
        ("def make(): return model\nclass model: pass", "make", "is the class scoring_.*; expected an object"),
    ],
)
def test_import_paths_that_lead_nowhere(
    source: str, attribute: str, message: str, write_module: Callable[[str], str], tmp_path: Path
) -> None:
    spec = f"{write_module(source)}:{attribute}"
    with pytest.raises(ModelError, match=message) as caught:
        load_model(spec, rootpath=tmp_path)
    assert spec in str(caught.value)


def test_a_missing_module_is_named() -> None:
    with pytest.raises(ModelError, match=r"no_such_module:model: cannot be imported: .*'no_such_module'") as caught:
        load_model("no_such_module:model")
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)


@pytest.mark.parametrize(("spec", "found"), [("builtins:dict", "builtins.dict"), ("builtins:max", "classes are")])
def test_builtins_that_do_not_tell_their_parameters(spec: str, found: str) -> None:
    with pytest.raises(ModelError, match=found):
        load_model(spec)


@pytest.mark.parametrize(
    "spec", ["", "sentiment", "a:b:c", "package.module:", ":model", "a-b:c", "1a:b", "no/file.bin"]
)
def test_what_is_neither_file_nor_import_path(spec: str) -> None:
    with pytest.raises(ModelError, match=f"model '{spec}' is neither an existing file nor an import path") as caught:
        load_model(spec)
    for part in ("package.module:attribute", ".joblib", ".pkl", ".pickle", ".skops"):
        assert part in str(caught.value)


@pytest.mark.parametrize("suffix", [".joblib", ".pkl", ".pickle", ".skops", ".JOBLIB"])
def test_files(
    suffix: str, make_pipeline: Callable[..., Any], dump: Callable[[Any, str], Path], tmp_path: Path
) -> None:
    pipeline = make_pipeline()
    path = dump(pipeline, "model" + suffix.lower()).rename(tmp_path / f"sentiment{suffix}")
    model = load_model(str(path))
    assert model.source == str(path)
    assert model.classes == ("neg", "pos")
    assert np.array_equal(model.predict_proba(TEXTS), pipeline.predict_proba(TEXTS))


def test_integer_classes_from_a_file_are_renamed(make_pipeline: Any, dump: Callable[[Any, str], Path]) -> None:
    path = dump(make_pipeline(labels=[1, 1, 1, 0, 0, 0]), "m.joblib")
    model = load_model(path, classes="negative,positive")
    assert (model.classes, model.class_set.originals) == (("negative", "positive"), ("0", "1"))


def test_files_are_found_from_the_working_directory_then_from_the_root(
    make_pipeline: Any, dump: Callable[[Any, str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump(make_pipeline(), "m.joblib")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert load_model("m.joblib", rootpath=tmp_path).source == "m.joblib"
    dump(make_pipeline(labels=["b", "b", "b", "a", "a", "a"]), "sub/m.joblib")
    assert load_model("m.joblib", rootpath=tmp_path).classes == ("a", "b")


def test_a_home_directory_is_expanded(
    make_pipeline: Any, dump: Callable[[Any, str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    dump(make_pipeline(), "m.joblib")
    assert load_model("~/m.joblib").classes == ("neg", "pos")


@pytest.mark.parametrize("suffix", [".joblib", ".pkl", ".pickle"])
def test_pickles_can_be_forbidden(suffix: str, tmp_path: Path) -> None:
    ran = tmp_path / "ran"

    class Bomb:
        def __reduce__(self) -> Any:
            return Path.touch, (ran,)

    path = tmp_path / f"m{suffix}"
    path.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(ConfigurationError, match=r"runs code.*--trust-no-pickle.*\.skops"):
        load_model(path, allow_pickle=False)
    assert not ran.exists()
    with pytest.raises(ModelError, match=r"of type builtins\.NoneType"):
        load_model(path)
    assert ran.exists()


def test_skops_and_import_paths_need_no_pickle(
    make_pipeline: Any, dump: Any, write_module: Any, tmp_path: Path
) -> None:
    path = dump(make_pipeline(), "m.skops")
    assert load_model(path, allow_pickle=False).classes == ("neg", "pos")
    spec = write_module(HALF) + ":Half"
    assert load_model(spec, allow_pickle=False, rootpath=tmp_path).classes == ("neg", "pos")


@pytest.mark.parametrize("suffix", [".joblib", ".pkl", ".pickle", ".skops"])
@pytest.mark.parametrize("content", [b"", b"not a model\n", b"\x80\x05\x95half"])
def test_corrupt_files(suffix: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"m{suffix}"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=rf"{suffix} cannot be read as a {suffix} file \(\w+") as caught:
        load_model(path)
    assert str(path) in str(caught.value)
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize("suffix", [".joblib", ".skops"])
def test_a_cut_file(suffix: str, make_pipeline: Any, dump: Any) -> None:
    path = dump(make_pipeline(), f"m{suffix}")
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ModelError, match="cannot be read"):
        load_model(path)


@pytest.mark.parametrize("suffix", [".joblib", ".pkl", ".skops"])
@pytest.mark.parametrize(("thing", "found"), [({"model": 1}, "builtins.dict"), ([1.0], "builtins.list")])
def test_files_of_something_else(suffix: str, thing: object, found: str, dump: Any) -> None:
    with pytest.raises(ModelError, match=f"m{suffix} is of type {found}; expected an object with predict_proba"):
        load_model(dump(thing, f"m{suffix}"))


def test_a_file_of_an_uncalibrated_model(make_pipeline: Any, dump: Any) -> None:
    from sklearn.svm import LinearSVC

    with pytest.raises(ModelError, match=r"m\.joblib .*CalibratedClassifierCV"):
        load_model(dump(make_pipeline(LinearSVC()), "m.joblib"))


def test_missing_files_folders_and_other_suffixes(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"gone\.joblib is missing; expected a file"):
        load_model(tmp_path / "gone.joblib")
    (tmp_path / "folder.pkl").mkdir()
    with pytest.raises(ModelError, match=r"folder\.pkl is a folder; expected a file"):
        load_model(tmp_path / "folder.pkl")
    (tmp_path / "model.bin").write_bytes(b"x")
    with pytest.raises(ModelError, match=r"suffix '\.bin'; expected one of \.joblib, \.pkl, \.pickle, \.skops"):
        load_model(tmp_path / "model.bin")


def test_a_pickle_that_needs_a_module_of_the_project(write_module: Any, tmp_path: Path, dump: Any) -> None:
    module = write_module(HALF)
    half = type(load_model(f"{module}:Half", rootpath=tmp_path).estimator)
    path = dump(half(), "m.joblib")
    del sys.modules[module]
    with pytest.raises(ModelError, match=rf"m\.joblib needs the module '{module}', which cannot be imported"):
        load_model(path)
    assert load_model(path, rootpath=tmp_path).predict_proba(["x"]).tolist() == [[0.5, 0.5]]


def test_a_pickled_classifier_keeps_its_names(make_pipeline: Any, dump: Any) -> None:
    inner = load_model(make_pipeline(), classes="neg=bad,pos=good")
    model = load_model(dump(inner, "m.joblib"))
    assert model.classes == ("bad", "good")
    assert np.array_equal(model.predict_proba(TEXTS), inner.predict_proba(TEXTS))


def test_objects(make_pipeline: Any) -> None:
    pipeline = make_pipeline()
    model = load_model(pipeline)
    assert np.array_equal(model.predict_proba(TEXTS), pipeline.predict_proba(TEXTS))
    assert load_model(model) is model


def calibrated() -> Any:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.svm import LinearSVC

    return CalibratedClassifierCV(LinearSVC(), cv=2)


def test_skops_trusts_classes_of_scikit_learn(make_pipeline: Any, dump: Any) -> None:
    import skops.io

    path = dump(make_pipeline(calibrated()), "m.skops")
    assert "sklearn.calibration._CalibratedClassifier" in skops.io.get_untrusted_types(file=path)
    assert load_model(path).predict_proba(TEXTS).shape == (4, 2)


def forest() -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(2, random_state=0)


@pytest.mark.parametrize(
    ("function", "name"),
    [(np.mean, "numpy.mean"), (json.dumps, "json.dumps"), (textwrap.dedent, "textwrap.dedent")],
)
def test_skops_trusts_no_functions_and_no_other_packages(
    function: Callable[..., Any], name: str, make_pipeline: Any, dump: Any
) -> None:
    from sklearn.pipeline import make_pipeline as pipeline_of
    from sklearn.preprocessing import FunctionTransformer

    path = dump(pipeline_of(FunctionTransformer(function), *(step for _, step in make_pipeline().steps)), "m.skops")
    with pytest.raises(ModelError, match=rf"m\.skops holds types that are not trusted: {name}; .*trusted=\[\.\.\.\]"):
        load_model(path)


def test_skops_does_not_trust_the_node_arrays_of_trees(make_pipeline: Any, dump: Any) -> None:
    with pytest.raises(ModelError, match=r"not trusted: sklearn\.tree\._tree\.Tree;"):
        load_model(dump(make_pipeline(forest()), "m.skops"))


@pytest.mark.parametrize(
    ("module", "refused"),
    [
        ("sklearn_calibration", "sklearn_calibration._CalibratedClassifier"),
        ("sklearn.no_such_module", "sklearn.no_such_module._CalibratedClassifier"),
        ("sklearn.metrics", "sklearn.metrics._CalibratedClassifier"),
    ],
)
def test_skops_does_not_trust_a_class_that_is_not_there(
    module: str, refused: str, make_pipeline: Any, dump: Any, tmp_path: Path
) -> None:
    """The schema of a real file, with one module renamed."""
    path = dump(make_pipeline(calibrated()), "m.skops")
    forged = tmp_path / "forged.skops"
    with zipfile.ZipFile(path) as real, zipfile.ZipFile(forged, "w") as copy:
        for name in real.namelist():
            copy.writestr(name, real.read(name).replace(b'"sklearn.calibration"', f'"{module}"'.encode()))
    with pytest.raises(ModelError, match=rf"not trusted: .*{re.escape(refused)}"):
        load_model(forged)


@pytest.mark.parametrize("package", ["skops", "sklearn"])
def test_a_missing_package_is_named_with_its_extra(
    package: str, make_pipeline: Any, dump: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = dump(make_pipeline(), "m.skops" if package == "skops" else "m.joblib")
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pytest-trust\[sklearn\]'"):
        load_model(path)


@pytest.mark.parametrize("suffix", [".joblib", ".skops"])
def test_another_version_of_scikit_learn_is_a_warning(
    suffix: str, make_pipeline: Any, dump: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = make_pipeline()
    with monkeypatch.context() as patch:
        patch.setattr("sklearn.base.__version__", "1.0.2")
        path = dump(pipeline, f"m{suffix}")
    with pytest.warns(TrustWarning) as caught:
        model = load_model(path)
    assert np.array_equal(model.predict_proba(TEXTS), pipeline.predict_proba(TEXTS))
    assert len(caught) == 1
    message = str(caught[0].message)
    assert f"m{suffix} was written by scikit-learn 1.0.2 and is read by 1." in message
    for name in ("TfidfVectorizer", "LogisticRegression", "Pipeline"):
        assert name in message
    assert caught[0].filename == __file__


def test_other_warnings_of_a_file_reach_the_user(write_module: Any, tmp_path: Path, dump: Any) -> None:
    module = write_module(
        HALF + "    def __setstate__(self, state):\n"
        "        import warnings\n        warnings.warn('old weights', UserWarning)\n"
        "    def __getstate__(self): return {'a': 1}\n"
    )
    path = dump(load_model(f"{module}:Half", rootpath=tmp_path).estimator, "m.joblib")
    with pytest.warns(UserWarning, match="old weights"):
        load_model(path, rootpath=tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="old weights"):
            load_model(path, rootpath=tmp_path)
