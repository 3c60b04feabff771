#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/huggingface/{m2m100,nllb,mbart50,mbart25,bart,untied}/: small models of these families as transformers
has them, and translations.json: what it does with them. Arguments: which ones; none: all.

Needs torch, transformers 5 and sentencepiece. The tokenizers have the real layouts: fairseq's order of ids, every
language code at its place. Sentences that come out differently in 32 and 64 bits are left out, as are those with near
ties among their results.
"""
import json
import pathlib
import random
import shutil
import sys
import tempfile

import sentencepiece
import tokenizers
import torch
import transformers
from transformers.models.m2m_100 import tokenization_m2m_100 as m2m_100
from transformers.models.nllb import tokenization_nllb as nllb

import packed_json

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "huggingface"
MARGIN = 2e-4  # between the scores of results next to each other
SENTENCES = 200
STEPS = 1200
NETWORK = {"d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_ffn_dim": 48, "decoder_ffn_dim": 40,
           "encoder_attention_heads": 4, "decoder_attention_heads": 2, "max_position_embeddings": 64, "init_std": 0.1,
           "dropout": 0.0, "attention_dropout": 0.0, "activation_dropout": 0.0, "encoder_layerdrop": 0.0,
           "decoder_layerdrop": 0.0, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
LANGUAGES = ("en", "de", "fr", "ru", "ja")
PAIRS = [("en", "de"), ("de", "fr"), ("fr", "ru"), ("ru", "ja"), ("ja", "en")]
OPTIONS = {"num_beams": "beam_size", "max_new_tokens": "max_decoding_length", "num_return_sequences": "num_hypotheses",
           "length_penalty": "length_penalty", "no_repeat_ngram_size": "no_repeat_ngram_size",
           "repetition_penalty": "repetition_penalty", "early_stopping": "early_stopping"}
ODD_TEXTS = ["", " ", "   ", "a", " a", "a ", "  a", "a  b", "a   b ", "\t\ta", "a\n\nb", "a\r\n b", "a\u00a0b", "\u3000a\u3000 b",
             "it's we're I've I'm you'll he'd can't 'S 'x ' s", "''s", " 's", "'re'", "l'amour", "1 23 4.5 ½ Ⅷ ①a1",
             "a1b2", "x²", "...", " ...", "?! a", "a , b", "¿qué?", "naïve café", "e\u0301a", "привет мир", "駅 は大きい。",
             "مرحبا بالعالم", "हिन्दी में", "👩‍👩‍👧 🏳️‍🌈", "a👍b", "\u200bzero\u200b", "\ufeffa", "a\u0085b", "_a_ b-c/d\\e",
             "ﬁ ＡＢ", "< s> a < /s>", "a\x00b", "\U0001d54f\U0001d7d8 \U0001f600",
             "aaaaaaaaaaaaaaaaaaaaaaaaaaaa", "ththththththththth", "stan stan  stan   stan", "~!@#$%^&*()_+", "±÷×", "¡", "­a"]
# How transformers is asked, and of how many sentences.
CASES = [({"num_beams": 1}, SENTENCES),
         ({"num_beams": 4}, SENTENCES),
         ({}, 30),
         ({"num_beams": 4, "num_return_sequences": 4, "max_new_tokens": 12}, 40),
         ({"num_beams": 4, "length_penalty": 0.3}, 40),
         ({"num_beams": 4, "length_penalty": 2.0, "num_return_sequences": 2, "early_stopping": True}, 40),
         ({"num_beams": 4, "no_repeat_ngram_size": 2}, 40),
         ({"num_beams": 1, "no_repeat_ngram_size": 1}, 30),
         ({"num_beams": 3, "repetition_penalty": 1.3}, 30)]


class Words:
    """Word for word; some languages write the words of others backwards, one without spaces."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        parts = {"en": (["st", "br", "th", "w"], ["a", "ee", "o"], ["n", "rd", "ck", "ll"]),
                 "de": (["Sch", "gr", "k", "z"], ["ä", "ö", "ei", "u"], ["ß", "cht", "ng", "r"]),
                 "fr": (["ch", "p", "l'", "d'"], ["é", "ou", "è", "ai"], ["que", "sse", "r", "l"]),
                 "ru": (["при", "г", "ж", "сл"], ["о", "ы", "е", "я"], ["вет", "ть", "л", "н"]),
                 "ja": (["駅", "水", "日", "山"], ["は", "の", "を", "が"], ["大", "小", "本", "人"])}
        self.words = {}
        for language, choices in parts.items():
            made = sorted({"".join(self.rng.choice(part) for part in choices) for _ in range(200)})
            self.words[language] = self.rng.sample(made, 16)

    def write(self, concepts, mark, language):
        words = [self.words[language][i] for i in concepts]
        if language in ("de", "ja"):
            words.reverse()
        return ("。" if language == "ja" else mark).join(["".join(words) if language == "ja" else " ".join(words), ""])

    def pair(self, source, target, longest=6):
        concepts = [self.rng.randrange(16) for _ in range(self.rng.randint(1, longest))]
        mark = self.rng.choice(".?!")
        return self.write(concepts, mark, source), self.write(concepts, mark, target)

    def odd(self, text):
        """What users type: other spaces, wide letters, characters that no piece has."""
        kind = self.rng.randrange(12)
        if kind == 0:
            return text.replace(" ", "  ")
        if kind == 1:
            return text + " ＡＢ ﬁ"
        if kind == 2:
            return "☃ " + text
        return text + " 12" if kind == 3 else text


