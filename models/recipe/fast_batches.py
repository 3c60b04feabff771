# SPDX-License-Identifier: Apache-2.0
"""Examples as places in one array of token ids on the device; batches are gathered there, none has source padding."""
import dataclasses

import numpy as np
import torch

IGNORED = -1
JOINED_LENGTH = 14    # up to which sentences are joined with others
JOIN = 0.3


class Rows:
    """Sentences: where each begins in Store.flat, and its length."""

    def __init__(self, start, length):
        self.start, self.length = start, length

    def __len__(self):
        return len(self.start)

    def __getitem__(self, index):
        return Rows(self.start[index], self.length[index])


class Store:
    """All token ids there are."""

    def __init__(self, device):
        self.device = device
        self.flat = torch.zeros(1, dtype=torch.int16, device=device)

    def add(self, flat, lengths):
        """int16 ids and int64 lengths, tensors or arrays"""
        flat, lengths = (torch.as_tensor(x).to(self.device) for x in (flat, lengths))
        start = len(self.flat) + lengths.cumsum(0) - lengths
        self.flat = torch.cat([self.flat, flat.to(torch.int16)])
        return Rows(start, lengths)

    def matrix(self, rows, width):
        """[rows, width] ids; past a sentence's end anything."""
        at = rows.start[:, None] + torch.arange(width, device=self.device)
        return self.flat[at.clamp(0, len(self.flat) - 1)].long()


@dataclasses.dataclass
class Group:
    """Pairs of one kind: prefix is the row of Prefixes.table their sources begin with."""
    source: Rows
    target: Rows
    prefix: int
    weight: torch.Tensor | None = None

    def draw(self, tokens, generator):
        """Indices of about so many target tokens' worth of pairs, by weight."""
        length = (self.target.length + 1).double()
        if self.weight is None:
            count = int(tokens / length.mean().item()) + 1
            whole = [torch.randperm(len(length), generator=generator, device=length.device)
                     for _ in range(count // len(length) + 1)]
            return torch.cat(whole)[:count]
        mean = ((length * self.weight).sum() / self.weight.sum()).item()
        return torch.multinomial(self.weight, int(tokens / mean) + 1, replacement=True, generator=generator)


@dataclasses.dataclass
class Span:
    """A batch: a part of Epoch.order, how wide its sources and targets are, and its target tokens."""
    begin: int
    end: int
    width: int
    height: int
    tokens: int


class Prefixes:
    """What sources begin with: the tag of the target language, twice where the source was made by a machine."""

    def __init__(self, tags, device):
        a, b = tags
        self.table = torch.tensor([[a, a], [b, b], [a, a], [b, b]], device=device)
        self.lengths = [1, 1, 2, 2]
        self.length = torch.tensor(self.lengths, device=device)


class Epoch:
    """Pairs drawn from groups by their shares of target tokens, short ones joined, in batches."""

    def __init__(self, store, prefixes, groups, tokens, batch_tokens, generator, longest=128, join=JOIN):
        """groups: [(group, share)]"""
        device = store.device
        self.store, self.prefixes = store, prefixes
        total = sum(share for _, share in groups)
        drawn = [(g, g.draw(tokens * share / total, generator)) for g, share in groups if share > 0 and len(g.source)]
        self.sources, self.targets = (
            Rows(*(torch.cat([getattr(getattr(g, side), field)[i] for g, i in drawn]) for field in ("start", "length")))
            for side in ("source", "target"))
        prefix = torch.cat([torch.full((len(i),), g.prefix, device=device) for g, i in drawn])
        if join:
            prefix = self.joined(prefix, join, generator)
        self.prefix = prefix
        self.widths = self.sources.length + prefixes.length[prefix] + 1
        self.heights = self.targets.length + 1
        self.order, self.spans = self.batches(batch_tokens, longest, generator)

    def joined(self, prefix, join, generator):
        """Unrelated short pairs of one prefix one after the other; writes all into arrays of their own."""
        device = self.store.device
        short = torch.maximum(self.sources.length, self.targets.length) <= JOINED_LENGTH
        kind = prefix * 2 + short
        order = (kind + torch.rand(len(kind), generator=generator, device=device, dtype=torch.double)).argsort()
        kind, short = kind[order], short[order]
        follows = short & (torch.rand(len(prefix), generator=generator, device=device) < join)
        follows[1:] &= kind[1:] == kind[:-1]
        follows[:1] = False
        # At most three in a chain: two in a row that follow, then not.
        third = torch.arange(len(prefix), device=device) % 3 == 0
        first = ~(follows & ~third)
        chain = first.long().cumsum(0) - 1
        for name in ("sources", "targets"):
            rows = getattr(self, name)[order]
            lengths = torch.zeros(int(chain[-1]) + 1, dtype=torch.long, device=device).index_add_(0, chain, rows.length)
            ends = rows.length.cumsum(0)
            where = torch.repeat_interleave(rows.start - (ends - rows.length), rows.length)
            flat = self.store.flat[where + torch.arange(len(where), device=device)]
            local = Store(device)
            setattr(self, name, local.add(flat, lengths))
            setattr(self, name + "_store", local)
        return prefix[order][first]

    def store_of(self, name):
        return getattr(self, name + "_store", self.store)

    def batches(self, batch_tokens, longest, generator):
        """Spans of an order by source width, then target width."""
        ok = (self.widths <= longest) & (self.heights <= longest)
        jitter = torch.rand(len(ok), generator=generator, device=ok.device)
        key = self.widths * 1024 + self.heights + jitter.double()
        order = key.masked_fill(~ok, 1e9).argsort()[:int(ok.sum())]
        widths, heights = self.widths[order].cpu().numpy(), self.heights[order].cpu().numpy()
        spans, edges = [], np.flatnonzero(np.diff(widths, prepend=-1, append=10**9))
        for a, b in zip(edges[:-1], edges[1:]):
            while b > a:
                rows = max(1, batch_tokens // int(max(widths[a], heights[b - 1])))
                begin = max(a, b - rows)
                spans.append(Span(int(begin), int(b), int(widths[a]), int(heights[b - 1]),
                                  int(heights[begin:b].sum())))
                b = begin
        mixed = np.random.default_rng(int(jitter[:1].item() * 2**31) if len(jitter) else 0).permutation(len(spans))
        return order, [spans[i] for i in mixed]

    def tensors(self, span, eos, pad):
        """Source, decoder input and target of a span."""
        index, width, height = self.order[span.begin:span.end], span.width, span.height
        sources, targets, prefix = self.sources[index], self.targets[index], self.prefix[index]
        source = prefixed(self.store_of("sources"), sources, self.prefixes, prefix, width, eos)
        target = self.store_of("targets").matrix(targets, height)
        place = torch.arange(height, device=target.device)
        end = targets.length[:, None]
        target = torch.where(place < end, target, torch.where(place == end, eos, IGNORED))
        first = torch.full_like(target[:, :1], pad)
        return source, torch.cat([first, target[:, :-1].masked_fill(target[:, :-1] < 0, pad)], 1), target


def prefixed(store, rows, prefixes, prefix, width, eos):
    """[rows, width] source ids; all of them are that wide."""
    lead = prefixes.length[prefix][:, None]
    place = torch.arange(width, device=store.device)
    ids = store.matrix(Rows(rows.start - lead[:, 0], rows.length), width)
    ids = torch.where(place < lead, prefixes.table[prefix][:, place.clamp(max=1)], ids)
    return torch.where(place == lead + rows.length[:, None], eos, ids)
