#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/pytorch/: small networks of PyTorch's own layers, trained for seconds on a toy task, and what
PyTorch computes with them. Arguments: which ones; none: all.

Needs torch, safetensors and sentencepiece. expected.json of each:
  sources, greedy    ids; without those that begin and end a source, and without the end of a target
  scores             mean log-probability of greedy with its end
  steps              of some sources: `encoder` [source][width]; for a given `target`, which begins with the start token,
                     `logits` [target][vocabulary], `attention` [layer][head][target][source] of cross-attention and
                     `attention_mean` [layer][target][source], as nn.MultiheadAttention gives them
"""
import io
import json
import math
import pathlib
import random
import shutil
import sys

import safetensors.torch
import sentencepiece
import torch
from torch import nn

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "pytorch"
PAD, START, END, UNKNOWN, FIRST = 0, 1, 2, 3, 4
SENTENCES, STEPS, LONGEST, LONGEST_TARGET = 50, 4, 9, 14
MARGIN = 2e-3  # between the logits of the two likeliest tokens
LETTERS = "abcdefghijklmnopqrst"


def sinusoids(length, width, interleaved):
    """As in PyTorch's tutorials; the halves as in Hugging Face's MarianMT."""
    frequency = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
    angle = torch.arange(length).float().unsqueeze(1) * frequency
    table = torch.zeros(length, width)
    if interleaved:
        table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    else:
        table[:, :width // 2], table[:, width // 2:] = angle.sin(), angle.cos()
    return table


class TutorialPositions(nn.Module):
    """A buffer with a dimension for the batch, which is in the state dict."""

    def __init__(self, length, width):
        super().__init__()
        self.register_buffer("pos_embedding", sinusoids(length, width, True).unsqueeze(-2))

    def forward(self, rows):
        return self.pos_embedding[:rows, 0]


class LearnedPositions(nn.Embedding):
    def forward(self, rows):
        return self.weight[:rows]


class FixedPositions(nn.Module):
    def __init__(self, length, width, interleaved):
        super().__init__()
        self.register_buffer("table", sinusoids(length, width, interleaved), persistent=False)

    def forward(self, rows):
        return self.table[:rows]


class NoPositions(nn.Module):
    def forward(self, rows):
        return 0.0


class Whole(nn.Module):
    """nn.Transformer as the tutorials use it."""

    def __init__(self, arguments, sizes, source_positions, target_positions, scale=1.0, tied=False, output_bias=True):
        super().__init__()
        self.transformer = nn.Transformer(**arguments)
        width = self.transformer.d_model
        self.setup(sizes, (width, width), source_positions, target_positions, scale, tied, output_bias)

    def setup(self, sizes, widths, source_positions, target_positions, scale, tied, output_bias):
        self.source, self.target = nn.Embedding(sizes[0], widths[0]), nn.Embedding(sizes[1], widths[1])
        self.output = nn.Linear(widths[1], sizes[1], bias=output_bias)
        if tied:
            self.target.weight = self.source.weight
            self.output.weight = self.source.weight
        self.source_positions, self.target_positions = source_positions, target_positions
        self.scales = [scale if scale else math.sqrt(width) for width in widths]

    def stacks(self):
        return self.transformer.encoder, self.transformer.decoder

    @staticmethod
    def call(stack, tensors, **masks):
        first = stack.layers[0].self_attn.batch_first
        out = stack(*[tensor if first else tensor.transpose(0, 1) for tensor in tensors], **masks)
        return out if first else out.transpose(0, 1)

    def encode(self, source):
        embedded = self.source(source) * self.scales[0] + self.source_positions(source.shape[1])
        return self.call(self.stacks()[0], [embedded], src_key_padding_mask=source == PAD)

    def decode(self, target, memory, source):
        embedded = self.target(target) * self.scales[1] + self.target_positions(target.shape[1])
        causal = torch.triu(torch.ones(target.shape[1], target.shape[1], dtype=torch.bool), 1)
        return self.output(self.call(self.stacks()[1], [embedded, memory], tgt_mask=causal,
                                     memory_key_padding_mask=source == PAD))

    def forward(self, source, target):
        return self.decode(target, self.encode(source), source)


class Stacks(Whole):
    """An encoder and a decoder, each with arguments of its own; of different widths with kdim and vdim."""

    def __init__(self, encoder, decoder, norms, sizes, source_positions, target_positions, scale=1.0, output_bias=True):
        nn.Module.__init__(self)
        layers = lambda given: {key: value for key, value in given.items() if key != "num_layers"}
        norm = lambda given, there: nn.LayerNorm(given["d_model"], bias=given.get("bias", True)) if there else None
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**layers(encoder)), encoder["num_layers"],
                                             norm(encoder, norms[0]), enable_nested_tensor=False)
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**layers(decoder)), decoder["num_layers"],
                                             norm(decoder, norms[1]))
        widths = encoder["d_model"], decoder["d_model"]
        if widths[0] != widths[1]:
            for layer in self.decoder.layers:
                layer.multihead_attn = nn.MultiheadAttention(
                    widths[1], decoder["nhead"], kdim=widths[0], vdim=widths[0],
                    batch_first=decoder.get("batch_first", False), bias=decoder.get("bias", True))
        self.setup(sizes, widths, source_positions, target_positions, scale, False, output_bias)

    def stacks(self):
        return self.encoder, self.decoder


def tutorial():
    """nn.Transformer with its defaults, the tutorials' positions and scale; torch.save; ids as tokens."""
    arguments = dict(d_model=24, nhead=3, num_encoder_layers=1, num_decoder_layers=2, dim_feedforward=32, dropout=0.0)
    positions = TutorialPositions(24, 24)
    model = Whole(arguments, (26, 25), positions, positions, scale=None)
    return model, dict(transformer=dict(name="transformer", **arguments), embedding_scale="sqrt(d_model)",
                       positions={"table": "source_positions.pos_embedding"}, ignore=["target_positions."]), {}


