"""Opening pictures for a model, so that a bad one fails its own request and says why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from punctum.records import Picture

if TYPE_CHECKING:
    from PIL.Image import Image


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
