# SPDX-License-Identifier: Apache-2.0
"""What a corpus costs on many GPUs: GPU seconds of each part, from the figures."""
import math

from . import schedule

GPUS = ("h100", "rtx-4090", "l4")
NAMES = {"h100": "H100", "rtx-4090": "RTX 4090", "l4": "L4"}
RATES = {"h100": "measured", "rtx-4090": "predicted", "l4": "scaled"}
PARTS = ("translation", "start", "part ends", "tail", "failures", "retries", "texts")


def batch_seconds(figures, gpu, steps=25):
    """Of a large batch as bench/predict.py has it."""
    return figures[f"{gpu}.encoder_large"] + steps * figures[f"{gpu}.step_large"]


def rate(figures, gpu, beam):
    """Target tokens a second. What was not measured is the H100's rate by the ratio of predictions, or by that of the
    scarcest of two figures of the data sheets."""
    if gpu == "h100":
        return figures[f"h100.tokens_per_second.{beam}"]
    if gpu == "rtx-4090":
        return rate(figures, "h100", beam) * batch_seconds(figures, "h100") / batch_seconds(figures, "rtx-4090")
    return rate(figures, "rtx-4090", beam) * min(
        figures[f"{gpu}.{name}"] / figures[f"rtx-4090.{name}"]
        for name in ("memory_bytes_per_second", "vector_flops_per_second"))


def host_seconds(figures, form):
    """Processor seconds of a row."""
    return figures[f"data.read.{form}"] + figures[f"data.write.{form}"] + figures["data.host"]


def cost(figures, gpu, *, beam, sentences, count, tokens_per_sentence, form, overlapped, policy):
    """overlapped: a worker begins the next part while the last one ends and is written. policy: of schedule."""
    speed = rate(figures, gpu, beam)
    tokens = sentences * tokens_per_sentence
    seconds = tokens / speed
    on_gpu, on_host = tokens_per_sentence / speed, host_seconds(figures, form)
    parts_per_worker = figures["part.per_worker"]
    # Commits and lost machines are counted on their own.
    tail = schedule.beyond(figures, policy, kind="training", tokens=tokens, parts_per_worker=parts_per_worker,
                           count=count, tokens_per_second=speed, overhead=0.0, condition="some slow")
    written = 0.0 if overlapped else figures[f"data.read.{form}"] + figures[f"data.write.{form}"]
    speeds = 1 - figures["machines.slow_share"] * (1 - figures["machines.slow_speed"])
    again = figures["part.checkpoint_rows"] / 2 * on_gpu + schedule.start(figures)
    fetch = figures["start.compile"] + figures["start.fetch_bytes"] / figures["start.fetch_bytes_per_second"]
    lost = figures["failures.per_gpu_day"] * seconds / 86400
    found = {
        "translation": seconds,
        "start": count * (schedule.start(figures) + fetch),
        "part ends": (count * parts_per_worker * schedule.part_overhead(figures, gpu, overlapped)
                      + sentences * written),
        "tail": seconds * ((1 + tail) / speeds - 1),
        "failures": lost * (figures["failures.noticed"] + again),
        "retries": sentences * (figures["rows.failing"] * 2 * figures["stage.batch_rows"] * on_gpu
                                + figures["rows.poison"] * 3 * again),
        "texts": sentences * max(0.0, on_host / figures["data.cores_per_gpu"] - on_gpu)}
    total = math.fsum(found.values())
    return dict(gpu=gpu, beam=beam, rate=RATES[gpu], tokens_per_second=speed, sentences_per_second=1 / on_gpu,
                gpu_hours=total / 3600, hours=total / count / 3600, lost_workers=lost, cores_per_gpu=on_host / on_gpu,
                parts={name: found[name] / 3600 for name in PARTS},
                shares={name: found[name] / total for name in PARTS})


def table(rows, prices, currency):
    lines = ["| GPU | beam | tokens/s | hours | GPU hours | " + " | ".join(PARTS) + " | cores for each GPU |"
             + (f" {currency} |" if prices else ""),
             "|---|---:|---:|---:|---:|" + "---:|" * (len(PARTS) + 1) + ("---:|" if prices else "")]
    for row in rows:
        shares = " | ".join(f"{row['shares'][name]:.1%}" for name in PARTS)
        price = f" {row['price']:.2f} |" if "price" in row else " |" if prices else ""
        lines.append(f"| {NAMES[row['gpu']]} | {row['beam']} | {row['tokens_per_second']:,.0f} ({row['rate']}) | "
                     f"{row['hours']:.2f} | {row['gpu_hours']:,.0f} | {shares} | {row['cores_per_gpu']:.1f} |{price}")
    return lines
