#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/t5/: small models of T5's families as transformers saves them, and what it does with 200 sentences
of five language pairs each. Arguments: which ones; none: all.

Needs torch, transformers, tokenizers, sentencepiece and protobuf. Sentences that come out differently in 32 and 64 bits
are left out, as are those with near ties.
"""
import json
import pathlib
import random
import shutil
import struct
import sys

import sentencepiece
import tokenizers
import torch
import transformers
from transformers.convert_slow_tokenizer import import_protobuf

import packed_json

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "t5"
MARGIN = 2e-4  # between scores of results next to each other
SENTENCES, FEW, LONGEST = 200, 16, 20
UNKNOWN = "Ω"  # a letter without a piece

WORDS = {
    "en": "dog cat house river friend letter garden winter|sees finds loves paints|old green small quiet|the|and",
    "de": "Hund Kater Turm Fluss Freund Brief Garten Winter|sieht findet liebt malt|alte grüne kleine stille|der|und",
    "fr": "chien chat château fleuve garçon crayon jardin lièvre|voit trouve aime peint|âgé vert léger brûlé|le|et",
    "ro": "câine pisoi oraș râu băiat creion codru iepure|vede găsește iubește vopsește|bătrân verde mic liniștit|un"
          "|și",
    "ru": "пёс кот дом поток друг лист сад зайчик|видит находит любит красит|старый зелёный малый тихий|этот|и",
    "zh": "狗 猫 房子 河流 朋友 信 花园 冬天|看见 找到 喜欢 画|老 绿 小 安静|那|和",
}
NAMES = {"en": "English", "de": "German", "fr": "French", "ro": "Romanian"}
RULES = {"ﬁ": "fi", "½": "1/2", "…": "...", "\u00a0": " ", "\t": " ", "Ａ": "A", "e\u0301": "é", "«": '"', "»": '"'}


class Language:
    """Word for word, but for the order of the words in every other language."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.words = {code: [part.split() for part in text.split("|")] for code, text in WORDS.items()}

    def sentence(self, longest):
        pick = lambda part: (part, self.rng.randrange(len(self.words["en"][part])))
        phrase = lambda: [(3, 0)] + ([pick(2)] if self.rng.random() < 0.5 else []) + [pick(0)]
        plan = phrase() + [pick(1)] + phrase()
        while len(plan) < longest - 4 and self.rng.random() < 0.3:
            plan += [(4, 0)] + phrase()
        return plan, self.rng.choice(".?!")

    def text(self, plan, code):
        words = [self.words[code][part][i] for part, i in plan[0]]
        if code in ("fr", "ru"):
            words.reverse()
        return " ".join(words) + plan[1]


PAIRS = {"t5": [("en", "de"), ("en", "fr"), ("en", "ro"), ("de", "en"), ("fr", "en")],
         "t5_v11": [("en", "de"), ("en", "fr"), ("en", "ro"), ("de", "en"), ("ro", "fr")],
         "mt5": [("en", "ru"), ("de", "en"), ("fr", "zh"), ("ro", "fr"), ("ru", "de")],
         "umt5": [("en", "zh"), ("de", "ru"), ("fr", "en"), ("ro", "de"), ("zh", "fr")],
         "byt5": [("en", "fr"), ("de", "ro"), ("fr", "de"), ("ro", "en"), ("zh", "de")],
         "madlad": [("en", "de"), ("de", "fr"), ("fr", "ro"), ("en", "ru"), ("ru", "zh")]}
SHAPE = {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "dropout_rate": 0.0,
         "relative_attention_num_buckets": 8, "relative_attention_max_distance": 12}
FAR = {"relative_attention_max_distance": 128}  # what GGUF files take for granted
GATED = {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}
MODELS = {
    # One matrix, ReLU, and what the published configurations say of tasks.
    "t5": {"seed": 1, "config": {**SHAPE, **FAR, "feed_forward_proj": "relu", "num_decoder_layers": 1},
           "sentinels": 100, "padding": 28, "save": "safetensors", "tokenizer": "spiece", "vocabulary": 190},
    # Flan: gated, its own projection, tokenizer.json alone, weights in shards.
    "t5_v11": {"seed": 2, "config": {**SHAPE, **GATED, **FAR}, "sentinels": 100, "padding": 28, "save": "shards",
               "tokenizer": "rebuilt", "vocabulary": 190},
    "mt5": {"seed": 3, "config": {**SHAPE, **GATED}, "sentinels": 0, "padding": 12, "save": "bin",
            "tokenizer": "spiece", "vocabulary": 240},
    "umt5": {"seed": 4, "config": {**SHAPE, **GATED}, "sentinels": 0, "padding": 12, "save": "safetensors",
             "tokenizer": "converted", "vocabulary": 240},
    # Ids of its own for the special tokens, languages among the pieces, bfloat16.
    "madlad": {"seed": 5, "config": {**SHAPE, **GATED, "num_layers": 3, "num_decoder_layers": 2}, "sentinels": 0,
               "padding": 0, "save": "bfloat16", "tokenizer": "added", "vocabulary": 250},
    "byt5": {"seed": 6, "config": {**SHAPE, **GATED}, "sentinels": 0, "padding": 0, "save": "safetensors",
             "tokenizer": "bytes"},
}


