# SPDX-License-Identifier: Apache-2.0
"""What distil.py leaves: translations, weights in files of moderate size, scores."""
import json
import os
import threading
import time
import traceback

import torch

import ragged
from distil_data import LANGUAGES, TO
from fast_translate import translate


def spoken(meta, ids):
    return "".join(meta["pieces"][i] for i in ids).replace("▁", " ").strip()


def scores(job, model, beams, results):
    """BLEU of the held-out sets, and the translations."""
    texts = json.loads((job.options.packed / "test.json").read_text(encoding="utf-8"))
    try:
        import sacrebleu
    except ImportError:
        sacrebleu = None
    model.eval()
    for name in sorted({n.rsplit(".", 1)[0] for n in texts}):
        for k, language in enumerate(LANGUAGES):
            other = LANGUAGES[1 - k]
            rows = job.rows[f"test.{name}.{language}"]
            found = translate(model, job.store, job.prefixes, rows, TO[other], beams, time.time() + 60, job.meta,
                              lambda line: None, name)
            ids = job.store.matrix(found.rows, int(found.rows.length.max())).tolist()
            lines = [spoken(job.meta, r[:n]) for r, n in zip(ids, found.rows.length.tolist())]
            references = texts[f"{name}.{other}"][:len(lines)]
            bleu = round(sacrebleu.corpus_bleu(lines, [references]).score, 2) if sacrebleu else None
            results.append(dict(set=name, direction=f"{language}-{other}", beams=beams, bleu=bleu, first=lines[:30]))
            (job.options.out / "scores.json").write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
            job.log(f"{name} {language}-{other} beam {beams}: BLEU {bleu}")


def save_texts(job, found):
    """For training elsewhere: the translations, in the order of the text; of length 0 where they are not good."""
    try:
        for language, t in found.items():
            lengths = t.rows.length * t.good
            rows = type(t.rows)(t.rows.start, lengths)
            ends = lengths.cumsum(0)
            at = torch.repeat_interleave(rows.start - (ends - lengths), lengths)
            flat = job.store.flat[at + torch.arange(len(at), device=job.device)]
            flat, lengths = flat.cpu().numpy(), lengths.cpu().numpy()
            thread = threading.Thread(target=save_text, args=(job, language, flat, lengths), daemon=True)
            thread.start()
            job.threads.append(thread)
    except Exception:
        job.log(traceback.format_exc())


def save_text(job, language, flat, lengths):
    path = job.options.out / f"translated.{language}.xz"
    part = path.with_suffix(".part")
    ragged.save(part, flat, lengths)
    if part.stat().st_size < 16 << 20:
        os.replace(part, path)
    else:
        part.unlink()
    job.log(f"translations of mono.{language} written")


def save_student(job, state, record):
    """Two files of 16-bit floats, each replaced when whole."""
    names = list(state)
    size, half = 0, sum(v.numel() for v in state.values()) // 2
    parts = {}, {}
    for name in names:
        parts[size > half][name] = state[name].half()
        size += state[name].numel()
    for k, part in enumerate(parts):
        path = job.options.out / f"student.{k}.pt"
        torch.save(part, path.with_suffix(".part"))
        os.replace(path.with_suffix(".part"), path)
    (job.options.out / "student.json").write_text(json.dumps(record, indent=1) + "\n")
