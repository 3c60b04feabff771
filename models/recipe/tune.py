#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The shipped student goes on from its weights, within a number of minutes on one GPU: pairs, and the translations of
text in one language that a teacher made in an earlier run of distil.py. Rate to 0; scores at the end.

PACKED has what the stage pack wrote, and instead of mono.LANGUAGE, for those of its sentences that have a translation,
text.LANGUAGE and translated.LANGUAGE (distil.py's translated.*.xz, in the same order), with text.LANGUAGE.changed."""
import io
import json
import lzma
import os
import time
import traceback

STARTED = time.time()
os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")

import argparse
from pathlib import Path

import torch

import distil
from distil import Job, STUDENT
from distil_data import LANGUAGES, TO, dev_groups, pair_groups
from distil_results import save_student, scores
from fast_batches import Group
from fast_model import widened
from fast_optimiser import Optimiser
from fast_train import Run, said, validate

SHARES = dict(pairs=0.25, phrases=0.05, changed=0.06)
BACK, FORWARD, CHANGED_TEXT = 0.19, 0.42, 0.03
SHORT = 28             # pieces; a sentence of that many or fewer is drawn more often: captions, everyday text
SHORT_WEIGHT = 2.0


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--packed", type=Path, required=True)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--total-minutes", type=float, default=9)
    p.add_argument("--scores-seconds", type=float, default=40, help="of the end, for validation and BLEU")
    p.add_argument("--rate", type=float, default=1e-3)
    p.add_argument("--batch-tokens", type=int, default=24_576)
    p.add_argument("--epoch-tokens", type=int, default=24_000_000)
    p.add_argument("--limit", type=int)
    p.add_argument("--seed", type=int, default=20251123)
    return p.parse_args()


def start_state(packed):
    data = lzma.decompress((packed / "start.xz").read_bytes())
    state = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    return {k: v[0].float() * v[1].float() if isinstance(v, tuple) else v.float() for k, v in state.items()}


def weighted(source, target, prefix, share):
    length = torch.maximum(source.length, target.length)
    weight = torch.where(length <= SHORT, SHORT_WEIGHT, 1.0).double()
    return Group(source, target, prefix, weight), share


def text_groups(job):
    """Real sources with the teacher's targets; the teacher's translations, marked, as sources of real targets."""
    r, groups = job.rows, []
    for language in LANGUAGES:
        other = LANGUAGES[1 - LANGUAGES.index(language)]
        text, translated = r[f"text.{language}"], r[f"translated.{language}"]
        groups.append(weighted(text, translated, TO[other], FORWARD / 2))
        groups.append(weighted(translated, text, TO[language] + 2, BACK / 2))
        changed = r[f"text.{language}.changed"]
        index = job.array(f"text.{language}.changed").long()[:len(changed)]
        keep = (index < len(text)).nonzero()[:, 0]
        groups.append((Group(changed[keep], translated[index[keep]], TO[other]), CHANGED_TEXT / 2))
    return groups


def tune(job):
    o = job.options
    dev, groups = dev_groups(job), pair_groups(job, SHARES) + text_groups(job)
    for group, share in groups:
        job.log(f"group: {len(group.source)} pairs, {int(group.target.length.sum())} target tokens, share {share:.3f}")
    model = job.net(STUDENT, 0.0)
    model.load_state_dict(widened(start_state(o.packed), STUDENT.encoder_layers, STUDENT.decoder_layers,
                                  STUDENT.encoder_ffn, STUDENT.decoder_ffn))
    model = model.to(job.device)
    optimiser = Optimiser(model, muon=False, mean=0.999)
    before = validate(model, job.store, job.prefixes, dev, job.meta)
    job.log("start validation: " + said(before))
    record = {"device": torch.cuda.get_device_name() if job.device == "cuda" else "cpu", "minutes": o.total_minutes,
              "start": before, "seed": o.seed, "rate": o.rate}
    run = Run("student", model, optimiser, job, 300, o.batch_tokens, o.epoch_tokens, o.seed)

    def keep():
        save_student(job, optimiser.state(mean=True), record | {"steps": run.steps, "finished": False})

    end = job.started + 60 * o.total_minutes - o.scores_seconds
    run.stretch(groups, end, lambda gone: o.rate * (1 - gone), keep, 60)
    losses = {}
    for mean in (False, True):
        optimiser.show(mean)
        losses[mean] = validate(model, job.store, job.prefixes, dev, job.meta)
        job.log(f"validation{', mean of weights' if mean else ''}: " + said(losses[mean]))
    mean = sum(losses[True].values()) < sum(losses[False].values())
    optimiser.show(mean)
    save_student(job, optimiser.state(mean), record | {"steps": run.steps, "finished": True, "mean": mean,
                                                       "validation": losses[mean]})
    job.log(f"saved, {run.steps} steps")
    scores(job, model, 4, [])
    job.log("finished")


def main():
    options = parse()
    distil.STARTED = STARTED
    if torch.cuda.is_available():
        torch.backends.cuda.enable_cudnn_sdp(False)
    job = Job(options)
    try:
        tune(job)
    except BaseException:
        job.log(traceback.format_exc())
        raise


if __name__ == "__main__":
    main()