def longest(name):
    return 3 * LONGEST if name == "byt5" else LONGEST


def prompt(name, pair):
    if name.startswith("t5"):
        return f"translate {NAMES[pair[0]]} to {NAMES[pair[1]]}: "
    return f"<2{pair[1]}> " if name == "madlad" else ""


def forget_paths(path):
    proto = import_protobuf().ModelProto()
    proto.ParseFromString(path.read_bytes())
    proto.normalizer_spec.ClearField("normalization_rule_tsv")
    path.write_bytes(proto.SerializeToString())


def train_pieces(name, options, language, folder):
    rules = folder / "rules.tsv"
    code = lambda text: " ".join(f"{ord(c):X}" for c in text)
    rules.write_text("".join(f"{code(a)}\t{code(b)}\n" for a, b in RULES.items()))
    texts = []
    for _ in range(1500):
        plan = language.sentence(9)
        for pair in PAIRS[name]:
            words = prompt(name, pair) if name != "madlad" else ""
            texts += [words + language.text(plan, pair[0]), language.text(plan, pair[1])]
    special = (dict(unk_id=0, bos_id=-1, eos_id=2, pad_id=1, user_defined_symbols=["<2translate>"] + [
        f"<2{code}>" for code in ("de", "fr", "ro", "ru", "zh", "zh_Hant")]) if name == "madlad"
        else dict(pad_id=0, eos_id=1, unk_id=2, bos_id=-1))
    with open(folder / "spiece.model", "wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts), model_writer=file, vocab_size=options["vocabulary"], minloglevel=2,
            model_type="unigram", character_coverage=1.0, num_threads=1, shuffle_input_sentence=False,
            hard_vocab_limit=False, normalization_rule_tsv=str(rules), **special)
    rules.unlink()
    forget_paths(folder / "spiece.model")


def converted(folder, added):
    """As transformers 4 wrote tokenizer.json from a SentencePiece model."""
    proto = import_protobuf().ModelProto()
    proto.ParseFromString((folder / "spiece.model").read_bytes())
    backend = tokenizers.Tokenizer(tokenizers.models.Unigram(
        [(piece.piece, piece.score) for piece in proto.pieces], unk_id=proto.trainer_spec.unk_id))
    normal = tokenizers.normalizers
    backend.normalizer = normal.Sequence([normal.Precompiled(proto.normalizer_spec.precompiled_charsmap),
                                          normal.Strip(left=False, right=True),
                                          normal.Replace(tokenizers.Regex(" {2,}"), "▁")])
    backend.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(prepend_scheme="always")
    backend.decoder = tokenizers.decoders.Metaspace(prepend_scheme="always")
    end = proto.pieces[proto.trainer_spec.eos_id].piece
    backend.post_processor = tokenizers.processors.TemplateProcessing(
        single=["$A", end], pair=["$A", end, "$B", end], special_tokens=[(end, proto.trainer_spec.eos_id)])
    backend.add_special_tokens([piece.piece for piece in proto.pieces if piece.type in (2, 3)])
    if added:
        backend.add_tokens([tokenizers.AddedToken(piece.piece, normalized=False)
                            for piece in proto.pieces if piece.type == 4])
    backend.save(str(folder / "tokenizer.json"))
    piece = lambda i: proto.pieces[i].piece
    return transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"), eos_token=end, unk_token=piece(proto.trainer_spec.unk_id),
        pad_token=piece(proto.trainer_spec.pad_id))


def make_tokenizer(name, options, folder):
    if options["tokenizer"] == "bytes":
        tokenizer = transformers.ByT5Tokenizer()
        tokenizer.save_pretrained(folder)
        return tokenizer
    if options["tokenizer"] in ("converted", "added"):
        tokenizer = converted(folder, options["tokenizer"] == "added")
        if options["tokenizer"] == "converted":
            (folder / "spiece.model").unlink()
        return tokenizer
    tokenizer = transformers.T5Tokenizer.from_pretrained(folder, extra_ids=options["sentinels"])
    if options["tokenizer"] == "rebuilt":
        tokenizer.save_pretrained(folder)
        (folder / "spiece.model").unlink()
    else:
        config = {"tokenizer_class": "T5Tokenizer", "extra_ids": options["sentinels"], "eos_token": "</s>"}
        (folder / "tokenizer_config.json").write_text(json.dumps(config) + "\n")
    return tokenizer


