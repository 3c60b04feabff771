#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tokens a second and joules per model and device, from the models' shapes and the model of a step, as the tables of
docs/models.md.

    bench/scale_table.py            # the tables
    bench/scale_table.py --write    # into the page
    bench/scale_table.py --check    # exits with 1 where the page has others"""
import argparse
import math
import pathlib
import sys

from made_list import BYTES, Made, Shape, encoder, step
from step_model import Device, predict

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/models.md"
BEGIN, END = "<!-- bench/scale_table.py: begin -->\n", "<!-- bench/scale_table.py: end -->\n"
# Shapes as the models' own configurations have them; the test compares parameters with the page's table of models.
MODELS = {
    "comes with the library": Shape((6, 2), 256, (1536, 1024), 4, 8000),
    "Firefox, tiny": Shape((6, 2), 256, (1536, 1536), 8, 32000, recurrent=True),
    "base shape, 32,000 words": Shape((6, 6), 512, (2048, 2048), 8, 32000),
    "OPUS-MT (en-de)": Shape((6, 6), 512, (2048, 2048), 8, 58101),
    "OPUS-MT tc-big": Shape((6, 6), 1024, (4096, 4096), 16, 54776),
    "SMaLL-100": Shape((12, 3), 1024, (4096, 4096), 16, 128112),
    "M2M-100 418M": Shape((12, 12), 1024, (4096, 4096), 16, 128112),
    "NLLB-200 600M": Shape((12, 12), 1024, (4096, 4096), 16, 256206),
    "NLLB-200 1.3B": Shape((24, 24), 1024, (8192, 8192), 16, 256206),
    "MADLAD-400 3B": Shape((32, 32), 1024, (8192, 8192), 16, 256000, width=2048, gated=True, tied=False),
    "NLLB-200 3.3B": Shape((24, 24), 2048, (8192, 8192), 16, 256206),
}
DEVICES = "h100", "h200", "rtx-4090", "rx-7900-xtx", "arc-b580", "adreno-740", "lavapipe"
SOURCE = TARGET = 25            # tokens of a sentence
ROWS = 1024, 512, 256, 128, 64, 32
CPU_ROWS = 128                  # CPU devices take no more (lib/decode)
BATCH_TOKENS = 16_000           # of an encoder's run at most
STEPS_PER_WAIT = 16             # steps of a submission that is waited for
FREE = 0.9                      # of the memory, for weights and caches
# What was measured of greedy search: model, weights, device, tokens/s alone, of many sentences, where.
MEASURED = (
    ("base shape, 32,000 words", "f16", "h100", 2483, 357129, "2026-11-28-h100.md"),
    ("base shape, 32,000 words", "f16", "h100", 2612, 382628, "2026-11-27-h100.md"),
    ("comes with the library", "f32", "lavapipe", 367, 1441, "2026-11-28-steps.md"),
)


def steps_seconds(device, shape, weights, sentences):
    """Seconds of a greedy search of so many sentences, from the encoder to the last step."""
    kind = device.table["kernels"]
    runs = max(1, math.ceil(sentences * SOURCE / BATCH_TOKENS))
    encode = encoder(shape, kind, weights, math.ceil(sentences / runs), SOURCE)
    step_of = step(shape, kind, weights, sentences, 1, TARGET // 2, SOURCE)
    seconds, missing = 0.0, set()
    for dispatches, others, times in ((encode, step_of, runs), (step_of, encode, TARGET)):
        passes, without = predict(device, Made(dispatches, others))
        seconds += times * sum(sum(parts.values()) for parts in passes.values())
        missing |= set(without)
    if missing:
        raise SystemExit(f"{device.name}: no rates for {', '.join(sorted(missing))}")
    return seconds + device.wait * (1 + math.ceil(TARGET / STEPS_PER_WAIT))


def most_sentences(device, shape, weights):
    """How many fit into the device's memory; 0: not even the weights."""
    kind = device.table["kernels"]
    element = 4.0 if kind == "cpu" else 2.0
    free = FREE * device.table["memory_bytes"] - shape.parameters() * BYTES[weights]
    each = shape.cache_bytes(SOURCE + TARGET, element) + 4.0 * shape.vocabulary
    return next((rows for rows in ROWS if rows * each <= free and (kind != "cpu" or rows <= CPU_ROWS)), 0)


def rates(name, shape, weights):
    """Tokens a second alone and of many sentences, or None where the weights do not fit."""
    device = Device.named(name)
    sentences = most_sentences(device, shape, weights)
    if not sentences:
        return None
    return tuple(n * TARGET / steps_seconds(device, shape, weights, n) for n in (1, sentences))


def short(value):
    """Two digits are more than a prediction is good for."""
    if value >= 100:
        digits = 1 - math.floor(math.log10(value))
        return f"{round(value, digits):,.0f}"
    return f"{value:.2g}"


def cells(weights_of, one):
    lines = ["| model | weights | " + " | ".join(Device.named(d).name for d in DEVICES) + " |",
             "|---|---|" + "---:|" * len(DEVICES)]
    for model, shape in MODELS.items():
        for weights in weights_of:
            row = [model, weights]
            for name in DEVICES:
                cpu = Device.named(name).table["kernels"] == "cpu"
                own = {"f16": "f32"}.get(weights) if cpu else weights     # a CPU computes in float32
                found = rates(name, shape, own) if own else None
                row.append(one(name, found) if found else "")
            lines.append("| " + " | ".join(row) + " |")
    return lines


def beside_measured():
    lines = ["| model | weights | device | alone: predicted / measured | many: predicted / measured | measured in |",
             "|---|---|---|---:|---:|---|"]
    for model, weights, name, alone, many, where in MEASURED:
        found = rates(name, MODELS[model], weights)
        both = [f"{short(p)} / {m:,} = {p / m:.2f}" if m else "" for p, m in zip(found, (alone, many))]
        lines.append(f"| {model} | {weights} | {Device.named(name).name} | {both[0]} | {both[1]} "
                     f"| [{where.removesuffix('.md')}](../bench/results/{where}) |")
    return lines


def tables():
    watts = {name: Device.named(name).table["watts"] for name in DEVICES}
    power = ", ".join(f"{Device.named(name).name} {w:g} W" for name, w in watts.items())
    return "\n".join([
        "Target tokens a second, a sentence alone / many at once:", "",
        *cells(("f16", "q8"), lambda _, found: f"{short(found[0])} / {short(found[1])}"), "",
        f"Joules for 1,000 target tokens of many sentences, if the board takes all of its power ({power}):", "",
        *cells(("f16", "q8"), lambda name, found: short(1e3 * watts[name] / found[1])), "",
        "How far predictions are off where somebody has measured:", "", *beside_measured(), ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--write", action="store_true", help="write the tables into docs/models.md")
    parser.add_argument("--check", action="store_true", help="exit with 1 where docs/models.md has other tables")
    options = parser.parse_args()
    made = tables()
    if not options.write and not options.check:
        return print(made)
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    new = before + BEGIN + made + END + rest.split(END)[1]
    if options.write:
        PAGE.write_text(new, encoding="utf-8")
    elif new != text:
        sys.exit(f"{PAGE}: expected the tables of {pathlib.Path(__file__).name} --write, got others")


if __name__ == "__main__":
    main()
