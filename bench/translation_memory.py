#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a memory saves: translation_memory.py SENTENCES.txt --lines N. Needs the Python package (or DRAGOMAN_LIBRARY
and PYTHONPATH).

A text in which a share of the sentences comes again, in calls of a paragraph each, as a program for chats or pages does,
without and with a memory; the same text once more from the file, by another memory; and many hits alone. All
translations must be equal."""
import argparse
import pathlib
import random
import tempfile
import time

import dragoman


def timed(translate, calls):
    """Seconds, those of processors (of lavapipe's threads, too; they are the same beside other work), and texts."""
    begin, used = time.perf_counter(), time.process_time()
    texts = [result.text for call in calls for result in translate(call)]
    return time.perf_counter() - begin, time.process_time() - used, texts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sentences", type=pathlib.Path)
    parser.add_argument("--lines", type=int, default=400)
    parser.add_argument("--repeated", type=float, default=0.3)
    parser.add_argument("--paragraph", type=int, default=8)
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--to", default="de")
    a = parser.parse_args()
    draw = random.Random(1)
    different = a.sentences.read_text(encoding="utf-8").splitlines()[:round(a.lines * (1 - a.repeated))]
    text = different + draw.choices(different, k=a.lines - len(different))
    draw.shuffle(text)
    calls = [text[i:i + a.paragraph] for i in range(0, len(text), a.paragraph)]
    path = pathlib.Path(tempfile.mkdtemp()) / "memory.sqlite"
    with dragoman.Translator(target_language=a.to, beam_size=a.beam) as translator:
        translator.translate(different[:8])  # what is compiled at the first sentence
        times, expected = {}, None

        def run(name, memory=None):
            nonlocal expected
            seconds, times[name], texts = timed(lambda call: translator.translate(call, memory=memory), calls)
            expected = expected or texts
            assert texts == expected, name
            counts = memory and memory.counts
            more = f"{counts.hits} hits, {counts.file_hits} in the file, {counts.misses} misses" if counts else ""
            share = times[name] / times["without"]
            print(f"| {name} | {seconds:.3f} | {times[name]:.3f} | {share:.3f} | {more} |", flush=True)

        print("| | seconds | of processors | of those without | |\n|---|---:|---:|---:|---|")
        run("without")
        with dragoman.TranslationMemory() as memory:
            run("in memory", memory)
            run("in memory, again", memory)
        with dragoman.TranslationMemory(path) as memory:
            run("with a file", memory)
        size = path.stat().st_size
        with dragoman.TranslationMemory(path) as memory:
            run("with that file, again", memory)
            entries = memory.counts.file_entries
        print(f"\n{len(text)} sentences, {len(set(text))} different, in {len(calls)} calls; the file has {entries} "
              f"answers and {size / entries:.0f} bytes for each")
        with dragoman.TranslationMemory() as memory:
            translator.translate(different, memory=memory)
            for name, call in (("one call", [different]), ("a call each", [[sentence] for sentence in different])):
                _, seconds, _ = timed(lambda texts: translator.translate(texts, memory=memory), call * 5)
                print(f"a hit, {name}: {seconds / 5 / len(different) * 1e6:.0f} us")


if __name__ == "__main__":
    main()
