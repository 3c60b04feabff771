# SPDX-License-Identifier: Apache-2.0
"""Greedy and beam search of many sentences at once, all of one source length, with room for keys and values kept."""
import torch

LOOK = 8            # steps between looks at what is finished
CROWD = 0.75        # finished sentences leave when fewer than this share still run


def reordered(caches, rows, used):
    for layer in caches:
        for side in (0, 1):
            layer[side][:, :, :used] = layer[side][rows, :, :used]


@torch.no_grad()
def search(model, source, beams, limit, eos, give_up=0.0):
    """(ids [n, limit], lengths without <eos>, mean log-probabilities with it). A beam that ends stays among the best
    by its mean log-probability. What does not end, within limit or before all but the share give_up, scores -inf."""
    n, device, pad = len(source), source.device, model.pad
    table, heads = model.table(), model.shape.heads
    memories = model.memories(model.encode(table, source))
    if beams > 1:
        memories = [tuple(t.repeat_interleave(beams, 0) for t in m) for m in memories]
    room = (n * beams, heads, limit, model.shape.d // heads)
    caches = [[torch.empty(room, device=device, dtype=table.dtype) for _ in (0, 1)] for _ in memories]
    out = torch.full((n, limit), eos, device=device)
    out_length, out_score = torch.zeros(n, dtype=torch.long, device=device), torch.zeros(n, device=device)
    index = torch.arange(n, device=device)
    ids = torch.full((n, beams, limit), eos, device=device)
    last = torch.full((n * beams, 1), pad, device=device)
    total = torch.full((n, beams), -1e9, device=device)
    total[:, 0] = 0
    length = torch.zeros(n, beams, dtype=torch.long, device=device)      # with <eos>
    ended = torch.zeros(n, beams, dtype=torch.bool, device=device)

    def leave(rows):
        best = (total[rows] / length[rows].clamp(min=1)).max(-1)
        at = index[rows]
        out[at] = ids[rows, best.indices]
        whole = ended[rows, best.indices]
        out_score[at] = best.values.masked_fill(~whole, float("-inf"))
        out_length[at] = length[rows, best.indices] - whole.long()

    for place in range(limit):
        logits = model.logits(table, model.decode(table, last, memories, caches, place)[:, 0]).float()
        normaliser = logits.logsumexp(-1, keepdim=True)
        best, token = logits.topk(beams, -1) if beams > 1 else logits.max(-1, keepdim=True)
        best, token = (best - normaliser).view(-1, beams, beams), token.view(-1, beams, beams)
        if beams == 1:
            step, token = best[..., 0].masked_fill(ended, 0), token[..., 0].masked_fill(ended, eos)
            total, length = total + step, length + ~ended
        else:
            # An ended beam goes on as itself alone.
            best[..., 1:] = best[..., 1:].masked_fill(ended[..., None], -1e9)
            best[..., 0] = best[..., 0].masked_fill(ended, 0)
            token = token.masked_fill(ended[..., None], eos)
            sums = (total[..., None] + best).flatten(1)
            lengths = (length + ~ended)[..., None].expand(-1, -1, beams).flatten(1)
            _, chosen = (sums / lengths).topk(beams, -1)
            parent = chosen // beams
            total, length, token = (t.gather(1, chosen) for t in (sums, lengths, token.flatten(1)))
            ended = ended.gather(1, parent)
            ids = ids.gather(1, parent[..., None].expand_as(ids))
            rows = (torch.arange(len(parent), device=device)[:, None] * beams + parent).flatten()
            reordered(caches, rows, place + 1)
        ids[:, :, place] = token
        ended = ended | (token == eos)
        last = token.reshape(-1, 1)
        if place % LOOK == LOOK - 1 or place == limit - 1:
            done = ended.all(-1)
            left = int((~done).sum())
            if left <= give_up * n or place == limit - 1:
                leave(torch.arange(len(done), device=device))
                break
            if left < CROWD * len(done):
                leave(done.nonzero()[:, 0])
                stay = (~done).nonzero()[:, 0]
                rows = (stay[:, None] * beams + torch.arange(beams, device=device)).flatten()
                caches = [[t[rows] for t in layer] for layer in caches]
                memories = [tuple(t[rows] for t in m) for m in memories]
                ids, total, length, ended, index = (t[stay] for t in (ids, total, length, ended, index))
                last = last[rows]
    return out, out_length, out_score