def tied():
    """Norms first, GELU, no biases, one matrix for everything, learned positions; safetensors; a list of tokens."""
    arguments = dict(d_model=24, nhead=2, num_encoder_layers=2, num_decoder_layers=2, dim_feedforward=40, dropout=0.0,
                     activation="gelu", norm_first=True, bias=False, batch_first=True)
    model = Whole(arguments, (24, 24), LearnedPositions(16, 24), LearnedPositions(20, 24), tied=True, output_bias=False)
    told = dict(transformer=dict(name="transformer", **arguments), source_positions={"table": "source_positions"},
                target_positions={"table": "target_positions"}, vocabulary="vocabulary.txt",
                source_embedding="output", target_embedding="output", output="output")  # the name that safetensors keeps
    tokens = ["<pad>", "<s>", "</s>", "<unk>", *LETTERS]
    return model, told, {"vocabulary.txt": "".join(token + "\n" for token in tokens)}


def widths():
    """An encoder wider than the decoder, so that keys and values have matrices of their own; as torch.save once wrote
    it; two vocabularies."""
    encoder = dict(d_model=28, nhead=4, num_layers=1, dim_feedforward=40, dropout=0.0, activation="gelu",
                   norm_first=True, batch_first=True)
    decoder = dict(d_model=20, nhead=2, num_layers=2, dim_feedforward=36, dropout=0.0, layer_norm_eps=1e-4,
                   batch_first=True)
    model = Stacks(encoder, decoder, (True, False), (24, 25), FixedPositions(64, 28, True), FixedPositions(64, 20, True))
    told = dict(encoder=dict(name="encoder", **encoder), decoder=dict(name="decoder", **decoder),
                positions={"sinusoid": "interleaved", "length": 64}, source_vocabulary="letters.json",
                target_vocabulary="doubles.json")
    special = ["<pad>", "<s>", "</s>", "<unk>"]
    return model, told, {"letters.json": json.dumps(special + list(LETTERS)),
                         "doubles.json": json.dumps(special + [letter * 2 for letter in LETTERS] + ["!"])}


