#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/tokenizers/steps.json: the ids that the tokenizers library gives hard texts with normalizers,
pre-tokenizers and added tokens of many kinds, before models of this folder's other files. An argument: how many random
texts to write besides, to another file whose path is the second argument, for a longer check than the one that is kept.

Needs tokenizers. Run it after make_tokenizers.py, make_multilingual_models.py and make_encoder_models.py. Special tokens in
texts are words like others, as in Dragoman. Where a SentencePiece model alone does the same as a file, Dragoman takes one,
which goes apart on purpose at a combining mark behind a character with a rule, and at line breaks at the end: the ids of
such texts are null there.
"""
import json
import pathlib
import random
import sys
import unicodedata

import tokenizers

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
FILE = DATA / "tokenizers" / "steps.json"
MODELS = {"bytes": "tokenizers/bytes.json", "llama": "tokenizers/llama.json", "unigram": "tokenizers/unigram.json",
          "level": "huggingface/bart/tokenizer.json", "pieces": "tokenizers/pieces.json"}
SPACE = "▁"
TEXTS = ["", " ", "a", "dog  cat", "  dog \t cat  ", "dog\u00a0cat\u3000ﬁsh", "Ａ «Dog»—cat…", "e\u0301té E\u0301TÉ",
         "dog▁cat ▁▁ x", "a<2de>b <2de> dog", "🙂 👩\u200d👩\u200d👧 dog\U0001f3fd", "ÅNGSTRÖM Å\u030a ẛ̣ ﬃ ½",
         "안녕 한국", "狗狗 看见，猫。", "ПЁС кот", "(dog)!? don't I'LL we've", "\u200bdog\u2028cat\ufeff", "1234 56,7 ٣٤ ⅷ Ⅻ",
         "x\u0327\u0301 q\u0323\u0307 dog\u0300", "İstanbul ıI ΣΑΣ ß ẞ ǅ", "हिन्दी में ๓ไทย", "a\u0001b\u007fc\u0085d\u00ade",
         "\r\ndog\r\n\ncat\n", "Ａ\u0301 ｶﾞ が か\u3099", "_a_b-c'd e_ ٪ € $5 +=", "Dog, CAT; river.\tloves  ", "xé́y ﷺ ㍿ ⑳ ²",
         "  <2de>  <w>dog <w> <l> dog ", "ABC<2de>DEF abcabc"]
ADDED = [{"content": "<2de>", "normalized": False}, {"content": "ABC", "normalized": True},
         {"content": "<w>", "single_word": True, "normalized": False},
         {"content": "<l>", "lstrip": True, "rstrip": True, "normalized": False}]


def regex(expression):
    return {"Regex": expression}


def normalizer(kind, **values):
    return {"type": kind, **values}


def replace(pattern, content):
    return normalizer("Replace", pattern=pattern if isinstance(pattern, dict) else {"String": pattern}, content=content)


def bert(**values):
    return normalizer("BertNormalizer", **{"clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                                           "lowercase": True, **values})


def metaspace(scheme="always", split=True):
    return {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": scheme, "split": split}


def split(pattern, behavior, invert=False):
    return {"type": "Split", "pattern": pattern if isinstance(pattern, dict) else {"String": pattern},
            "behavior": behavior, "invert": invert}


def level(prefix=True, use_regex=True):
    return {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": True, "use_regex": use_regex}


GPT4 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|"
        r"\s+(?!\S)|\s+")


def cases(rules):
    """Model, normalizers, pre-tokenizers, whether tokens are added."""
    precompiled = normalizer("Precompiled", precompiled_charsmap=rules)
    two = replace(regex(" {2,}"), SPACE)
    for steps in ([], [precompiled], [precompiled, two], [precompiled, normalizer("Strip", strip_left=False,
                  strip_right=True), two], [normalizer("Strip", strip_left=True, strip_right=False)],
                  [normalizer("NFC")], [normalizer("NFD")], [normalizer("NFKC")], [normalizer("NFKD")],
                  [normalizer("Lowercase")], [normalizer("NFD"), normalizer("StripAccents")], [normalizer("Nmt")],
                  [normalizer("Nmt"), normalizer("NFKC"), replace(regex(" {2,}"), " ")],
                  [replace("``", '"'), replace("''", '"'), normalizer("NFKD"), normalizer("StripAccents"),
                   normalizer("Lowercase"), precompiled, replace(regex(" {2,}"), " ")],
                  [normalizer("Lowercase"), precompiled], [precompiled, normalizer("Lowercase")],
                  [replace(regex(r"\s+"), " "), replace("dog", "c▁t")], [replace(regex(r"[\n\r]+|^ "), "x")],
                  [bert()], [bert(clean_text=False, lowercase=False)], [bert(handle_chinese_chars=False,
                   strip_accents=False)], [normalizer("Prepend", prepend="x")],
                  [normalizer("Sequence", normalizers=[normalizer("Sequence", normalizers=[normalizer("NFKC")]), two])]):
        yield "bytes", steps, [metaspace()], False
    for scheme in ("always", "first", "never"):
        for parted in (True, False):
            yield "bytes", [precompiled], [metaspace(scheme, parted)], False
            yield "llama", [], [metaspace(scheme, parted)], True
        yield "bytes", [], [{"type": "WhitespaceSplit"}, metaspace(scheme)], True
    yield "unigram", [precompiled, two], [metaspace()], True
    yield "bytes", [precompiled], [metaspace(), {"type": "WhitespaceSplit"}], False
    for step in ({"type": "Whitespace"}, {"type": "BertPreTokenizer"}, {"type": "Punctuation", "behavior": "Isolated"},
                 {"type": "Punctuation", "behavior": "MergedWithPrevious"}, {"type": "Digits", "individual_digits": True},
                 {"type": "Digits", "individual_digits": False}, {"type": "CharDelimiterSplit", "delimiter": "o"}):
        yield "bytes", [], [step, metaspace()], False
        yield "llama", [], [metaspace(split=False), step], False
    for behavior in ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"):
        for invert in (False, True):
            yield "bytes", [], [metaspace(split=False), split("a", behavior, invert)], False
            yield "llama", [], [split(regex(r"\d|[^\w\s]"), behavior, invert), metaspace("first")], False
    yield "llama", [normalizer("Prepend", prepend=SPACE), replace(" ", SPACE)], [], True
    yield "llama", [replace(" ", SPACE)], [split(" ", "MergedWithPrevious")], False
    yield "llama", [normalizer("NFC"), replace(" ", SPACE)], [split(SPACE, "MergedWithNext")], True
    for steps in ([], [normalizer("NFC")], [normalizer("Lowercase"), normalizer("NFKC")]):
        yield "level", steps, [level()], bool(steps)
        yield "level", steps, [level(False)], True
    yield "level", [], [split(regex(GPT4), "Isolated"), level(False, False)], False
    yield "level", [], [split(regex(GPT4), "Removed", True), level(False, False)], False
    yield "level", [], [{"type": "Digits", "individual_digits": True}, level(True)], False
    yield "level", [], [{"type": "Punctuation", "behavior": "Contiguous"}, level(True, False)], True
    yield "level", [], [split(regex(r" ?[^(\s|[.,!?…。，、।۔،])]+"), "Isolated"), level(False, False)], False
    for expression in (r"(?<=[a-zо])[[:punct:]]|(?<!\w)\d++", r"(\w)\1|\p{Han}|[\w&&[^aeiou]]{2,}|\b\h", r"(?m:^.$)|\v|x*"):
        yield "level", [replace(regex(r"(?<=d)og(?!\S)"), "ig")], [split(regex(expression), "Isolated"),
                                                                   level(False, False)], False
    yield "level", [normalizer("ByteLevel")], [], False
    for steps in ([bert()], [bert(lowercase=False)], [], [normalizer("NFKC"), normalizer("Lowercase")],
                  [normalizer("NFD"), normalizer("Lowercase"), normalizer("StripAccents")]):
        for parts in ([{"type": "BertPreTokenizer"}], [{"type": "Whitespace"}],
                      [{"type": "WhitespaceSplit"}, {"type": "Punctuation", "behavior": "Isolated"}]):
            yield "pieces", steps, parts, len(parts) > 1


def is_sentencepiece(normal, parts, added):
    """Whether a SentencePiece model does the same."""
    kinds = [step["type"] for step in normal]
    never = [part.get("prepend_scheme") for part in parts] == ["never"]
    return not added and len(parts) == 1 and (kinds == ["Precompiled"] and never or
                                              kinds == ["Precompiled", "Strip", "Replace"])


def sequence(steps, kind, members):
    return None if not steps else steps[0] if len(steps) == 1 else {"type": kind, members: steps}


def described(base, case):
    """A tokenizer.json."""
    model, normal, parts, added = case
    tokenizer = json.loads(json.dumps(base[model]))
    tokenizer["normalizer"] = sequence(normal, "Sequence", "normalizers")
    tokenizer["pre_tokenizer"] = sequence(parts, "Sequence", "pretokenizers")
    if model == "llama":
        tokenizer["decoder"] = {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "always", "split": True}
    if added:
        size = max(tokenizer["model"]["vocab"].values()) + 1 if isinstance(tokenizer["model"]["vocab"], dict) else len(
            tokenizer["model"]["vocab"])
        size = max([size] + [token["id"] + 1 for token in tokenizer["added_tokens"]])
        for place, token in enumerate(ADDED):
            tokenizer["added_tokens"].append({"id": size + place, "single_word": False, "lstrip": False,
                                              "rstrip": False, "special": False, **token})
    return tokenizer


def ids_of(tokenizer, texts):
    library = tokenizers.Tokenizer.from_str(json.dumps(tokenizer))
    library.no_truncation()
    library.no_padding()
    library.encode_special_tokens = True
    return [library.encode(text, add_special_tokens=False).ids for text in texts]


def pieces():
    """A WordPiece model of letters and syllables."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "dog", "cat", "don", "river", "lo", "##ves", "abc", "def", "狗", "猫", "看见"]
    letters = [chr(c) for c in (*range(0x21, 0x7f), *range(0xe0, 0x100), *range(0x3b1, 0x3ca), *range(0x430, 0x450))]
    tokens = list(dict.fromkeys(words + letters + ["##" + letter for letter in letters] + list("，。«»—…€٪½²")))
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
            "pre_tokenizer": None, "post_processor": None, "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                      "max_input_chars_per_word": 100, "vocab": {token: place for place, token in enumerate(tokens)}}}


