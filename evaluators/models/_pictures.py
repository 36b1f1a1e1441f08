"""Pictures for a model, opened or as data URLs, so that a bad one fails its own request and says why."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from punctum.records import Picture

if TYPE_CHECKING:
    from PIL.Image import Image

_SENT_AS_THEY_ARE = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp"}
_ORIENTATION = 0x0112  # the EXIF tag


class UnreadablePicture(ValueError):
    """A picture that cannot be decoded. The message names it and says why."""

    def __init__(self, picture: Picture, number: int, error: Exception) -> None:
        from PIL import UnidentifiedImageError

        # Pillow's own message for bytes names an address in memory, another one at each run.
        why = "no picture that Pillow knows" if isinstance(error, UnidentifiedImageError) else str(error)
        super().__init__(f"picture {picture.path or f'number {number}'} cannot be read: {why}")


def open_all(pictures: Sequence[Picture]) -> list[Image]:
    """Decode a request's pictures.

    Raises:
        UnreadablePicture: for the first one that cannot be read.
    """
    images = []
    for number, picture in enumerate(pictures, 1):
        try:
            images.append(picture.open())
        except Exception as error:  # decoders raise many kinds: OSError, SyntaxError, DecompressionBombError, …
            raise UnreadablePicture(picture, number, error) from error
    return images


def data_urls(pictures: Sequence[Picture]) -> list[str]:
    """Pictures as data URLs.

    Raises:
        UnreadablePicture: for the first one that cannot be read.
    """
    urls = []
    for number, picture in enumerate(pictures, 1):
        try:
            urls.append(_data_url(picture))
        except Exception as error:  # decoders raise many kinds
            raise UnreadablePicture(picture, number, error) from error
    return urls


def _data_url(picture: Picture) -> str:
    """The picture's own bytes where servers can read them, otherwise an upright PNG.

    Servers differ in whether they turn a photograph the way its EXIF data say, so such pictures are turned here.
    """
    from PIL import Image

    data = picture.read()
    with Image.open(io.BytesIO(data)) as image:
        mime = _SENT_AS_THEY_ARE.get(image.format or "")
        upright = image.getexif().get(_ORIENTATION, 1) == 1
    if mime is None or not upright:
        buffer = io.BytesIO()
        picture.open().save(buffer, "PNG")
        mime, data = "image/png", buffer.getvalue()
    return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"