def make_model(name, options, tokenizer):
    kind = {"mt5": "MT5", "umt5": "UMT5"}.get(name, "T5")
    config = dict(options["config"])
    config["vocab_size"] = len(tokenizer) + options["padding"]
    ids = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id,
           "decoder_start_token_id": 0}
    torch.manual_seed(options["seed"])
    made = getattr(transformers, kind + "Config")(initializer_factor=1.0, **ids, **config)
    model = getattr(transformers, kind + "ForConditionalGeneration")(made)
    if name in ("t5_v11", "mt5", "madlad"):  # published ones have a projection of their own
        model.lm_head.weight = torch.nn.Parameter(torch.randn_like(model.lm_head.weight) * 0.3)
    with torch.no_grad():
        model.shared.weight.normal_(0, 1.0 if name.startswith("t5") and name == "t5" else 0.5)
        for parameter_name, parameter in model.named_parameters():
            if "layer_norm" in parameter_name:
                parameter.uniform_(0.7, 1.3)
            if "relative_attention_bias" in parameter_name:
                parameter.normal_(0, 0.7)
    return model


def train(name, model, tokenizer, language, steps):
    optimiser = torch.optim.Adam(model.parameters(), lr=4e-3)
    pad = model.config.pad_token_id
    model.train()
    for step in range(steps):
        pairs = [PAIRS[name][(step + i) % 5] for i in range(24)]
        plans = [language.sentence(9 if name != "byt5" else 4) for _ in pairs]
        batch = tokenizer([prompt(name, pair) + language.text(plan, pair[0]) for pair, plan in zip(pairs, plans)],
                          return_tensors="pt", padding=True)
        labels = tokenizer([language.text(plan, pair[1]) for pair, plan in zip(pairs, plans)],
                           return_tensors="pt", padding=True)["input_ids"]
        labels[labels == pad] = -100
        loss = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], labels=labels).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 100 == 0 or step + 1 == steps:
            print(f"  step {step}: loss {loss.item():.3f}", flush=True)
    model.eval()


def save(name, options, model, folder):
    if options["save"] == "bfloat16":
        model.to(torch.bfloat16)
    model.generation_config.max_length = 2 * longest(name)
    model.save_pretrained(folder, max_shard_size="40KB" if options["save"] == "shards" else "10GB")
    if options["save"] == "bin":
        (folder / "model.safetensors").unlink()
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
    config = json.loads((folder / "config.json").read_text())
    if name in ("t5_v11", "madlad"):  # as transformers 4 wrote it
        config.pop("scale_decoder_outputs", None)
        config["tie_word_embeddings"] = False
    if name == "t5":
        config["task_specific_params"] = {
            f"translation_en_to_{to}": {"prefix": f"translate English to {NAMES[to]}: "} for to in ("de", "fr", "ro")}
        config["task_specific_params"]["summarization"] = {"prefix": "summarize: "}
        for source in ("de", "fr"):
            config["task_specific_params"][f"translation_{source}_to_en"] = {
                "prefix": f"translate {NAMES[source]} to English: "}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")


GGUF_NAMES = [("shared", "token_embd"), ("lm_head", "output"), ("encoder.final_layer_norm", "enc.output_norm"),
              ("decoder.final_layer_norm", "dec.output_norm"), ("encoder.block.", "enc.blk."),
              ("decoder.block.", "dec.blk."), ("layer.0.SelfAttention.relative_attention_bias", "attn_rel_b"),
              ("layer.0.SelfAttention.", "attn_"), ("layer.0.layer_norm", "attn_norm"),
              ("layer.1.EncDecAttention.", "cross_attn_"), ("DenseReluDense.wi_0", "ffn_gate"),
              ("DenseReluDense.wi_1", "ffn_up"), ("DenseReluDense.wi", "ffn_up"), ("DenseReluDense.wo", "ffn_down"),
              ("enc.blk.N.layer.1.layer_norm", "enc.blk.N.ffn_norm"), ("dec.blk.N.layer.1.layer_norm",
              "dec.blk.N.cross_attn_norm"), ("dec.blk.N.layer.2.layer_norm", "dec.blk.N.ffn_norm")]


