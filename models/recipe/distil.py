#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A teacher and the shipped model from it, within a number of minutes on one GPU. Reads what pack.py wrote, needs
PyTorch and numpy; sacrebleu for the scores at the end.

The start model translates the text that is in one language; a large model learns from these and the pairs, translates
the text anew, goes on from that, and translates all there is; the small one learns from everything, rate to 0."""
import argparse
import os
import time

STARTED = time.time()       # before PyTorch is loaded, which can take its time

import subprocess
import sys

os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")

import io
import json
import lzma
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch

import ragged
from distil_data import LANGUAGES, TO, back_groups, dev_groups, forward_groups, pair_groups
from distil_results import save_student, save_texts, scores
from fast_batches import Prefixes, Store
from fast_model import FastTranslator, Shape, in_bfloat16, widened
from fast_optimiser import Optimiser
from fast_train import Run, said, validate
from fast_translate import translate

POSITIONS = 160
# When each stage ends, as a share of the whole time.
ENDS = dict(first=0.07, teacher=0.26, second=0.33, better_teacher=0.59, translate=0.70, student=0.955)
TEACHER = Shape(d=512, heads=8, encoder_layers=8, decoder_layers=3, encoder_ffn=2048, decoder_ffn=2048, norm_first=True)
STUDENT = Shape(d=256, heads=4, encoder_layers=6, decoder_layers=2, encoder_ffn=1536, decoder_ffn=1024)
TINY_TEACHER = Shape(d=64, heads=4, encoder_layers=2, decoder_layers=2, encoder_ffn=128, decoder_ffn=128,
                     norm_first=True)


def parse():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--packed", type=Path, required=True)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--total-minutes", type=float, default=16)
    p.add_argument("--teacher-rate", type=float, default=2e-3)
    p.add_argument("--student-rate", type=float, default=1e-3)
    p.add_argument("--batch-tokens", type=int, default=16_384, help="of the teacher; the student: half as many more")
    p.add_argument("--keep", type=Path, help="also write the teacher here")
    p.add_argument("--limit", type=int, help="only so many rows of each file")
    p.add_argument("--rehearse", action="store_true", help="let the start model stand for the teacher, to test")
    p.add_argument("--tiny", action="store_true", help="a small teacher and short epochs, to test")
    p.add_argument("--seed", type=int, default=20240607)
    return p.parse_args()


class Job:
    """What all stages share: the clock, the log, the data on the device."""

    def __init__(self, options):
        self.options, self.started, self.threads = options, STARTED, []
        options.out.mkdir(parents=True, exist_ok=True)
        self.log_file = open(options.out / "distil.log", "a", encoding="utf-8")
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.meta = json.loads((options.packed / "meta.json").read_text(encoding="utf-8"))
        self.store = Store(self.device)
        self.prefixes = Prefixes(self.meta["tags"], self.device)
        self.read()

    def end(self, stage):
        return self.started + 60 * self.options.total_minutes * ENDS[stage]

    def log(self, line):
        line = f"{time.time() - self.started:7.1f} s {line}"
        print(line, flush=True)
        print(line, file=self.log_file, flush=True)

    def read(self):
        names = sorted(p.name[:-3] for p in self.options.packed.glob("*.xz") if p.name != "start.xz")
        with ThreadPoolExecutor() as pool:      # lzma lets go of the interpreter
            found = dict(zip(names, pool.map(lambda n: ragged.load(self.options.packed / f"{n}.xz"), names)))
        self.rows = {}
        for name, (flat, lengths) in found.items():
            rows = self.store.add(flat, lengths)
            self.rows[name] = rows[slice(self.options.limit)] if self.options.limit else rows
        self.log(f"{len(self.store.flat)} ids in {len(names)} files, on {self.device}")

    def array(self, name):
        return torch.as_tensor(np.load(self.options.packed / f"{name}.npy")).to(self.device)

    def start_state(self):
        data = lzma.decompress((self.options.packed / "start.xz").read_bytes())
        return {k: v.float() for k, v in torch.load(io.BytesIO(data), map_location="cpu", weights_only=True).items()}

    def net(self, shape, dropout):
        return FastTranslator(shape, self.meta["pad"], POSITIONS, dropout)


def translate_text(job, model, prefix_of, end, beams, name):
    """{language: Translations} of the text in each language; each gets its part of the time left."""
    model.eval()
    found = {}
    for k, language in enumerate(LANGUAGES):
        other = LANGUAGES[1 - k]
        until = time.time() + (end - time.time()) / (len(LANGUAGES) - k)
        found[language] = translate(model, job.store, job.prefixes, job.rows[f"{prefix_of}.{language}"], TO[other],
                                    beams, until, job.meta, job.log, f"{name} of {prefix_of}.{language}", k)
    return found


def affordable_beams(found, factor, seconds):
    """The most beams for which factor times the work of found is done in so many seconds."""
    each = sum(t.seconds for t in found.values()) * factor
    return next((b for b in (4, 2) if 1.2 * b * each < seconds), 1)


def train_teacher(job, dev, backs):
    """Two stretches; the text is translated anew between them. The teacher, showing the mean of its weights."""
    o = job.options
    torch.manual_seed(o.seed)
    model = job.net(TINY_TEACHER if o.tiny else TEACHER, 0.15).to(job.device)
    optimiser = Optimiser(model, muon=True, mean=0.997, decay=0.02)
    run = Run("teacher", model, optimiser, job, 200, o.batch_tokens, 40_000 if o.tiny else 16_000_000, o.seed)
    job.log(f"teacher: {sum(p.numel() for p in model.parameters())} parameters")
    share = dict(pairs=0.42, phrases=0.02, changed=0.04)
    pairs = pair_groups(job, share)
    run.stretch(pairs + back_groups(job, backs, 0.52), job.end("teacher"), lambda gone: o.teacher_rate)
    optimiser.show(mean=True)
    job.log("teacher validation: " + said(validate(model, job.store, job.prefixes, dev, job.meta)))
    found = translate_text(job, model, "mono", job.end("second"), 1, "second translation")
    optimiser.show(mean=False)
    again = {k: (found[k] if int(found[k].good.sum()) > 0.3 * len(found[k].good) else backs[k]) for k in found}
    run.stretch(pairs + back_groups(job, again, 0.52), job.end("better_teacher"),
                lambda gone: o.teacher_rate * (1 - gone))
    losses = validate(model, job.store, job.prefixes, dev, job.meta)
    job.log("teacher validation: " + said(losses))
    return model, losses, found


def train_student(job, dev, start, groups, record):
    o = job.options
    model = job.net(STUDENT, 0.0)
    model.load_state_dict(widened(start, STUDENT.encoder_layers, STUDENT.decoder_layers, STUDENT.encoder_ffn,
                                  STUDENT.decoder_ffn))
    model = model.to(job.device)
    optimiser = Optimiser(model, muon=False, mean=0.999)
    run = Run("student", model, optimiser, job, 300, o.batch_tokens * 3 // 2, 40_000 if o.tiny else 24_000_000,
              o.seed + 1)
    job.log(f"student: {sum(p.numel() for p in model.parameters())} parameters")

    def keep():
        """What a run that is cut off leaves."""
        save_student(job, optimiser.state(mean=True), record | {"steps": run.steps, "finished": False})

    run.stretch(groups, job.end("student"), lambda gone: o.student_rate * (1 - gone), keep, 60)
    losses = {}
    for mean in (False, True):
        optimiser.show(mean)
        losses[mean] = validate(model, job.store, job.prefixes, dev, job.meta)
        job.log(f"student validation{', mean of weights' if mean else ''}: " + said(losses[mean]))
    mean = sum(losses[True].values()) < sum(losses[False].values())
    optimiser.show(mean)
    record |= {"steps": run.steps, "finished": True, "mean": mean, "validation": losses[mean]}
    save_student(job, optimiser.state(mean), record)
    job.log(f"student saved, {run.steps} steps")
    return model


def start_model(job, start):
    widths = [len(start[f"{stack}.0.fc1.bias"]) for stack in ("encoder", "decoder")]
    model = job.net(Shape(STUDENT.d, STUDENT.heads, STUDENT.encoder_layers, STUDENT.decoder_layers, *widths), 0.0)
    model.load_state_dict(start)
    return in_bfloat16(model.to(job.device)).eval()


def distil(job):
    o = job.options
    dev, start = dev_groups(job), job.start_state()
    model = start_model(job, start)
    before = validate(model, job.store, job.prefixes, dev, job.meta)
    job.log("start validation: " + said(before))
    first = translate_text(job, model, "mono", job.end("first"), 1, "first translation")
    teacher, losses, text = train_teacher(job, dev, first)
    if o.rehearse:
        teacher, losses, text = model, dict.fromkeys(before, 0.0), first
    if o.keep:
        o.keep.mkdir(parents=True, exist_ok=True)
        torch.save({k: v.cpu() for k, v in teacher.state_dict().items()}, o.keep / "teacher.pt")
    record = {"device": torch.cuda.get_device_name() if job.device == "cuda" else "cpu", "teacher": losses,
              "minutes": o.total_minutes, "start": before, "seed": o.seed}
    share = dict(pairs=0.20, phrases=0.06, changed=0.06)
    if sum(losses.values()) < sum(before.values()):
        seconds = job.end("translate") - time.time()
        # The pairs are translated greedily; the text gets the beams that the rest of the time pays for.
        sizes = [sum(int(job.rows[f"{kind}.{x}"].length.sum()) for x in LANGUAGES) for kind in ("pairs", "mono")]
        beams = affordable_beams(text, 1.0, seconds - sum(t.seconds for t in text.values()) * sizes[0] / sizes[1])
        text = translate_text(job, teacher, "mono", time.time() + 0.75 * seconds, beams, "last translation")
        save_texts(job, text)
        pairs = translate_text(job, teacher, "pairs", job.end("translate"), 1, "translation")
        groups = (pair_groups(job, share) + back_groups(job, text, 0.20)
                  + forward_groups(job, text, pairs, dict(forward=0.34, changed_text=0.02, distilled=0.12)))
    else:
        job.log("the teacher is worse than the start model: its translations are not used")
        groups = pair_groups(job, share) + back_groups(job, first, 0.30)
    del teacher
    student = train_student(job, dev, start, groups, record)
    scores(job, student, 4, [])
    for thread in job.threads:
        thread.join(60)
    job.log("finished")


def run(options):
    """As a stage of run.py; in a process of its own, for its memory's sake."""
    subprocess.run([sys.executable, __file__, "--packed", options.training / "packed",
                    "--out", options.run_dir / "distil", "--total-minutes", str(options.total_minutes)], check=True)


def main():
    options = parse()
    try:
        torch.zeros(1, device="cuda" if torch.cuda.is_available() else "cpu")
    except RuntimeError:
        if not os.environ["PYTORCH_CUDA_ALLOC_CONF"]:
            raise
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | {"PYTORCH_CUDA_ALLOC_CONF": ""})
    torch.backends.cuda.enable_cudnn_sdp(False)      # it makes a plan for each new shape
    job = Job(options)
    try:
        distil(job)
    except BaseException:
        job.log(traceback.format_exc())
        raise


if __name__ == "__main__":
    main()
