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
SAMPLE = {"open": 11, "load": 331, "describe": 331, "whole": 1201, "unload": 1}
USUAL = 89  # of other cases
ALL = {"whole": 97}  # its parts are cases of their own, but for the first use of kernels; a second for each
THREADS = ["caller", "others", "all", "threads made"]


class Run:
    """One case of one model: its counts and what went wrong."""

    def __init__(self):
        self.allocations = self.refused = self.survived = 0
        self.began = self.seconds = 0.0
        self.problems = []
        self.skipped = ""


def run(program, model, plan):
    """The Runs of (case, threads, stride)s, by one process, or by one more after each that crashed."""
    found = {(case, threads): Run() for case, threads, _ in plan}
    rest = [[case, threads, 1, stride] for case, threads, stride in plan]
    while rest:
        words = [str(word) for one in rest for word in one]
        process = subprocess.Popen([program, str(DATA / model), *words], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True, errors="replace")
        at = None
        done = False  # the case that is at work
        now = found[tuple(rest[0][:2])]
        for line in process.stdout:
            words = line.split()
            if not words:
                continue
            if words[0] == "case":
                if done:
                    rest.pop(0)
                now, at, done = found[words[1], int(words[2])], None, False
                now.began = time.monotonic()
            elif words[0] == "at":
                at = int(words[1])
            elif words[0] == "problem":
                now.problems.append(line.strip()[8:])
            elif words[0] == "skipped":
                now.skipped = line.strip()[8:]
                done = True
            elif words[0] == "done":
                done = True
                now.allocations = max(now.allocations, int(words[2]))
                now.refused += int(words[4])
                now.survived += int(words[6])
                now.seconds += time.monotonic() - now.began
        code = process.wait()
        if code >= 0:
            if not done or len(rest) > 1:
                now.problems.append(f"ended with {code}")
            elif code > 0 and not any(one.problems for one in found.values()):
                now.problems.append(f"ended with {code}")
            return found
        name = signal.Signals(-code).name
        now.problems.append(f"{at} " + ("hangs" if name == "SIGALRM" else f"ends the process by {name}"))
        if at is None or done or len(now.problems) > 20:
            rest.pop(0)
        else:
            rest[0][2] = at + rest[0][3]
    return found


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
        plan = []
        for case in listed.stdout.split("\n"):
            if not case or " " in case or (options.case and case not in options.case):
                continue
            for number, threads in enumerate(THREADS):
                if threads == "threads made" and case not in ("whole", "create", "submit"):
                    continue
                stride = 1 if threads == "threads made" else options.stride or (ALL.get(case, 1) if options.all else SAMPLE.get(case, USUAL))
                plan.append((case, number, stride))
        runs = run(options.program, model, plan)
        for case, number, stride in plan:
            found = runs[case, number]
            wrong += len(found.problems)
            if found.skipped:
                print(f"{model} {case}: skipped: {found.skipped}", flush=True)
                continue
            rows.append(f"| `{model}` ({what}) | {case} | {THREADS[number]} | {found.allocations} | "
                        f"{found.refused + found.survived} | {found.refused} | {found.survived} | "
                        f"{len(found.problems)} |")
            print(f"{model} {case} {THREADS[number]}: {found.allocations} allocations, every {stride}: "
                  f"{found.refused} refused, {found.survived} survived, {len(found.problems)} problems, "
                  f"{found.seconds:.0f} s", flush=True)
            for problem in found.problems[:20]:
                print("   ", problem, flush=True)
    if options.table:
        pathlib.Path(options.table).write_text("\n".join(rows) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
