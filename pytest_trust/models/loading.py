"""A model from what a user names it by."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_trust.errors import ModelError
from pytest_trust.imports import importable, is_import_path
from pytest_trust.messages import listed
from pytest_trust.models.adapters import GivenNames, Origin, adapt, as_classifier
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.factories import import_model
from pytest_trust.models.files import SUFFIXES, read_model_file


def load_model(
    spec: object,
    *,
    classes: GivenNames = None,
    rootpath: Path | None = None,
    allow_pickle: bool = True,
) -> TextClassifier:
    """The TextClassifier that ``spec`` stands for. It is neither trained nor changed.

    ``spec`` is one of

    - an import path ``package.module:attribute`` of an object or of what makes one
      (see :func:`~pytest_trust.models.factories.import_model`);
    - a ``.joblib``, ``.pkl`` or ``.pickle`` file. Loading it runs code that is stored in it; ``allow_pickle=False``
      refuses these files;
    - a ``.skops`` file, of which only classes of scikit-learn, numpy and scipy are trusted;
    - an object, as for :func:`~pytest_trust.models.as_classifier`.

    Relative files are looked for in the working directory, then in ``rootpath``; modules in ``rootpath`` first.
    ``classes`` are names for the model's classes, by position or by mapping.

    Raises:
        ModelError: the model cannot be found or loaded, is no text classifier, or ``classes`` do not fit it.
        ConfigurationError: the file is a pickle and pickles are forbidden.
        MissingExtraError: the package that reads the file is not installed.

    Warns:
        TrustWarning: the file was written by another version of scikit-learn.
    """
    if not isinstance(spec, (str, os.PathLike)):
        return as_classifier(spec, classes=classes)
    with importable(rootpath):
        model, origin = _load(os.fspath(spec), rootpath, allow_pickle)
        return adapt(model, classes, origin)


def _load(spec: str, rootpath: Path | None, allow_pickle: bool) -> tuple[object, Origin]:
    path = _located(spec, rootpath)
    if path.suffix.lower() in SUFFIXES or (spec and path.exists()):
        return read_model_file(path, spec, allow_pickle=allow_pickle)
    if is_import_path(spec):
        return import_model(spec), Origin(spec)
    raise ModelError(
        f"model {spec!r} is neither an existing file nor an import path; expected package.module:attribute, "
        f"or a file ending in {listed(SUFFIXES)}"
    )


def _located(spec: str, rootpath: Path | None) -> Path:
    path = Path(spec).expanduser()
    below_root = (rootpath or Path()) / path
    return below_root if below_root.exists() and not path.exists() else path