def gguf_name(name):
    number = next((part for part in name.split(".") if part.isdigit()), "")
    for there, here in GGUF_NAMES:
        name = name.replace(there.replace("N", number), here.replace("N", number))
    return name.replace(".layer.1.", ".").replace(".layer.2.", ".")


def gguf_value(value):
    """Type number and bytes."""
    if isinstance(value, bytes):
        return 9, struct.pack("<IQ", 0, len(value)) + value
    if isinstance(value, tuple):
        return 9, struct.pack(f"<IQ{len(value)}i", 5, len(value), *value)
    if isinstance(value, list):
        items = [gguf_value(item) for item in value]
        return 9, struct.pack("<IQ", items[0][0], len(items)) + b"".join(content for _, content in items)
    if isinstance(value, bool):
        return 7, bytes([value])
    if isinstance(value, int):
        return 4, struct.pack("<I", value)
    if isinstance(value, float):
        return 6, struct.pack("<f", value)
    return 8, struct.pack("<Q", len(value.encode())) + value.encode()


def save_gguf(path, model, spiece, sentinels):
    """As llama.cpp's converter lays it out: architecture t5, float32."""
    proto = import_protobuf().ModelProto()
    proto.ParseFromString(spiece)
    config, rows = model.config, model.config.vocab_size
    tokens = [(piece.piece, piece.score, piece.type) for piece in proto.pieces]
    tokens += [(f"<extra_id_{i}>", -1000.0, 4) for i in reversed(range(sentinels))]
    tokens += [(f"[PAD{i}]", -10000.0, 5) for i in range(len(tokens), rows)]
    keys = {"general.architecture": "t5", "t5.context_length": 512, "t5.embedding_length": config.d_model,
            "t5.feed_forward_length": config.d_ff, "t5.block_count": config.num_layers,
            "t5.decoder_block_count": config.num_decoder_layers, "t5.attention.head_count": config.num_heads,
            "t5.attention.key_length": config.d_kv, "t5.attention.value_length": config.d_kv,
            "t5.attention.layer_norm_rms_epsilon": config.layer_norm_epsilon,
            "t5.attention.relative_buckets_count": config.relative_attention_num_buckets,
            "t5.decoder_start_token_id": 0, "tokenizer.ggml.model": "t5", "tokenizer.ggml.pre": "default",
            "tokenizer.ggml.tokens": [text for text, _, _ in tokens],
            "tokenizer.ggml.scores": [float(score) for _, score, _ in tokens],
            "tokenizer.ggml.token_type": tuple(kind for _, _, kind in tokens),
            "tokenizer.ggml.add_space_prefix": True, "tokenizer.ggml.remove_extra_whitespaces": True,
            "tokenizer.ggml.precompiled_charsmap": proto.normalizer_spec.precompiled_charsmap,
            "tokenizer.ggml.eos_token_id": 1, "tokenizer.ggml.unknown_token_id": 2,
            "tokenizer.ggml.padding_token_id": 0}
    header, data, tensors = b"", b"", {}
    for name, tensor in model.state_dict().items():
        if "embed_tokens" in name or (name == "lm_head.weight" and torch.equal(tensor, model.shared.weight)):
            continue
        tensors[gguf_name(name)] = tensor.float().contiguous().numpy()
    for key, value in keys.items():
        number, content = gguf_value(value)
        header += gguf_value(key)[1] + struct.pack("<I", number) + content
    for name, tensor in tensors.items():
        header += gguf_value(name)[1] + struct.pack("<I", tensor.ndim)
        header += b"".join(struct.pack("<Q", size) for size in reversed(tensor.shape))
        header += struct.pack("<IQ", 0, len(data))
        data += tensor.tobytes() + bytes(-tensor.nbytes % 32)
    header = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys)) + header
    path.write_bytes(header + bytes(-len(header) % 32) + data)


CASES = [("greedy", {}, SENTENCES), ("beam4", {"num_beams": 4}, SENTENCES),
         ("nbest", {"num_beams": 4, "num_return_sequences": 4}, FEW),
         ("short", {"num_beams": 4, "num_return_sequences": 2, "length_penalty": 0.2}, FEW),
         ("long", {"num_beams": 3, "num_return_sequences": 2, "length_penalty": 2.0, "early_stopping": True}, FEW),
         ("ngram", {"num_beams": 4, "num_return_sequences": 2, "no_repeat_ngram_size": 2}, FEW)]


