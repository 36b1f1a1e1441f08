"""Making benchmark data as the papers made theirs: `punctum construct KIND`.

A kind is a folder here, found by its name (`hard_negatives` is `punctum construct hard-negatives`), whose
`__init__.py` has

- `HELP`: a line for `punctum construct --help`;
- `ASKS`: whether models are asked. Then `--model`, `--out`, `--seed`, `--tries`, `--dry-run` and all options of models
  are added to its own, and `main` gets a `Workshop`;
- `add(parser)`: its own options;
- `main(args, workshop)`, or `main(args)` where no model is asked: does the work and returns the exit code.

Importing it must be light, since `punctum --help` does: `main` imports what it needs.

What the kinds share: `workshop.py` asks models through the response store until what they wrote passes its checks,
and keeps a record of every text; `outputs.py` writes files that appear whole or not at all; `words.py` cuts what
models say around an answer. `CONTRIBUTING.md` shows a kind.
"""
