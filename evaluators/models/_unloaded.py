"""A model that is not loaded, for plans: what its name, and a file beside its weights, tell of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from punctum.evaluators.models.base import Batch, ModelError
from punctum.records import Generation, ModelInfo, Request


class Unloaded:
    """Stands for a model where nothing is asked.

    Attributes:
        tokenizer: its tokenizer's file, where it is on this machine.
        assumed: whether `reads_pictures` is a guess.
    """

    stored = True

    def __init__(
        self,
        name: str,
        reads_pictures: bool = True,
        folder: Path | None = None,
        assumed: bool = False,
        ranks: bool = False,
    ) -> None:
        self.info = ModelInfo(id=name)
        self.reads_pictures = reads_pictures
        self.assumed = assumed
        self.ranks = ranks
        self.writes = self.scores = not ranks
        file = folder / "tokenizer.json" if folder is not None else None
        self.tokenizer = file if file is not None and file.is_file() else None

    def fingerprint(self) -> Mapping[str, Any]:
        """Nothing that a stored answer has: whether there is one is not known."""
        return {"loaded": False}

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        """Refuses; see `Model.answer`.

        Raises:
            ModelError: always.
        """
        raise ModelError(f"{self.info.id} is not loaded")


def from_folder(name: str, reads_pictures: bool | None = None) -> Unloaded:
    """A Hub id or a folder: its config, where that is on this machine, tells whether it reads pictures.

    Args:
        name: as people write it.
        reads_pictures: where that is known already; a Hub id is taken for a model that does.
    """
    folder = Path(name).expanduser()
    if not folder.is_dir():
        return Unloaded(name, reads_pictures is not False, assumed=reads_pictures is None)
    ranks = False
    if reads_pictures is None:
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ModelError(f"{name}: no config.json of a model can be read there ({error})") from error
        reads_pictures = "vision_config" in config
        # Dual encoders are plain models (CLIPModel); what writes has a head (…ForConditionalGeneration, …ForCausalLM)
        # or says that it chats (InternVLChatModel).
        classes = [str(word) for word in config.get("architectures") or ()]
        ranks = reads_pictures and bool(classes) and all(c.endswith("Model") and "Chat" not in c for c in classes)
    return Unloaded(name, reads_pictures, folder, ranks=ranks)