class Recorder:
    def __init__(self, name, folder, tokenizer):
        self.name, self.tokenizer = name, tokenizer
        load = transformers.AutoModelForSeq2SeqLM.from_pretrained
        self.models = [load(folder, dtype=dtype).eval() for dtype in (torch.float32, torch.float64)]

    def generate(self, model, text, given):
        inputs = self.tokenizer(text, return_tensors="pt")
        output = model.generate(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"],
                                do_sample=False, max_new_tokens=longest(self.name), output_scores=True,
                                return_dict_in_generate=True, **given)
        eos, ids = self.tokenizer.eos_token_id, []
        for row in output.sequences.tolist():
            row = row[1:]
            ids.append(row[:row.index(eos)] if eos in row else row)
            if eos not in row and "sequences_scores" in output:
                return None, None  # cut off: padding cannot be told from what was generated
        if "sequences_scores" in output:
            return ids, output.sequences_scores.tolist()
        scores = model.compute_transition_scores(output.sequences, output.scores, normalize_logits=True)[0]
        best = [step[0].topk(2).values for step in output.scores]
        close = min((values[0] - values[1]).item() for values in best) < MARGIN
        return (None, None) if close else (ids, [scores.mean().item()])

    def record(self, pair, text, given):
        words = prompt(self.name, pair) + text
        ids, scores = self.generate(self.models[0], words, given)
        other, _ = self.generate(self.models[1], words, given)
        if ids is None or ids != other or any(a - b < MARGIN for a, b in zip(scores, scores[1:])):
            return None
        name = lambda i: self.tokenizer.convert_ids_to_tokens(i) or f"<unused_{i}>"
        if self.name == "byt5":
            name = lambda i: f"<0x{i - 3:02X}>" if 3 <= i < 259 else self.tokenizer.convert_ids_to_tokens(i)
            if not all(is_text(row) for row in ids):  # transformers drops lone bytes, SentencePiece shows U+FFFD
                return None
        tokens = lambda row: list(map(name, row))
        source = tokens(self.tokenizer(words)["input_ids"])
        return {"from": pair[0], "to": pair[1], "text": text, "source": " ".join(source),
                "texts": [self.tokenizer.decode(row, skip_special_tokens=True) for row in ids],
                "tokens": [" ".join(tokens(row)) for row in ids], "scores": [round(score, 6) for score in scores]}


def is_text(row):
    try:
        return bytes(i - 3 for i in row if 3 <= i < 259).decode() is not None
    except UnicodeDecodeError:
        return False


def texts_of(name, language):
    for i in range(10 * SENTENCES):
        pair = PAIRS[name][i % 5]
        text = language.text(language.sentence(13 if name != "byt5" else 4), pair[0])
        if i % 20 == 3:
            text = text.replace("a", UNKNOWN, 1)
        if i % 20 == 11:
            text = "ﬁ½ " + text + " …"
        yield pair, text


def record(name, folder, tokenizer, language):
    recorder = Recorder(name, folder, tokenizer)
    texts = list(texts_of(name, language))
    cases = []
    for case, given, count in CASES:
        kept = []
        for pair, text in texts:
            if len(kept) < count and (result := recorder.record(pair, text, given)):
                kept.append(result)
        print(f"  {case}: {len(kept)} of {count}, e.g. {kept[0]['text']} -> {kept[0]['texts'][0]}", flush=True)
        assert len(kept) == count
        cases.append({"name": case, "given": given, "items": kept})
    return cases


def main():
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    for name in sys.argv[1:] or MODELS:
        print(name)
        options, folder, language = MODELS[name], DATA / name, Language(MODELS[name]["seed"])
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if options["tokenizer"] != "bytes":
            train_pieces(name, options, language, folder)
            spiece = (folder / "spiece.model").read_bytes()
        tokenizer = make_tokenizer(name, options, folder)
        model = make_model(name, options, tokenizer)
        train(name, model, tokenizer, language, 300)
        if options["sentinels"]:
            save_gguf(DATA / f"{name}.gguf", model, spiece, options["sentinels"])
        save(name, options, model, folder)
        packed_json.pack_tokenizer(folder)
        language.rng.seed(options["seed"] + 100)
        dump = lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        lines = []
        for case in record(name, folder, tokenizer, language):
            items = ",\n".join(map(dump, case["items"]))
            lines.append(f'{{"name":{dump(case["name"])},"given":{dump(case["given"])},"items":[\n{items}]}}')
        (folder / "recorded.json").write_text(
            f'{{"generator":"transformers {transformers.__version__}, CPU, float32","max_new_tokens":{longest(name)},\n'
            '"cases":[' + ",\n".join(lines) + "]}\n", encoding="utf-8")
        for path in folder.iterdir():
            path.chmod(0o644)


if __name__ == "__main__":
    main()
