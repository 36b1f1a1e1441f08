"""Prompts as Jinja files, one folder a benchmark.

A template sees only what it is given: the environment is sandboxed, a missing name is an error, and the
values (questions, options) are text, never templates, so that braces and Jinja syntax in data come out as
they are. The first comment of a file says where its wording comes from.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from pathlib import Path

from jinja2 import FileSystemLoader, StrictUndefined, Template, TemplateError, TemplateNotFound
from jinja2.sandbox import ImmutableSandboxedEnvironment

from punctum.answers import letter

_FOLDER = Path(__file__).resolve().parent
_SOURCE = re.compile(r"\A\{#-?\s*(.*?)\s*-?#\}", re.S)


class Prompts:
    """The templates of the package, with those of a user's folder before them.

    Args:
        folder: files in it replace the package's of the same name (`deepeval/slot_1.jinja`).

    Raises:
        ValueError: if the folder is missing.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = None if folder is None else Path(folder).expanduser()
        if self.folder is not None and not self.folder.is_dir():
            raise ValueError(f"no folder of prompts at {self.folder}")
        self._folders = [f for f in (self.folder, _FOLDER) if f is not None]
        self._environment = ImmutableSandboxedEnvironment(
            loader=FileSystemLoader(self._folders),
            undefined=StrictUndefined,
            autoescape=False,  # prompts are plain text
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["letter"] = letter
        self._template = lru_cache(maxsize=None)(self._load)

    def _load(self, name: str) -> Template:
        try:
            return self._environment.get_template(f"{name}.jinja")
        except TemplateNotFound as error:
            raise ValueError(f"no prompt {name!r}; known: {', '.join(self.names())}") from error
        except TemplateError as error:
            raise ValueError(f"prompt {self.path(name)} is no valid template: {error}") from error

    def render(self, name: str, **fields: object) -> str:
        """Fill a template.

        Args:
            name: `BENCHMARK/TEMPLATE`, without `.jinja`.
            fields: what the template may use.

        Raises:
            ValueError: if there is no such template, it names a field that is missing, or it does what the
                sandbox forbids.
        """
        template = self._template(name)
        try:
            return template.render(**fields)
        except TemplateError as error:
            raise ValueError(f"prompt {self.path(name)}: {error}; it may use {', '.join(sorted(fields))}") from error

    def path(self, name: str) -> Path:
        """The file that `name` is read from.

        Raises:
            ValueError: if there is none.
        """
        for folder in self._folders:
            path = folder / f"{name}.jinja"
            if path.is_file():
                return path
        raise ValueError(f"no prompt {name!r}; known: {', '.join(self.names())}")

    def names(self) -> list[str]:
        """All templates, `BENCHMARK/TEMPLATE`."""
        return sorted(
            {
                path.relative_to(folder).with_suffix("").as_posix()
                for folder in self._folders
                for path in folder.rglob("*.jinja")
            }
        )

    def source(self, name: str) -> str:
        """Where the wording comes from: the template's first comment."""
        found = _SOURCE.match(self.path(name).read_text(encoding="utf-8"))
        return " ".join(found.group(1).split()) if found else ""

    def hash(self, name: str) -> str:
        """First 12 hex digits of the sha256 of the template without its comments."""
        text = re.sub(r"\{#.*?#\}\n?", "", self.path(name).read_text(encoding="utf-8"), flags=re.S)
        return hashlib.sha256(text.encode()).hexdigest()[:12]
