# SPDX-License-Identifier: Apache-2.0
"""Reads figures.tsv: values by name, and where each comes from."""
import pathlib

FILE = pathlib.Path(__file__).resolve().with_name("figures.tsv")
KINDS = ("measured", "predicted", "scaled", "cited", "assumed")


class Figures(dict):
    """name -> value; kinds and sources have the rest of each line."""

    def __init__(self, path=FILE):
        super().__init__()
        self.kinds, self.sources = {}, {}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            fields = line.split("\t")
            if len(fields) != 4 or fields[2] not in KINDS or not fields[3]:
                raise SystemExit(f"{path}:{number}: expected name, value, one of {', '.join(KINDS)}, and a source")
            name, value, self.kinds[fields[0]], self.sources[fields[0]] = fields
            if name in self:
                raise SystemExit(f"{path}:{number}: {name} is there already")
            self[name] = float(value)

    def changed(self, texts):
        """With NAME=VALUE of a command line."""
        for text in texts:
            name, _, value = text.partition("=")
            if name not in self:
                raise SystemExit(f"--set {text}: there is no {name}; there are {', '.join(self)}")
            self[name] = float(value)
            self.kinds[name], self.sources[name] = "assumed", "the command line"
        return self
