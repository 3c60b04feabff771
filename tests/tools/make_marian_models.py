#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/marian/: small models that Marian itself trained, in its containers, and what it does with them; and
tests/data/ensembles/: what it does with several of these at once. Arguments: which ones; none: all. Needs pymarian,
numpy, sentencepiece and PyYAML.

Weights are those of pymarian's training; the containers are written again here, smaller. What pymarian cannot run is
recorded with marian_reference.py. Sentences whose outcome depends on the last bits are left out: copies of the model
with weights disturbed by 1e-5 must give the same tokens.
"""
import gzip
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import zipfile

import numpy
import sentencepiece
import yaml

import marian_file
from marian_reference import Reference, alphas, quantised

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "marian"
SENTENCES = 48
WORDS = 14

BASE = {"type": "transformer", "dim-emb": 16, "transformer-heads": 2, "transformer-dim-ffn": 24, "enc-depth": 1,
        "dec-depth": 2, "transformer-ffn-activation": "relu", "tied-embeddings-all": True}
PRE = {"transformer-preprocess": "n", "transformer-postprocess": "da", "transformer-postprocess-top": "n"}
RNN = {"transformer-decoder-autoreg": "rnn"}
SSRU = RNN | {"dec-cell": "ssru"}
AAN = {"transformer-decoder-autoreg": "average-attention"}
S2S = {"type": "s2s", "dim-emb": 12, "dim-rnn": 16, "dec-depth": 1}
NORM = {"layer-normalization": True}
DEEP = {"enc-cell-depth": 2, "dec-cell-base-depth": 4}
NEMATUS = {"enc-cell": "gru-nematus", "dec-cell": "gru-nematus"}

MODELS = {
    "post": {"files": ["npz", "float16"], "alignment": True},
    # pymarian decodes pre-norm self-attention with keys and values of earlier steps that are not normalised, as they
    # were in training.
    "pre": {"options": PRE | {"transformer-ffn-activation": "swish"}, "reference": True},
    # pymarian does not learn with RMS norms on a CPU: layer norms are learned and then replaced.
    "rms": {"options": SSRU | {"transformer-preprocess": "n", "transformer-postprocess": "da",
                               "transformer-ffn-activation": "gelu", "transformer-postprocess-top": "n",
                               "transformer-postprocess-emb": "dn"}, "rms": True},
    "highway": {"options": {"transformer-postprocess": "dhn", "transformer-postprocess-emb": "dn",
                            "transformer-postprocess-top": "h"}},
    "twice": {"options": SSRU | {"transformer-preprocess": "n", "transformer-postprocess": "dan",
                                 "transformer-postprocess-top": "n"}},
    "ssru": {"options": SSRU, "alignment": True},
    "ssru-norm": {"options": SSRU | PRE | {"layer-normalization": True, "transformer-rnn-projection": True},
                  "files": ["float32"]},
    "gru": {"options": RNN | {"dec-cell": "gru", "transformer-rnn-projection": True}},
    "average": {"options": AAN | {"transformer-dim-aan": 20}},
    "average-nogate": {"options": AAN | PRE | {"transformer-dim-aan": 16, "transformer-aan-depth": 3,
                                              "transformer-aan-nogate": True, "transformer-aan-activation": "relu"},
                       "files": ["float32"]},
    "tied-layers": {"options": {"dec-depth": 4, "transformer-tied-layers": [1, 1, 2, 2], "transformer-ffn-depth": 3,
                                "transformer-decoder-ffn-depth": 1}},
    "no-projection": {"options": {"transformer-no-projection": True, "output-omit-bias": True,
                                  "transformer-decoder-dim-ffn": 36}},
    "untied": {"options": {"tied-embeddings-all": False}, "separate": True, "vocabulary": "txt"},
    "tied-output": {"options": {"tied-embeddings-all": False, "tied-embeddings": True}, "separate": True,
                    "files": ["float32"]},
    "tied-inputs": {"options": {"tied-embeddings-all": False, "tied-embeddings-src": True}, "vocabulary": "json"},
    "right-left": {"options": SSRU | {"right-left": True}},
    "positions": {"options": {}, "positions": 6},
    "int8-upstream": {"options": {"dim-emb": 32, "transformer-dim-ffn": 48, "dec-depth": 1}, "files": ["upstream"],
                      "sentences": 220},
    "int8-fork": {"options": SSRU | {"dim-emb": 32, "transformer-dim-ffn": 48}, "files": ["fork"], "sentences": 220},
    # Wide enough for pymarian's integer products, on a CPU that adds them up exactly (AVX512-VNNI); without a dynamic
    # scale over several sentences.
    "int8-marian": {"options": SSRU | {"dim-emb": 64, "transformer-dim-ffn": 64, "dec-depth": 1}, "files": ["upstream"],
                    "sentences": 220, "integers_by_marian": True},
    # Folders as they are published, with text in and text out.
    "int8-firefox": {"options": SSRU | {"dim-emb": 32, "transformer-dim-ffn": 48}, "files": ["fork"], "pieces": True,
                     "sentences": 40},
    "opus": {"files": ["npz"], "pieces": True, "sentences": 40},
    # Recurrent networks with attention.
    "s2s": {"options": S2S | {"dim-emb": 16, "dim-rnn": 24}, "files": ["npz", "float16"], "alignment": True,
            "updates": 5000},
    "s2s-lstm": {"options": S2S | NORM | {"enc-cell": "lstm", "dec-cell": "lstm", "enc-type": "bi-unidirectional",
                                          "enc-depth": 3, "dec-depth": 2, "skip": True}, "alignment": True},
    "s2s-deep": {"options": S2S | NORM | DEEP | {
        "enc-type": "alternating", "enc-depth": 2, "dec-depth": 2, "dec-cell-high-depth": 2, "skip": True,
        "tied-embeddings-all": False, "tied-embeddings": True}, "separate": True, "alignment": True},
    "s2s-mixed": {"options": S2S | NORM | {
        "enc-cell": "gru-nematus", "dec-cell": "lstm", "enc-depth": 2, "enc-type": "bi-unidirectional",
        "dec-cell-base-depth": 3, "right-left": True, "output-omit-bias": True}, "files": ["float32"]},
    "s2s-short": {"options": S2S | {"enc-cell": "lstm", "enc-depth": 2, "enc-cell-depth": 2, "dec-depth": 3,
                                    "dec-cell-base-depth": 1, "tied-embeddings-all": False,
                                    "tied-embeddings-src": True}},
    "nematus": {"options": S2S | NORM | DEEP | NEMATUS | {"type": "nematus", "tied-embeddings-all": False},
                "separate": True, "alignment": True},
    "nematus-plain": {"options": S2S | NEMATUS | {"type": "nematus", "enc-depth": 2, "dec-depth": 2, "skip": True,
                                                  "tied-embeddings-all": False, "tied-embeddings": True},
                      "separate": True},
    "amun": {"options": S2S | NORM | {"type": "amun", "tied-embeddings-all": False}, "separate": True},
}


class Words:
    """Like Language, in words that fall into pieces."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        word = lambda parts: "".join(self.rng.choice(part) for part in parts)
        self.source = sorted({word([["ba", "ké", "lo", "mi"], ["na", "so", "", "ti"], ["n", "ra", "ß"]])
                              for _ in range(60)})[:WORDS]
        self.target = sorted({word([["Ga", "ди", "fo", "vö"], ["ла", "pi", "", "ku"], ["й", "sa", "x"]])
                              for _ in range(60)})[:WORDS]

    sample = lambda self, longest=5: Language.sample(self, longest)


