"""The words of each command: one file a command, found by folder, each with `HELP`, `ORDER` and `add(parser)`.

They stand apart from `punctum.commands` so that `punctum --help` loads no command.
"""
