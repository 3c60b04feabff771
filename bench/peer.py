#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Another engine with the same weights, run at the pace of compare.py.

Prints "ready VERSION" when warm, or "skipped: REASON" and exits with 3. For every line on standard input it translates
everything and prints seconds and CPU seconds; at the end of the input it writes the translations.
Engines: ctranslate2; transformers (PyTorch's MarianMT, eager); transformers-compiled (static cache, torch.compile).
They read a CTranslate2 model folder; the last two take post-norm ReLU models such as make_base_model.py writes.
marian (pymarian) reads a folder with model.npz or model.bin and vocab.yml, such as make_student_model.py writes.
bergamot and fxtranslate read Firefox' files, and texts in place of pieces: of models whose pieces are whole words.
"""
import argparse
import concurrent.futures
import gzip
import importlib.util
import json
import pathlib
import sys
import tempfile
import threading
import time

SKIPPED = 3


class CTranslate2:
    def __init__(self, options):
        import ctranslate2
        self.version = f"CTranslate2 {ctranslate2.__version__}"
        if options.device == "cuda" and ctranslate2.get_cuda_device_count() == 0:
            raise RuntimeError("this CTranslate2 sees no CUDA device")
        self.translator = ctranslate2.Translator(str(options.model), device=options.device,
                                                 compute_type=options.compute_type, inter_threads=1,
                                                 intra_threads=options.threads)
        self.settings = {"beam_size": options.beam, "max_batch_size": options.batch,
                         "max_decoding_length": options.max_length, "min_decoding_length": options.min_length}
        if options.batch == 0:  # all in one batch would not fit
            self.settings.update(max_batch_size=16384 if options.device == "cuda" else 2048, batch_type="tokens")

    def translate(self, sentences):
        return [result.hypotheses[0] for result in self.translator.translate_batch(sentences, **self.settings)]


class Marian:
    """With Marian's own defaults. Its length limit is a multiple of the longest source of a batch."""

    def __init__(self, options):
        import pymarian
        if options.device != "cpu" or options.compute_type == "float16":
            raise RuntimeError("this pymarian computes in float32 or with integers, on the CPU")
        longest = max(len(line.split()) for line in options.tokens.read_text(encoding="utf-8").splitlines()) + 1
        model = next(options.model / name for name in ("model.npz", "model.bin") if (options.model / name).exists())
        vocabulary = options.model / "vocab.yml"
        arguments = {"models": model, "vocabs": f"{vocabulary} {vocabulary}", "cpu-threads": options.threads,
                     "beam-size": options.beam, "mini-batch": options.batch or 64, "maxi-batch": 100,
                     "maxi-batch-sort": "src", "workspace": 512,
                     "max-length-factor": (options.max_length - 0.5) / longest}
        if options.shortlist:
            arguments["shortlist"] = options.shortlist
        flags = " --quiet" + (" --skip-cost" if options.beam == 1 else "")
        self.translator = pymarian.Translator(" ".join(f"--{k} {v}" for k, v in arguments.items()) + flags)
        self.version = f"Marian (pymarian {pymarian.__version__})"

    def translate(self, sentences):
        text = self.translator.translate("\n".join(" ".join(words) for words in sentences))
        return [line.split() for line in text.split("\n")[:len(sentences)]]


def text_of(pieces):
    return "".join(pieces).replace("\u2581", " ").strip()


def pieces_of(text):
    """Of a vocabulary that has a piece for every word, such as make_student_model.py writes."""
    return ["\u2581" + word for word in text.split()]


def firefox_files(folder):
    """The bytes of the model, and the paths of the vocabulary and the shortlist."""
    model = next(folder.glob("model.*.bin*"))
    data = model.read_bytes()
    return (gzip.decompress(data) if model.suffix == ".gz" else data, next(folder.glob("vocab.*.spm")),
            next(folder.glob("lex.*.bin")))


class Bergamot:
    """bergamot-translator, whose threads take a batch of sentences each. Its package asks a server for models when it is
    imported, so its library is loaded without it."""

    def __init__(self, options):
        package = importlib.util.find_spec("bergamot")
        if options.device != "cpu" or package is None:
            raise RuntimeError("no bergamot in this Python" if package is None else "bergamot computes on the CPU")
        library = next(pathlib.Path(package.origin).parent.glob("_bergamot*.so"))
        spec = importlib.util.spec_from_file_location("_bergamot", library)
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        self.version = f"bergamot {self.module.__version__}"
        data, vocabulary, shortlist = firefox_files(options.model)
        self.folder = tempfile.TemporaryDirectory()     # it reads no packed files
        model = pathlib.Path(self.folder.name) / "model.bin"
        model.write_bytes(data)
        longest = max(len(line.split()) for line in options.tokens.read_text(encoding="utf-8").splitlines()) + 1
        factor = (options.max_length - 0.5) / longest
        most = 512              # tokens of a sentence; with their translation, they have to fit into a batch
        settings = {"models": [str(model)], "vocabs": [str(vocabulary)] * 2, "beam-size": options.beam, "normalize": 1.0,
                    "word-penalty": 0, "max-length-break": most, "mini-batch": options.batch or 64,
                    "mini-batch-words": round(most * (1 + factor)) * (options.batch or 64), "workspace": 128,
                    "max-length-factor": factor, "skip-cost": options.beam == 1,
                    "cpu-threads": 0, "quiet": True, "quiet-translation": True, "gemm-precision": "int8shiftAlphaAll"}
        if options.shortlist:
            settings["shortlist"] = [str(shortlist), False]
        self.batch = options.batch
        self.service = self.module.Service(self.module.ServiceConfig(options.threads, 0, "off"))
        self.model = self.service.modelFromConfig(json.dumps(settings))     # JSON is YAML
        self.options = self.module.ResponseOptions(qualityScores=False, alignment=False, HTML=False,
                                                   sentenceMappings=False)

    def translate(self, sentences):
        texts = [text_of(words) for words in sentences]
        # Sentences of one call make batches; one by one they come in calls of their own.
        calls = [[text] for text in texts] if self.batch == 1 else [texts]
        found = [response.target.text for call in calls
                 for response in self.service.translate(self.model, self.module.VectorString(call), self.options)]
        return [pieces_of(text) for text in found]


class Fxtranslate:
    """One sentence after the other, greedily, with the shortlist; each thread has an engine of its own. Its length limit
    is its own: twice the source's tokens and a few more."""

    def __init__(self, options):
        if options.device != "cpu" or options.beam > 1 or not options.shortlist:
            raise RuntimeError("fxtranslate computes on the CPU, greedily and with a shortlist")
        import fxtranslate
        import importlib.metadata
        data, vocabulary, shortlist = firefox_files(options.model)
        words, lists, self.own = vocabulary.read_bytes(), shortlist.read_bytes(), threading.local()

        def start():
            self.own.engine = fxtranslate.Translator(data, words, words, lists)

        self.threads = concurrent.futures.ThreadPoolExecutor(options.threads, initializer=start)
        backend = self.threads.submit(lambda: self.own.engine.backend()).result()
        self.version = f"fxtranslate {importlib.metadata.version('fxtranslate')} ({backend})"

    def translate(self, sentences):
        return list(self.threads.map(lambda words: pieces_of(self.own.engine.translate(text_of(words))), sentences))


def marian_weights(variables, layers, torch):
    """CTranslate2's names and fused matrices to those of transformers' MarianMT."""
    state = {}

    def put(name, scope, rows=slice(None)):
        state[name + ".weight"] = torch.tensor(variables[scope + "/weight"][rows])
        state[name + ".bias"] = torch.tensor(variables[scope + "/bias"][rows])

    def norm(name, scope):
        state[name + ".weight"] = torch.tensor(variables[scope + "/gamma"])
        state[name + ".bias"] = torch.tensor(variables[scope + "/beta"])

    d = variables["decoder/embeddings/weight"].shape[1]
    for side in ("encoder", "decoder"):
        for i in range(layers[side]):
            ours, theirs = f"{side}/layer_{i}", f"model.{side}.layers.{i}"
            for part, projection in enumerate(("q_proj", "k_proj", "v_proj")):
                put(f"{theirs}.self_attn.{projection}", ours + "/self_attention/linear_0",
                    slice(part * d, (part + 1) * d))
            put(f"{theirs}.self_attn.out_proj", ours + "/self_attention/linear_1")
            norm(f"{theirs}.self_attn_layer_norm", ours + "/self_attention/layer_norm")
            if side == "decoder":
                put(f"{theirs}.encoder_attn.q_proj", ours + "/attention/linear_0")
                put(f"{theirs}.encoder_attn.k_proj", ours + "/attention/linear_1", slice(0, d))
                put(f"{theirs}.encoder_attn.v_proj", ours + "/attention/linear_1", slice(d, 2 * d))
                put(f"{theirs}.encoder_attn.out_proj", ours + "/attention/linear_2")
                norm(f"{theirs}.encoder_attn_layer_norm", ours + "/attention/layer_norm")
            put(f"{theirs}.fc1", ours + "/ffn/linear_0")
            put(f"{theirs}.fc2", ours + "/ffn/linear_1")
            norm(f"{theirs}.final_layer_norm", ours + "/ffn/layer_norm")
    target = torch.tensor(variables["decoder/embeddings/weight"])
    source = torch.tensor(variables.get("encoder/embeddings_0/weight", variables["decoder/embeddings/weight"]))
    state["model.shared.weight"] = state["model.encoder.embed_tokens.weight"] = source
    state["model.decoder.embed_tokens.weight"] = target
    state["lm_head.weight"] = torch.tensor(variables["decoder/projection/weight"])
    state["final_logits_bias"] = torch.tensor(variables["decoder/projection/bias"])[None]
    return state


def sinusoids(positions, d, torch):
    """The position table that CTranslate2 computes when a model brings none."""
    step = torch.exp(torch.arange(d // 2) * -(torch.log(torch.tensor(10000.0)) / (d // 2 - 1)))
    angles = torch.arange(1, positions + 1)[:, None] * step[None]
    return torch.cat([torch.sin(angles), torch.cos(angles)], dim=1)


class Transformers:
    def __init__(self, options, compiled=False):
        import torch
        import transformers
        self.torch, self.compiled, self.options = torch, compiled, options
        self.version = f"transformers {transformers.__version__}, PyTorch {torch.__version__}"
        if options.device == "cuda" and not torch.cuda.is_available():
            raise RuntimeError("this PyTorch sees no CUDA device")
        torch.set_num_threads(options.threads)
        sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "tools"))
        import ct2_file
        variables = ct2_file.read_model(options.model / "model.bin")[3]
        if int(variables.get("encoder/pre_norm", 1)) or int(variables.get("encoder/activation", -1)) != 0:
            raise RuntimeError("only post-norm models with ReLU are carried over to MarianMT")
        if "decoder/projection/weight" not in variables:
            raise RuntimeError("only models with an output matrix of their own are carried over to MarianMT")
        shared = options.model / "shared_vocabulary.json"
        words = [json.loads((shared if shared.exists() else options.model / f"{side}_vocabulary.json").read_text())
                 for side in ("source", "target")]
        self.ids = {word: i for i, word in enumerate(words[0])}
        self.words = words[1]
        d = variables["decoder/embeddings/weight"].shape[1]
        layers = {side: len({name.split("/")[1] for name in variables if name.startswith(side + "/layer_")} -
                            {"layer_norm"}) for side in ("encoder", "decoder")}
        special = {name: words[1].index(word) for name, word in (("unk", "<unk>"), ("bos", "<s>"), ("eos", "</s>"))}
        self.eos, self.pad = special["eos"], special["unk"]
        ffn = variables["encoder/layer_0/ffn/linear_0/weight"].shape[0]
        heads = int(variables["encoder/num_heads"])
        config = transformers.MarianConfig(
            vocab_size=len(words[0]), decoder_vocab_size=len(words[1]), d_model=d,
            encoder_layers=layers["encoder"], decoder_layers=layers["decoder"], encoder_attention_heads=heads,
            decoder_attention_heads=heads, encoder_ffn_dim=ffn, decoder_ffn_dim=ffn, activation_function="relu",
            scale_embedding=True, max_position_embeddings=512, tie_word_embeddings=False,
            share_encoder_decoder_embeddings="encoder/embeddings_0/weight" not in variables,
            pad_token_id=self.pad, eos_token_id=self.eos, bos_token_id=special["bos"],
            decoder_start_token_id=special["bos"], forced_eos_token_id=None)
        model = transformers.MarianMTModel(config)
        missing, unexpected = model.load_state_dict(marian_weights(variables, layers, torch), strict=False)
        missing = [name for name in missing if "embed_positions" not in name]
        unexpected = [name for name in unexpected if "shared" not in name and "embed_tokens" not in name]
        if missing or unexpected:
            raise RuntimeError(f"MarianMT's weights differ: missing {missing[:3]}, unexpected {unexpected[:3]}")
        for stack in (model.model.encoder, model.model.decoder):
            stack.embed_positions.weight.data.copy_(sinusoids(512, d, torch))
        dtype = torch.float16 if options.compute_type == "float16" else torch.float32
        self.model = model.to(device=options.device, dtype=dtype).eval()
        if compiled:
            self.model.forward = torch.compile(self.model.forward, mode="reduce-overhead", dynamic=False)

    def translate(self, sentences):
        torch, options = self.torch, self.options
        order = sorted(range(len(sentences)), key=lambda i: -len(sentences[i]))
        results = [None] * len(sentences)
        settings = {"num_beams": options.beam, "do_sample": False, "max_new_tokens": options.max_length,
                    "min_new_tokens": options.min_length, "length_penalty": 1.0, "early_stopping": options.beam > 1}
        if self.compiled:
            settings["cache_implementation"] = "static"
        batch_size = options.batch or (256 if options.device == "cuda" else 64)
        for begin in range(0, len(order), batch_size):
            batch = order[begin:begin + batch_size]
            rows = [[self.ids.get(word, self.pad) for word in sentences[i]] + [self.eos] for i in batch]
            width = max(map(len, rows))
            if self.compiled:
                width = (width + 15) // 16 * 16  # few shapes to compile
            ids = torch.tensor([row + [self.pad] * (width - len(row)) for row in rows], device=options.device)
            mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows], device=options.device)
            with torch.inference_mode():
                found = self.model.generate(input_ids=ids, attention_mask=mask, **settings).tolist()
            for i, tokens in zip(batch, found):
                tokens = tokens[1:]
                if self.eos in tokens:
                    tokens = tokens[:tokens.index(self.eos)]
                results[i] = [self.words[token] for token in tokens]
        return results