class Language:
    """Word for word, from the third on in reverse; the word chosen depends on where it stands too."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.source = [f"s{i}" for i in range(WORDS)]
        self.target = [f"t{i}" for i in range(WORDS)]

    def sample(self, longest=6):
        ids = [self.rng.randrange(WORDS) for _ in range(self.rng.randint(1, longest))]
        target = [self.target[(5 * i + place % 2) % WORDS] for place, i in enumerate(ids)]
        return " ".join(self.source[i] for i in ids), " ".join(target[:2] + target[:1:-1])


def command(options):
    words = []
    for key, value in options.items():
        if value is True:
            words.append(f"--{key}")
        elif value is not False:
            words += [f"--{key}"] + [str(item) for item in (value if isinstance(value, list) else [value])]
    return words


def train(folder, options, vocabularies, language, seed, updates):
    """In a process of its own: Marian keeps state."""
    pairs = [language.sample() for _ in range(6000)]
    (folder / "train.s").write_text("".join(source + "\n" for source, _ in pairs))
    (folder / "train.t").write_text("".join(target + "\n" for _, target in pairs))
    words = command(options) + command({
        "train-sets": [folder / "train.s", folder / "train.t"], "vocabs": [folder / name for name in vocabularies],
        "model": folder / "trained.npz", "cpu-threads": 1, "after-batches": updates, "mini-batch": 48,
        "maxi-batch": 10, "learn-rate": 0.004, "lr-warmup": 100, "seed": seed, "quiet": True, "overwrite": True,
        "workspace": 100, "max-length": 40, "no-shuffle": True, "shuffle": "none", "label-smoothing": 0.05})
    words = [word for word in words if word not in ("--shuffle", "none")]
    code = "import sys, pymarian; pymarian.Trainer(' '.join(sys.argv[1:])).train()"
    subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True)
    with numpy.load(folder / "trained.npz") as file:
        parameters = {name: file[name] for name in file.files}
    text = parameters.pop("special:model.yml").tobytes().split(b"\0")[0].decode()
    return text, parameters


def translate(models, vocabularies, texts, beam, normalize, penalty, alignment, weights=None):
    """[[(tokens, word scores, score, alignment)]], best first."""
    words = command({"models": models, "vocabs": vocabularies, "cpu-threads": 1, "mini-batch": 1, "maxi-batch": 1,
                     "beam-size": beam, "normalize": normalize, "word-penalty": penalty, "n-best": True,
                     "word-scores": True, "quiet": True} | ({"alignment": "soft"} if alignment else {}) |
                    ({"weights": weights} if weights else {}))
    code = "import sys, pymarian; print(pymarian.Translator(' '.join(sys.argv[1:])).translate(sys.stdin.read()))"
    output = subprocess.run([sys.executable, "-c", code, *map(str, words)], input="\n".join(texts), check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    results = [[] for _ in texts]
    for line in output.strip("\n").split("\n"):
        parts = [part.strip() for part in line.split("|||")]
        weights = [[float(x) for x in row.split(",")] for row in parts[2].split()] if alignment else None
        results[int(parts[0])].append((parts[1].split(), [float(x) for x in parts[-3].split()[1:]], float(parts[-1]),
                                       weights))
    return results


CASES = [("greedy", 1, 1.0, 0.0), ("beam4", 4, 1.0, 0.0), ("beam4-plain", 4, 0.0, 0.0), ("beam3-penalty", 3, 0.6, 0.3)]


def disturbed(parameters, seed):
    rng = numpy.random.default_rng(seed)
    return {name: (value + rng.normal(0, 1e-5, value.shape)).astype("f4") for name, value in parameters.items()}


def record_marian(folder, model, options, parameters, vocabularies, texts, alignment):
    """Cases and scores by pymarian."""
    other = folder / "disturbed.npz"
    marian_file.write_npz(other, options, disturbed(parameters, 1), compress=False)
    results = {name: translate(model, vocabularies, texts, *settings, alignment and name == "greedy")
               for name, *settings in CASES}
    shaken = {name: translate(other, vocabularies, texts, *settings, False) for name, *settings in CASES}
    tokens = lambda result: [hypothesis[0] for hypothesis in result]
    stable = [i for i in range(len(texts)) if all(tokens(results[name][i]) == tokens(shaken[name][i])
                                                  for name, *_ in CASES)]
    cases = []
    for name, beam, normalize, penalty in CASES:
        expected = []
        for i in stable:
            best = results[name][i]
            weights = None
            if alignment and name == "greedy":
                weights = [[[round(x, 5) for x in row[:-1]] for row in h[3][:len(h[0])]] for h in best]
            expected.append({"hypotheses": tokens(best), "scores": [h[2] for h in best], "attention": weights})
        cases.append({"name": name, "source": [texts[i].split() for i in stable], "target_prefix": None,
                      "options": {"beam_size": beam, "length_penalty": normalize, "word_penalty": penalty,
                                  "num_hypotheses": beam} | ({"return_attention": True} if expected[0]["attention"] else {}),
                      "expected": expected})
    score = []
    for i in stable[:16]:
        tokens, scores, _, _ = results["beam4"][i][-1]
        if len(scores) == len(tokens) + 1:  # ended by itself
            score.append({"source": texts[i].split(), "target": tokens, "log_probs": scores})
    return cases, score


def record_marian_integers(folder, text, parameters, vocabularies, texts):
    """Greedy translations and scores by pymarian with a file of integers."""
    marian_file.write_bin(folder / "integers.bin", text, parameters, "upstream")
    results = translate(folder / "integers.bin", vocabularies, texts, 1, 1.0, 0.0, False)
    return [{"name": "greedy", "source": [line.split() for line in texts], "target_prefix": None,
             "options": {"beam_size": 1, "length_penalty": 1.0},
             "expected": [{"hypotheses": [best[0][0]], "scores": [best[0][2]], "attention": None}
                          for best in results]}], []


def record_reference(reference, vocabulary, texts):
    token = {i: t for t, i in vocabulary.items()}
    source, expected, score = [], [], []
    for text in texts:
        ids = [vocabulary[word] for word in text.split()] + [0]
        target, scores, margin = reference.greedy(ids, 3 * len(ids))
        if margin < 1e-3:
            continue
        ended = target[-1] == 0
        words = [token[i] for i in target[:-1 if ended else None]]
        source.append(text.split())
        expected.append({"hypotheses": [words], "scores": [round(sum(scores) / len(target), 6)], "attention": None})
        if ended and len(score) < 16:
            score.append({"source": text.split(), "target": words, "log_probs": [round(x, 6) for x in scores]})
    return [{"name": "greedy", "source": source, "target_prefix": None,
             "options": {"beam_size": 1, "length_penalty": 1.0}, "expected": expected}], score


def write_vocabularies(folder, name, entry, language):
    special = ["</s>", "<unk>"]
    lists = ([special + language.source, special + language.target] if entry.get("separate")
             else [special + language.source + language.target])
    kind = entry.get("vocabulary", "yml")
    names = [f"vocab.{side}.{kind}" for side in ("src", "trg")] if len(lists) == 2 else [f"vocab.{kind}"]
    for file, tokens in zip(names, lists):
        ids = {token: i for i, token in enumerate(tokens)}
        text = ("".join(f"{token}\n" for token in tokens) if kind == "txt" else
                json.dumps(ids) if kind == "json" else yaml.safe_dump(ids, sort_keys=False))
        (folder / file).write_text(text)
    return [names[0], names[-1]], {token: i for i, token in enumerate(lists[0])}


def save(path, expected):
    """One item of each list a line."""
    dump = lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    parts = [f'{dump(key)}:[\n' + ",\n".join(dump(item) for item in value) + "\n]" if isinstance(value, list)
             else f"{dump(key)}:{dump(value)}" for key, value in expected.items()]
    path.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


def train_pieces(path, language, size):
    texts = [text for _ in range(3000) for text in language.sample()]
    with open(path, "wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts), model_writer=file, vocab_size=size, model_type="unigram",
            character_coverage=1.0, minloglevel=2, num_threads=1, normalization_rule_name="identity",
            shuffle_input_sentence=False, hard_vocab_limit=False, bos_id=-1, eos_id=0, unk_id=1, pad_id=-1)
    return sentencepiece.SentencePieceProcessor(str(path))


FIRST, BEST = 8, 4


def shortlist(pieces, language):
    """{source id: target ids} by how often they meet."""
    counts = {}
    for _ in range(2000):
        source, target = (set(pieces.encode(text)) for text in language.sample())
        for i in source:
            for j in target:
                counts.setdefault(i, {}).setdefault(j, 0)
                counts[i][j] += 1
    return {i: sorted(sorted(c, key=lambda j: -c[j])[:BEST]) for i, c in counts.items()}


def allowed(lists, source, size):
    ids = set(range(FIRST)) | set(source) | {j for i in source for j in lists.get(i, [])}
    for i in range(FIRST, size):
        if len(ids) % 8 == 0:
            break
        ids.add(i)
    return sorted(ids)


def make_published(name, work):
    """int8-firefox: model.xxyy.*.bin.gz, a vocabulary of pieces, a shortlist. opus: a zip archive."""
    entry, seed = MODELS[name], list(MODELS).index(name) + 1
    language = Words(11)
    pieces = train_pieces(work / "vocab.xxyy.spm", language, 64)
    size = pieces.get_piece_size()
    text, parameters = train(work, BASE | entry.get("options", {}), ["vocab.xxyy.spm"] * 2, language, seed, 900)
    options = yaml.safe_load(text)
    parameters = {key: value for key, value in parameters.items() if value.dtype == numpy.float32}
    language.rng = random.Random(seed + 1000)
    texts = sorted({language.sample(6)[0] for _ in range(entry["sentences"])})
    folder = DATA / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    vocabulary = {pieces.id_to_piece(i): i for i in range(size)}
    lines = [" ".join(pieces.encode(line, out_type=str)) for line in texts]
    if name == "opus":
        generator = "pymarian 1.12.42, CPU, float32"
        (work / "opus.vocab.yml").write_text(yaml.safe_dump(vocabulary, allow_unicode=True))
        original = work / "original.npz"
        marian_file.write_npz(original, text, parameters, compress=False)
        cases, score = record_marian(work, original, text, parameters, [work / "opus.vocab.yml"] * 2, lines, False)
        marian_file.write_npz(work / "opus.npz", text, parameters, compress=False)
        decoder = {"relative-paths": True, "models": ["opus.npz"], "vocabs": ["opus.vocab.yml"] * 2, "beam-size": 4,
                   "normalize": 1, "word-penalty": 0, "mini-batch": 1}
        with zipfile.ZipFile(folder / "opus.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for file in ("opus.npz", "opus.vocab.yml"):
                archive.write(work / file, file)
            for side in ("source.spm", "target.spm"):
                archive.write(work / "vocab.xxyy.spm", side)
            archive.writestr("decoder.yml", yaml.safe_dump(decoder))
        kept = {" ".join(source): expected["hypotheses"][0]
                for source, expected in zip(cases[1]["source"], cases[1]["expected"])}
        extra = {}
        for case in cases[2:]:
            case["source"], case["expected"] = case["source"][:10], case["expected"][:10]
    else:
        generator = "the equations in double precision (marian_reference.py)"
        encode = lambda line: pieces.encode(line) + [0]
        parameters |= alphas(options, parameters, [tuple(encode(part) for part in language.sample())
                                                   for _ in range(60)])
        integers, dequantised = quantised(parameters, True)
        reference = Reference(options, dequantised, integers)
        cases, score = record_reference(reference, vocabulary, lines)
        kept = {" ".join(source): expected["hypotheses"][0]
                for source, expected in zip(cases[0]["source"], cases[0]["expected"])}
        lists = shortlist(pieces, language)
        marian_file.write_shortlist(folder / "lex.50.50.xxyy.s2t.bin", lists, size, FIRST, BEST)
        limited = {"name": "shortlist", "source": [], "expected": [], "target_prefix": None,
                   "options": cases[0]["options"]}
        for line in lines:
            source = [vocabulary[piece] for piece in line.split()] + [0]
            target, scores, margin = reference.greedy(source, 3 * len(source), allowed=allowed(lists, source, size))
            if margin >= 1e-3:
                limited["source"].append(line.split())
                limited["expected"].append(
                    {"hypotheses": [[pieces.id_to_piece(i) for i in target if i]],
                     "scores": [round(sum(scores) / len(target), 6)], "attention": None})
        extra = {"shortlist": [limited]}
        print("  shortlist:", sum(kept.get(" ".join(s)) == e["hypotheses"][0] for s, e in
                                  zip(limited["source"], limited["expected"])), "of", len(limited["source"]), "as without")
        marian_file.write_bin(work / "model.bin", text, parameters, "fork")
        (folder / "model.xxyy.intgemm.alphas.bin.gz").write_bytes(
            gzip.compress((work / "model.bin").read_bytes(), mtime=0))
        shutil.copy(work / "vocab.xxyy.spm", folder)
    records = [{"text": line, "pieces": tokens.split(), "translation": pieces.decode(kept[tokens])}
               for line, tokens in zip(texts, lines) if tokens in kept]
    save(folder / "expected.json", {"generator": generator, "cases": cases, "score": score, "texts": records} | extra)
    for record in records[:3]:
        print(f"  {record['text']} -> {record['translation']}")
    print(f"{name}: {len(records)} texts, {size} pieces, {sum(path.stat().st_size for path in folder.iterdir())} bytes",
          flush=True)


def make(name, work):
    entry, seed = MODELS[name], list(MODELS).index(name) + 1
    if "pieces" in entry:
        return make_published(name, work)
    language = Language(7)
    language.rng.seed(seed)
    vocabularies, ids = write_vocabularies(work, name, entry, language)
    text, parameters = train(work, BASE | entry.get("options", {}), vocabularies, language, seed,
                             entry.get("updates", 700))
    options = yaml.safe_load(text)
    parameters = {key: value for key, value in parameters.items() if value.dtype == numpy.float32}
    if "positions" in entry:
        rng = numpy.random.default_rng(seed)
        sinusoid = Reference(options, {"Wemb": numpy.zeros((1, options["dim-emb"]))}).embed(
            numpy.zeros(entry["positions"], int), "Wemb", False)
        parameters["Wpos"] = (sinusoid + rng.normal(0, 0.2, sinusoid.shape)).astype("f4")
        parameters["Wemb"] *= numpy.sqrt(numpy.float32(options["dim-emb"]))  # which the sinusoid brings
    if "rms" in entry:
        parameters = {key.replace("_ln_scale", "_rms_scale"): value for key, value in parameters.items()
                      if "_ln_bias" not in key}
        for before, after in (("process: n", "process: r"), ("top: n", "top: r"), ("emb: dn", "emb: dr")):
            assert before in text
            text = text.replace(before, after)
    files = entry.get("files", ["npz"])
    sample = random.Random(seed + 1000)
    language.rng = sample
    texts = []
    while len(texts) < entry.get("sentences", SENTENCES):
        line = language.sample(8)[0]
        if line not in texts:
            texts.append(line)
    original = work / "original.npz"
    marian_file.write_npz(original, text, parameters, compress=False)
    generator = "pymarian 1.12.42, CPU, float32"
    integers = None
    if "upstream" in files or "fork" in files:
        if "fork" in files:
            pairs = [[[ids[word] for word in part.split()] + [0] for part in language.sample()] for _ in range(60)]
            parameters |= alphas(options, parameters, pairs)
        integers, dequantised = quantised(parameters, "fork" in files)
    if "integers_by_marian" in entry:
        generator = "pymarian 1.12.42, CPU, intgemm8"
        cases, score = record_marian_integers(work, text, parameters, [work / v for v in vocabularies], texts)
    elif integers or "positions" in entry or "reference" in entry:
        reference = Reference(options, dequantised if integers else parameters, integers)
        cases, score = record_reference(reference, ids, texts)
        generator = "the equations in double precision (marian_reference.py)"
    else:
        cases, score = record_marian(work, original, text, parameters, [work / v for v in vocabularies], texts,
                                     entry.get("alignment", False))
    folder = DATA / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if options["right-left"]:  # word scores come in the order of generation
        for pair in score:
            pair["log_probs"] = pair["log_probs"][-2::-1] + pair["log_probs"][-1:]
    for kind in files:
        if kind == "npz":
            marian_file.write_npz(folder / "model.npz", text, parameters)
        else:
            marian_file.write_bin(folder / ("model.bin" if kind != "float16" else "model.f16.bin"), text, parameters,
                                  kind)
    for vocabulary in set(vocabularies):
        shutil.copy(work / vocabulary, folder)
    if len(cases) > 1:
        for case, count in zip(cases[1:], (24, 10, 10)):  # smaller
            case["source"], case["expected"] = case["source"][:count], case["expected"][:count]
    save(folder / "expected.json", {"generator": generator, "cases": cases, "score": score})
    kept, size = len(cases[0]["source"]), sum(path.stat().st_size for path in folder.iterdir())
    lengths = [len(e["hypotheses"][0]) for e in cases[0]["expected"]]
    distinct = len({" ".join(e["hypotheses"][0]) for e in cases[0]["expected"]})
    print(f"{name}: {kept} of {len(texts)} sentences, {distinct} distinct, length {numpy.mean(lengths):.1f}, {size} bytes",
          flush=True)


ENSEMBLES = {"sum": (["post", "ssru"], [1, 1]), "weighted": (["post", "average"], [0.7, 0.3]),
             "three": (["ssru", "gru", "post"], [0.5, 2, 0.25]), "kinds": (["s2s", "post", "s2s-lstm"], [1, 0.5, 0.5])}


def make_ensemble(name, work):
    """expected.json and decoder.yml; tests put the models beside them."""
    names, weights = ENSEMBLES[name]
    folder = DATA.parent / "ensembles" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    decoder = {"relative-paths": True, "models": [f"{member}.npz" for member in names], "vocabs": ["vocab.yml"] * 2}
    if name != "sum":  # 1 each where nothing is said
        decoder["weights"] = weights
    (folder / "decoder.yml").write_text(yaml.safe_dump(decoder, sort_keys=False))
    rng = random.Random(list(ENSEMBLES).index(name))
    # Also what the models never met: there they are of different minds.
    texts = [" ".join(f"s{rng.randrange(WORDS)}" for _ in range(rng.randint(1, 13))) for _ in range(SENTENCES)]
    vocabularies = [DATA / names[0] / "vocab.yml"] * 2
    models, shaken = [], []
    for member in names:
        with numpy.load(DATA / member / "model.npz") as file:
            parameters = {key: file[key] for key in file.files}
        text = parameters.pop("special:model.yml").tobytes().split(b"\0")[0].decode()
        for paths, values in ((models, parameters), (shaken, disturbed(parameters, 1))):
            paths.append(work / f"{member}.{len(paths)}.{paths is shaken}.npz")
            marian_file.write_npz(paths[-1], text, values, compress=False)  # which is what pymarian reads
    run = lambda paths, weights, case: translate(paths, vocabularies, texts, *case[1:], False, weights)
    tokens = lambda result: [hypothesis[0] for hypothesis in result]
    results, others = ({case[0]: run(paths, weights, case) for case in CASES} for paths in (models, shaken))
    stable = [i for i in range(len(texts)) if all(tokens(results[case][i]) == tokens(others[case][i])
                                                  for case in results)]
    cases = [{"name": case[0], "source": [texts[i].split() for i in stable[:count]], "target_prefix": None,
              "options": {"beam_size": case[1], "length_penalty": case[2], "word_penalty": case[3],
                          "num_hypotheses": case[1]},
              "expected": [{"hypotheses": tokens(results[case[0]][i]),
                            "scores": [hypothesis[2] for hypothesis in results[case[0]][i]], "attention": None}
                           for i in stable[:count]]} for case, count in zip(CASES, (48, 16, 8, 8))]
    score = [{"source": texts[i].split(), "target": best[0], "log_probs": best[1]} for i in stable[:16]
             for best in results["beam4"][i][-1:] if len(best[1]) == len(best[0]) + 1]
    save(folder / "expected.json", {"generator": "pymarian 1.12.42, CPU, float32", "cases": cases, "score": score})
    for case in CASES[:2]:
        alone = [run([path], None, case) for path in models]
        plain = run(models, [1] * len(models), case)
        same = lambda other: sum(tokens(other[i]) == tokens(results[case[0]][i]) for i in stable)
        print(f"{name}, {case[0]}: {len(stable)} of {len(texts)} sentences; tokens as of one model alone:",
              *map(same, alone), "with weights of 1:", same(plain), flush=True)


def main():
    for name in sys.argv[1:] or [*MODELS, *ENSEMBLES]:
        with tempfile.TemporaryDirectory() as work:
            (make_ensemble if name in ENSEMBLES else make)(name, pathlib.Path(work))


if __name__ == "__main__":
    main()
