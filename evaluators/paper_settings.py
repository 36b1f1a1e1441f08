"""How the papers had models write: `--gen paper`, and system prompts by name."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

from punctum.evaluators.base import Benchmark, Family
from punctum.evaluators.models.base import Model
from punctum.prompts import Prompts

_log = logging.getLogger("punctum")

#: What stands for a paper that prints no settings: greedy, as everywhere here where nobody says otherwise.
_GREEDY: Mapping[str, Any] = {"temperature": 0.0}

#: Name of a paper's system prompt to its template.
_SYSTEMS = {"mvp_commonsense": "mvp_bench/commonsense_system"}


def system_prompt(words: str, prompts: Prompts) -> str:
    """The system prompt that a paper's name for one stands for (`mvp_commonsense`); other words are one themselves."""
    return prompts.render(_SYSTEMS[words]) if words in _SYSTEMS else words


def paper_settings(benchmark: Benchmark, model: Model) -> Mapping[str, Any]:
    """The settings that a benchmark's paper prints for a model's family.

    Args:
        benchmark: whose paper.
        model: the family shows in its name, and where that is a folder's in its architecture.

    Raises:
        ValueError: if the paper prints none for it; the message names the families for which it does.
    """
    if not benchmark.families:
        _log.warning("the paper of %s prints no generation settings; models write greedily", benchmark.name)
        return _GREEDY
    name = re.sub(r"[^a-z0-9]", "", model.info.id.lower())
    found = [family for family in benchmark.families if re.search(family.pattern, name)]
    if not found:
        own = model.fingerprint().get("class")
        found = [
            family for family in benchmark.families if own and family.model_class == own and "/" not in model.info.id
        ]
    if not found:
        raise ValueError(
            f"the paper of {benchmark.name} prints no generation settings for {model.info.id}; --gen paper knows "
            f"{_list(benchmark.families)}; give the settings themselves (--gen temperature=…)"
        )
    return found[0].settings


def _list(families: tuple[Family, ...]) -> str:
    return ", ".join(family.name for family in families)
