# SPDX-License-Identifier: Apache-2.0
"""The transformer of the Hugging Face Marian layout, with fused projections."""
import math
import threading

import torch
import torch.nn.functional as F
from torch import nn

import options as settings
from loss import SmoothedCrossEntropy


def sinusoids(positions, d):
    half = d // 2
    angle = torch.arange(positions)[:, None] / 10000 ** (torch.arange(half).double() * 2 / d)
    return torch.cat([angle.sin(), angle.cos()], 1).float()


class Dropout(nn.Module):
    """One mask for all positions of a sentence: on a CPU a mask per position
    costs as much as the products around it."""

    thread = threading.local()   # .generator: the calling thread's own, where several train side by side

    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        if not self.training or self.rate == 0:
            return x
        mask = torch.empty(x.shape[0], 1, x.shape[2], device=x.device, dtype=x.dtype)
        generator = getattr(self.thread, "generator", None)
        return x * mask.bernoulli_(1 - self.rate, generator=generator).div_(1 - self.rate)


def attend(q, k, v, mask, causal):
    """On a CPU, PyTorch's own kernel costs several times the plain products at these lengths."""
    if q.device.type != "cpu":
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
    scores = (q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2)
    if causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), -1e4)
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e4)
    return scores.softmax(-1) @ v


class Attention(nn.Module):
    def __init__(self, d, heads, cross):
        super().__init__()
        self.heads = heads
        self.cross = cross
        if cross:
            self.q = nn.Linear(d, d)
            self.kv = nn.Linear(d, 2 * d)
        else:
            self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)

    def split(self, x, parts):
        b, t, width = x.shape
        x = x.view(b, t, parts, self.heads, width // parts // self.heads)
        return x.permute(2, 0, 3, 1, 4).unbind(0)

    def memory(self, states):
        return self.split(self.kv(states), 2)

    def forward(self, x, memory=None, mask=None, causal=False, cache=None):
        if self.cross:
            (q,), (k, v) = self.split(self.q(x), 1), memory
        else:
            q, k, v = self.split(self.qkv(x), 3)
            if cache is not None:
                if "k" in cache:
                    k, v = torch.cat([cache["k"], k], 2), torch.cat([cache["v"], v], 2)
                cache["k"], cache["v"] = k, v
        y = attend(q, k, v, mask, causal)
        return self.out(y.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, d, ffn, heads, dropout, decoder):
        super().__init__()
        self.self_attention = Attention(d, heads, cross=False)
        self.self_norm = nn.LayerNorm(d)
        if decoder:
            self.cross_attention = Attention(d, heads, cross=True)
            self.cross_norm = nn.LayerNorm(d)
        self.fc1 = nn.Linear(d, ffn)
        self.fc2 = nn.Linear(ffn, d)
        self.ffn_norm = nn.LayerNorm(d)
        self.dropout = Dropout(dropout)

    def forward(self, x, mask=None, causal=False, memory=None, memory_mask=None, cache=None):
        x = self.self_norm(x + self.dropout(self.self_attention(x, mask=mask, causal=causal, cache=cache)))
        if memory is not None:
            x = self.cross_norm(x + self.dropout(self.cross_attention(x, memory=memory, mask=memory_mask)))
        return self.ffn_norm(x + self.dropout(self.fc2(F.relu(self.fc1(x)))))


class Translator(nn.Module):
    def __init__(self, dropout=0.0, ffn=(settings.FFN, settings.FFN)):
        """ffn: widths of the feed-forward layers of encoder and decoder"""
        super().__init__()
        d, self.ffn = settings.D_MODEL, ffn
        self.pad = settings.VOCAB_SIZE - 1
        # <pad> has no row here: it is never predicted, and it embeds to zero.
        self.embedding = nn.Parameter(torch.randn(self.pad, d) * d ** -0.5)
        self.bias = nn.Parameter(torch.zeros(self.pad))
        self.register_buffer("positions", sinusoids(settings.MAX_POSITIONS, d), persistent=False)
        rest = settings.HEADS, dropout
        self.encoder = nn.ModuleList(Layer(d, ffn[0], *rest, decoder=False) for _ in range(settings.ENCODER_LAYERS))
        self.decoder = nn.ModuleList(Layer(d, ffn[1], *rest, decoder=True) for _ in range(settings.DECODER_LAYERS))
        self.dropout = Dropout(dropout)
        for name, p in self.named_parameters():
            if p.dim() == 2 and name != "embedding":
                parts = 3 if "qkv" in name else 2 if ".kv" in name else 1
                for part in p.data.chunk(parts):
                    nn.init.xavier_uniform_(part)
            elif p.dim() == 1 and "norm" not in name:
                nn.init.zeros_(p)

    @classmethod
    def of(cls, state, dropout=0.0):
        """With these weights, as wide as they are."""
        model = cls(dropout, tuple(len(state[f"{stack}.0.fc1.bias"]) for stack in ("encoder", "decoder")))
        model.load_state_dict(state)
        return model

    def embed(self, ids, start=0):
        is_pad = ids == self.pad
        x = F.embedding(ids.masked_fill(is_pad, 0), self.embedding) * math.sqrt(self.embedding.shape[1])
        x = x.masked_fill(is_pad[..., None], 0) + self.positions[start:start + ids.shape[1]]
        # The sums of residuals are in the products' type: on a CPU, mixed sums cost as much as products.
        if torch.is_autocast_enabled(x.device.type):
            x = x.to(torch.get_autocast_dtype(x.device.type))
        return self.dropout(x)

    def encode(self, source):
        """States, and an attention mask or None where nothing is padding."""
        keep = source != self.pad
        mask = None if bool(keep.all()) else keep[:, None, None, :]
        x = self.embed(source)
        for layer in self.encoder:
            x = layer(x, mask=mask)
        return x, mask

    def memories(self, states):
        return [layer.cross_attention.memory(states) for layer in self.decoder]

    def decode(self, ids, memories, memory_mask, caches=None, start=0):
        x = self.embed(ids, start)
        for i, layer in enumerate(self.decoder):
            x = layer(x, causal=caches is None, memory=memories[i], memory_mask=memory_mask,
                      cache=caches[i] if caches is not None else None)
        return x

    def logits(self, states):
        return F.linear(states, self.embedding, self.bias)

    def forward(self, source, decoder_input, target, label_smoothing):
        """Sum of the losses over the target tokens, and their number."""
        states, mask = self.encode(source)
        hidden = self.decode(decoder_input, self.memories(states), mask)
        real = target != self.pad
        hidden, weight, bias, target = hidden[real], self.embedding, self.bias, target[real]
        if torch.is_grad_enabled():
            loss = SmoothedCrossEntropy.apply(hidden, weight, bias, target, label_smoothing)
        else:
            loss = F.cross_entropy(self.logits(hidden).float(), target, reduction="sum",
                                   label_smoothing=label_smoothing)
        return loss, int(real.sum())
