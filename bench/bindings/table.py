#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""table.py MODEL C=PROGRAM [LANGUAGE=COMMAND...]: runs the programs of README.md in turn and writes a table in Markdown:
nanoseconds (or a larger unit) of each call in C, and what each other language takes beside it."""
from __future__ import annotations

import argparse
import shlex
import subprocess


def unit(nanoseconds: float, sign: str = "") -> str:
    for size, name in ((1e6, "ms"), (1e3, "us")):
        if abs(nanoseconds) >= size:
            return f"{nanoseconds / size:{sign}.2f} {name}"
    return f"{nanoseconds:{sign}.1f} ns"


def run(command: str, model: str, rounds: int) -> dict[str, float]:
    done = subprocess.run([*shlex.split(command), model, str(rounds)], check=True, capture_output=True, text=True)
    return {name: float(value) for name, value in (line.split("\t") for line in done.stdout.splitlines())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("programs", nargs="+", metavar="LANGUAGE=COMMAND", help="C first: the others stand beside it")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    programs = dict(program.split("=", 1) for program in options.programs)
    found: dict[str, list[dict[str, float]]] = {language: [] for language in programs}
    for _ in range(options.turns):
        for language, command in programs.items():
            found[language].append(run(command, options.model, options.rounds))
    first, *others = programs
    print(f"| call | {first} | {' | '.join(others)} |")
    print("|---" * (len(programs) + 1) + "|")
    for call in found[first][0]:
        # The least of the turns: what other work on the machine adds is never less than nothing.
        least = {language: min(turn[call] for turn in turns) for language, turns in found.items()}
        beside = [unit(least[other] - least[first], "+") for other in others]
        print(f"| `{call}` | {unit(least[first])} | {' | '.join(beside)} |")


if __name__ == "__main__":
    main()
