"""How long the metrics take: a million rows of ranks and of label sets, ten thousand pairs of texts.

`prec_at_k` and `multilabel_scores` are measured as functions and through `evaluate`. The latter is compared with
scikit-learn computing the same numbers, from the same rows and from indicator matrices that are there already.
`mpnet_similarity` is compared with sentence-transformers encoding every text, on pairs of which some texts are
repeated; it needs a folder with all-mpnet-base-v2, and on a CPU about a minute for 500 pairs.

    python benchmarks/metrics_million.py [--rows 1000000] [--pairs 10000] [--weights DIR] [--device D] [--only NAME]
        [--json]
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LABELS = ["TR1", "TR2", "OIO", "OR", "NA"]
WEIGHTS = "~/.cache/punctum-test-weights/all-mpnet-base-v2"
LIMITS = {"prec_at_k": 5.0, "multilabel_scores": 1.2, "mpnet_similarity": 1.0}
THINGS = ("bottle", "shoe", "cloud", "feather", "planet", "lemon", "city", "bullet", "candle", "whale", "brick", "rose")
FORMS = (
    "The surface of the {a} {b} mimics the texture of the {c} {d}.",
    "The {a} {b} is visibly located within the {c} {d}, in an unconventional manner.",
    "The {a} {b} replaces the {c} {d} in its usual context.",
)
LOOKS = ("red", "old", "tiny", "wooden", "frozen", "broken", "golden", "paper", "huge", "striped", "glass", "soft")


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    """How long a call takes, and what it returns."""
    gc.collect()
    start = time.perf_counter()
    value = call()
    return time.perf_counter() - start, value


def load(name: str) -> Any:
    """The metric as an `evaluate` module."""
    import evaluate

    from punctum.discovery import metrics

    return evaluate.load(str(metrics()[name]))


def prec_at_k(n: int, draw: random.Random) -> dict[str, Any]:
    """Three predictions a row among 18 options, three of them correct; a row in twenty is unparsed."""
    from punctum.metrics.prec_at_k.core import prec_at_k as function

    predictions = [None if draw.random() < 0.05 else draw.sample(range(18), 3) for _ in range(n)]
    references = [draw.sample(range(18), 3) for _ in range(n)]
    alone, value = seconds(lambda: function(predictions, references))
    metric = load("prec_at_k")
    through, again = seconds(lambda: metric.compute(predictions=predictions, references=references))
    assert again == value
    return {"rows": n, "function_s": alone, "evaluate_s": through, "limited": through}


def multilabel_scores(n: int, draw: random.Random) -> dict[str, Any]:
    """One to three of five labels a row."""
    import numpy as np
    from sklearn.metrics import average_precision_score, precision_recall_fscore_support, roc_auc_score
    from sklearn.preprocessing import MultiLabelBinarizer

    from punctum.metrics.multilabel_scores.core import multilabel_scores as function

    def rows() -> list[list[str]]:
        return [draw.sample(LABELS, draw.choice((1, 1, 2, 3))) for _ in range(n)]

    predictions, references = rows(), rows()

    def matrices() -> tuple[Any, Any]:
        binarizer = MultiLabelBinarizer(classes=LABELS)
        return binarizer.fit_transform(references), binarizer.transform(predictions)

    def theirs(true: Any, predicted: Any) -> dict[str, float]:
        found: dict[str, float] = {}
        for suffix, places in (("", [0, 1, 2, 3, 4]), ("_without_na", [0, 1, 2, 3])):
            gold, said = np.ascontiguousarray(true[:, places]), np.ascontiguousarray(predicted[:, places])
            for average in ("macro", "micro", "weighted", None):
                values = precision_recall_fscore_support(gold, said, average=average, zero_division=0)[:3]
                if average:
                    names = (f"{name}_{average}{suffix}" for name in ("precision", "recall", "f1"))
                    found |= {name: float(value) for name, value in zip(names, values, strict=True)}
            found[f"roc_auc_macro{suffix}"] = float(roc_auc_score(gold, said, average="macro"))
            found[f"pr_auc_macro{suffix}"] = float(average_precision_score(gold, said, average="macro"))
        return found

    alone, value = seconds(lambda: function(predictions, references, labels=LABELS))
    metric = load("multilabel_scores")
    through, again = seconds(lambda: metric.compute(predictions=predictions, references=references, labels=LABELS))
    assert again == value
    binarize, (true, predicted) = seconds(matrices)
    scores, expected = seconds(lambda: theirs(true, predicted))
    difference = max(abs(value[name] - number) for name, number in expected.items())
    assert difference < 1e-9, difference
    return {
        "rows": n,
        "function_s": alone,
        "evaluate_s": through,
        "sklearn_binarize_s": binarize,
        "sklearn_scores_s": scores,
        "ratio": through / (binarize + scores),
        "ratio_to_scores_alone": through / scores,
        "limited": through / scores,
    }


def mpnet_similarity(
    pairs: int, draw: random.Random, weights: Path, device: str | None, share: float = 0.3
) -> dict[str, Any]:
    """Statements as in the object task; a share of all texts repeats an earlier one."""
    import numpy as np

    from punctum.metrics.mpnet_similarity.core import load_model, pair_cosines
    from punctum.metrics.mpnet_similarity.core import mpnet_similarity as function

    texts: list[str] = []
    seen: set[str] = set()
    repeats = round(share * 2 * pairs)
    again = set(draw.sample(range(1, 2 * pairs), repeats))
    for place in range(2 * pairs):
        if place in again:
            texts.append(draw.choice(texts))
            continue
        while True:
            look, thing = draw.sample(LOOKS, 2), draw.sample(THINGS, 2)
            text = draw.choice(FORMS).format(a=look[0], b=thing[0], c=look[1], d=thing[1])
            if text not in seen:
                break
        seen.add(text)
        texts.append(text)
    draw.shuffle(texts)
    predictions, references = texts[::2], texts[1::2]
    model = load_model(str(weights), device)
    model.encode(texts[:64], show_progress_bar=False)

    def everything() -> Any:
        embeddings = model.encode([*predictions, *references], batch_size=32, show_progress_bar=False)
        return pair_cosines(embeddings, range(pairs), range(pairs, 2 * pairs))

    ours, value = seconds(lambda: function(predictions, references, model=str(weights), device=device))
    theirs, cosines = seconds(everything)
    difference = float(np.abs(np.array(value["scores"]) - cosines).max())
    assert difference < 1e-5, difference
    return {
        "pairs": pairs,
        "distinct_texts": len(seen),
        "ours_s": ours,
        "encode_all_s": theirs,
        "ratio": ours / theirs,
        "limited": ours / theirs,
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--weights", default=WEIGHTS, metavar="DIR")
    parser.add_argument("--device", metavar="D", help="for mpnet_similarity: cpu, cuda, … (default: the best at hand)")
    parser.add_argument("--only", choices=tuple(LIMITS), action="append")
    parser.add_argument("--json", action="store_true", help="end with one JSON object")
    args = parser.parse_args()
    weights = Path(args.weights).expanduser()
    results: dict[str, dict[str, Any]] = {}
    for name in args.only or LIMITS:
        draw = random.Random(0)
        if name == "prec_at_k":
            results[name] = prec_at_k(args.rows, draw)
        elif name == "multilabel_scores":
            results[name] = multilabel_scores(args.rows, draw)
        elif weights.is_dir():
            results[name] = mpnet_similarity(args.pairs, draw, weights, args.device)
        else:
            print(f"no {weights}: run scripts/fetch_test_weights.py, or give --weights", file=sys.stderr)
    failed = False
    for name, found in results.items():
        limit, value = LIMITS[name], found.pop("limited")
        failed |= value > limit
        unit = "s" if name == "prec_at_k" else "times"
        print(f"{name}: {value:.2f} {unit} (wanted: {limit:g} at most)")
        for key, number in found.items():
            print(f"  {key:24} {number:>12,}" if isinstance(number, int) else f"  {key:24} {number:12.2f}")
    if args.json:
        print(json.dumps(results))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