def train_pieces(path, words, kind):
    texts = [text for _ in range(700) for pair in PAIRS for text in words.pair(*pair)]
    rules = path.with_name("rules.tsv")  # a few of NFKC's, which take 240 kB
    rules.write_text("".join(f"{ord(wide):X}\t{' '.join(f'{ord(c):X}' for c in plain)}\n"
                             for wide, plain in {"Ａ": "A", "Ｂ": "B", "ﬁ": "fi", "？": "?"}.items()))
    with open(path, "wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts), model_writer=file, vocab_size=260, model_type=kind,
            normalization_rule_tsv=str(rules), character_coverage=1.0, minloglevel=2, num_threads=1,
            shuffle_input_sentence=False, hard_vocab_limit=False)
    rules.unlink()


class Family:
    """A tokenizer in a folder, and a model for it."""
    pieces = "unigram"
    codes = dict(zip(LANGUAGES, LANGUAGES))
    start = 2
    shards = None  # bytes
    generation = {}

    def make_tokenizer(self, folder, words):
        train_pieces(folder / "sentencepiece.bpe.model", words, self.pieces)
        return self.tokenizer_class.from_pretrained(folder)

    def rows(self, tokenizer):
        return len(tokenizer)

    def config(self, rows):
        return self.config_class(vocab_size=rows, decoder_start_token_id=self.start, forced_eos_token_id=None,
                                 scale_embedding=True, activation_function="gelu", **NETWORK)

    def encode(self, tokenizer, text, language):
        tokenizer.src_lang = self.codes[language]
        return tokenizer(text)["input_ids"]

    def begin(self, tokenizer, language):
        """Of a target: the start, and what is forced behind it."""
        return [self.start, tokenizer.convert_tokens_to_ids(self.token(language))]

    def token(self, language):
        return self.codes[language]

    def given(self, tokenizer, language):
        return {"forced_bos_token_id": self.begin(tokenizer, language)[1]}

    def save(self, model, folder):
        model.save_pretrained(folder, max_shard_size=self.shards or "5GB")


class M2M100(Family):
    pieces = "bpe"
    tokenizer_class, config_class = transformers.M2M100Tokenizer, transformers.M2M100Config
    model_class = transformers.M2M100ForConditionalGeneration

    def make_tokenizer(self, folder, words):
        train_pieces(folder / "sentencepiece.bpe.model", words, self.pieces)
        pieces = sentencepiece.SentencePieceProcessor(str(folder / "sentencepiece.bpe.model"))
        # fairseq counts pieces: other ids than SentencePiece's, and rare ones are not there.
        order = list(range(3, len(pieces) - 2))
        random.Random(5).shuffle(order)
        tokens = ["<s>", "<pad>", "</s>", "<unk>"] + [pieces.id_to_piece(i) for i in order]
        (folder / "vocab.json").write_text(json.dumps({token: i for i, token in enumerate(tokens)}))
        codes = [f"__{code}__" for code in m2m_100.FAIRSEQ_LANGUAGE_CODES["m2m100"]]
        return m2m_100.M2M100Tokenizer(folder / "vocab.json", folder / "sentencepiece.bpe.model",
                                       additional_special_tokens=codes)

    def rows(self, tokenizer):
        return tokenizer.encoder_size + len(tokenizer.lang_code_to_id) + tokenizer.num_madeup_words

    def config(self, rows):
        config = super().config(rows)
        config.activation_function = "relu"
        return config

    def token(self, language):
        return f"__{language}__"


