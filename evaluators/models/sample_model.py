"""The small image-text model that the package carries, under a short name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from punctum import discovery
from punctum.evaluators.models._unloaded import Unloaded
from punctum.evaluators.models.base import Model, ModelError, ModelOptions

SCHEME = "punctum"
DESCRIPTION = (
    "punctum:sample, a small model that answers questions about the samples' drawings; its score means nothing"
)
NEEDS = "models"


def load(name: str, options: ModelOptions) -> Model:
    """Load the sample model as any folder with an image-text model.

    Raises:
        ModelError: if the name is another than `sample`.
    """
    from punctum.evaluators.models.transformers_image_text import load as load_image_text

    if name != "sample":
        raise ModelError(f"punctum:{name} is not known; known: punctum:sample")
    model = load_image_text(discovery.sample_model(), options)
    model.info = replace(model.info, id="punctum:sample")  # a path of this machine would not say more
    return model


def outline(name: str, options: ModelOptions) -> Unloaded:
    """What is known without loading it."""
    return Unloaded(f"punctum:{name}", folder=Path(discovery.sample_model()))
