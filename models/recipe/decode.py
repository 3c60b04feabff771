# SPDX-License-Identifier: Apache-2.0
"""Batched greedy and beam search with the scores of Hugging Face."""
import torch

from batches import pad
from vocab import EOS


@torch.no_grad()
def translate(model, vocabulary, lines, target_language, beams=1, max_length=None, batch_tokens=4096):
    """Translations in the order of lines; max_length counts the start token,
    and is by default a length that only runaway output reaches."""
    device = model.embedding.device
    sources = vocabulary.source(lines, target_language)
    limit = model.positions.shape[0]
    sources = [s if len(s) <= limit else s[:limit - 1] + [EOS] for s in sources]
    order = sorted(range(len(lines)), key=lambda i: -len(sources[i]))
    out = [""] * len(lines)
    while order:
        rows = max(1, batch_tokens // (len(sources[order[0]]) * beams))
        chunk, order = order[:rows], order[rows:]
        longest = max_length or min(limit, 2 * len(sources[chunk[0]]) + 20)
        ids = search(model, pad([sources[i] for i in chunk], model.pad).to(device), beams, longest)
        for i, row in zip(chunk, ids):
            out[i] = vocabulary.decode(row)
    return out


def search(model, source, beams, max_length):
    """[token ids without <eos>]. Finished hypotheses score sum / length; a
    sentence ends when no running beam can beat its worst finished one."""
    n, device = source.shape[0], source.device
    states, mask = model.encode(source)
    memories = [tuple(t.repeat_interleave(beams, 0) for t in m) for m in model.memories(states)]
    mask = None if mask is None else mask.repeat_interleave(beams, 0)
    caches = [{} for _ in memories]
    score = torch.full((n, beams), -1e9, device=device)
    score[:, 0] = 0
    tokens = torch.full((n * beams, 1), model.pad, device=device)
    finished = [[] for _ in range(n)]
    open_rows = list(range(n))   # sentence of each group of beams still running
    for length in range(1, max_length):
        hidden = model.decode(tokens[:, -1:], memories, mask, caches, start=length - 1)
        logp = model.logits(hidden[:, -1]).log_softmax(-1).view(len(open_rows), beams, -1)
        if length == max_length - 1:
            # The last place is for <eos>, at no cost.
            logp.fill_(float("-inf"))
            logp[..., EOS] = 0
        total = (score[..., None] + logp).flatten(1)
        best, index = total.topk(2 * beams)
        beam, token = index // logp.shape[-1], index % logp.shape[-1]
        base = torch.arange(len(open_rows), device=device)[:, None] * beams
        is_eos = token == EOS
        for r, rank in (is_eos[:, :beams] & (best[:, :beams] > -1e8)).nonzero().tolist():
            ids = tokens[r * beams + beam[r, rank], 1:].tolist()
            finished[open_rows[r]].append((best[r, rank].item() / length, ids))
        score, rank = best.masked_fill(is_eos, float("-inf")).topk(beams)
        token, beam = token.gather(1, rank), beam.gather(1, rank)
        stay = []
        for r, top in enumerate(score[:, 0].tolist()):
            done = finished[open_rows[r]] = sorted(finished[open_rows[r]], key=lambda f: -f[0])[:beams]
            if length < max_length - 1 and not (len(done) == beams and done[-1][0] >= top / length):
                stay.append(r)
        if not stay:
            break
        stay = torch.tensor(stay, device=device)
        rows = (base + beam)[stay].flatten()
        tokens = torch.cat([tokens[rows], token[stay].view(-1, 1)], 1)
        caches = [{k: v[rows] for k, v in c.items()} for c in caches]
        if len(stay) < len(open_rows):
            groups = (base + torch.arange(beams, device=device))[stay].flatten()
            memories = [tuple(t[groups] for t in m) for m in memories]
            mask = None if mask is None else mask[groups]
        score = score[stay]
        open_rows = [open_rows[r] for r in stay.tolist()]
    return [f[0][1] for f in finished]