def characters():
    """Norms last and none after the stacks, an encoder without biases; positions in halves; text in and out."""
    encoder = dict(d_model=24, nhead=4, num_layers=1, dim_feedforward=32, dropout=0.0, bias=False)
    decoder = dict(d_model=24, nhead=4, num_layers=2, dim_feedforward=32, dropout=0.0, activation="gelu")
    positions = FixedPositions(40, 24, False)
    model = Stacks(encoder, decoder, (False, False), (25, 25), positions, positions, scale=None, output_bias=False)
    told = dict(encoder=dict(name="encoder", **encoder), decoder=dict(name="decoder", **decoder),
                embedding_scale="sqrt(d_model)", positions={"sinusoid": "halves", "length": 40},
                vocabulary=["<pad>", "<s>", "</s>", "<unk>", *LETTERS, " "], tokens="characters")
    return model, told, {}


def pieces():
    """No positions, SiLU, bfloat16, a SentencePiece model, nothing around sources."""
    trained = io.BytesIO()
    words = ["".join(random.Random(i).choices(LETTERS[:8], k=4)) for i in range(400)]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(words), model_writer=trained, vocab_size=30, model_type="unigram", pad_id=PAD,
        bos_id=START, eos_id=END, unk_id=UNKNOWN, minloglevel=2, normalization_rule_name="identity", num_threads=1, hard_vocab_limit=False)
    rows = sentencepiece.SentencePieceProcessor(model_proto=trained.getvalue()).get_piece_size()
    arguments = dict(d_model=24, nhead=3, num_encoder_layers=1, num_decoder_layers=2, dim_feedforward=32, dropout=0.0,
                     norm_first=True, batch_first=True)
    model = Whole(dict(arguments, activation=nn.functional.silu), (rows, rows), NoPositions(), NoPositions())
    told = dict(transformer=dict(name="transformer", activation="silu", **arguments), positions="none",
                vocabulary="pieces.model", source_begin=None, source_end=None)
    return model, told, {"pieces.model": trained.getvalue()}


MODELS = {"tutorial": (tutorial, "zip"), "tied": (tied, "safetensors"), "widths": (widths, "legacy"),
          "characters": (characters, "bin"), "pieces": (pieces, "bfloat16")}


def make_case(rng, model):
    """Backwards, each token one further."""
    rows = min(model.source.num_embeddings, model.target.num_embeddings) - FIRST
    source = [rng.randrange(FIRST, FIRST + rows) for _ in range(rng.randint(1, LONGEST))]
    return source, [FIRST + (token - FIRST + 1) % rows for token in reversed(source)]


def around(source, told):
    begin, end = told["source_begin"], told["source_end"]
    return ([] if begin is None else [begin]) + source + ([] if end is None else [end])


def padded(rows):
    longest = max(map(len, rows))
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])


