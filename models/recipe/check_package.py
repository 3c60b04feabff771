#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The package, loaded by transformers, must translate as our own decoder does.
Usage: check_package.py PACKAGE ENGLISH_TEXT GERMAN_TEXT"""
import sys
from pathlib import Path

import torch
from transformers import MarianMTModel, MarianTokenizer

from decode import translate
from package import load_package
from vocab import Vocabulary

LINES = 50
package = Path(sys.argv[1])
theirs = MarianMTModel.from_pretrained(package, dtype=torch.float32).eval()
tokenizer = MarianTokenizer.from_pretrained(package)
ours, vocabulary = load_package(package), Vocabulary(package / "source.spm")
wrong = 0
for path, target in ((sys.argv[2], "de"), (sys.argv[3], "en")):
    lines = Path(path).read_text(encoding="utf-8").splitlines()[:LINES]
    ids = vocabulary.source(lines, target)
    for beams in (1, 4):
        output = translate(ours, vocabulary, lines, target, beams, max_length=128)
        for line, row, mine in zip(lines, ids, output):
            batch = tokenizer([f">>{target}<< {line}"], return_tensors="pt")
            assert batch["input_ids"][0].tolist() == row, (line, batch["input_ids"], row)
            with torch.no_grad():
                generated = theirs.generate(**batch, num_beams=beams, max_length=128)
            text = tokenizer.batch_decode(generated, skip_special_tokens=True)[0]
            if text != mine:
                wrong += 1
                print(f"beam {beams}: {line}\n  ours:   {mine}\n  theirs: {text}")
        print(f"to {target}, beam {beams}: {len(lines)} compared")
print(f"{wrong} differ")
sys.exit(wrong > 0)
