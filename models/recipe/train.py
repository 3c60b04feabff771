# SPDX-License-Identifier: Apache-2.0
"""Training that can be killed at any time and goes on from its checkpoint."""
import ctypes
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import torch

import checkpoint
import cleaning
import options as settings
from batches import Corpus, group, tensors
from data import load_dev, load_pairs, PLAIN_QUOTES, VALIDATION
from model import Dropout, Translator
from phrases import load_linked, load_phrases
from vocab import EOS

WARM_START = 300
EVERYDAY = ("tatoeba", "bcontrast", "woz", "gutenberg", "pud", "xquad")


def cpu_setup(options):
    """Idle priority, and memory kept by the allocator: by default every large
    tensor is mapped anew and paid for page by page."""
    torch.set_num_threads(options.threads)
    try:
        libc = ctypes.CDLL(None)
        libc.mallopt(-4, 0)              # M_MMAP_MAX
        libc.mallopt(-1, 2**31 - 1)      # M_TRIM_THRESHOLD
        libc.mallopt(-2, 256 << 20)      # M_TOP_PAD
        if not options.not_idle:
            os.nice(19)
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except (OSError, AttributeError):
        pass


def half_precision(device):
    """bfloat16 products where the processor has them; elsewhere they are slower than float ones."""
    has = device == "cuda" or torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return torch.autocast(device, torch.bfloat16, enabled=has)


def curriculum_row(s, step):
    return next(row for row in s["curriculum"] if step < row[0])


def learning_rate(s, step, start, cooldown):
    """Inverse square root; a start from given weights has no moments yet and warms up again."""
    rate = s["learning_rate"] * min((step + 1) / s["warmup"], (s["warmup"] / (step + 1)) ** 0.5)
    if start:
        rate *= min(1.0, (step - start + 1) / WARM_START)
    if cooldown:
        rate *= min(1.0, max(s["steps"] - step, 0) / cooldown)
    return rate


def time_left(options, now):
    """The share of the learning rate that the time of day leaves."""
    if not options.cooldown_minutes:
        return 1.0
    return min(1.0, max(options.until - now, 0.0) / (60 * options.cooldown_minutes))


class Workers:
    """Gradients of a batch, summed. On a CPU every thread takes its share of the sentences through the whole model:
    threads that share each product wait for each other more than they compute."""

    def __init__(self, model, device, threads):
        self.model, self.device = model, device
        self.parameters = list(model.parameters())
        self.count = threads if device == "cpu" else 1
        self.pool = ThreadPoolExecutor(self.count, initializer=self.begin)

    def begin(self):
        if self.device == "cpu":
            torch.set_num_threads(1)
        Dropout.thread.generator = torch.Generator(self.device)

    def share(self, rows, seed):
        Dropout.thread.generator.manual_seed(seed)
        ids = [t.to(self.device, non_blocking=True) for t in tensors(rows, self.model.pad)]
        with half_precision(self.device):
            loss, count = self.model(*ids, settings.LABEL_SMOOTHING)
        return loss.detach(), count, ids[0].numel(), torch.autograd.grad(loss, self.parameters)

    def gradients(self, batch, seed):
        """Sets .grad of the parameters; (loss, target tokens, source tokens) of the batch."""
        shares = [batch[k::self.count] for k in range(min(self.count, len(batch)))]
        parts = list(self.pool.map(self.share, shares, (seed * self.count + k for k in range(len(shares)))))
        count = sum(p[1] for p in parts)
        for parameter, first, *others in zip(self.parameters, *(p[3] for p in parts)):
            for g in others:
                first.add_(g)
            parameter.grad = first.div_(count)
        return sum(p[0] for p in parts), count, sum(p[2] for p in parts)


def kind_of(source):
    return "prose" if source in VALIDATION else "everyday" if source in EVERYDAY else "other"


def dev_batches(options, vocabulary):
    import numpy
    examples = {"everyday": [], "other": [], "short": [], "prose": []}
    for en, de, source in load_dev(options):
        sides = vocabulary.encode([en.translate(PLAIN_QUOTES), de.translate(PLAIN_QUOTES)])
        for direction, language in ((0, "de"), (1, "en")):
            pair = ([vocabulary.tag[language]] + sides[direction] + [EOS], sides[1 - direction] + [EOS])
            if max(map(len, pair)) <= 128:
                examples[kind_of(source)].append(pair)
            if max(map(len, pair)) <= 16 and source in EVERYDAY:
                examples["short"].append(pair)
    return {name: [[rows[i] for i in batch] for batch in group(rows, 4096, numpy.random.default_rng(0))]
            for name, rows in examples.items()}


@torch.no_grad()
def validate(model, dev, device):
    model.eval()
    result = {}
    for name, batches in dev.items():
        total = count = 0
        for batch in batches:
            loss, n = model(*(t.to(device) for t in tensors(batch, model.pad)), 0.0)
            total, count = total + loss.item(), count + n
        result[name] = total / max(count, 1)
    model.train()
    return result


