#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a large corpus costs, and how its parts are best shared out.

    bench/corpora.py cost                                           # a billion sentences on 100 GPUs of three kinds
    bench/corpora.py cost --price h100=2.5 rtx-4090=0.4 l4=0.7      # and what that is at these prices for an hour
    bench/corpora.py cost --set failures.per_gpu_day=4 --json       # other figures
    bench/corpora.py schedule                                       # parts by files, rows, bytes; fixed or pulled
    bench/corpora.py measure --vocabulary models/en-de/source.spm TABLE    # what a machine without a GPU can measure

corpora/figures.tsv has all that goes in, and where each figure comes from."""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from corpora import cost, measure, schedule  # noqa: E402
from corpora.figures import Figures  # noqa: E402

FORMS = ("jsonl", "jsonl.gz", "parquet")
PULLED = "bytes, pulled, longest first"


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = p.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true")
    common.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE", help="other figures than figures.tsv has")
    common.add_argument("--sentences", type=float, default=1e9)
    common.add_argument("--gpus", type=int, default=100, help="how many (default: %(default)s)")

    c = commands.add_parser("cost", parents=[common], help="hours, GPU hours, the share of each part")
    c.add_argument("--kinds", nargs="+", choices=cost.GPUS, default=cost.GPUS)
    c.add_argument("--beam", nargs="+", type=int, choices=(1, 4), default=(1, 4))
    c.add_argument("--tokens", type=float, default=25,
                   help="of a sentence (default: %(default)s, as rates were measured)")
    c.add_argument("--format", choices=FORMS, default="jsonl")
    c.add_argument("--overlapped", action="store_true", help="the next part begins while the last one is written")
    c.add_argument("--policy", choices=schedule.POLICIES, default=PULLED, metavar="POLICY",
                   help="of the command schedule (default: %(default)s)")
    c.add_argument("--price", nargs="+", default=[], metavar="GPU=PRICE", help="for a GPU hour")
    c.add_argument("--currency", default="price")

    s = commands.add_parser("schedule", parents=[common], help="the time beyond the ideal, by policy")
    s.add_argument("--corpus", nargs="+", choices=("training", "crawl"), default=("training", "crawl"))
    s.add_argument("--parts-per-worker", nargs="+", type=float, default=(4, 20, 80))
    s.add_argument("--tokens-per-second", type=float, help="of a GPU (default: the H100's, beam 4)")

    m = commands.add_parser("measure", help="what a machine without a GPU can measure")
    measure.arguments(m)
    return p.parse_args()


def prices(texts):
    found = {}
    for text in texts:
        gpu, _, price = text.partition("=")
        if gpu not in cost.GPUS:
            raise SystemExit(f"--price {text}: expected one of {', '.join(cost.GPUS)}")
        found[gpu] = float(price)
    return found


def run_cost(o, figures):
    by_gpu = prices(o.price)
    rows = [cost.cost(figures, gpu, beam=beam, sentences=o.sentences, count=o.gpus, tokens_per_sentence=o.tokens,
                      form=o.format, overlapped=o.overlapped, policy=o.policy) for gpu in o.kinds for beam in o.beam]
    for row in rows:
        if row["gpu"] in by_gpu:
            row["price"] = row["gpu_hours"] * by_gpu[row["gpu"]]
    if o.json:
        return json.dumps(dict(sentences=o.sentences, gpus=o.gpus, tokens=o.tokens, rows=rows,
                               figures={name: dict(value=value, kind=figures.kinds[name], source=figures.sources[name])
                                        for name, value in figures.items()}), indent=1)
    return "\n".join([f"{o.sentences:,.0f} sentences of {o.tokens:g} tokens, {o.gpus} GPUs:", "",
                      *cost.table(rows, by_gpu, o.currency)])


def run_schedule(o, figures):
    speed = o.tokens_per_second or figures["h100.tokens_per_second.4"]
    overhead = schedule.part_overhead(figures, "h100", overlapped=False)
    tables = []
    for kind in o.corpus:
        tokens = o.sentences * schedule.mean_tokens(figures, "training")
        tables.append(schedule.table(figures, o.parts_per_worker, kind=kind, tokens=tokens, count=o.gpus,
                                     tokens_per_second=speed, overhead=overhead))
    policy, n = schedule.choice(tables)
    part = tokens / o.gpus / n
    chosen = dict(policy=policy, parts_per_worker=n, tokens=part, bytes=part * figures["length.bytes_per_token"],
                  seconds=part / speed)
    if o.json:
        return json.dumps(dict(gpus=o.gpus, tokens=tokens, conditions=schedule.CONDITIONS, choice=chosen, corpora=[
            dict(kind=kind, rows=[dict(policy=p, parts_per_worker=n, beyond=beyond)
                                  for (p, n), beyond in found.items()])
            for kind, found in zip(o.corpus, tables)]), indent=1)
    conditions = " | ".join(f"{kind}: {condition}" for kind in o.corpus for condition in schedule.CONDITIONS)
    lines = [f"Time beyond the ideal, {o.gpus} workers, {tokens:.3g} tokens:", "",
             f"| policy | parts for each worker | {conditions} |",
             "|---|---:|" + "---:|" * (len(o.corpus) * len(schedule.CONDITIONS))]
    for key in tables[0]:
        values = " | ".join(f"{value:.1%}" for found in tables for value in found[key])
        lines.append(f"| {key[0]} | {f'{key[1]:g}' if key[1] else schedule.FILES_PER_WORKER} | {values} |")
    lines += ["", f"Least in the worst case: {policy}, {n:g} parts for each worker: {part / 1e6:.1f} million tokens, "
              f"{chosen['bytes'] / 1e6:.0f} MB of text, {chosen['seconds']:.0f} seconds of a GPU."]
    return "\n".join(lines)


def main():
    o = parse()
    if o.command == "measure":
        print("\n".join(measure.run(o)))
        return
    figures = Figures().changed(o.set)
    print(run_cost(o, figures) if o.command == "cost" else run_schedule(o, figures))


if __name__ == "__main__":
    main()