def random_texts(count):
    rng = random.Random(3)
    known = [c for c in range(0x20, 0x1fa00) if unicodedata.category(chr(c)) not in ("Cn", "Cs")]
    for _ in range(count):
        yield "".join(rng.choice(TEXTS) if rng.random() < 0.1 else chr(rng.choice(known)) if rng.random() < 0.5 else
                      rng.choice(" aeiourd1.\u0301,") for _ in range(rng.randint(1, 20)))


def main():
    (DATA / MODELS["pieces"]).write_text(json.dumps(pieces(), ensure_ascii=False, separators=(",", ":")) + "\n",
                                         encoding="utf-8")
    base = {name: json.loads((DATA / path).read_text(encoding="utf-8")) for name, path in MODELS.items()}
    rules = base["unigram"]["normalizer"]["normalizers"][0]["precompiled_charsmap"]
    short = {"precompiled": rules}
    recorded = []
    longer = list(random_texts(int(sys.argv[1]))) if len(sys.argv) > 2 else []
    found = []
    for case in cases(rules):
        tokenizer = described(base, case)
        ids = ids_of(tokenizer, TEXTS)
        # the rules come once
        if case[0] == "bytes" and is_sentencepiece(*case[1:]):
            ids = [None if "\u0301" in text or text.endswith("\n") else found for text, found in zip(TEXTS, ids)]
        text = json.dumps([case[1], case[2]]).replace(json.dumps(rules), '"precompiled"')
        normal, parts = json.loads(text)
        recorded.append({"model": case[0], "normalizers": normal, "splits": parts,
                         "added": tokenizer["added_tokens"][len(base[case[0]]["added_tokens"]):], "ids": ids})
        if longer:
            found.append({"tokenizer": tokenizer, "ids": ids_of(tokenizer, longer)})
    lines = ",\n".join(json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in recorded)
    head = json.dumps({"models": MODELS, **short, "texts": TEXTS}, ensure_ascii=False, separators=(",", ":"))
    FILE.write_text(head[:-1] + ',\n"cases":[\n' + lines + "\n]}\n", encoding="utf-8")
    print(len(recorded), "cases of", len(TEXTS), "texts")
    if longer:
        pathlib.Path(sys.argv[2]).write_text(json.dumps({"texts": longer, "cases": found}), encoding="utf-8")


if __name__ == "__main__":
    main()