class Nllb(Family):
    pieces = "bpe"
    codes = {"en": "eng_Latn", "de": "deu_Latn", "fr": "fra_Latn", "ru": "rus_Cyrl", "ja": "jpn_Jpan"}
    tokenizer_class, config_class = transformers.NllbTokenizer, transformers.M2M100Config
    model_class = transformers.M2M100ForConditionalGeneration
    shards = "60KB"

    def make_tokenizer(self, folder, words):
        """With the languages, which transformers 5 leaves out where there is no tokenizer.json yet."""
        made = super().make_tokenizer(folder, words)
        model = json.loads(made.backend_tokenizer.to_str())["model"]
        tokens = sorted(model["vocab"], key=model["vocab"].get) + nllb.FAIRSEQ_LANGUAGE_CODES + ["<mask>"]
        tokenizer = self.tokenizer_class(vocab={token: i for i, token in enumerate(tokens)},
                                         merges=[tuple(merge) for merge in model["merges"]])
        tokenizer.backend_tokenizer.normalizer = made.backend_tokenizer.normalizer
        return tokenizer

    def rows(self, tokenizer):
        return len(tokenizer) + 2

    def config(self, rows):
        config = super().config(rows)
        config.activation_function = "relu"
        return config


class MBart50(Family):
    codes = {"en": "en_XX", "de": "de_DE", "fr": "fr_XX", "ru": "ru_RU", "ja": "ja_XX"}
    tokenizer_class, config_class = transformers.MBart50Tokenizer, transformers.MBartConfig
    model_class = transformers.MBartForConditionalGeneration

    def save(self, model, folder):
        """One file of torch.save."""
        super().save(model, folder)
        (folder / "model.safetensors").unlink()
        torch.save(model.state_dict(), folder / "pytorch_model.bin")


class MBart25(MBart50):
    tokenizer_class = transformers.MBartTokenizer
    start = None

    def make_tokenizer(self, folder, words):
        """With the rules of the SentencePiece model, which transformers 5 leaves out."""
        tokenizer = super().make_tokenizer(folder, words)
        fifty = transformers.MBart50Tokenizer.from_pretrained(folder)
        tokenizer.backend_tokenizer.normalizer = fifty.backend_tokenizer.normalizer
        return tokenizer

    def begin(self, tokenizer, language):
        return [tokenizer.convert_tokens_to_ids(self.token(language))]

    def given(self, tokenizer, language):
        return {"decoder_start_token_id": self.begin(tokenizer, language)[0]}

    def save(self, model, folder):
        """Files of torch.save with an index."""
        Family.save(self, model, folder)
        (folder / "model.safetensors").unlink()
        tied = ("lm_head.weight", "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight")
        state = {name: value for name, value in model.state_dict().items() if name not in tied}
        names, places = sorted(state), {}
        for i, part in enumerate((names[::2], names[1::2])):
            file = f"pytorch_model-{i + 1:05}-of-00002.bin"
            torch.save({name: state[name].clone() for name in part}, folder / file)
            places.update({name: file for name in part})
        index = {"metadata": {}, "weight_map": places}
        (folder / "pytorch_model.bin.index.json").write_text(json.dumps(index, indent=1))


class Untied(M2M100):
    """Encoder, decoder and projection have matrices of their own; nobody uses the shared one."""

    def config(self, rows):
        config = super().config(rows)
        config.tie_word_embeddings = False
        return config


# These files are common to `untied` and `m2m100`, where they are stored.
SHARED_FILES = ("added_tokens.json", "sentencepiece.bpe.model", "tokenizer_config.json", "vocab.json")


def tokenizer_folder(name):
    return DATA / ("m2m100" if name == "untied" else name)


