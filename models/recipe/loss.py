# SPDX-License-Identifier: Apache-2.0
"""Cross-entropy with label smoothing and its output layer in one: logits are made and read once.

PyTorch's own reads and writes arrays of the logits' size about a dozen times, on a CPU a sixth of a whole training
step. With p the softmax, t the target, V the vocabulary and e the smoothing, the gradient of the logits is
p - e/V - (1-e) [t]; only p is ever an array of that size, the other two terms go straight into the gradients.
"""
import torch
import torch.nn.functional as F

ROWS = 64     # a multiple of this many, for few shapes of products (see batches.py)


class SmoothedCrossEntropy(torch.autograd.Function):
    """(hidden [n, d], weight [V, d], bias [V], target [n], smoothing) -> sum of the losses over n."""

    @staticmethod
    def forward(ctx, hidden, weight, bias, target, smoothing):
        h, w = hidden, weight.to(hidden.dtype)
        even, hit = smoothing / len(weight), 1 - smoothing
        rows, h32, wt = len(h), h.float(), w[target].float()
        h = F.pad(h, (0, 0, 0, -rows % ROWS))
        p = torch.addmm(bias.to(h.dtype), h, w.t()).softmax(-1)
        p[rows:] = 0
        logp = p[:rows].gather(1, target[:, None])[:, 0].float().clamp(min=1e-30).log()
        logit = (h32 * wt).sum(-1) + bias[target]
        column = w.sum(0, dtype=torch.float32)
        total = (h32 * column).sum(-1) + bias.sum()       # of a row's logits; a product would be autocast
        loss = -(hit * logp + even * (total + len(weight) * (logp - logit))).sum()
        ctx.gradients = (
            torch.mm(p, w)[:rows].float() - even * column - hit * wt,
            (torch.mm(p.t(), h).float() - even * h32.sum(0)).index_add_(0, target, h32, alpha=-hit),
            (torch.mm(h.new_ones(1, len(h)), p)[0].float() - even * rows)
            .index_add_(0, target, torch.full_like(logp, -hit)))
        ctx.kinds = hidden.dtype, weight.dtype, bias.dtype
        return loss

    @staticmethod
    def backward(ctx, scale):
        return *(((g if scale == 1 else g * scale).to(kind)) for g, kind in zip(ctx.gradients, ctx.kinds)), None, None
