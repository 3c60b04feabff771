#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/huggingface/: small MarianMT models as transformers saves them, and what it does with them.
Arguments: which ones; none: all.

Needs torch, transformers and sentencepiece. Beside what ../data/README.md describes, expected.json has "positions"
(rows of the position table) and "first_step" (log-probabilities of every token after the start token).
"""
import json
import pathlib
import random
import shutil
import sys
import tempfile

import sentencepiece
import torch
import transformers

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "huggingface"
MARGIN = 1e-3  # of log-probability between a chosen token and the next one; closer calls are left out
SENTENCES = 40

MODELS = {
    # One vocabulary, one embedding matrix, two target languages, 16-bit floats.
    "shared": {"seed": 1, "dtype": torch.float16, "separate": False, "codes": [">>xx<<", ">>yy<<"], "steps": 2500,
               "pad_bias": 8.0,
               "config": {"d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_ffn_dim": 64,
                          "decoder_ffn_dim": 64, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
                          "activation_function": "swish", "scale_embedding": True, "max_position_embeddings": 64}},
    # Everything that may differ between the two sides does.
    "separate": {"seed": 2, "dtype": torch.float32, "separate": True, "codes": [], "steps": 2000, "pad_bias": 0.0,
                 "config": {"d_model": 24, "encoder_layers": 2, "decoder_layers": 1, "encoder_ffn_dim": 48,
                            "decoder_ffn_dim": 40, "encoder_attention_heads": 2, "decoder_attention_heads": 4,
                            "activation_function": "gelu", "scale_embedding": False, "max_position_embeddings": 48}},
}


class Language:
    """Word for word; in the second target language the words come in reverse."""

    def __init__(self, seed, codes):
        rng = random.Random(seed)
        word = lambda parts: "".join(rng.choice(part) for part in parts)
        self.rng, self.codes = rng, codes
        self.source = sorted({word([["ba", "ké", "lo", "mi"], ["na", "so", "", "ti"], ["n", "ra", "ß"]])
                              for _ in range(60)})[:24]
        self.target = sorted({word([["Ga", "ди", "fo", "vö"], ["ла", "pi", "", "ku"], ["й", "sa", "x"]])
                              for _ in range(60)})[:24]
        rng.shuffle(self.target)

    def sample(self, longest):
        chosen = [self.rng.randrange(len(self.source)) for _ in range(self.rng.randint(1, longest))]
        mark = self.rng.choice(".?!")
        code = self.rng.choice(self.codes) if self.codes else ""
        source = " ".join(self.source[i] for i in chosen) + mark
        if self.codes and code == self.codes[1]:
            chosen.reverse()
        return code + (" " if code else "") + source, " ".join(self.target[i] for i in chosen) + mark


def train_pieces(path, texts, size):
    with open(path, "wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts), model_writer=file, vocab_size=size, model_type="unigram",
            character_coverage=1.0, minloglevel=2, num_threads=1, normalization_rule_name="identity",
            shuffle_input_sentence=False, hard_vocab_limit=False, bos_id=-1, eos_id=0, unk_id=1, pad_id=-1)


def vocabulary(path, others):
    pieces = sentencepiece.SentencePieceProcessor(str(path))
    tokens = [pieces.id_to_piece(i) for i in range(pieces.get_piece_size())] + others + ["<pad>"]
    return {token: i for i, token in enumerate(tokens)}


def make_tokenizer(folder, language, separate):
    texts = [language.sample(6) for _ in range(3000)]
    plain = lambda text: text.split("<< ")[-1]
    if separate:
        train_pieces(folder / "source.spm", [plain(source) for source, _ in texts], 60)
        train_pieces(folder / "target.spm", [target for _, target in texts], 40)
    else:
        train_pieces(folder / "source.spm", [plain(source) for source, _ in texts] + [target for _, target in texts],
                     92)
        shutil.copyfile(folder / "source.spm", folder / "target.spm")
    files = {"vocab": vocabulary(folder / "source.spm", language.codes)}
    if separate:
        files["target_vocab_file"] = vocabulary(folder / "target.spm", [])
    paths = {}
    for name, content in files.items():
        paths[name] = str(folder / f"{name}.train.json")
        pathlib.Path(paths[name]).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return transformers.MarianTokenizer(str(folder / "source.spm"), str(folder / "target.spm"),
                                        separate_vocabs=separate, model_max_length=64, **paths)


def make_model(options, tokenizer):
    target_vocabulary = tokenizer.target_encoder if options["separate"] else tokenizer.encoder
    pad = target_vocabulary["<pad>"]
    torch.manual_seed(options["seed"])
    config = transformers.MarianConfig(
        vocab_size=len(tokenizer.encoder), decoder_vocab_size=len(target_vocabulary), pad_token_id=pad,
        decoder_start_token_id=pad, eos_token_id=0, bos_token_id=0, forced_eos_token_id=0, dropout=0.0, init_std=0.1,
        share_encoder_decoder_embeddings=not options["separate"], **options["config"])
    model = transformers.MarianMTModel(config)
    with torch.no_grad():  # the start token's row is looked up like any other
        model.get_output_embeddings().weight[pad].normal_(0, 0.1)
    return model


def train(model, tokenizer, language, steps):
    pad = model.config.pad_token_id
    bias = torch.nn.Parameter(torch.zeros(1, model.final_logits_bias.shape[1]))
    optimiser = torch.optim.Adam([*model.parameters(), bias], lr=3e-3, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, steps, pct_start=0.1)
    model.train()
    for step in range(steps):
        pairs = [language.sample(5) for _ in range(32)]
        batch = tokenizer([source for source, _ in pairs], text_target=[target for _, target in pairs],
                          return_tensors="pt", padding=True)
        lengths = [len(tokenizer(text_target=target)["input_ids"]) for _, target in pairs]
        labels, inputs = batch["labels"].clone(), torch.full_like(batch["labels"], pad)
        for row, length in enumerate(lengths):
            labels[row, length:] = -100
            inputs[row, 1:length] = labels[row, :length - 1]
        hidden = model.model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"],
                             decoder_input_ids=inputs).last_hidden_state
        logits = model.get_output_embeddings()(hidden) + bias
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100,
                                                 label_smoothing=0.05)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 250 == 0 or step + 1 == steps:
            print(f"  step {step}: loss {loss.item():.3f}", flush=True)
    model.final_logits_bias = bias.detach().clone()
    model.eval()


class Recorder:
    def __init__(self, folder):
        self.tokenizer = transformers.MarianTokenizer.from_pretrained(folder)
        self.model = transformers.MarianMTModel.from_pretrained(folder, dtype=torch.float32).eval()
        self.pad, self.eos = self.model.config.pad_token_id, 0
        self.decoder = self.tokenizer.decoder

    def generate(self, text, beams):
        batch = self.tokenizer([text], return_tensors="pt")
        output = self.model.generate(**batch, num_beams=beams, do_sample=False, max_length=40, output_scores=True,
                                     return_dict_in_generate=True)
        score = output.sequences_scores[0].item() if beams > 1 else None
        return output.sequences[0].tolist()[1:], score

    def logits(self, source, target):
        """[target tokens, vocabulary]; target ids without the start token, source ids with the end token."""
        with torch.no_grad():
            return self.model(input_ids=torch.tensor([source]),
                              decoder_input_ids=torch.tensor([[self.pad] + target[:-1]])).logits[0]

    def greedy(self, text):
        """(source tokens, target tokens, score) or None when a token was a close call."""
        source, ids = self.tokenizer(text)["input_ids"], self.generate(text, 1)[0]
        if ids[-1] != self.eos or len(ids) > 36:
            return None
        logits = self.logits(source, ids)
        logits[:, self.pad] = -torch.inf
        log_probs = logits.log_softmax(-1)
        best = log_probs.topk(2)
        assert best.indices[:, 0].tolist() == ids
        if (best.values[:, 0] - best.values[:, 1]).min() < MARGIN:
            return None
        return source, ids, best.values[:, 0].mean().item()

    def source_tokens(self, text):
        tokens = self.tokenizer.tokenize(text)
        assert self.tokenizer.convert_tokens_to_ids(tokens) + [self.eos] == self.tokenizer(text)["input_ids"]
        return tokens

    def target_tokens(self, ids):
        return [self.decoder[i] for i in ids if i != self.eos]


def rounded(values):
    return [round(float(x), 6) for x in values]


def record(folder, language):
    recorder = Recorder(folder)
    texts, kept = [], []
    while len(texts) < SENTENCES:
        text = language.sample(7)[0]
        if text not in texts:
            texts.append(text)
    texts += [text.replace("a", "q", 1) for text in texts[:4]]  # a letter without a piece
    for text in texts:
        result = recorder.greedy(text)
        if result:
            kept.append((text, *result))
    beams = [recorder.generate(text, 4) for text, *_ in kept]
    case = lambda name, size, results: {
        "name": name, "source": [recorder.source_tokens(text) for text, *_ in kept], "target_prefix": None,
        "options": {"beam_size": size, "min_decoding_length": 0, "max_decoding_length": 39},
        "expected": [{"hypotheses": [recorder.target_tokens(ids)], "scores": [round(score, 6)], "attention": None}
                     for ids, score in results]}
    cases = [case("greedy", 1, [(ids, score) for _, _, ids, score in kept]), case("beam4", 4, beams)]
    score = []
    for i, (text, source, ids, _) in enumerate(kept[:12]):
        # Every other one with another sentence's translation: improbable tokens show the whole distribution.
        ids = kept[(i + 1) % len(kept)][2] if i % 2 else ids
        log_probs = recorder.logits(source, ids).log_softmax(-1)
        score.append({"source": recorder.source_tokens(text), "target": recorder.target_tokens(ids),
                      "log_probs": rounded(log_probs[range(len(ids)), ids])})
    first = [{"source": recorder.source_tokens(text),
              "log_probs": rounded(recorder.logits(source, [0]).log_softmax(-1)[0])} for text, source, *_ in kept[:2]]
    table = recorder.model.model.encoder.embed_positions.weight.detach()
    positions = {str(row): [round(float(x), 8) for x in table[row]] for row in (0, 1, 7, table.shape[0] - 1)}
    decode = lambda ids: recorder.tokenizer.decode(ids, skip_special_tokens=True)
    return {"generator": f"transformers {transformers.__version__}, CPU, float32", "cases": cases, "score": score,
            "texts": [{"text": text, "pieces": recorder.source_tokens(text), "translation": decode(ids),
                       "translation_pieces": recorder.target_tokens(ids)}
                      for (text, *_), (ids, _) in zip(kept, beams)],
            "first_step": first, "positions": positions}


def save(path, expected):
    """One item of each list a line."""
    dump = lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    parts = [f'{dump(key)}:[\n' + ",\n".join(dump(item) for item in value) + "\n]" if isinstance(value, list)
             else f"{dump(key)}:{dump(value)}" for key, value in expected.items()]
    text = "{" + ",\n".join(parts) + "}\n"
    assert json.loads(text) == json.loads(dump(expected))
    path.write_text(text, encoding="utf-8")


def main():
    torch.set_num_threads(1)
    for name in sys.argv[1:] or MODELS:
        options = MODELS[name]
        print(name)
        folder = DATA / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        language = Language(options["seed"], options["codes"])
        with tempfile.TemporaryDirectory() as temporary:
            tokenizer = make_tokenizer(pathlib.Path(temporary), language, options["separate"])
            model = make_model(options, tokenizer)
            train(model, tokenizer, language, options["steps"])
            pad = model.config.pad_token_id
            model.final_logits_bias[0, pad] = options["pad_bias"]
            model.generation_config.update(bad_words_ids=[[pad]], renormalize_logits=True, num_beams=4, max_length=64)
            model.to(options["dtype"]).save_pretrained(folder)
            tokenizer.save_pretrained(folder)
            (folder / "model.safetensors").chmod(0o644)
        language.rng.seed(options["seed"] + 100)
        expected = record(folder, language)
        print(f"  {len(expected['texts'])} sentences kept")
        for text in expected["texts"][:3]:
            print(f"  {text['text']} -> {text['translation']}")
        save(folder / "expected.json", expected)


if __name__ == "__main__":
    main()
