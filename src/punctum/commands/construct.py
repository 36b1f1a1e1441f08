"""`punctum construct`: make benchmark data as the papers made theirs."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from punctum import discovery
from punctum.arguments.common import key_values
from punctum.commands.bars import bars
from punctum.commands.common import Failed, budget, generation, model_options
from punctum.construct.outputs import Outputs
from punctum.construct.wants import Manner
from punctum.construct.workshop import Workshop
from punctum.evaluators.models._budget import OutOfBudget
from punctum.evaluators.models.base import Model, ModelError
from punctum.evaluators.models.loading import load_model, outline_model, suited
from punctum.prompts import Prompts
from punctum.store import KnownAnswers, ResponseStore


def main(args: argparse.Namespace) -> int:
    """Run one kind."""
    kind = discovery.constructions()[args.kind]
    return _asking(kind, args) if kind.ASKS else int(kind.main(args))


def _asking(kind: Any, args: argparse.Namespace) -> int:
    """Run a kind that asks models."""
    if not args.out and not args.dry_run:
        raise ValueError("--out names the folder for the files; it is needed unless --dry-run is given")
    if args.again_temperature <= 0:
        raise ValueError(
            f"--again-temperature {args.again_temperature:g} is not above 0: a further try would be the first"
        )

    models = replace(model_options(args), budget=budget(args))

    def load(name: str) -> Model:
        own = models if name == args.model else suited(name, models, args.model)
        return outline_model(name, own) if args.dry_run else load_model(name, own)

    with ExitStack() as closing:
        store = closing.enter_context(KnownAnswers(args.store) if args.dry_run else ResponseStore(args.store))
        begin = closing.enter_context(bars(args.kind, Console(stderr=True), args.quiet or args.dry_run))
        outputs = Outputs(Path(args.out or ".").expanduser(), args.kind)
        workshop = Workshop(args.kind, _manner(args), load, args.model, outputs, Prompts(args.prompts), store, begin)
        kept = f"answers are kept in {store.path}"
        try:
            return int(kind.main(args, workshop))
        except ModelError as error:
            raise Failed(str(error)) from error
        except OutOfBudget as error:
            raise Failed(
                f"the budget is used up: {error}; {kept} and cost nothing: the same command goes on from there with as "
                "much again, and a larger budget goes further",
                3,
            ) from error
        except KeyboardInterrupt:
            raise Failed(f"interrupted; {kept}, and the same command goes on from there", 130) from None


def _manner(args: argparse.Namespace) -> Manner:
    return Manner(
        generation(args),
        "max_new_tokens" in key_values(args.gen),
        args.tries,
        args.again_temperature,
        args.dry_run,
        args.quiet,
    )
