#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/tokenizers/: tokenizer.json files of several kinds, and the ids that the tokenizers library gives
texts of many kinds. An argument: how many texts, for a longer check than the one that is kept.

Needs tokenizers, transformers, sentencepiece and protobuf. Texts are in NFC and without blanks at their ends, as a
translator's tokenizer gets them. Where a text spells a special token, or the library takes a combining mark together
with what is in front of it, SentencePiece goes apart on purpose: these are left out and printed.
"""
import json
import pathlib
import random
import sys
import tempfile
import unicodedata

import sentencepiece
import tokenizers
import transformers
from make_t5_models import RULES, WORDS, Language
from transformers.convert_slow_tokenizer import import_protobuf
from transformers.tokenization_utils_base import generate_merges

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "tokenizers"
SPACE = "▁"
CORNERS = ["", "a", "Ω", "ΩΩ dog Ω", "dog  cat", "dog \t cat", "dog\u00a0cat", "ﬁsh ½ …", "Ａ «dog»", "e\u0301té",
           "dog▁cat", "<unk>", "a<2de>b", "<2de> dog", "dog <2de> cat", "</s>", "dog</s>", "🙂 dog", "👩\u200d👩\u200d👧 dog",
           "ångström", "안녕 dog", "狗狗狗", "狗 看见 猫", "пёс кот", "(dog)!?", "dog" * 40, "\u200bdog",
           "1234 56,7", "don't", "dog\u0300 x\u0327", "ẛ̣", "Å", "\ufefffish"]

PLANES = [(0x20, 0x24f), (0x370, 0x5ff), (0x900, 0x97f), (0x1e00, 0x20cf), (0x3040, 0x30ff), (0x1f600, 0x1f64f)]


def normalizers(rules, kind):
    normal = tokenizers.normalizers
    first = [normal.Precompiled(rules)] if rules else []
    if kind == "llama":
        return normal.Sequence([normal.Prepend(SPACE), normal.Replace(" ", SPACE)])
    more = normal.Replace(tokenizers.Regex(" {2,}"), SPACE)
    return normal.Sequence(first + [normal.Strip(left=False, right=True), more])


def train(folder, texts, kind, size):
    rules = folder / "rules.tsv"
    code = lambda text: " ".join(f"{ord(c):X}" for c in text)
    rules.write_text("".join(f"{code(a)}\t{code(b)}\n" for a, b in RULES.items()))
    options = dict(normalization_rule_name="identity") if kind == "llama" else dict(normalization_rule_tsv=str(rules))
    model = folder / "model"
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts), model_prefix=str(model), vocab_size=size, minloglevel=2, num_threads=1,
        model_type="unigram" if kind in ("unigram", "words", "bytes") else "bpe", character_coverage=1.0,
        byte_fallback=kind in ("bytes", "llama"), hard_vocab_limit=False, shuffle_input_sentence=False,
        unk_id=0, bos_id=1, eos_id=2, pad_id=-1, **options)
    proto = import_protobuf().ModelProto()
    proto.ParseFromString(model.with_suffix(".model").read_bytes())
    return proto


def build(proto, kind):
    models, fallback = tokenizers.models, kind in ("bytes", "llama")
    if kind in ("unigram", "words", "bytes"):
        model = models.Unigram([(piece.piece, piece.score) for piece in proto.pieces], unk_id=0, byte_fallback=fallback)
    else:
        vocabulary = {piece.piece: i for i, piece in enumerate(proto.pieces)}
        merges = generate_merges(vocabulary, {piece.piece: piece.score for piece in proto.pieces})
        model = models.BPE(vocabulary, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=fallback)
    backend = tokenizers.Tokenizer(model)
    spaces = tokenizers.pre_tokenizers.Metaspace(prepend_scheme="always")
    if kind == "words":  # as transformers 5 has T5
        backend.normalizer = tokenizers.normalizers.Precompiled(proto.normalizer_spec.precompiled_charsmap)
        spaces = tokenizers.pre_tokenizers.Sequence([tokenizers.pre_tokenizers.WhitespaceSplit(), spaces])
    else:
        backend.normalizer = normalizers(proto.normalizer_spec.precompiled_charsmap, kind)
    if kind != "llama":
        backend.pre_tokenizer = spaces
        backend.decoder = tokenizers.decoders.Metaspace(prepend_scheme="always")
    backend.add_special_tokens(["<unk>", "<s>", "</s>", "deu_Latn"])
    return backend


def texts(count):
    language, rng = Language(9), random.Random(9)
    result = [unicodedata.normalize("NFC", text).strip() for text in CORNERS]
    while len(result) < count:
        words = [language.text(language.sentence(12), code) for code in rng.sample(list(WORDS), 2)]
        text = " ".join(words)
        if rng.random() < 0.3:  # anything from the planes of Unicode
            at = rng.randrange(len(text))
            letter = chr(rng.randint(*rng.choice(PLANES)))
            if unicodedata.category(letter)[0] not in "CZ":
                text = text[:at] + letter + text[at:]
        result.append(unicodedata.normalize("NFC", text).strip())
    return result


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 250
    DATA.mkdir(exist_ok=True)
    language = Language(8)
    sample = [language.text(language.sentence(9), code) for _ in range(800) for code in WORDS]
    for kind, size in {"unigram": 220, "words": 220, "bytes": 420, "bpe": 260, "llama": 520}.items():
        with tempfile.TemporaryDirectory() as folder:
            proto = train(pathlib.Path(folder), sample, kind, size)
        backend = build(proto, kind)
        backend.save(str(DATA / f"{kind}.json"), pretty=False)
        own = sentencepiece.SentencePieceProcessor(model_proto=proto.SerializeToString())
        kept, apart = [], 0
        for text in texts(count):
            ids = backend.encode(text, add_special_tokens=False).ids
            marked = any(unicodedata.category(c) in ("Mn", "Mc", "Me", "Cf") or c == "\u200d" for c in text)
            added = any(token in text for token in ("<unk>", "</s>", "<s>", "deu_Latn"))
            if ids != own.encode(text) and (marked or added):
                apart += 1
                print(f"  {text!r}: {backend.encode(text, add_special_tokens=False).tokens}")
                continue
            kept.append([text, ids])
        print(f"{kind}: {backend.get_vocab_size()} tokens, {len(kept)} texts, {apart} where the library goes apart")
        (DATA / f"{kind}.recorded.json").write_text(
            "[" + ",\n".join(json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in kept) + "]\n",
            encoding="utf-8")


if __name__ == "__main__":
    main()
