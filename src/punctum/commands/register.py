"""`punctum register`: let `evaluate.load` find the metrics by bare name in every process of this user."""

from __future__ import annotations

import argparse
from collections import Counter

from punctum import _evaluate


def main(args: argparse.Namespace) -> int:
    """Print what has changed in evaluate's cache, a line a metric, and a summary."""
    states = _evaluate.remove() if args.remove else _evaluate.register()
    if args.quiet:
        return 0
    for name, state in sorted(states.items()):
        print(f"{state:9} {name}")
    counts = ", ".join(f"{n} {state}" for state, n in sorted(Counter(states.values()).items()))
    print(f"{counts or 'nothing to remove'}: {_evaluate.modules_cache()}")
    if args.remove:
        print(f"The next `import punctum` puts them back, unless {_evaluate.SWITCH}=0 is set.")
    return 0
