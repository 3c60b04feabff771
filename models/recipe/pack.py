# SPDX-License-Identifier: Apache-2.0
"""All that distil.py needs in a few small files, so that it can run on a machine that has nothing but PyTorch."""
import io
import json
import lzma

import numpy as np
import torch

import cleaning
import markup
import noise
import ragged
from data import PLAIN_QUOTES, load_dev, load_pairs, tier_a
from mono import load_mono
from options import LANGUAGES
from package import load_package
from phrases import load_linked, load_phrases
from vocab import EOS, UNK
from weights import Frequencies, phrase_weights, sentence_weights

LONGEST = 100                 # tokens of a sentence
OUTLYING = 0.1                # of sources with a smaller weight only a share of the pairs, which then weigh more
OUTLYING_SHARE = 0.4
PHRASES = 60_000
NOISY = 14_000                # pairs in each direction
MARKED = 14_000
SPLIT = 6_000
NOISY_MONO = 12_000           # sentences of each language, as sources
SETS = {"flores-dev": "flores-dev/flores-dev", "tatoeba-heldout": "tatoeba-heldout.en-de"}


def plain(text):
    return text.translate(PLAIN_QUOTES)


class Packer:
    def __init__(self, options, vocabulary, log):
        self.options, self.vocabulary, self.log = options, vocabulary, log
        self.folder = options.training / "packed"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.choose = np.random.default_rng(options.seed)
        self.meta = {"tags": [vocabulary.tag["de"], vocabulary.tag["en"]], "eos": EOS, "unk": UNK,
                     "pad": vocabulary.pad, "pieces": vocabulary.pieces()}

    def save(self, name, rows):
        path = self.folder / f"{name}.xz"
        ragged.save(path, *ragged.flatten(rows))
        self.log(f"packed {name}: {len(rows)} rows, {path.stat().st_size} bytes")

    def encode(self, texts):
        return self.vocabulary.encode(list(texts))

    def short_enough(self, *sides):
        return [i for i, ids in enumerate(zip(*sides)) if all(1 <= len(x) <= LONGEST for x in ids)]

    def pairs(self):
        pairs = load_pairs(self.options)
        frequencies = Frequencies(pairs)
        kept = cleaning.kept(self.options, pairs, self.log)
        weight = sentence_weights(pairs, load_linked(self.options), frequencies)
        source_weight = np.array([tier_a()[p[2]]["weight"] for p in pairs])
        outlying = source_weight < OUTLYING
        keep = (kept > 0) & (~outlying | (self.choose.random(len(pairs)) < OUTLYING_SHARE))
        weight = np.where(outlying, weight / OUTLYING_SHARE, weight)
        self.kept, self.kept_weight = [p for p, k in zip(pairs, keep) if k], weight[keep]
        sides = [self.encode(plain(p[side]) for p in self.kept) for side in (0, 1)]
        rows = self.short_enough(*sides)
        for side, language in enumerate(LANGUAGES):
            self.save(f"pairs.{language}", [sides[side][i] for i in rows])
        np.save(self.folder / "pairs.weight.npy", self.kept_weight[rows].astype(np.float16))
        self.phrases(frequencies)

    def phrases(self, frequencies):
        phrases = load_phrases(self.options)
        each = phrase_weights(phrases, frequencies)
        chosen = self.choose.choice(len(phrases), min(PHRASES, len(phrases)), replace=False, p=each / each.sum())
        for side, language in enumerate(LANGUAGES):
            self.save(f"phrases.{language}", self.encode(plain(phrases[i][side]) for i in chosen))

    def changed(self):
        """Noise, markup and other subwords: changed pairs, one list for each target language."""
        share = self.kept_weight / self.kept_weight.sum()
        for direction, target in enumerate(reversed(LANGUAGES)):
            drawn = [self.kept[i] for i in self.choose.choice(len(self.kept), NOISY + 3 * MARKED + SPLIT, p=share)]
            texts = []
            for p in drawn[:NOISY]:
                texts.append(noise.vary(plain(p[direction]), plain(p[1 - direction]), LANGUAGES[direction],
                                        self.choose.random()))
            marked = [markup.with_markup(plain(p[0]), plain(p[1]), self.choose)
                      for p in drawn[NOISY:NOISY + 3 * MARKED]]
            texts += [(m[direction], m[1 - direction]) for m in marked if m][:MARKED]
            texts += [(plain(p[direction]), plain(p[1 - direction])) for p in drawn[-SPLIT:]]
            sides = [self.encode(column) for column in zip(*texts)]
            sides[0][-SPLIT:] = [self.vocabulary.split(ids, set(np.flatnonzero(self.choose.random(len(ids)) < 0.15)),
                                                       self.choose) for ids in sides[0][-SPLIT:]]
            rows = self.short_enough(*sides)
            self.save(f"changed.{target}.source", [sides[0][i] for i in rows])
            self.save(f"changed.{target}.target", [sides[1][i] for i in rows])

    def mono(self):
        for language, found in load_mono(self.options, self.log).items():
            raw = [text for text, _ in found]
            ids = self.encode(map(plain, raw))
            rows = [i for i, x in enumerate(ids) if 3 <= len(x) <= LONGEST and UNK not in x]
            self.save(f"mono.{language}", [ids[i] for i in rows])
            chosen, texts = [], []
            for row in self.choose.permutation(len(rows)):
                text = raw[rows[row]]
                changed = text if text != plain(text) else noise.vary(
                    plain(text), "", language, 0.2 + 0.3 * self.choose.random())[0]
                if changed != plain(text) and len(chosen) < NOISY_MONO:
                    chosen.append(row)
                    texts.append(changed)
            changed = self.encode(texts)
            keep = self.short_enough(changed)
            self.save(f"mono.{language}.changed", [changed[i] for i in keep])
            np.save(self.folder / f"mono.{language}.changed.npy", np.array(chosen, np.int32)[keep])

    def held_out(self):
        from train import kind_of
        rows = {}
        for en, de, source in load_dev(self.options):
            rows.setdefault(kind_of(source), []).append((en, de))
        for kind, texts in rows.items():
            sides = [self.encode(map(plain, column)) for column in zip(*texts)]
            keep = self.short_enough(*sides)
            for side, language in enumerate(LANGUAGES):
                self.save(f"dev.{kind}.{language}", [sides[side][i] for i in keep])
        texts = {}
        for name, path in SETS.items():
            for language in LANGUAGES:
                lines = (self.options.test / f"{path}.{language}").read_text(encoding="utf-8").splitlines()
                texts[f"{name}.{language}"] = lines
                self.save(f"test.{name}.{language}", [ids[:LONGEST] for ids in self.encode(lines)])
        (self.folder / "test.json").write_text(json.dumps(texts, ensure_ascii=False))

    def start(self):
        """The weights to begin with, as 16-bit floats, and what they are called in a package."""
        model = load_package(self.options.start_from)
        file = io.BytesIO()
        torch.save({k: v.half() for k, v in model.state_dict().items()}, file)
        (self.folder / "start.xz").write_bytes(lzma.compress(file.getvalue(), preset=9))
        (self.folder / "meta.json").write_text(json.dumps(self.meta, ensure_ascii=False))


def pack(options, vocabulary, log):
    if options.start_from is None:
        raise SystemExit("pack needs --start-from: the first back-translations are made by given weights")
    packer = Packer(options, vocabulary, log)
    done = packer.folder / "meta.json"
    if done.exists():
        return
    packer.pairs()
    packer.changed()
    packer.mono()
    packer.held_out()
    packer.start()
    size = sum(p.stat().st_size for p in packer.folder.iterdir())
    log(f"packed in {packer.folder}, {size / 1e6:.1f} MB")