class Bart(Family):
    """No languages; byte-level BPE; the start of the text is forced behind the start token."""
    codes = dict.fromkeys(LANGUAGES, "")
    generation = {"forced_bos_token_id": 0}
    tokenizer_class, config_class = transformers.BartTokenizer, transformers.BartConfig
    model_class = transformers.BartForConditionalGeneration

    def make_tokenizer(self, folder, words):
        pieces = tokenizers.ByteLevelBPETokenizer()
        texts = [text for _ in range(300) for pair in PAIRS for text in words.pair(*pair)]
        texts += [text for text in ODD_TEXTS for _ in range(3)]
        pieces.train_from_iterator(texts, vocab_size=500, min_frequency=2, show_progress=False,
                                   special_tokens=["<s>", "<pad>", "</s>", "<unk>"])
        pieces.add_special_tokens(["<mask>"])
        pieces.save_model(str(folder))
        vocabulary = json.loads((folder / "vocab.json").read_text())
        vocabulary["<mask>"] = len(vocabulary)
        (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False))
        return self.tokenizer_class.from_pretrained(folder)

    def config(self, rows):
        config = super().config(rows)
        config.scale_embedding = False
        return config

    def encode(self, tokenizer, text, language):
        return tokenizer(text)["input_ids"]

    def begin(self, tokenizer, language):
        return [self.start, 0]

    def given(self, tokenizer, language):
        return {}


FAMILIES = {"m2m100": M2M100(), "nllb": Nllb(), "mbart50": MBart50(), "mbart25": MBart25(), "bart": Bart(),
            "untied": Untied()}


def train(family, model, tokenizer, words):
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, STEPS, pct_start=0.1)
    pairs = []
    for _ in range(400):
        for source, target in PAIRS:
            texts = words.pair(source, target)
            begin = family.begin(tokenizer, target)
            pieces = tokenizer(texts[1], add_special_tokens=False)["input_ids"]
            pairs.append((family.encode(tokenizer, texts[0], source), begin, pieces))
    pad = model.config.pad_token_id
    stack = lambda rows, fill: torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], True, fill)
    model.train()
    for step in range(STEPS):
        batch = [words.rng.choice(pairs) for _ in range(24)]
        sources = stack([source for source, _, _ in batch], pad)
        inputs = stack([begin + pieces for _, begin, pieces in batch], pad)
        labels = stack([[-100] * (len(begin) - 1) + pieces + [2] for _, begin, pieces in batch], -100)
        logits = model(input_ids=sources, attention_mask=sources.ne(pad).long(), decoder_input_ids=inputs).logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100,
                                                 label_smoothing=0.05)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 200 == 0 or step + 1 == STEPS:
            print(f"  step {step}: loss {loss.item():.3f}", flush=True)
    model.eval()


class Recorder:
    def __init__(self, family, folder, tokenizer):
        self.family, self.tokenizer = family, tokenizer
        self.models = [family.model_class.from_pretrained(folder, dtype=dtype).eval()
                       for dtype in (torch.float32, torch.float64)]

    def generate(self, which, source, target, given):
        model = self.models[which]
        output = model.generate(torch.tensor([source]), attention_mask=torch.ones(1, len(source), dtype=torch.long),
                                do_sample=False, output_scores=True, return_dict_in_generate=True,
                                **self.family.given(self.tokenizer, target), **given)
        begin = len(self.family.begin(self.tokenizer, target))
        rows = []
        for row in output.sequences.tolist():
            row = row[begin:]
            rows.append(row[:row.index(2)] if 2 in row else [token for token in row if token != 1])
        return rows, output.sequences_scores.tolist() if "sequences_scores" in output else None

    def stable(self, source, target, given):
        """[tokens, text, score] of each result, or None."""
        rows, scores = self.generate(0, source, target, given)
        if self.generate(1, source, target, given)[0] != rows:
            return None
        if scores and any(a - b < MARGIN for a, b in zip(scores, scores[1:])):
            return None
        return [[" ".join(self.tokenizer.convert_ids_to_tokens(row)),
                 self.tokenizer.decode(row, skip_special_tokens=True), round(score, 6) if score else None]
                for row, score in zip(rows, scores or [None] * len(rows))]


