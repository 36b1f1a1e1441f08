"""A Hub id or a folder, without a scheme: an image-text model, a text model or a dual encoder, as its config says."""

from __future__ import annotations

from typing import Any

from punctum.evaluators.models import _loading, clip, transformers_image_text, transformers_text
from punctum.evaluators.models._unloaded import Unloaded, from_folder
from punctum.evaluators.models.base import Model, ModelError, ModelOptions

SCHEME = ""
DESCRIPTION = "a model of transformers, image-text, text or dual encoder by its config: Hub id or folder"
NEEDS = "models"


def load(name: str, options: ModelOptions) -> Model:
    """Load the model with the backend that fits.

    Raises:
        ModelError: if there is no such model, or it is none of them.
    """
    transformers = _loading.require("transformers", "models")
    path, local = _loading.where(name)
    with _loading.explained(name):
        config = transformers.AutoConfig.from_pretrained(
            path, trust_remote_code=options.trust_remote_code, **_loading.hub_arguments(options, local)
        )
    if _fits(config, transformers.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING, "AutoModelForImageTextToText"):
        return transformers_image_text.load(name, options)
    if _fits(config, transformers.MODEL_FOR_CAUSAL_LM_MAPPING, "AutoModelForCausalLM"):
        return transformers_text.load(name, options)
    if _fits(
        config, transformers.MODEL_FOR_ZERO_SHOT_IMAGE_CLASSIFICATION_MAPPING, "AutoModelForZeroShotImageClassification"
    ):
        return clip.load(name, options)
    raise ModelError(
        f"{name} is of type {config.model_type!r}, which transformers {transformers.__version__} knows neither as "
        "an image-text model, a causal language model nor a dual encoder; another server can serve it: openai:NAME@http://host/v1"
    )


def outline(name: str, options: ModelOptions) -> Unloaded:
    """What is known without loading it."""
    return from_folder(name)


def _fits(config: Any, mapping: Any, auto_class: str) -> bool:
    """Whether a config belongs to an auto class, of the library or of the checkpoint's own code."""
    return type(config) in mapping or auto_class in (getattr(config, "auto_map", None) or {})
