"""Unpacking within bounds: a small file that is made to unpack into gigabytes is refused."""

from __future__ import annotations

import gzip
import io

# Tables and reports pack to a tenth or so; gzip alone can reach a thousandth.
_RATIO = 100
_LEAST = 2**26


def most_unpacked(size: int) -> int:
    """How many bytes ``size`` packed ones may become: a hundred times as many, and 64 MiB in any case."""
    return max(_LEAST, _RATIO * size)


def unpacked(raw: bytes) -> bytes:
    """What gzip packed into ``raw``.

    Raises:
        OSError: it is no gzip, is damaged, or unpacks to more than :func:`most_unpacked` bytes.
        EOFError: it ends early.
        zlib.error: it is damaged.
    """
    most = most_unpacked(len(raw))
    with gzip.GzipFile(fileobj=io.BytesIO(raw)) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise OSError(f"{len(raw)} bytes unpack to more than {most}; pack them anew, or give the file as it is")
    return content
