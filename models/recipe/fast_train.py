# SPDX-License-Identifier: Apache-2.0
"""Training against the clock: the rate follows the share of the time that is gone."""
import time

import torch

from fast_batches import Epoch

SMOOTHING = 0.1
MICRO = 2                    # batches a step, each of sources of one length
SAY_SECONDS = 10
SAFE_SECONDS = 30


@torch.no_grad()
def validate(model, store, prefixes, dev, meta):
    """{kind: loss per target token}; dev: {kind: [(group, 1.0), ...]}"""
    was, losses = model.training, {}
    model.eval()
    for kind, groups in dev.items():
        total = count = 0
        for group, _ in groups:
            generator = torch.Generator(store.device).manual_seed(0)
            # All of it once: as many tokens as there are.
            tokens = int((group.target.length + 1).sum()) - 1
            epoch = Epoch(store, prefixes, [(group, 1.0)], tokens, 16_384, generator, join=0)
            for span in epoch.spans:
                total += model(*epoch.tensors(span, meta["eos"], meta["pad"]), 0.0).item()
                count += span.tokens
        losses[kind] = total / max(count, 1)
    model.train(was)
    return losses


def said(losses):
    return " ".join(f"{k} {v:.4f}" for k, v in losses.items())


class Run:
    """One model in training, in one or more stretches."""

    def __init__(self, name, model, optimiser, job, warmup, batch_tokens, epoch_tokens, seed):
        self.name, self.model, self.optimiser, self.job = name, model, optimiser, job
        self.warmup, self.batch_tokens, self.epoch_tokens = warmup, batch_tokens, epoch_tokens
        self.generator = torch.Generator(job.store.device).manual_seed(seed)
        self.steps = 0
        self.caution = 1.0          # of the rate, after a loss that was no number

    def stretch(self, groups, end, rate, every=None, seconds=60):
        """Trains until end; rate(share of the stretch that is gone) before warm-up. Calls every() once in a while."""
        job, meta = self.job, self.job.meta
        self.model.train()
        begun = now = spoke = safe = called = time.time()
        saved = self.optimiser.snapshot()
        loss_sum, tokens, finite = torch.zeros((), device=job.store.device), 0, True
        while (now := time.time()) < end:
            epoch = Epoch(job.store, job.prefixes, groups, self.epoch_tokens, self.batch_tokens, self.generator)
            for k in range(0, len(epoch.spans), MICRO):
                spans = epoch.spans[k:k + MICRO]
                count = sum(s.tokens for s in spans)
                for span in spans:
                    loss = self.model(*epoch.tensors(span, meta["eos"], meta["pad"]), SMOOTHING)
                    loss.backward()
                    loss_sum += loss.detach()
                now = time.time()
                gone = min(1.0, (now - begun) / max(end - begun, 1e-9))
                now_rate = rate(gone) * min(1.0, (self.steps + 1) / self.warmup) * self.caution
                self.optimiser.step(now_rate, count)
                self.steps += 1
                tokens += count
                if now - spoke > SAY_SECONDS or self.steps % 200 == 0 or self.steps in (1, 10, 50):
                    mean = loss_sum.item() / tokens          # waits for the device
                    now = time.time()
                    job.log(f"{self.name}: step {self.steps} loss {mean:.3f} rate {now_rate:.2e} "
                            f"{tokens / (now - spoke):.0f} target tokens/s")
                    finite = mean == mean and abs(mean) < 1e4
                    if not finite:
                        self.caution /= 2
                        job.log(f"{self.name}: no number; back to the weights before, at {self.caution} of the rate")
                        self.optimiser.restore(saved)
                    elif now - safe > SAFE_SECONDS:
                        saved, safe = self.optimiser.snapshot(), now
                    spoke, tokens = now, 0
                    loss_sum.zero_()
                if every and now - called > seconds:
                    every()
                    called = now = time.time()
                if now >= end:
                    break
        if tokens and not (abs(loss_sum.item() / tokens) < 1e4):
            self.optimiser.restore(saved)