def train(name, model, told, steps=700):
    rng = random.Random(name)
    optimiser = torch.optim.Adam(model.parameters(), lr=4e-3)
    model.train()
    for step in range(steps):
        cases = [make_case(rng, model) for _ in range(48)]
        sources = padded([around(source, told) for source, _ in cases])
        targets = padded([[START, *target, END] for _, target in cases])
        logits = model(sources, targets[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets[:, 1:].flatten(), ignore_index=PAD)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        for group in optimiser.param_groups:
            group["lr"] = 4e-3 * min(1.0, (steps - step) / steps * 1.5)
    print(f"{name}: loss {loss.item():.3f}", flush=True)
    model.eval()


def save(kind, model, folder):
    state = model.state_dict()
    if kind == "bfloat16":
        state = {name: tensor.bfloat16() for name, tensor in state.items()}
        model.load_state_dict(state)  # what is computed is computed with these values
        torch.save(state, folder / "model.pth")
    elif kind == "zip":
        torch.save(state, folder / "model.pt")
    elif kind == "legacy":
        torch.save(state, folder / "model.pt", _use_new_zipfile_serialization=False)
    elif kind == "bin":
        torch.save(state, folder / "pytorch_model.bin")
    else:
        safetensors.torch.save_model(model, str(folder / "model.safetensors"))


class Watch:
    """Cross-attention weights, as the layers give them when asked."""

    def __init__(self, model):
        self.heads, self.means = [], []
        for layer in model.stacks()[1].layers:
            layer.multihead_attn.forward = self.watched(layer.multihead_attn.forward)

    def watched(self, forward):
        def watching(*tensors, **given):
            given["need_weights"] = True
            self.means.append(forward(*tensors, **{**given, "average_attn_weights": True})[1])
            output, weights = forward(*tensors, **{**given, "average_attn_weights": False})
            self.heads.append(weights)
            return output, weights
        return watching

    def take(self):
        taken = [[tensor[0] for tensor in tensors] for tensors in (self.heads, self.means)]
        self.heads, self.means = [], []
        return taken


def rounded(tensor):
    if isinstance(tensor, (list, tuple)):
        return [rounded(part) for part in tensor]
    return json.loads(json.dumps(tensor.tolist()), parse_float=lambda text: round(float(text), 6))


def greedy(model, source):
    """Tokens and mean log-probability; None where the second likeliest token is near, or there is no end."""
    ids, total = [START], 0.0
    source = torch.tensor([source])
    memory = model.encode(source)
    while len(ids) <= LONGEST_TARGET:
        logits = model.decode(torch.tensor([ids]), memory, source)[0, -1]
        best = logits.topk(2)
        if (best.values[0] - best.values[1]).item() < MARGIN:
            return None
        total += logits.log_softmax(-1)[best.indices[0]].item()
        ids.append(best.indices[0].item())
        if ids[-1] == END:
            return ids[1:-1], total / (len(ids) - 1)
    return None


def record(name, model, told, folder):
    rng = random.Random(name + " recorded")
    sources, tokens, scores, steps = [], [], [], []
    while len(sources) < SENTENCES:
        source, target = make_case(rng, model)
        found = greedy(model, around(source, told))
        if not found or not found[0]:
            continue
        sources.append(source)
        tokens.append(found[0])
        scores.append(round(found[1], 6))
    watch = Watch(model)
    for source in sources[:STEPS]:
        ids = torch.tensor([around(source, told)])
        target = [START] + [rng.randrange(FIRST, model.target.num_embeddings) for _ in range(4)]
        memory = model.encode(ids)
        logits = model.decode(torch.tensor([target]), memory, ids)
        heads, means = watch.take()
        steps.append({"source": ids[0].tolist(), "target": target, "encoder": rounded(memory[0]),
                      "logits": rounded(logits[0]), "attention": rounded(heads), "attention_mean": rounded(means)})
    expected = {"sources": sources, "greedy": tokens, "scores": scores, "steps": steps}
    (folder / "expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")
    right = sum(tokens[i] == [FIRST + (t - FIRST + 1) % (min(model.source.num_embeddings, model.target.num_embeddings)
                                                         - FIRST) for t in reversed(sources[i])]
                for i in range(SENTENCES))
    print(f"{name}: {right} of {SENTENCES} as trained")


def main():
    torch.set_num_threads(1)
    for name in sys.argv[1:] or MODELS:
        make, kind = MODELS[name]
        folder = DATA / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        torch.manual_seed(len(name))
        model, told, files = make()
        told = {"version": 1, "source_embedding": "source", "target_embedding": "target", "output": "output",
                "source_begin": START, "source_end": END, "start": START, "end": END, "unknown": UNKNOWN, "pad": PAD,
                "max_length": 2 * LONGEST_TARGET, **told}
        for file, content in files.items():
            (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
        train(name, model, told)
        with torch.no_grad():
            save(kind, model, folder)
            record(name, model, told, folder)
        for file in folder.iterdir():
            file.chmod(0o644)
        (folder / "dragoman.json").write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
