#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""calls.py MODEL [ROUNDS]: what calls cost in Python, beside calls.c, whose calls these are."""
import statistics
import sys
import time

import dragoman
from dragoman._library import lib

DETECTED = "Wo ist der Bahnhof, und wann kommt der letzte Zug?"
TRANSLATED = "batin kétiß kénara késora banara!"


def measure(name, call, calls, rounds):
    """Nanoseconds of one call: the median of `rounds`, each of `calls`."""
    times = []
    for count in [max(1, calls // 10)] + [calls] * rounds:
        started = time.perf_counter_ns()
        for _ in range(count):
            call()
        times.append((time.perf_counter_ns() - started) / count)
    print(f"{name}\t{statistics.median(times[1:]):.1f}", flush=True)


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 21
    with dragoman.Model(sys.argv[1]) as model, dragoman.Translator(model) as translator:
        def translate(text):
            return translator.translate(text, target_language="xx").text
        found = translator.translate(TRANSLATED, target_language="xx")
        measure("version", lib.dragoman_version, 1000000, rounds)
        measure("text", lambda: found.text, 100000, rounds)
        measure("detect", lambda: dragoman.detect_languages([DETECTED])[0][0].tag, 1000, rounds)
        measure("blank", lambda: translate(" "), 1000, rounds)
        measure("translate", lambda: translate(TRANSLATED), 10, rounds)


if __name__ == "__main__":
    main()
