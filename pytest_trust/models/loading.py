"""A model from what a user names it by."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_trust.errors import ModelError
from pytest_trust.hub import HUB
from pytest_trust.imports import importable, is_import_path
from pytest_trust.messages import listed
from pytest_trust.models.adapters import GivenNames, Origin, adapt, as_classifier
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.endpoint import EndpointClassifier
from pytest_trust.models.endpoint_settings import is_address
from pytest_trust.models.factories import import_model
from pytest_trust.models.files import SUFFIXES, read_model_file
from pytest_trust.models.onnx_file import FILE as ONNX_FILE
from pytest_trust.models.onnx_file import SUFFIX as ONNX_SUFFIX
from pytest_trust.models.onnx_file import is_onnx
from pytest_trust.models.precision import FLOAT32
from pytest_trust.models.transformers_files import CONFIG, is_hub_name, read_folder, read_hub


def load_model(
    spec: object,
    *,
    classes: GivenNames = None,
    rootpath: Path | None = None,
    allow_pickle: bool = True,
    precision: str = FLOAT32,
) -> TextClassifier:
    """The TextClassifier that ``spec`` stands for. It is neither trained nor changed.

    ``spec`` is one of

    - an import path ``package.module:attribute`` of an object or of what makes one
      (see :func:`~pytest_trust.models.factories.import_model`);
    - a ``.joblib``, ``.pkl`` or ``.pickle`` file. Loading it runs code that is stored in it; ``allow_pickle=False``
      refuses these files;
    - a ``.skops`` file, of which only classes of scikit-learn, numpy and scipy are trusted;
    - a folder of the transformers library, with the model, its tokenizer and a ``config.json``; weights are read in
      float32, from safetensors where there are any;
    - the name of such a model on the Hugging Face hub, ``owner/name`` or ``hf:name``, from the local cache where
      HF_HUB_OFFLINE is set;
    - an ``.onnx`` file, or a folder with a ``model.onnx`` and no other weights, with its tokenizer beside it (see
      :class:`~pytest_trust.models.onnx.OnnxClassifier`);
    - the ``http://`` or ``https://`` address of an endpoint (see :class:`~pytest_trust.models.EndpointClassifier`);
    - an object, as for :func:`~pytest_trust.models.as_classifier`.

    Relative files are looked for in the working directory, then in ``rootpath``; modules in ``rootpath`` first.
    ``classes`` are names for the model's classes, by position or by mapping; ``precision`` is as for
    :func:`~pytest_trust.models.as_classifier`.

    Raises:
        ModelError: the model cannot be found or loaded, is no text classifier, or ``classes`` do not fit it.
        ConfigurationError: the file is a pickle and pickles are forbidden, or the model cannot be asked in that
            precision.
        MissingExtraError: the package that reads the file is not installed.

    Warns:
        TrustWarning: the file was written by another version of scikit-learn.
    """
    if not isinstance(spec, (str, os.PathLike)):
        return as_classifier(spec, classes=classes, precision=precision)
    found = _read_adapter(os.fspath(spec), rootpath, classes)
    if found is not None:
        return adapt(found, None, Origin(found.source), precision)
    with importable(rootpath):
        model, origin = _load(os.fspath(spec), rootpath, allow_pickle)
        return adapt(model, classes, origin, precision)


def _read_adapter(spec: str, rootpath: Path | None, classes: GivenNames) -> TextClassifier | None:
    """The classifier at an HTTP address or in an ONNX file, its classes named; None where ``spec`` is neither."""
    if is_address(spec):
        return EndpointClassifier(spec, classes=classes)
    path = _located(spec, rootpath)
    if spec and is_onnx(path):
        from pytest_trust.models.onnx import read_onnx

        return read_onnx(path, spec, classes=classes)
    return None


def _load(spec: str, rootpath: Path | None, allow_pickle: bool) -> tuple[object, Origin]:
    path = _located(spec, rootpath)
    if spec and (path / CONFIG).is_file():
        return read_folder(path, spec, allow_pickle=allow_pickle)
    if path.suffix.lower() in SUFFIXES or (spec and path.exists()):
        return read_model_file(path, spec, allow_pickle=allow_pickle)
    if is_hub_name(spec) and not _is_below_folder(spec, rootpath):
        return read_hub(spec, allow_pickle=allow_pickle)
    if is_import_path(spec):
        return import_model(spec), Origin(spec)
    raise ModelError(
        f"model {spec!r} is neither an existing file nor an import path; expected package.module:attribute, "
        f"a file ending in {listed((*SUFFIXES, ONNX_SUFFIX))}, a folder with a {CONFIG} or {ONNX_FILE}, an http(s) "
        f"address, or {HUB}NAME on the Hugging Face hub"
    )


def _is_below_folder(spec: str, rootpath: Path | None) -> bool:
    """A path whose last part is missing is none of a name: it is not to be asked for on the hub by mistake."""
    return _located(spec.partition("/")[0], rootpath).is_dir()


def _located(spec: str, rootpath: Path | None) -> Path:
    path = Path(spec).expanduser()
    below_root = (rootpath or Path()) / path
    return below_root if below_root.exists() and not path.exists() else path
