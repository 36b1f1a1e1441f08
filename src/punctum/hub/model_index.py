"""The `model-index` of a model's card: the older place of results, which some readers still look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from punctum.cards import read_card
from punctum.hub import front
from punctum.hub.entries import Entry


def with_results(readme: str, name: str, dataset: str, entries: Sequence[Entry], source: str | None) -> bytes:
    """A card with results in its `model-index`; those of the same task, dataset, config and split are replaced.

    Args:
        readme: the card; may be empty.
        name: of the model, where the card has no index yet.
        dataset: the benchmark's dataset on the Hub.
        entries: of one model.
        source: an address that shows where they are from.

    Raises:
        ValueError: if the card's head is broken.
    """
    from huggingface_hub import EvalResult
    from huggingface_hub.repocard_data import eval_results_to_model_index

    head, body = front.split(readme)
    card = read_card(entries[0].run.benchmark)[0]
    told = [
        EvalResult(
            task_type=(card.get("task_categories") or ["visual-question-answering"])[0],
            dataset_type=dataset,
            dataset_name=f"{card['pretty_name']} ({entry.task_id})",
            dataset_config=entry.config,
            dataset_split=entry.split,
            metric_type=entry.metric,
            metric_value=entry.value,
            metric_name=f"{entry.metric} in percent",
            source_name="Punctum" if source else None,
            source_url=source,
        )
        for entry in entries
    ]
    ours = eval_results_to_model_index(name, told)[0]["results"]
    index: list[dict[str, Any]] = head.get("model-index") or [{"name": name, "results": []}]
    if not isinstance(index, list) or not isinstance(index[0], dict):
        raise ValueError("the model-index of README.md in the repository is no list of models; mend it there")
    new = {_key(result) for result in ours}
    kept = [result for result in index[0].get("results") or () if _key(result) not in new]
    head["model-index"] = [{**index[0], "results": [*kept, *ours]}, *index[1:]]
    return front.join(head, body).encode("utf-8")


def _key(result: Any) -> tuple[str, ...]:
    task, dataset = result.get("task") or {}, result.get("dataset") or {}
    return (str(task.get("type")), *(str(dataset.get(name)) for name in ("type", "config", "split", "name")))
