"""Reads a built repository with `datasets` alone; run by `test_build` with interpreters that may lack punctum.

    python read_built.py FOLDER

Prints what it read as JSON. Everything a user may do with the repository is done here.
"""

import json
import sys
import tempfile

sys.modules["punctum"] = None  # type: ignore[assignment]  # importing it fails, installed or not

import datasets  # noqa: E402
from datasets import Image, get_dataset_config_names, load_dataset  # noqa: E402

datasets.disable_progress_bars()


def read(folder: str, config: str, cache: str) -> dict[str, object]:
    every = load_dataset(folder, config, cache_dir=cache)
    found: dict[str, object] = {}
    for split, rows in every.items():
        first = rows[0]
        again = load_dataset(folder, config, split=split, cache_dir=cache + "/two", num_proc=2)
        assert again["id"] == rows["id"]
        part = load_dataset(folder, config, split=f"{split}[:10]", cache_dir=cache)
        assert part["id"] == rows["id"][:10]
        stream = load_dataset(folder, config, split=split, streaming=True)
        streamed = next(iter(stream))
        assert {k: v for k, v in streamed.items() if k != "image"} == {k: v for k, v in first.items() if k != "image"}
        assert len(list(stream.take(5))) == min(5, len(rows))
        assert len(list(stream)) == len(rows)
        pictures = [name for name, feature in rows.features.items() if isinstance(feature, Image)]
        assert pictures == ["image"]
        sizes = [None if image is None else list(image.size) for image in rows["image"]]
        assert (streamed["image"] is None) == (sizes[0] is None)
        try:
            import torch
        except ImportError:
            tensors = None
        else:
            row = rows.with_format("torch")[0]
            lists = [name for name in ("answers", "permutation") if name in row]
            assert all(isinstance(row[name], torch.Tensor) for name in lists)
            assert row["image"] is None or row["image"].shape[-1] == first["image"].width
            tensors = len(lists)
        rows = rows.cast_column("image", Image(decode=False))
        kept = [{**row, "image": row["image"] and row["image"]["path"]} for row in rows]
        found[split] = {"rows": kept, "sizes": sizes, "tensors": tensors}
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        configs = {name: read(sys.argv[1], name, home) for name in get_dataset_config_names(sys.argv[1])}
    print(json.dumps({"version": datasets.__version__, "configs": configs}))
