#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times other engines and bench_translate with the same weights and inputs, in turns, and compares tokens.

Every combination of --order, --batch and --beam is one row per engine. Peers (see peer.py) run in processes of their
own, with the Python that has them; one that is missing or fails is skipped, and said so. Exits with 1 if translations
differ in float32, or if no peer ran.
"""
import argparse
import datetime
import itertools
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SHORTLISTS = "marian", "bergamot", "fxtranslate"
SETTLE_SECONDS = 0.4  # worker threads of the engine that ran before spin for a while


def read_sentences(path, limit):
    """Lines of tokens, or the distinct sources of an expected.json, repeated in turn up to the limit."""
    if path.suffix == ".json":
        cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
        distinct = dict.fromkeys(tuple(source) for case in cases for source in case["source"] if source)
        sentences = [list(source) for source in distinct]
    else:
        sentences = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    return list(itertools.islice(itertools.cycle(sentences), limit or len(sentences)))


def ordered(sentences, order):
    if order == "sorted":
        return sorted(sentences, key=lambda words: (-len(words), words))
    if order == "shuffled":
        return random.Random(1).sample(sentences, len(sentences))
    return sentences


class Engine:
    """A process that says "ready", then translates everything once for every line it reads."""

    def __init__(self, name, command, output):
        self.name, self.output, self.version, self.skipped = name, output, "", ""
        self.seconds, self.cpu_seconds = [], []
        try:
            self.process = subprocess.Popen([str(word) for word in command], text=True, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE)
        except OSError as error:
            self.skipped = str(error)
            return
        first = self.process.stdout.readline().strip()
        if first.startswith("ready"):
            self.version = first.removeprefix("ready").strip()
        else:
            self.skipped = first.removeprefix("skipped:").strip() or f"ended with status {self.process.wait()}"

    def run(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        numbers = self.process.stdout.readline().split()
        if not numbers:
            sys.exit(f"{self.name} ended early with status {self.process.wait()}")
        self.seconds.append(float(numbers[0]))
        self.cpu_seconds += map(float, numbers[1:])

    def finish(self):
        self.process.communicate()
        if self.process.returncode != 0:
            sys.exit(f"{self.name} failed with status {self.process.returncode}")
        return self.output.read_text(encoding="utf-8").splitlines()


def start_peer(peer, options, work, tokens_file, folder):
    engine, _, model = peer.partition("=")
    python = options.torch_python if engine.startswith("transformers") else options.python
    own = dict(word.split("=", 1) for word in options.peer_python)
    python = own.get(engine, python)
    name = f"{engine}, {pathlib.Path(model).name}" if model else engine
    output = folder / f"{name}.txt"
    shortlist = ["--shortlist", *options.model.glob("lex.*.bin")] if options.shortlist and engine in SHORTLISTS else []
    return Engine(name, [python, HERE / "peer.py", engine, "--model", model or options.model, "--tokens", tokens_file,
                         "--output", output, "--device", options.peer_device,
                         "--compute-type", options.peer_compute_type or options.compute_type,
                         "--beam", work["beam"], "--batch", work["batch"], "--max-length", options.max_length,
                         "--min-length", options.min_length, "--threads", options.threads, *shortlist],
                  output)


def start_dragoman(options, work, tokens_file, folder):
    output = folder / "dragoman.txt"
    command = [options.bench, "--paced", "--model", options.model, "--tokens", tokens_file, "--beam", work["beam"],
               "--batch", work["batch"], "--max-length", options.max_length, "--min-length", options.min_length,
               "--repeat", options.repeat, "--compute-type", options.compute_type, "--output", output,
               "--json", folder / "dragoman.json"]
    if options.device:
        command += ["--device", options.device]
    command += [flag for flag, wanted in (("--profile", options.profile), ("--shortlist", options.shortlist)) if wanted]
    engine = Engine("dragoman", command, output)
    if engine.skipped:
        sys.exit(f"bench_translate {engine.skipped}")
    return engine


def compare(options, sentences, work):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tokens_file = folder / "tokens.txt"
        tokens_file.write_text("".join(" ".join(words) + "\n" for words in sentences), encoding="utf-8")
        ours = start_dragoman(options, work, tokens_file, folder)
        peers = [start_peer(name, options, work, tokens_file, folder) for name in options.peers]
        running = [peer for peer in peers if not peer.skipped]
        for _ in range(options.repeat):
            for engine in (*running, ours):
                time.sleep(SETTLE_SECONDS)
                engine.run()
        tokens = ours.finish()
        result = json.loads((folder / "dragoman.json").read_text())
        result.update(work, load_average=os.getloadavg(), peers={})
        for peer in peers:
            if peer.skipped:
                result["peers"][peer.name] = {"skipped": peer.skipped}
                continue
            differing = sum(a != b for a, b in zip(tokens, peer.finish(), strict=True))
            ratios = [theirs / mine for theirs, mine in zip(peer.seconds, result["seconds"])]
            cpu = statistics.median(peer.cpu_seconds)
            result["peers"][peer.name] = {
                "version": peer.version, "device": options.peer_device, "threads": options.threads,
                "seconds": peer.seconds, "median_seconds": statistics.median(peer.seconds),
                "cpu_seconds": peer.cpu_seconds, "median_cpu_seconds": cpu, "differing": differing,
                "ratio": statistics.median(ratios), "cpu_ratio": cpu / result["median_cpu_seconds"]}
    return result


def git_commit():
    found = subprocess.run(["git", "-C", HERE, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return found.stdout.strip() or "unknown"


def report(options, results):
    """The table as Markdown."""
    first = results[0]
    title = options.title or f"{options.model.name}, {first['sentences']} sentences"
    beside = f" beside {options.peer_compute_type}" if options.peer_compute_type else ""
    lines = [f"## {title}, {options.compute_type}{beside}", "",
             f"{datetime.datetime.now():%Y-%m-%d %H:%M}; commit {git_commit()}; {first['device']}, {first['driver']}. "
             f"Peers on {options.peer_device}"
             + (f" with {options.threads} threads" if options.peer_device == "cpu" else "") + ". "
             f"Medians of {options.repeat} runs in turns, (min to max). "
             "Ratio: the peer's seconds / Dragoman's, median of pairs: above 1, Dragoman is faster.", "",
             "| order | batch | beam | engine | seconds | tokens/s | sentences/s | ratio | CPU s | CPU ratio | differing | load |",
             "|---|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|"]

    def row(r, engine, data, ratio="", cpu_ratio="", differing=""):
        seconds = data["median_seconds"]
        return (f"| {r['order']} | {r['batch'] or 'auto'} | {r['beam']} | {engine} "
                f"| {seconds:.3f} ({min(data['seconds']):.3f} to {max(data['seconds']):.3f}) "
                f"| {r['target_tokens'] / seconds:.0f} | {r['sentences'] / seconds:.1f} | {ratio} "
                f"| {data['median_cpu_seconds']:.3f} | {cpu_ratio} | {differing} | {r['load_average'][0]:.1f} |")

    for r in results:
        lines.append(row(r, "Dragoman", r))
        for name, peer in r["peers"].items():
            if "skipped" not in peer:
                what = " (compiled)" if "compiled" in name else name[name.index(","):] if "," in name else ""
                lines.append(row(r, peer["version"] + what, peer,
                                 f"{peer['ratio']:.2f}", f"{peer['cpu_ratio']:.2f}", peer["differing"]))
    skipped = {f"{name}: {peer['skipped']}" for r in results for name, peer in r["peers"].items() if "skipped" in peer}
    lines += [""] + [f"Skipped {reason}" for reason in sorted(skipped)]
    by_work = {(r["batch"], r["beam"], r["order"]): r["median_seconds"] for r in results}
    for (batch, beam, order), seconds in by_work.items():
        if order == "shuffled" and (batch, beam, "sorted") in by_work:
            lines.append(f"Shuffled / sorted, batch {batch or 'auto'}, beam {beam}: "
                         f"{seconds / by_work[batch, beam, 'sorted']:.3f}")
    return "\n".join(lines) + "\n"


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, required=True,
                        help="folder of any format; a CTranslate2 one for peers that have no other")
    parser.add_argument("--tokens", type=pathlib.Path, required=True,
                        help="a sentence per line, tokens separated by spaces; or an expected.json of the tests")
    parser.add_argument("--limit", type=int, default=0, help="sentences, taken in turn; 0: as many as the file has")
    parser.add_argument("--order", nargs="+", choices=("given", "sorted", "shuffled"), default=["given"])
    parser.add_argument("--beam", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--batch", type=int, nargs="+", default=[1, 32], help="sentences; 0: the engine chooses")
    parser.add_argument("--max-length", type=int, default=256)
    parser.add_argument("--min-length", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each engine, after one to warm up")
    parser.add_argument("--compute-type", choices=("float32", "float16", "int8", "int8_float16"), default="float32")
    parser.add_argument("--peer-compute-type", choices=("float32", "float16", "int8", "int8_float16"),
                        help="of the peers; default: --compute-type")
    parser.add_argument("--peers", nargs="+", default=["ctranslate2"], metavar="ENGINE[=MODEL]",
                        help="ctranslate2, transformers, transformers-compiled, marian, bergamot, fxtranslate; MODEL: "
                             "where its folder differs from --model")
    parser.add_argument("--peer-device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--python", default=sys.executable, help="the Python that has ctranslate2")
    parser.add_argument("--torch-python", default=sys.executable, help="the Python that has PyTorch and transformers")
    parser.add_argument("--peer-python", nargs="+", default=[], metavar="ENGINE=PYTHON",
                        help="the Python of a peer that has one of its own")
    parser.add_argument("--threads", type=int, default=2, help="of peers on the CPU")
    parser.add_argument("--device", help="of bench_translate: index, UUID or part of the name")
    parser.add_argument("--profile", action="store_true", help="time per pass, in a run of its own")
    parser.add_argument("--shortlist", action="store_true",
                        help="bench_translate, Marian, bergamot and fxtranslate use the model's shortlist")
    parser.add_argument("--bench", type=pathlib.Path, default=HERE.parent / "build/release/bench/bench_translate")
    parser.add_argument("--title", help="heading of the table; default: the folder's name")
    parser.add_argument("--json", type=pathlib.Path, help="file for all results")
    parser.add_argument("--append", type=pathlib.Path, help="Markdown file to add the table to, as in results/")
    return parser.parse_args()


def main():
    options = parse()
    sentences = read_sentences(options.tokens, options.limit)
    results = []
    for order, batch, beam in itertools.product(options.order, options.batch, options.beam):
        work = {"order": order, "batch": batch, "beam": beam}
        results.append(compare(options, ordered(sentences, order), work))
    table = report(options, results)
    print(table)
    if options.append:
        with options.append.open("a", encoding="utf-8") as file:
            file.write(("\n" if file.tell() else "") + table)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    ran = [peer for r in results for peer in r["peers"].values() if "skipped" not in peer]
    differing = options.compute_type == "float32" and any(peer["differing"] for peer in ran)
    sys.exit(1 if differing or not ran else 0)


if __name__ == "__main__":
    main()
