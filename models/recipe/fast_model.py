# SPDX-License-Identifier: Apache-2.0
"""The transformer of model.py for a GPU: any shape, norms before or after, and no masks, since all sources of a batch
have one length and padding comes after a target. Parameters have the names of model.py."""
import dataclasses
import math

import torch
import torch.nn.functional as F
from torch import nn


@dataclasses.dataclass
class Shape:
    d: int
    heads: int
    encoder_layers: int
    decoder_layers: int
    encoder_ffn: int
    decoder_ffn: int
    norm_first: bool = False


def sinusoids(positions, d):
    angle = torch.arange(positions)[:, None] / 10000 ** (torch.arange(d // 2).double() * 2 / d)
    return torch.cat([angle.sin(), angle.cos()], 1).float()


class Attention(nn.Module):
    def __init__(self, d, heads, cross):
        super().__init__()
        self.heads = heads
        if cross:
            self.q, self.kv = nn.Linear(d, d), nn.Linear(d, 2 * d)
        else:
            self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)

    def split(self, x, parts):
        """parts of [rows, heads, places, d / heads]"""
        b, t, width = x.shape
        return x.view(b, t, parts, self.heads, width // parts // self.heads).permute(2, 0, 3, 1, 4).unbind(0)

    def attend(self, q, k, v, causal=False):
        y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return self.out(y.transpose(1, 2).flatten(2))

    def itself(self, x, causal):
        return self.attend(*self.split(self.qkv(x), 3), causal)

    def next(self, x, cache, place):
        """One more place; cache: keys and values of those before it, with room."""
        q, k, v = self.split(self.qkv(x), 3)
        cache[0][:, :, place:place + 1], cache[1][:, :, place:place + 1] = k, v
        return self.attend(q, cache[0][:, :, :place + 1], cache[1][:, :, :place + 1])

    def memory(self, states):
        return self.split(self.kv(states), 2)

    def of(self, x, memory):
        return self.attend(*self.split(self.q(x), 1), *memory)


class Layer(nn.Module):
    def __init__(self, shape, ffn, dropout, decoder):
        super().__init__()
        d = shape.d
        self.norm_first, self.rate = shape.norm_first, dropout
        self.self_attention, self.self_norm = Attention(d, shape.heads, False), nn.LayerNorm(d)
        if decoder:
            self.cross_attention, self.cross_norm = Attention(d, shape.heads, True), nn.LayerNorm(d)
        self.fc1, self.fc2, self.ffn_norm = nn.Linear(d, ffn), nn.Linear(ffn, d), nn.LayerNorm(d)

    def around(self, norm, part, x):
        y = part(norm(x) if self.norm_first else x)
        x = x + (F.dropout(y, self.rate) if self.training and self.rate else y)
        return x if self.norm_first else norm(x)

    def feed(self, x):
        return self.fc2(F.relu(self.fc1(x)))

    def forward(self, x, causal=False, memory=None, cache=None, place=0):
        if cache is None:
            x = self.around(self.self_norm, lambda y: self.self_attention.itself(y, causal), x)
        else:
            x = self.around(self.self_norm, lambda y: self.self_attention.next(y, cache, place), x)
        if memory is not None:
            x = self.around(self.cross_norm, lambda y: self.cross_attention.of(y, memory), x)
        return self.around(self.ffn_norm, self.feed, x)


class SmoothedLoss(torch.autograd.Function):
    """(logits [n, V], target [n] or -1, outputs that count, smoothing) -> sum; one array of the logits' size in float.
    """

    @staticmethod
    def forward(ctx, logits, target, outputs, smoothing):
        logp = F.log_softmax(logits, -1, dtype=torch.float32)
        real = target >= 0
        target = target.clamp(min=0)
        loss = -(1 - smoothing) * logp.gather(1, target[:, None])[:, 0]
        if smoothing:
            loss = loss - smoothing * logp[:, :outputs].mean(-1)
        ctx.save_for_backward(logp, target, real)
        ctx.outputs, ctx.smoothing, ctx.kind = outputs, smoothing, logits.dtype
        return (loss * real).sum()

    @staticmethod
    def backward(ctx, scale):
        logp, target, real = ctx.saved_tensors
        gradient = logp.exp_()
        gradient[:, :ctx.outputs] -= ctx.smoothing / ctx.outputs
        gradient.scatter_add_(1, target[:, None], gradient.new_full((len(target), 1), ctx.smoothing - 1))
        gradient *= (real * scale)[:, None]
        return gradient.to(ctx.kind), None, None, None


class FastTranslator(nn.Module):
    def __init__(self, shape, pad, positions, dropout=0.0):
        super().__init__()
        self.shape, self.pad, self.rate = shape, pad, dropout
        self.embedding = nn.Parameter(torch.randn(pad, shape.d) * shape.d ** -0.5)
        self.bias = nn.Parameter(torch.zeros(pad))
        self.register_buffer("positions", sinusoids(positions, shape.d), persistent=False)
        self.encoder = nn.ModuleList(Layer(shape, shape.encoder_ffn, dropout, False)
                                     for _ in range(shape.encoder_layers))
        self.decoder = nn.ModuleList(Layer(shape, shape.decoder_ffn, dropout, True)
                                     for _ in range(shape.decoder_layers))
        if shape.norm_first:
            self.encoder_norm, self.decoder_norm = nn.LayerNorm(shape.d), nn.LayerNorm(shape.d)
        for name, p in self.named_parameters():
            if p.dim() == 2 and name != "embedding":
                for part in p.data.chunk(parts(name)):
                    nn.init.xavier_uniform_(part)
            elif p.dim() == 1 and "norm" not in name:
                nn.init.zeros_(p)

    def table(self):
        """The embedding with a row of zeros for <pad>; as an output layer, of a width that products like."""
        return F.pad(self.embedding, (0, 0, 0, 1))

    def embed(self, table, ids, start=0):
        x = F.embedding(ids, table).float() * math.sqrt(self.shape.d) + self.positions[start:start + ids.shape[1]]
        x = x.to(table.dtype)
        return F.dropout(x, self.rate) if self.training and self.rate else x

    def encode(self, table, source):
        x = self.embed(table, source)
        for layer in self.encoder:
            x = layer(x)
        return self.encoder_norm(x) if self.shape.norm_first else x

    def memories(self, states):
        return [layer.cross_attention.memory(states) for layer in self.decoder]

    def decode(self, table, ids, memories, caches=None, place=0):
        x = self.embed(table, ids, place)
        for i, layer in enumerate(self.decoder):
            x = layer(x, causal=caches is None, memory=memories[i], cache=caches[i] if caches else None, place=place)
        return self.decoder_norm(x) if self.shape.norm_first else x

    def logits(self, table, hidden):
        return F.linear(hidden, table, F.pad(self.bias, (0, 1), value=-1e4))

    def forward(self, source, decoder_input, target, smoothing):
        """Sum of the losses over the targets that are not negative."""
        table = self.table()
        hidden = self.decode(table, decoder_input, self.memories(self.encode(table, source)))
        # The loss of <pad>, which is never right, is left out of the smoothing: its logit would be a large loss.
        return SmoothedLoss.apply(self.logits(table, hidden).flatten(0, 1), target.flatten(), self.pad, smoothing)


def parts(name):
    return 3 if "qkv" in name else 2 if ".kv" in name else 1


def widened(state, encoder_layers, decoder_layers, encoder_ffn, decoder_ffn, seed=0):
    """The same function with wider feed-forward layers: what is added has random inputs and no effect yet."""
    generator, state = torch.Generator().manual_seed(seed), dict(state)
    for stack, layers, ffn in (("encoder", encoder_layers, encoder_ffn), ("decoder", decoder_layers, decoder_ffn)):
        for i in range(layers):
            name = f"{stack}.{i}"
            more = ffn - len(state[f"{name}.fc1.bias"])
            if more < 0:
                raise SystemExit(f"{name}: expected at most {ffn} units, got {ffn - more}")
            if more:
                old = state[f"{name}.fc1.weight"]
                new = torch.randn(more, old.shape[1], generator=generator) * old.std()
                state[f"{name}.fc1.weight"] = torch.cat([old, new.to(old.dtype)])
                state[f"{name}.fc1.bias"] = F.pad(state[f"{name}.fc1.bias"], (0, more))
                state[f"{name}.fc2.weight"] = F.pad(state[f"{name}.fc2.weight"], (0, more))
    return state


def in_bfloat16(model):
    """The parameters alone: positions stay as exact as they are."""
    for p in model.parameters():
        p.data = p.data.bfloat16()
    return model
