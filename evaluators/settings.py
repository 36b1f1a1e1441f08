"""Questions about a picture in three settings: shown (`vlm`), told by a caption (`sm`), or neither (`lm`)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from punctum.evaluators.base import NOTHING, Loader, Stage, Task
from punctum.evaluators.options import Options
from punctum.evaluators.rows import Row, choice_continuations
from punctum.records import Request, Sample


class InSettings(Task):
    """A task with one prompt a setting.

    Attributes:
        caption_prompt: the template that asks for a caption.
    """

    settings = ("vlm", "sm", "lm")
    captions = True
    caption_prompt: str

    @abstractmethod
    def rows(self, load: Loader, options: Options) -> Any:
        """The rows of the subset."""

    @abstractmethod
    def fields(self, row: Row) -> dict[str, Any]:
        """What prompts and breakdowns need of a row beside its options; `caption`: the data's own."""

    @abstractmethod
    def prompt(self, sample: Sample, options: Options, caption: str | None) -> str:
        """The filled prompt of the setting."""

    def group(self, sample: Sample) -> str | None:
        """What scores are broken down by."""
        return None

    def stages(self, options: Options) -> Sequence[Stage]:
        """A caption by the model itself or by another, for the setting `sm`."""
        if options.setting != "sm" or options.caption == "meta" or options.given_captions is not None:
            return ()
        return (Stage("caption", "caption", self._caption, (self.caption_prompt,), max_new_tokens=128),)

    def _caption(self, sample: Sample, texts: Mapping[str, str], options: Options) -> Request:
        return Request(sample, options.prompts.render(self.caption_prompt), sample.pictures, options.system)

    def request(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> Request:
        """The setting's prompt; the picture only in `vlm`."""
        caption = caption_of(sample, options, texts) if options.setting == "sm" else None
        pictures = sample.pictures if options.setting == "vlm" else ()
        prompt = self.prompt(sample, options, caption)
        return Request(sample, prompt, pictures, options.system, choice_continuations(sample, options))

    def told(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> tuple[str, ...]:
        """The caption, in `sm`."""
        return (caption_of(sample, options, texts),) if options.setting == "sm" else ()

    def paper_parser(self, sample: Sample) -> str | None:
        """None of the papers published one that runs."""
        return None


def caption_of(sample: Sample, options: Options, texts: Mapping[str, str]) -> str:
    """The caption that the prompt shows.

    Raises:
        ValueError: if the captions given, or the data, have none for this picture. A model may write an empty one.
    """
    if options.given_captions is not None:
        caption, where = options.given_captions.get(sample.unit.id), "the file given with --caption"
    elif options.caption == "meta":
        caption, where = sample.fields.get("caption"), "the data"
    else:
        return texts["caption"]
    if not caption:
        raise ValueError(f"no caption of {sample.unit.id} in {where}")
    return str(caption)
