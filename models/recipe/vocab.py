# SPDX-License-Identifier: Apache-2.0
"""One SentencePiece unigram vocabulary for both languages and both sides."""
import os
import random
import shutil
import string

import numpy as np
import sentencepiece

import options as settings
from data import PLAIN_QUOTES, load_pairs, tier_a

EOS, UNK = 0, 1
TAGS = {language: f">>{language}<<" for language in settings.LANGUAGES}


def prepare(options, log):
    """Model ids are SentencePiece ids; <pad> is appended after the last one."""
    final = options.training / "vocab.spm"
    if options.start_from:
        given = options.start_from / "source.spm"
        if not final.exists():
            shutil.copyfile(given, final)
        elif final.read_bytes() != given.read_bytes():
            raise SystemExit(f"{final} is not the vocabulary of {options.start_from}; use another --training folder")
    if final.exists():
        return final
    sources = tier_a()
    choose = random.Random(options.seed)
    text = options.training / "vocab.txt"
    with open(text, "w", encoding="utf-8") as f:
        for en, de, source in load_pairs(options):
            weight = sources[source]["weight"]
            for side in (en, de):
                copies = int(weight + choose.random())
                for i in range(min(copies, 3)):
                    f.write((side if choose.random() < 0.2 else side.translate(PLAIN_QUOTES)) + "\n")
    log("training the vocabulary")
    here = os.getcwd()
    os.chdir(options.training)  # the model keeps the names of its files
    sentencepiece.set_random_generator_seed(options.seed)
    sentencepiece.SentencePieceTrainer.train(
        input=text.name, model_prefix="vocab.part",
        model_type="unigram", vocab_size=settings.VOCAB_SIZE - 1,
        character_coverage=0.9998, split_digits=True, normalization_rule_name="nmt_nfkc",
        required_chars=string.ascii_letters + string.digits + string.punctuation + "äöüÄÖÜßéèêàçñ€§°–—“”„’‘»«",
        eos_id=EOS, unk_id=UNK, bos_id=-1, pad_id=-1,
        control_symbols=[TAGS["de"], TAGS["en"]],
        input_sentence_size=300_000, shuffle_input_sentence=True,
        num_threads=options.threads, minloglevel=1)
    os.chdir(here)
    os.replace(options.training / "vocab.part.model", final)
    text.unlink()
    return final


class Vocabulary:
    def __init__(self, path):
        self.path = path
        self.spm = sentencepiece.SentencePieceProcessor(model_file=str(path))
        self.pad = self.spm.get_piece_size()
        self.size = self.pad + 1
        self.tag = {language: self.spm.piece_to_id(tag) for language, tag in TAGS.items()}

        self.splits = self.all_splits()

    def encode(self, texts):
        """Without <eos>."""
        return self.spm.encode(texts, num_threads=1)

    def all_splits(self):
        """For each piece the ways to write it as two, with their probabilities.
        SentencePiece samples too, but not the same in each process."""
        ids = {self.spm.id_to_piece(i): i for i in range(self.pad)
               if not (self.spm.is_control(i) or self.spm.is_unknown(i))}
        splits = {}
        for piece, i in ids.items():
            halves = [(ids[piece[:k]], ids[piece[k:]]) for k in range(1, len(piece))
                      if piece[:k] in ids and piece[k:] in ids]
            if halves:
                score = np.array([self.spm.get_score(a) + self.spm.get_score(b) for a, b in halves])
                weight = np.exp(settings.SUBWORD_ALPHA * (score - score.max()))
                splits[i] = halves, np.cumsum(weight / weight.sum())
        return splits

    def split(self, ids, rows, choose):
        """Subword regularisation: the pieces at rows, each as two."""
        out = []
        for row, i in enumerate(ids):
            if row in rows and i in self.splits:
                halves, cumulated = self.splits[i]
                out.extend(halves[min(int(np.searchsorted(cumulated, choose.random())), len(halves) - 1)])
            else:
                out.append(i)
        return out

    def source(self, texts, target_language):
        return [[self.tag[target_language]] + ids + [EOS] for ids in self.encode(texts)]

    def decode(self, ids):
        return self.spm.decode([i for i in ids if i != self.pad])

    def pieces(self):
        return [self.spm.id_to_piece(i) for i in range(self.pad)] + ["<pad>"]
