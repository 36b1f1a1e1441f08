"""How much faster questions are answered that share a picture or a start, and whether the answers are the same.

Each piece of work is done by the same model on the plain path (`--share off`) and on the shared one, in turns, in
one process. The bound is the multiply-adds of the linear layers of the picture and the language model over all
tokens that the plain path runs (padding not counted), divided by the same with every distinct picture and every
distinct prefix token counted once. Generated tokens count on both sides.

- deepeval: all nine questions on each picture; mvp_circular: each question directly and in its five rotations;
  ads: the nine calls on an ad (V, T, IN, UH, and five tasks); vague: one question a picture, which shares nothing.
  By a LLaVA of 8 + 8 layers of width 512, 576 tokens a picture, random weights, float32.
- arr_text: four ARR questions on one text T_V (on one more for every further 8 pictures) by the likelihoods of their
  options' texts, with gemma-3-270m where the test weights are at hand; each path once.

The prompts are the benchmarks' own: of `../shared` where that is at hand, else of the samples in the package.

    python benchmarks/shared_prefix.py [--pictures 8] [--repeats 2] [--only deepeval ads] [--dtype bfloat16] [--json]
"""

from __future__ import annotations

import argparse
import json
import logging
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shared_prefix_work import WORK, Costs, Job, gemma_file, job_of

from punctum.records import Response

WANTED = {"deepeval": 3.2, "mvp_circular": 3.0, "vague": 0.95, "arr_text": 2.0}
WANTED_SHARE = {"deepeval": 0.8}


def run(job: Job, model: Any) -> tuple[float, float, list[Response]]:
    """Answer everything; seconds on the clock and of the processor."""
    found: dict[int, Response] = {}
    clock, cpu = time.perf_counter(), time.process_time()
    for batch in model.answer(job.requests, job.generation):
        found.update(batch)
    return time.perf_counter() - clock, time.process_time() - cpu, [found[n] for n in range(len(job.requests))]


def same(first: Response, second: Response) -> bool:
    """Whether two answers agree: the same words, or likelihoods within 1e-3."""
    if first.error or second.error:
        raise RuntimeError(first.error or second.error)
    if first.scores is None or second.scores is None:
        return first.text == second.text and first.output_tokens == second.output_tokens
    return all(abs(a - b) < 1e-3 for a, b in zip(first.scores, second.scores, strict=True))


def measure(job: Job, repeats: int) -> dict[str, Any]:
    """Both paths in turns; the best time of each counts."""
    for model in (job.shared, job.plain):
        model.fingerprint()  # the check at load time is not part of a question's cost
    plain: list[tuple[float, float, list[Response]]] = []
    shared: list[tuple[float, float, list[Response]]] = []
    turns = [(job.shared, shared), (job.plain, plain)]
    for repeat in range(repeats):
        for model, times in turns[:: 1 if repeat % 2 else -1]:
            times.append(run(job, model))
    answers = list(zip(plain[0][2], shared[0][2], strict=True))
    costs = Costs(job, plain[0][2])
    seconds = [min(times[0] for times in path) for path in (plain, shared)]
    cpu = [min(times[1] for times in path) for path in (plain, shared)]
    ratio = seconds[0] / seconds[1]
    return {
        "questions": len(answers),
        "path": job.shared.fingerprint()["sharing"],
        "plain_s": seconds[0] / len(answers),
        "shared_s": seconds[1] / len(answers),
        "ratio": ratio,
        "ratio_cpu": cpu[0] / cpu[1],
        "bound": costs.bound,
        "bound_share": ratio / costs.bound,
        "equal": sum(same(*pair) for pair in answers) / len(answers),
        "distinct": len({(one.text, one.scores) for one, _ in answers}),
    }


def memory(name: str, path: str, pictures: int) -> float:
    """The most memory that a process takes that does the work on one path, in MiB."""
    command = [sys.executable, __file__, "--memory", path, "--only", name, "--pictures", str(pictures)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def peak() -> float:
    """The most memory that this process has had, in MiB.

    The kernel's own mark where there is one: `getrusage` counts what the process was forked from, too.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def show(found: dict[str, dict[str, Any]]) -> None:
    """Print the table."""
    columns = (
        "questions",
        "path",
        "plain_s",
        "shared_s",
        "ratio",
        "ratio_cpu",
        "bound",
        "bound_share",
        "equal",
        "distinct",
    )
    print(f"{'work':14}" + "".join(f"{name:>12}" for name in columns))
    for work, values in found.items():
        cells = (f"{v:12.3f}" if isinstance(v := values[name], float) else f"{v:>12}" for name in columns)
        print(f"{work:14}" + "".join(cells))


def missed(found: dict[str, dict[str, Any]], exact: bool) -> list[str]:
    """What is short of what is wanted."""
    short = [
        f"{name}: ratio below {least}"
        for name, least in WANTED.items()
        if name in found and found[name]["ratio"] < least
    ]
    short += [
        f"{name}: less than {least} of the bound"
        for name, least in WANTED_SHARE.items()
        if name in found and found[name]["bound_share"] < least
    ]
    return short + [f"{name}: answers differ" for name, values in found.items() if exact and values["equal"] < 1]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=8, help="of each benchmark (default 8)")
    parser.add_argument("--repeats", type=int, default=2, help="of each path (default 2)")
    parser.add_argument("--only", nargs="+", choices=WORK, metavar="WORK", help=f"of {', '.join(WORK)}")
    parser.add_argument("--threads", type=int, help="of torch (default: its own choice)")
    parser.add_argument("--dtype", default="float32", choices=("float32", "bfloat16"), help="of the LLaVA")
    parser.add_argument("--no-memory", action="store_true", help="do not measure memory")
    parser.add_argument("--memory", choices=("plain", "shared"), help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="end with one JSON object")
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    import datasets
    import torch
    import transformers

    datasets.disable_progress_bars()
    transformers.utils.logging.disable_progress_bar()

    if args.threads:
        torch.set_num_threads(args.threads)
    names: Sequence[str] = args.only or [name for name in WORK if name != "arr_text" or gemma_file() is not None]
    found: dict[str, dict[str, Any]] = {}
    for name in names:
        job = job_of(name, args.pictures, args.dtype)
        if args.memory:
            run(job, getattr(job, args.memory))
            print(peak())
            return 0
        found[name] = measure(job, 1 if name == "arr_text" else args.repeats)
        show({name: found[name]})
    print()
    show(found)
    if "deepeval" in found and not args.no_memory:
        sizes = {path: memory("deepeval", path, 2) for path in ("plain", "shared")}
        print(f"memory of a whole process, deepeval: plain {sizes['plain']:.0f} MiB, shared {sizes['shared']:.0f} MiB")
        found["deepeval"]["mib"] = sizes
    short = missed(found, args.dtype == "float32")
    print("\n".join(short) or "all that is wanted is reached")
    if args.json:
        print(json.dumps(found))
    return int(bool(short))


if __name__ == "__main__":
    sys.exit(main())
