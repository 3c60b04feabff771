# SPDX-License-Identifier: Apache-2.0
"""Weights in bfloat16 with float masters: Muon for the matrices of layers, Adam for all else, and a running mean."""
import torch

from fast_model import in_bfloat16, parts

ITERATIONS = (3.4445, -4.7750, 2.0315)   # of Newton and Schulz, as Jordan et al. 2024 chose them
STEPS = 5
BESIDE = 0.5                             # of the rate, for what Adam does beside Muon
MATCH = 0.2                              # updates as large as Adam's (Liu et al. 2025)


def orthogonal(x):
    """Of matrices [n, rows, columns] the nearest ones with singular values near 1."""
    a, b, c = ITERATIONS
    x = x.bfloat16()
    tall = x.shape[1] > x.shape[2]
    if tall:
        x = x.mT
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(STEPS):
        square = x @ x.mT
        x = a * x + (b * square + c * square @ square) @ x
    return x.mT if tall else x


class Optimiser:
    def __init__(self, model, muon, beta2=0.98, decay=0.0, clip=1.0, mean=0.998):
        self.named = list(model.named_parameters())
        self.parameters = [p for _, p in self.named]
        self.master = [p.detach().float().clone() for p in self.parameters]
        self.mean = [m.clone() for m in self.master]
        in_bfloat16(model)
        self.beta2, self.decay, self.clip, self.share, self.steps = beta2, decay, clip, mean, 0
        matrices = [muon and p.dim() == 2 and name != "embedding" for name, p in self.named]
        self.adam = [i for i, m in enumerate(matrices) if not m]
        self.first = [torch.zeros_like(self.master[i]) for i in self.adam]
        self.second = [torch.zeros_like(self.master[i]) for i in self.adam]
        self.groups = {}
        for i, (name, p) in enumerate(self.named):
            if matrices[i]:
                for part in self.master[i].chunk(parts(name)):
                    self.groups.setdefault(tuple(part.shape), []).append(part)
        self.momentum = {shape: torch.zeros(len(found), *shape, device=found[0].device)
                         for shape, found in self.groups.items()}
        self.matrices = [(i, parts(name)) for i, (name, _) in enumerate(self.named) if matrices[i]]

    @torch.no_grad()
    def step(self, rate, count):
        """Gradients are sums over count tokens."""
        gradients = [p.grad.float() for p in self.parameters]
        torch._foreach_div_(gradients, float(count))
        norm = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(gradients)))
        torch._foreach_mul_(gradients, (self.clip / norm).clamp(max=1.0))
        self.steps += 1
        self.adam_step([gradients[i] for i in self.adam], rate * (BESIDE if self.groups else 1.0))
        self.muon_step(gradients, rate)
        torch._foreach_copy_(self.parameters, self.master)
        torch._foreach_lerp_(self.mean, self.master, max(1 - self.share, 1 / (self.steps + 1)))
        for p in self.parameters:
            p.grad = None
        return norm

    def adam_step(self, gradients, rate):
        weights = [self.master[i] for i in self.adam]
        torch._foreach_lerp_(self.first, gradients, 0.1)
        torch._foreach_mul_(self.second, self.beta2)
        torch._foreach_addcmul_(self.second, gradients, gradients, 1 - self.beta2)
        root = torch._foreach_sqrt(self.second)
        torch._foreach_div_(root, (1 - self.beta2 ** self.steps) ** 0.5)
        torch._foreach_add_(root, 1e-9)
        torch._foreach_addcdiv_(weights, self.first, root, -rate / (1 - 0.9 ** self.steps))

    def muon_step(self, gradients, rate):
        by_shape = {shape: [] for shape in self.groups}
        for i, count in self.matrices:
            for part in gradients[i].chunk(count):
                by_shape[tuple(part.shape)].append(part)
        for shape, found in by_shape.items():
            now, momentum = torch.stack(found), self.momentum[shape]
            momentum.lerp_(now, 0.05)
            update = orthogonal(now.lerp_(momentum, 0.95)).float()
            weights = self.groups[shape]
            torch._foreach_mul_(weights, 1 - rate * self.decay)
            torch._foreach_add_(weights, list(update.unbind(0)), alpha=-rate * MATCH * max(shape) ** 0.5)

    def state(self, mean):
        """{name: float weights} on the CPU."""
        return {name: w.cpu().clone() for (name, _), w in zip(self.named, self.mean if mean else self.master)}

    def snapshot(self):
        return [t.clone() for t in self.everything()]

    @torch.no_grad()
    def restore(self, saved):
        for t, s in zip(self.everything(), saved):
            t.copy_(s)
        torch._foreach_copy_(self.parameters, self.master)

    def everything(self):
        return self.master + self.mean + self.first + self.second + list(self.momentum.values())

    @torch.no_grad()
    def show(self, mean):
        """The model gets the weights themselves or their running mean, in bfloat16."""
        torch._foreach_copy_(self.parameters, self.mean if mean else self.master)
