# SPDX-License-Identifier: Apache-2.0
"""Runs allocation_faults over models, cases and threads, goes on after crashes, and writes a table. Of "threads made",
the threads of the library fail and not its allocations.

allocations.py PROGRAM [--all] [--model NAME]... [--case NAME]... [--table FILE]

Without --all a sample of the allocations fails; with it every one does, which takes hours.
"""
import argparse
import pathlib
import signal
import subprocess
import sys
import time

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
MODELS = [  # a family each, and what it is
    ("aren-transliteration", "CTranslate2, transformer"),
    ("toy-text", "CTranslate2 of Argos, with tokenizers"),
    ("huggingface/shared", "Marian of Hugging Face"),
    ("huggingface/m2m100", "M2M100, multilingual"),
    ("huggingface/gpt2", "decoder alone"),
    ("t5/t5", "T5"),
    ("t5/t5.gguf", "T5 in GGUF"),
    ("marian/s2s", "Marian, recurrent"),
    ("encoders/bert", "encoder for vectors"),
]
QUICK_MODELS = ["huggingface/shared", "encoders/bert"]
SAMPLE = {"open": 11, "load": 211, "describe": 211, "whole": 1201, "unload": 1}  # other cases: 53
ALL = {"whole": 97}  # its parts are cases of their own, but for the first use of kernels; a second for each
THREADS = ["caller", "others", "all", "threads made"]


class Run:
    """One case of one model: its counts and what went wrong."""

    def __init__(self):
        self.allocations = self.tried = self.refused = self.survived = 0
        self.problems = []
        self.skipped = ""


def run(program, model, case, threads, stride):
    found = Run()
    first = 1
    while True:
        command = [program, str(DATA / model), case, str(threads), str(first), str(stride)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                   errors="replace")
        at = None
        done = False
        for line in process.stdout:
            words = line.split()
            if not words:
                continue
            if words[0] == "at":
                at = int(words[1])
            elif words[0] == "problem":
                found.problems.append(line.strip()[8:])
            elif words[0] == "skipped":
                found.skipped = line.strip()[8:]
            elif words[0] == "done":
                done = True
                found.allocations = max(found.allocations, int(words[2]))
                found.refused += int(words[4])
                found.survived += int(words[6])
        code = process.wait()
        if code >= 0:
            if not done and not found.skipped:
                found.problems.append(f"ended with {code}")
            return found
        name = signal.Signals(-code).name
        found.problems.append(f"{at} " + ("hangs" if name == "SIGALRM" else f"ends the process by {name}"))
        if at is None or len(found.problems) > 20:
            return found
        first = at + stride


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--model", action="append")
    parser.add_argument("--case", action="append")
    parser.add_argument("--stride", type=int)
    parser.add_argument("--table")
    options = parser.parse_args()
    wrong = 0
    rows = ["| model | case | threads | allocations | failed | refused | survived | problems |",
            "|---|---|---|---|---|---|---|---|"]
    for model, what in MODELS:
        if options.model and model not in options.model:
            continue
        if not options.all and not options.model and model not in QUICK_MODELS:
            continue
        listed = subprocess.run([options.program, str(DATA / model), "list"], capture_output=True, text=True)
        for case in listed.stdout.split("\n"):
            if not case or " " in case or (options.case and case not in options.case):
                continue
            for number, threads in enumerate(THREADS):
                if threads == "threads made" and case not in ("whole", "create", "submit"):
                    continue
                stride = 1 if threads == "threads made" else options.stride or (ALL.get(case, 1) if options.all else SAMPLE.get(case, 53))
                began = time.monotonic()
                found = run(options.program, model, case, number, stride)
                wrong += len(found.problems)
                if found.skipped:
                    print(f"{model} {case}: skipped: {found.skipped}", flush=True)
                    break
                rows.append(f"| `{model}` ({what}) | {case} | {threads} | {found.allocations} | "
                            f"{found.refused + found.survived} | {found.refused} | {found.survived} | "
                            f"{len(found.problems)} |")
                print(f"{model} {case} {threads}: {found.allocations} allocations, every {stride}: "
                      f"{found.refused} refused, {found.survived} survived, {len(found.problems)} problems, "
                      f"{time.monotonic() - began:.0f} s", flush=True)
                for problem in found.problems[:20]:
                    print("   ", problem, flush=True)
    if options.table:
        pathlib.Path(options.table).write_text("\n".join(rows) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
