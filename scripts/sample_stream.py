"""The stream of training pairs with their pictures, and what a picture looks like to the sample's model.

Needs Pillow alone, so that the sample can be made without torch.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

from PIL import Image

from scripts.sample_drawing import draw, pixel_hash, side_by_side
from scripts.sample_world import Pair, random_pair

IMAGE_SIZE = 112
"""Width and height in pixels of what the model sees."""

Pictures = tuple[Image.Image, Image.Image, Image.Image]
"""Source, edited and both side by side, as the model sees them."""


def see(picture: Image.Image) -> Image.Image:
    """A picture as the processor makes it: squeezed to the model's square."""
    return picture.resize((IMAGE_SIZE, IMAGE_SIZE), Image.Resampling.BICUBIC)


def pair_pictures(pair: Pair, oversampling: int = 1) -> Pictures:
    """Source, edited and both side by side, as the model sees them."""
    source, edited = (draw(scene, oversampling=oversampling) for scene in (pair.source, pair.edited))
    return see(source), see(edited), see(side_by_side(source, edited))


def training_pairs(
    seed: int, held_out_keys: Collection[tuple[str, ...]], held_out_hashes: frozenset[str]
) -> Iterator[tuple[Pair, Pictures]]:
    """The endless stream of training pairs with their pictures, none of them held out."""
    rng = random.Random(seed)
    while True:
        pair = random_pair(rng, held_out_keys)
        pictures = pair_pictures(pair)
        if held_out_hashes.isdisjoint(map(pixel_hash, pictures)):
            yield pair, pictures
