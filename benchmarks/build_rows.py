"""How fast choice rows with pictures are built, and in how much memory, against `datasets`' own loaders.

Makes an MVP-Bench folder of made-up cross-image questions, each with a small JPEG of its own, and builds it three
ways, each in a process of its own with an empty cache: by our builder; by `json` for the questions and
`imagefolder` for the pictures, which together hold the same content; and by `imagefolder` with the questions as
its metadata. Memory is measured at a tenth of the rows too: it should not grow with them. It is the most that the
process had when its Arrow files were written and not yet opened: then they are mapped, which counts as memory too.

    python benchmarks/build_rows.py [--rows 100000] [--json]
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import datasets
from PIL import Image

import punctum

LIMIT_TIMES = 1.5
LIMIT_GROWTH_MIB = 64
WORDS = ("river", "keeps", "every", "secret", "city", "never", "learned", "listen", "slowly", "forgets", "its", "name")

MEASURE = """
import json, resource, sys, time
sys.path[:0] = json.loads(sys.argv[1])
import datasets, punctum, PIL.Image, PIL.JpegImagePlugin
datasets.disable_progress_bars()
folder = sys.argv[2]
own = folder + "/mvp_bench"
start = time.perf_counter()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
builders = [datasets.load_dataset_builder(*args, **kwargs) for args, kwargs in {builders}]
for builder in builders:
    builder.download_and_prepare()
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
rows = sum(split.num_examples for split in builder.info.splits.values())
print(json.dumps({{"rows": rows, "seconds": seconds, "mib": peak / 1024, "mib_imports": before / 1024}}))
"""
BUILDERS = {
    "punctum": '[(("mvp_bench", "mcq_cross"), {"data_dir": own})]',
    "json + imagefolder": (
        '[(("json",), {"data_files": own + "/all_questions.json"}),'
        ' (("imagefolder",), {"data_dir": own + "/Cross_Images"})]'
    ),
    "imagefolder and metadata": '[(("imagefolder",), {"data_dir": folder + "/meta"})]',
}


def write_folder(folder: Path, n: int, draw: random.Random) -> None:
    """Write `n` questions with a picture each, and the same content once more as an imagefolder (hard links)."""
    pictures = []
    for shade in range(64):
        buffer = io.BytesIO()
        Image.effect_noise((48, 32), 8 + shade).convert("RGB").save(buffer, "JPEG", quality=70)
        pictures.append(buffer.getvalue())
    own, meta = folder / "mvp_bench" / "Cross_Images", folder / "meta"
    own.mkdir(parents=True)
    meta.mkdir()
    with (own.parent / "all_questions.json").open("w") as questions, (meta / "metadata.jsonl").open("w") as metadata:
        for i in range(n):
            options = [" ".join(draw.sample(WORDS, 5)) for _ in range(5)]
            lines = ["What was changed?", *(f"{'ABCDE'[k]}. {text}" for k, text in enumerate(options)), "Answer."]
            name = f"{i}_concat.jpg"
            row = {
                "question_id": i,
                "id": i % 646 + 1,
                "image": f"Cross_Images/{name}",
                "question": "\n".join(lines),
                "answer": draw.choice("ABCDE"),
                "type": "mcq-cross",
                "level": "low",
            }
            questions.write(json.dumps(row) + "\n")
            metadata.write(json.dumps({**row, "file_name": name, "image": None}) + "\n")
            (own / name).write_bytes(pictures[i % len(pictures)])
            os.link(own / name, meta / name)


def measure(folder: Path, builders: str) -> dict[str, float]:
    """Build in a process of its own, with a cache of its own."""
    with tempfile.TemporaryDirectory() as home:
        offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": home}
        command = [sys.executable, "-c", MEASURE.format(builders=builders), json.dumps(sys.path), str(folder)]
        done = subprocess.run(command, env={**os.environ, **offline}, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
    value: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return value


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--json", action="store_true", help="end with one JSON object")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        few, many = Path(name) / "few", Path(name) / "many"
        write_folder(few, max(args.rows // 10, 1), random.Random(0))
        write_folder(many, args.rows, random.Random(0))
        small = measure(few, BUILDERS["punctum"])
        results = {kind: measure(many, made) for kind, made in BUILDERS.items()}
    ours, theirs = results["punctum"], results["json + imagefolder"]
    times = ours["seconds"] / theirs["seconds"]
    growth = ours["mib"] - small["mib"]
    print(f"punctum {punctum.__version__}, datasets {datasets.__version__}, {args.rows:,} rows with a picture each")
    for kind, value in results.items():
        rate = value["rows"] / value["seconds"]
        print(f"  {kind:26} {value['seconds']:7.1f} s {rate:9,.0f} rows/s {value['mib']:7.0f} MiB at most")
    print(f"  time against json + imagefolder: {times:.2f} (wanted: {LIMIT_TIMES} at most)")
    print(
        f"  memory from {small['rows']:,} to {args.rows:,} rows: {growth:+.0f} MiB (wanted: {LIMIT_GROWTH_MIB} at most)"
    )
    if args.json:
        print(json.dumps({"results": results, "few": small, "times": times, "growth_mib": growth}))
    return int(times > LIMIT_TIMES or growth > LIMIT_GROWTH_MIB)


if __name__ == "__main__":
    sys.exit(main())
