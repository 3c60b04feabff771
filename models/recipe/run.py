#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The one command: corpora in, packaged and measured model out."""
import os
import sys
import time

# Before torch is loaded: threads that wait sleep, and leave a shared CPU to others.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import options as settings


def main():
    options = settings.parse()
    options.run_dir.mkdir(parents=True, exist_ok=True)
    log_file = open(options.run_dir / "train.log", "a", encoding="utf-8")

    def log(line):
        line = f"{time.strftime('%Y-%m-%d %H:%M:%S')} {line}"
        print(line, flush=True)
        print(line, file=log_file, flush=True)

    log("options: " + " ".join(sys.argv[1:]))
    import data
    import vocab
    if "prepare" in options.only:
        data.prepare(options, log)
        vocab.prepare(options, log)
        if options.settings["phrase_share"]:
            import phrases
            phrases.prepare(options, log)
    vocabulary = vocab.Vocabulary(options.training / "vocab.spm")
    assert vocabulary.size == settings.VOCAB_SIZE
    if "score" in options.only:
        from score import score
        score(options, vocabulary, log)
    if "pack" in options.only:
        from pack import pack
        pack(options, vocabulary, log)
    if "distil" in options.only:
        from distil import run
        run(options)
    if "train" in options.only:
        from train import train
        train(options, vocabulary, log)
    if "package" in options.only:
        from package import package
        package(options, vocabulary, log)
    if "evaluate" in options.only:
        from evaluate import evaluate
        evaluate(options, vocabulary, log)
    if "card" in options.only:
        from card import write_card
        write_card(options, log)


if __name__ == "__main__":
    main()