ENGINES = {"bergamot": Bergamot, "ctranslate2": CTranslate2, "fxtranslate": Fxtranslate, "marian": Marian,
           "transformers": Transformers,
           "transformers-compiled": lambda options: Transformers(options, compiled=True)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--tokens", type=pathlib.Path, required=True, help="a sentence per line")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--compute-type", choices=("float32", "float16", "int8", "int8_float16"), default="float32")
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--batch", type=int, default=32, help="sentences; 0: many")
    parser.add_argument("--max-length", type=int, default=256)
    parser.add_argument("--min-length", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--shortlist", type=pathlib.Path, help="marian, bergamot, fxtranslate: lexical shortlist")
    options = parser.parse_args()

    sentences = [line.split() for line in options.tokens.read_text(encoding="utf-8").splitlines()]
    try:
        engine = ENGINES[options.engine](options)
        results = engine.translate(sentences)
    except Exception as error:  # the comparison goes on without it, and says why
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        print(f"skipped: {reason[:300]}", flush=True)
        sys.exit(SKIPPED)
    print(f"ready {engine.version}", flush=True)
    for _ in sys.stdin:
        start, cpu = time.perf_counter(), time.process_time()
        results = engine.translate(sentences)
        print(f"{time.perf_counter() - start:.6f} {time.process_time() - cpu:.6f}", flush=True)
    options.output.write_text("".join(" ".join(tokens) + "\n" for tokens in results), encoding="utf-8")


if __name__ == "__main__":
    main()
