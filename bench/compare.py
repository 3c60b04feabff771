#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times CTranslate2 on the CPU and bench_translate with the same weights and inputs, in turns, and compares tokens.

Run it with a Python that has ctranslate2. Every combination of --beam and --batch is one row of the table. Exits with
1 if any translation differs.
"""
import argparse
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import ctranslate2

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


class CTranslate2:
    def __init__(self, options, sentences, beam, batch):
        self.translator = ctranslate2.Translator(str(options.model), device="cpu", compute_type="float32",
                                                 inter_threads=1, intra_threads=options.threads)
        self.sentences = sentences
        self.settings = {"beam_size": beam, "max_batch_size": batch, "max_decoding_length": options.max_length,
                         "min_decoding_length": options.min_length}
        self.seconds, self.cpu_seconds = [], []
        self.translate()

    def translate(self):
        return self.translator.translate_batch(self.sentences, **self.settings)

    def run(self):
        start, cpu = time.perf_counter(), time.process_time()
        results = self.translate()
        self.seconds.append(time.perf_counter() - start)
        self.cpu_seconds.append(time.process_time() - cpu)
        self.tokens = [" ".join(result.hypotheses[0]) for result in results]


class Dragoman:
    def __init__(self, options, tokens_file, folder, beam, batch):
        self.output, self.json = folder / "output.txt", folder / "result.json"
        command = [options.bench, "--paced", "--model", options.model, "--tokens", tokens_file, "--beam", beam,
                   "--batch", batch, "--max-length", options.max_length, "--min-length", options.min_length,
                   "--repeat", options.repeat, "--compute-type", "float32", "--output", self.output,
                   "--json", self.json]
        if options.device:
            command += ["--device", options.device]
        if options.profile:
            command.append("--profile")
        self.process = subprocess.Popen([str(word) for word in command], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.expect("ready")

    def expect(self, wanted=None):
        line = self.process.stdout.readline().strip()
        if not line or (wanted and line != wanted):
            sys.exit(f"bench_translate ended early with status {self.process.wait()}")
        return line

    def run(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        self.expect()

    def finish(self):
        self.process.communicate()
        if self.process.returncode != 0:
            sys.exit(f"bench_translate failed with status {self.process.returncode}")
        return json.loads(self.json.read_text()), self.output.read_text(encoding="utf-8").splitlines()


def compare(options, sentences, beam, batch):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tokens_file = folder / "tokens.txt"
        tokens_file.write_text("".join(" ".join(words) + "\n" for words in sentences), encoding="utf-8")
        peer = CTranslate2(options, sentences, beam, batch)
        ours = Dragoman(options, tokens_file, folder, beam, batch)
        for _ in range(options.repeat):
            for engine in (peer, ours):
                time.sleep(SETTLE_SECONDS)
                engine.run()
        result, tokens = ours.finish()
    ratios = [theirs / mine for theirs, mine in zip(peer.seconds, result["seconds"])]
    cpu_ratio = statistics.median(peer.cpu_seconds) / result["median_cpu_seconds"]
    result.update(load_average=os.getloadavg(), differing=sum(a != b for a, b in zip(tokens, peer.tokens, strict=True)),
                  ratio=statistics.median(ratios), cpu_ratio=cpu_ratio,
                  ctranslate2={"version": ctranslate2.__version__, "threads": options.threads, "seconds": peer.seconds,
                               "median_seconds": statistics.median(peer.seconds), "cpu_seconds": peer.cpu_seconds,
                               "median_cpu_seconds": statistics.median(peer.cpu_seconds)})
    return result


def print_table(results):
    print(f"{'':27} {'seconds':^26} {'CPU seconds':^26}\n"
          f"{'beam':>4} {'batch':>5} {'sentences':>9} {'tokens':>6} "
          f"{'CT2':>9} {'Dragoman':>9} {'ratio':>6} {'CT2':>9} {'Dragoman':>9} {'ratio':>6} "
          f"{'steps/s':>8} {'tokens/s':>8} {'differing':>9} {'load':>5}")
    for r in results:
        peer = r["ctranslate2"]
        print(f"{r['beam']:>4} {r['batch']:>5} {r['sentences']:>9} {r['target_tokens']:>6} "
              f"{peer['median_seconds']:>9.3f} {r['median_seconds']:>9.3f} {r['ratio']:>6.3f} "
              f"{peer['median_cpu_seconds']:>9.3f} {r['median_cpu_seconds']:>9.3f} {r['cpu_ratio']:>6.3f} "
              f"{r['steps_per_second']:>8.1f} {r['target_tokens_per_second']:>8.1f} {r['differing']:>9} "
              f"{r['load_average'][0]:>5.1f}")


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, required=True, help="CTranslate2 model folder")
    parser.add_argument("--tokens", type=pathlib.Path, required=True,
                        help="a sentence per line, tokens separated by spaces; or an expected.json of the tests")
    parser.add_argument("--limit", type=int, default=0, help="sentences, taken in turn; 0: as many as the file has")
    parser.add_argument("--beam", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--batch", type=int, nargs="+", default=[1, 32])
    parser.add_argument("--max-length", type=int, default=256)
    parser.add_argument("--min-length", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each engine, after one that warms up")
    parser.add_argument("--threads", type=int, default=2, help="of CTranslate2")
    parser.add_argument("--device", help="of bench_translate: index, UUID or part of the name")
    parser.add_argument("--profile", action="store_true", help="time per pass, in a run of its own")
    parser.add_argument("--bench", type=pathlib.Path, default=here.parent / "build/release/bench/bench_translate")
    parser.add_argument("--json", type=pathlib.Path, help="file for all results")
    options = parser.parse_args()

    sentences = read_sentences(options.tokens, options.limit)
    results = [compare(options, sentences, beam, batch) for batch in options.batch for beam in options.beam]
    print(f"{results[0]['device']}, {results[0]['driver']}; CTranslate2 {ctranslate2.__version__} with "
          f"{options.threads} threads; both float32\nratio: CTranslate2 / Dragoman, of seconds the median of pairs")
    print_table(results)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    sys.exit(any(r["differing"] for r in results))


if __name__ == "__main__":
    main()
