"""Whether a picture can be read, before a row points to it."""

from __future__ import annotations

import io
import warnings
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

_LARGEST = 100_000_000  # pixels; a page scanned at 600 dpi has 35 million
_TAIL = 64  # bytes in which a whole file's end mark stands


def picture_fault(path: str | Path | IO[bytes]) -> str | None:
    """Why a picture should not be read; None if it is sound. Only the head is parsed and the end looked at.

    A file without its format's end mark is decoded, to see whether pixels are missing: some writers leave the
    mark out. Formats without one are decoded too.

    Returns:
        `no picture that Pillow knows`, the system's words, or the size, for one of more than 100 million pixels,
        which would fill memory when it is decoded.
    """
    from PIL import Image, UnidentifiedImageError

    with ExitStack() as stack, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            file = stack.enter_context(Path(path).open("rb")) if isinstance(path, (str, Path)) else path
            image = stack.enter_context(Image.open(file))
            width, height = image.size
            if width * height > _LARGEST:
                return f"{width} x {height} pixels"
            if not _ends(file, str(image.format)):
                image.load()
        except Image.DecompressionBombError as error:
            return str(error).split(",")[0]
        except UnidentifiedImageError:
            return "no picture that Pillow knows"
        except Exception as error:  # Pillow's readers raise many kinds at broken bytes
            return f"{type(error).__name__}: {error}"
    return None


def _ends(file: Any, kind: str) -> bool:
    """Whether the end mark of the format is there. Leaves the file where it was."""
    before = file.tell()
    size = file.seek(0, io.SEEK_END)
    file.seek(max(size - _TAIL, 0))
    tail = file.read()
    file.seek(0)
    head = file.read(8)
    file.seek(before)
    if kind in ("JPEG", "MPO"):
        return b"\xff\xd9" in tail
    if kind == "PNG":
        return b"IEND" in tail
    if kind == "GIF":
        return bool(tail.rstrip(b"\0").endswith(b";"))
    if kind == "WEBP":
        return bool(size >= int.from_bytes(head[4:8], "little") + 8)
    return False
