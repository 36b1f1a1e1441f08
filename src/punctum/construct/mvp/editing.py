"""Who edits: pipelines of diffusers, and Segment Anything of transformers, each loaded when it is first needed."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from punctum.construct.mvp.masks import Mask, Pixels
from punctum.construct.wants import Unusable
from punctum.evaluators.models._loading import content_hash, explained, pick_device, require, where
from punctum.results import write_whole

_MULTIPLE = 8  # pipelines want sides that their autoencoder can divide
_GRID = 16  # points a side from which Segment Anything looks for masks
_POINTS = 64  # points a batch


@dataclass(frozen=True)
class Settings:
    """How pictures are edited.

    Attributes:
        inpaint, instruct, segment: Hub ids or folders; None where none is named.
        steps: of denoising.
        guidance: scale; None is the pipeline's own.
        device: as for models.
    """

    inpaint: str | None
    instruct: str | None
    segment: str | None
    steps: int = 50
    guidance: float | None = None
    device: str | None = None


class Editor:
    """Edits pictures; what was made once is kept in a folder and not made again.

    Args:
        settings: which models, and how.
        cache: the folder.
    """

    def __init__(self, settings: Settings, cache: Path) -> None:
        self.settings = settings
        self._cache = cache
        self._loaded: dict[str, Any] = {}
        self._revisions: dict[str, str | None] = {}

    def need(self, route: str) -> None:
        """Refuse a route whose models are not named.

        Raises:
            ValueError: that says which option names them.
        """
        wanted = {
            "component": ("inpaint",),
            "background": ("inpaint", "segment"),
            "direct": ("instruct",),
        }[route]
        missing = [f"--{name}-with" for name in wanted if getattr(self.settings, name) is None]
        if missing:
            raise ValueError(f"{route} edits need {' and '.join(missing)}")

    def inpaint(self, picture: Pixels, mask: Mask, prompt: str, seed: int) -> Pixels:
        """Fill the masked pixels after a prompt. The whole picture comes back; compose it with the original."""

        def run() -> Pixels:
            pipeline = self._pipeline("inpaint")
            small = _sides(picture)
            image, area = _resized(picture, small), _resized(mask.astype(np.uint8) * 255, small, nearest=True)
            return self._run(pipeline, picture, prompt, seed, image=image, mask_image=area)

        return self._kept("inpaint", [_digest(picture), _digest(mask), prompt, str(seed)], run)

    def instruct(self, picture: Pixels, instruction: str, seed: int) -> Pixels:
        """Change the whole picture after an instruction."""

        def run() -> Pixels:
            pipeline = self._pipeline("instruct")
            return self._run(pipeline, picture, instruction, seed, image=_resized(picture, _sides(picture)))

        return self._kept("instruct", [_digest(picture), instruction, str(seed)], run)

    def masks(self, picture: Pixels) -> list[Mask]:
        """Masks of whatever is in the picture: three sizes a point of a grid of 16 × 16 (Segment Anything)."""
        import torch
        from PIL import Image

        model, processor = self._segmenter()
        height, width = picture.shape[:2]
        points = [
            [(column + 0.5) * width / _GRID, (row + 0.5) * height / _GRID]
            for row in range(_GRID)
            for column in range(_GRID)
        ]
        image = Image.fromarray(picture)
        found: list[Mask] = []
        embeddings = None
        for start in range(0, len(points), _POINTS):
            some = [[[point] for point in points[start : start + _POINTS]]]
            inputs = processor(images=image, input_points=some, return_tensors="pt").to(model.device)
            sizes = inputs["original_sizes"], inputs["reshaped_input_sizes"]
            with torch.inference_mode():
                if embeddings is None:
                    embeddings = model.get_image_embeddings(inputs["pixel_values"])
                out = model(image_embeddings=embeddings, input_points=inputs["input_points"], multimask_output=True)
            [masks] = processor.image_processor.post_process_masks(
                out.pred_masks.cpu(), *(size.cpu() for size in sizes)
            )
            found += list(masks.reshape(-1, height, width).numpy().astype(np.bool_))
        return found

    def info(self, kind: str) -> dict[str, Any]:
        """Which model a kind of edit uses, for the record."""
        name = str(getattr(self.settings, kind))
        if name not in self._revisions:
            path, local = where(name)
            self._revisions[name] = content_hash(path) if local else None
        return {"id": name, "revision": self._revisions[name]}

    def _run(self, pipeline: Any, picture: Pixels, prompt: str, seed: int, **inputs: Any) -> Pixels:
        """One picture of the pipeline, in the size of the original."""
        import torch

        more = {} if self.settings.guidance is None else {"guidance_scale": self.settings.guidance}
        if "mask_image" in inputs:
            more |= dict(zip(("width", "height"), inputs["image"].size, strict=True))
        generator = torch.Generator().manual_seed(seed)  # on the CPU: the same noise on every device
        with torch.inference_mode():
            made = pipeline(
                prompt=prompt,
                generator=generator,
                num_inference_steps=self.settings.steps,
                output_type="pil",
                **inputs,
                **more,
            )
        if any(getattr(made, "nsfw_content_detected", None) or []):
            raise Unusable("blanked by the pipeline's safety checker")
        return np.asarray(made.images[0].convert("RGB").resize((picture.shape[1], picture.shape[0])))

    def _pipeline(self, kind: str) -> Any:
        if kind not in self._loaded:
            diffusers = require("diffusers", "construct")
            name = str(getattr(self.settings, kind))
            path, _ = where(name)
            with explained(name):
                if kind == "inpaint":
                    pipeline = diffusers.AutoPipelineForInpainting.from_pretrained(path, use_safetensors=True)
                else:
                    pipeline = diffusers.StableDiffusionInstructPix2PixPipeline.from_pretrained(
                        path, use_safetensors=True
                    )
            pipeline.set_progress_bar_config(disable=True)
            self._loaded[kind] = pipeline.to(pick_device(self.settings.device))
        return self._loaded[kind]

    def _segmenter(self) -> tuple[Any, Any]:
        if "segment" not in self._loaded:
            transformers = require("transformers", "construct")
            name = str(self.settings.segment)
            path, _ = where(name)
            with explained(name):
                processor = transformers.SamProcessor.from_pretrained(path)
                model = transformers.SamModel.from_pretrained(path, use_safetensors=True)
            self._loaded["segment"] = model.to(pick_device(self.settings.device)).eval(), processor
        model, processor = self._loaded["segment"]
        return model, processor

    def _kept(self, kind: str, parts: Sequence[str], run: Callable[[], Pixels]) -> Pixels:
        """The picture from the cache, else made and kept."""
        from PIL import Image

        settings = [str(self.settings.steps), str(self.settings.guidance), json.dumps(self.info(kind))]
        key = hashlib.sha256("\0".join([kind, *settings, *parts]).encode()).hexdigest()
        path = self._cache / f"{key[:32]}.png"
        if path.is_file():
            with Image.open(path) as image:
                return np.asarray(image.convert("RGB"))
        made = run()
        write_whole(path, as_png(made))
        return made


def as_png(pixels: np.ndarray[Any, Any]) -> bytes:
    """A picture or a mask of bytes, encoded without loss."""
    from PIL import Image

    memory = io.BytesIO()
    Image.fromarray(pixels).save(memory, "PNG")
    return memory.getvalue()


def _digest(values: np.ndarray[Any, Any]) -> str:
    return hashlib.sha256(f"{values.shape}".encode() + np.ascontiguousarray(values).tobytes()).hexdigest()


def _sides(picture: Pixels) -> tuple[int, int]:
    """Width and height that pipelines take: the nearest multiples of 8."""
    height, width = picture.shape[:2]
    return max(round(width / _MULTIPLE), 1) * _MULTIPLE, max(round(height / _MULTIPLE), 1) * _MULTIPLE


def _resized(values: np.ndarray[Any, Any], size: tuple[int, int], nearest: bool = False) -> Any:
    from PIL import Image

    way = Image.Resampling.NEAREST if nearest else Image.Resampling.LANCZOS
    return Image.fromarray(values).resize(size, way)
