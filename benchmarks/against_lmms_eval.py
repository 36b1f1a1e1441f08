"""DeepEval's questions by lmms-eval and by punctum: the same model, prompts and pictures, the same answers.

lmms-eval lives in an environment of its own, whose Python is named:

    python -m venv /somewhere && /somewhere/bin/pip install torch "lmms-eval==0.7.3" "filelock<3.20" decord accelerate
    python benchmarks/against_lmms_eval.py --lmms-python /somewhere/bin/python [--pictures 8] [--json]

The model is that of `shared_prefix.py`: a LLaVA of 8 + 8 layers with random weights, float32. lmms-eval runs its own
command over local Parquet with `llava_hf` (which takes one question a batch) and its call of `generate_until` is timed;
punctum's answers come of the backend that `punctum run` uses. Loading is left out on both sides.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from shared_prefix_work import _deepeval, llava, unique, wrapped

from punctum.records import Generation, Request

TEMPLATE = "{% for message in messages %}USER: {{ message['content'] }} {% endfor %}ASSISTANT:"
TASK = """\
task: shared_prefix
dataset_path: parquet
dataset_kwargs:
  data_files:
    test: {file}
test_split: test
output_type: generate_until
doc_to_visual: !function helpers.visual
doc_to_text: "{{{{prompt}}}}"
doc_to_target: "x"
generation_kwargs:
  max_new_tokens: 8
  temperature: 0
  do_sample: false
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
"""
HELPERS = """\
def visual(doc):
    return [doc["image"].convert("RGB")]
"""
#: Runs in lmms-eval's environment: its own command, with a clock around the answers.
DRIVER = """\
import json, sys, time
import lmms_eval.models.simple.llava_hf as simple
target = sys.argv.pop(1)
asked = simple.LlavaHf.generate_until
def timed(self, requests):
    start, cpu = time.perf_counter(), time.process_time()
    found = asked(self, requests)
    ids = [request.args[3] for request in requests]
    with open(target, "w") as file:
        answers = dict(zip(map(str, ids), found))
        seconds = time.perf_counter() - start
        json.dump({"seconds": seconds, "cpu": time.process_time() - cpu, "answers": answers}, file)
    return found
simple.LlavaHf.generate_until = timed
from lmms_eval.__main__ import cli_evaluate
cli_evaluate()
"""


def by_lmms_eval(python: str, folder: Path, model: Path, requests: list[Request]) -> dict[str, Any]:
    """Seconds and answers of lmms-eval, by place of the question."""
    import datasets

    rows = [
        {"id": place, "prompt": request.prompt, "image": {"bytes": request.pictures[0].read(), "path": None}}
        for place, request in enumerate(requests)
    ]
    features = datasets.Features(
        {"id": datasets.Value("int64"), "prompt": datasets.Value("string"), "image": datasets.Image()}
    )
    datasets.Dataset.from_list(rows, features=features).to_parquet(folder / "questions.parquet")
    tasks = folder / "tasks"
    tasks.mkdir()
    (tasks / "shared_prefix.yaml").write_text(TASK.format(file=folder / "questions.parquet"), encoding="utf-8")
    (tasks / "helpers.py").write_text(HELPERS, encoding="utf-8")
    (folder / "driver.py").write_text(DRIVER, encoding="utf-8")
    command = [
        python, str(folder / "driver.py"), str(folder / "theirs.json"), "--model", "llava_hf", "--force_simple",
        "--model_args", f"pretrained={model},device=cpu,device_map=cpu,dtype=float32", "--tasks", "shared_prefix",
        "--include_path", str(tasks), "--batch_size", "1", "--output_path", str(folder / "out"),
    ]  # fmt: skip
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": "", "HF_HOME": str(folder / "home")}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if not (folder / "theirs.json").is_file():
        raise SystemExit(f"lmms-eval did not answer:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    found: dict[str, Any] = json.loads((folder / "theirs.json").read_text(encoding="utf-8"))
    return found


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lmms-python", required=True, help="the Python of an environment with lmms-eval")
    parser.add_argument("--pictures", type=int, default=8, help="with nine questions each (default 8)")
    parser.add_argument("--json", action="store_true", help="end with one JSON object")
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    requests = unique(_deepeval(args.pictures))
    model, processor = llava([request.prompt for request in requests])
    processor.tokenizer.chat_template = TEMPLATE
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model.save_pretrained(folder / "model")
        processor.save_pretrained(folder / "model")
        theirs = by_lmms_eval(args.lmms_python, folder, folder / "model", requests)
    backend = wrapped(model, processor, "auto")
    backend.fingerprint()  # the check at load time is no question
    start, cpu = time.perf_counter(), time.process_time()
    ours: dict[int, str] = {}
    for batch in backend.answer(requests, Generation(max_new_tokens=8)):
        ours.update((place, response.text) for place, response in batch)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    equal = sum(ours[place].strip() == theirs["answers"][str(place)].strip() for place in range(len(requests)))
    found = {
        "questions": len(requests),
        "lmms_eval_s": theirs["seconds"] / len(requests),
        "punctum_s": seconds / len(requests),
        "ratio": theirs["seconds"] / seconds,
        "ratio_cpu": theirs["cpu"] / cpu,
        "equal": equal / len(requests),
    }
    for key, value in found.items():
        print(f"{key:12} {value:8.3f}" if isinstance(value, float) else f"{key:12} {value:8}")
    if args.json:
        print(json.dumps(found))
    return int(equal < len(requests))


if __name__ == "__main__":
    sys.exit(main())