def record(family, folder, tokenizer, words):
    recorder = Recorder(family, folder, tokenizer)
    sentences = []
    for i in range(SENTENCES + 20):
        source, target = PAIRS[i % len(PAIRS)]
        text = words.odd(words.pair(source, target, 8)[0])
        sentences.append((source, target, text, family.encode(tokenizer, text, source)))
    cases = []
    for given, count in CASES:
        results = [[i, *result] for i, (_, target, _, ids) in enumerate(sentences[:count + 20])
                   if (result := recorder.stable(ids, target, given))][:count]
        print(f"  {given}: {len(results)}", flush=True)
        assert len(results) == count, len(results)
        options = {OPTIONS[key]: value for key, value in given.items()}
        if "early_stopping" in options:
            options["early_stopping"] = "on"
        cases.append({"options": options, "results": results})
    dump = lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    lines = lambda items: "[\n" + ",\n".join(map(dump, items)) + "\n]"
    if family.codes["en"] == "":
        sentences = [("", "", text, ids) for _, _, text, ids in sentences]
    sources = [[source, target, text, " ".join(tokenizer.convert_ids_to_tokens(ids))]
               for source, target, text, ids in sentences]
    made_by = f"transformers {transformers.__version__}, CPU, float32"
    (folder / "translations.json").write_text(
        '{"generator":' + dump(made_by) + ',\n"sentences":' + lines(sources) + ',\n"cases":[\n' +
        ",\n".join('{"options":' + dump(case["options"]) + ',"results":' + lines(case["results"]) + "}"
                   for case in cases) + "\n]}\n", encoding="utf-8")
    for case in cases[1]["results"][:4]:
        print("  ", sentences[case[0]][:3], case[1])


def record_legacy(family, folder, words):
    """NLLB as it was first published: the language behind the end of the text."""
    tokenizer = family.tokenizer_class.from_pretrained(folder, legacy_behaviour=True)
    recorder = Recorder(family, folder, tokenizer)
    lines = []
    for i in range(20):
        source, target = PAIRS[i % len(PAIRS)]
        text = words.pair(source, target)[0]
        ids = family.encode(tokenizer, text, source)
        if result := recorder.stable(ids, target, {"num_beams": 4}):
            lines.append([source, target, text, " ".join(tokenizer.convert_ids_to_tokens(ids)), *result])
    (folder / "legacy.json").write_text(
        "[" + ",\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "]\n", encoding="utf-8")


def record_tokens(folder, tokenizer):
    """[text, its tokens, their text]"""
    lines = []
    for text in ODD_TEXTS:
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        lines.append([text, tokenizer.convert_ids_to_tokens(ids), tokenizer.decode(ids)])
        half = ids[:len(ids) // 2]  # which may end within a character
        lines.append([None, tokenizer.convert_ids_to_tokens(half), tokenizer.decode(half)])
    (folder / "tokens.json").write_text(
        "[" + ",\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "]\n", encoding="utf-8")


def make(name, family):
    torch.manual_seed(7)
    words = Words(3)
    folder = DATA / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        made_in = pathlib.Path(temporary)
        tokenizer = family.make_tokenizer(made_in, words)
        model = family.model_class(family.config(family.rows(tokenizer)))
        train(family, model, tokenizer, words)
        model.generation_config.update(num_beams=5, max_length=40, early_stopping=True, **family.generation)
        family.save(model.half(), folder)
        tokenizer.save_pretrained(folder)
        for file in made_in.iterdir():  # transformers 5 leaves it out where it has its own file
            if not (folder / file.name).exists():
                shutil.copy(file, folder)
    packed_json.pack_tokenizer(folder)
    for file in folder.iterdir():
        file.chmod(0o644)
    record(family, folder, tokenizer, words)
    if name == "untied":
        for file in SHARED_FILES:
            (folder / file).unlink()
    if name == "nllb":
        record_legacy(family, folder, words)
    if name == "bart":
        record_tokens(folder, tokenizer)
    print("  bytes:", {file.name: file.stat().st_size for file in folder.iterdir()})


def main():
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    for name in sys.argv[1:] or FAMILIES:
        print(name)
        make(name, FAMILIES[name])


if __name__ == "__main__":
    main()