def train(options, vocabulary, log):
    s, folder = options.settings, options.run_dir / "checkpoints"
    folder.mkdir(parents=True, exist_ok=True)
    device = "cuda" if options.preset == "cuda" else "cpu"
    if device == "cpu":
        cpu_setup(options)
    state = checkpoint.load_last(folder, log)
    if state and state["step"] >= s["steps"]:
        log(f"training was complete at step {state['step']}")
        return
    (options.run_dir / "settings.json").write_text(json.dumps(
        {k.lower(): v for k, v in vars(settings).items() if k.isupper() and isinstance(v, (int, float))}
        | s | dict(seed=options.seed, torch=torch.__version__, device=device), indent=1) + "\n")

    torch.manual_seed(options.seed)
    if options.start_from:
        from package import load_package
        model = Translator.of(load_package(options.start_from).state_dict(), s["dropout"])
    else:
        model = Translator(s["dropout"])
    model = model.to(device).train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-9, betas=(0.9, s["beta2"]), eps=1e-9,
                                  weight_decay=0.0, fused=True)
    log(f"{sum(p.numel() for p in model.parameters())} parameters on {device}, preset {options.preset}")
    step = epoch = skip = epoch_step = start = 0
    seconds = 0.0
    best = float("inf")
    if not state and options.start_from:
        from package import steps_so_far, training_record
        record = training_record(options.start_from)
        step = epoch_step = start = steps_so_far(record)
        epoch, seconds = record["epochs"], record["seconds"]
        log(f"began with {options.start_from}, step {step}")
    if state:
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        step, epoch, skip, epoch_step, best = (state[k] for k in ("step", "epoch", "done", "epoch_step", "best"))
        start, seconds = state.get("start", 0), state.get("seconds", 0.0)
        log(f"resumed at step {step}, epoch {epoch}, batch {skip}")
    share = s["phrase_share"]
    nth = s.get("every_nth_pair", 1)
    pairs = load_pairs(options)
    corpus = Corpus(pairs[::nth], vocabulary, load_linked(options)[::nth] if share else None,
                    load_phrases(options) if share else [], share, s["join"], s["vary"],
                    cleaning.kept(options, pairs, log)[::nth])
    workers = Workers(model, device, options.threads)
    dev = dev_batches(options, vocabulary)
    started = saved = logged = time.time()
    loss_sum = tokens = source_tokens = 0
    end = min(options.until or float("inf"), started + 60 * (options.max_minutes or float("inf")))

    def rate():
        return learning_rate(s, step, start, options.cooldown_steps) * time_left(options, time.time())

    def save(done):
        checkpoint.save_last(dict(model=model.state_dict(), optimiser=optimiser.state_dict(), step=step,
                                  epoch=epoch, done=done, epoch_step=epoch_step, best=best, start=start,
                                  seconds=seconds + time.time() - started, device=device), folder)

    stop = False
    while not stop:
        # The epoch's content depends on the step it began at, not on where it was cut.
        row = curriculum_row(s, epoch_step)
        batches = corpus.batches(options.seed, epoch, row, s["epoch_pairs"], s["batch_tokens"])
        log(f"epoch {epoch}: {len(batches)} batches, {sum(map(len, batches))} sentences, at most {row[1]} tokens")
        for done in range(skip, len(batches)):
            loss, count, sources = workers.gradients(batches[done], options.seed + step)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for g in optimiser.param_groups:
                g["lr"] = rate()
            optimiser.step()
            optimiser.zero_grad()
            step += 1
            loss_sum, tokens, source_tokens = loss_sum + loss, tokens + count, source_tokens + sources

            if step % s["log_every"] == 0:
                now = time.time()
                log(f"step {step} epoch {epoch} loss {float(loss_sum) / tokens:.3f} lr {rate():.2e} "
                    f"target tokens/s {tokens / (now - logged):.0f} "
                    f"source tokens/s {source_tokens / (now - logged):.0f}")
                loss_sum, tokens, source_tokens, logged = 0, 0, 0, now
            if step % s["validate_every"] == 0:
                result = validate(model, dev, device)
                improved = result["everyday"] < best
                log(f"step {step} validation " + " ".join(f"{k} {v:.4f}" for k, v in result.items())
                    + (" best" if improved else ""))
                if improved:
                    best = result["everyday"]
                    checkpoint.save(model.state_dict(), folder / "best.pt")
            stop = step >= s["steps"] or time.time() > end
            if stop or step % s["snapshot_every"] == 0:
                checkpoint.save_snapshot(model.state_dict(), step, folder, keep=12)
            if stop or time.time() - saved > s["checkpoint_seconds"]:
                save(done + 1)
                saved = time.time()
            if stop:
                break
        else:
            epoch, skip, epoch_step = epoch + 1, 0, step
    log(f"stopped at step {step}")
