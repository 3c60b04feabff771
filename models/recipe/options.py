# SPDX-License-Identifier: Apache-2.0
"""Every number that shapes the model or its training, in one place."""
import argparse
import datetime
import os
from pathlib import Path

LANGUAGES = ("en", "de")
VOCAB_SIZE = 8000          # with <pad>, which is the last id
D_MODEL = 256
FFN = 1024
HEADS = 4
ENCODER_LAYERS = 6
DECODER_LAYERS = 2
MAX_POSITIONS = 512

# Curriculum rows: last step, longest side in tokens, exponent on the source
# weights, share of source and of target pieces written as two smaller ones.
# On a CPU short everyday sentences come first: a step costs the same, but
# carries five times as many sentences, so that an early model is of use.
PRESETS = {
    "cpu": dict(
        batch_tokens=2048, epoch_pairs=80_000, steps=120_000,
        learning_rate=1e-3, beta2=0.999, warmup=1200, dropout=0.0,
        phrase_share=0.35, join=0.4, vary=0.08,
        log_every=50, validate_every=1000, snapshot_every=500, checkpoint_seconds=180,
        curriculum=[(6_000, 16, 1.0, 0.0, 0.0), (28_000, 40, 1.0, 0.05, 0.0), (10**9, 64, 1.0, 0.05, 0.0)],
    ),
    "cuda": dict(
        batch_tokens=16_384, epoch_pairs=400_000, steps=40_000,
        learning_rate=1e-3, beta2=0.98, warmup=2000, dropout=0.2,
        phrase_share=0.35, join=0.4, vary=0.08,
        log_every=100, validate_every=1000, snapshot_every=1000, checkpoint_seconds=180,
        curriculum=[(10**9, 128, 1.0, 0.1, 0.05)],
    ),
    # For check_resume.sh: everything but phrases, in a minute or two.
    "tiny": dict(
        batch_tokens=256, epoch_pairs=2_000, steps=120,
        learning_rate=1e-3, beta2=0.98, warmup=50, dropout=0.1,
        phrase_share=0.0, join=0.4, vary=0.08,
        log_every=10, validate_every=120, snapshot_every=20, checkpoint_seconds=0, every_nth_pair=20,
        curriculum=[(60, 12, 1.0, 0.1, 0.1), (10**9, 24, 1.0, 0.1, 0.1)],
    ),
}
LABEL_SMOOTHING = 0.1
SUBWORD_ALPHA = 0.2
SEED = 20240607
DROPPED = 0.008            # share of the sentences whose scores are worst, see cleaning.py

STAGES = ("prepare", "score", "pack", "distil", "train", "package", "evaluate", "card")
# What runs without --only: a GPU learns from a teacher what a CPU learns from the pairs.
ROUTES = {"cuda": ("prepare", "score", "pack", "distil", "package", "evaluate", "card")}
WITHOUT_TEACHER = "prepare", "train", "package", "evaluate", "card"


def time_of_day(text):
    """The next time the clock shows it, in seconds since the epoch."""
    now = datetime.datetime.now()
    then = datetime.datetime.combine(now.date(), datetime.time.fromisoformat(text))
    return (then if then > now else then + datetime.timedelta(days=1)).timestamp()


def parse():
    repository = Path(__file__).resolve().parents[2]
    p = argparse.ArgumentParser(
        description="From corpora to a packaged en<->de model. Run it again to resume.")
    p.add_argument("--data", type=Path, required=True,
                   help="folder with en-de.tsv.gz (English, German, source id) and test/")
    p.add_argument("--test", type=Path, help="held-out sets (default: DATA/test)")
    p.add_argument("--training", type=Path, default=repository / "models" / "training",
                   help="checkpoints, logs and prepared data (default: models/training)")
    p.add_argument("--out", type=Path, help="packaged model (default: TRAINING/PRESET/package)")
    p.add_argument("--preset", choices=PRESETS, help="default: cuda if there is a device, else cpu")
    p.add_argument("--only", nargs="+", choices=STAGES, help="stages to run (default: see ROUTES)")
    p.add_argument("--seed", type=int, default=SEED)
    p.add_argument("--steps", type=int, help="override the preset's number of steps")
    p.add_argument("--learning-rate", type=float, help="override the preset's peak rate")
    p.add_argument("--cooldown-steps", type=int, default=0, help="the learning rate falls to 0 over the last steps")
    p.add_argument("--until", type=time_of_day, metavar="HH:MM", help="stop training at this time of day, then go on")
    p.add_argument("--cooldown-minutes", type=float, default=0.0,
                   help="the learning rate falls to 0 over the last minutes before --until")
    p.add_argument("--start-from", type=Path, help="begin with the weights and the vocabulary of this package")
    p.add_argument("--max-minutes", type=float, help="stop training after this long, then go on")
    p.add_argument("--total-minutes", type=float, default=16, help="of the stage distil (default: %(default)g)")
    p.add_argument("--threads", type=int, default=os.cpu_count())
    p.add_argument("--average", type=int, default=8, help="how many last snapshots to average")
    p.add_argument("--mix-in", type=float, default=0.0, metavar="SHARE",
                   help="share of --start-from in the packaged weights (default: 0)")
    p.add_argument("--sets", nargs="+", help="evaluate only held-out sets with these names")
    p.add_argument("--beams", nargs="+", type=int, default=[1, 4])
    p.add_argument("--limit", type=int, help="evaluate only the first LIMIT lines of each set")
    p.add_argument("--not-idle", action="store_true", help="do not run at idle priority on a CPU")
    a = p.parse_args()
    if not 0 <= a.mix_in < 1:
        p.error(f"--mix-in {a.mix_in}: not a share from 0 to below 1")
    if a.mix_in and not a.start_from:
        p.error(f"--mix-in {a.mix_in} needs --start-from")
    if a.cooldown_minutes and not a.until:
        p.error(f"--cooldown-minutes {a.cooldown_minutes:g} needs --until")
    a.test = a.test or a.data / "test"
    if a.preset is None:
        import torch
        a.preset = "cuda" if torch.cuda.is_available() else "cpu"
    a.only = a.only or ROUTES.get(a.preset, WITHOUT_TEACHER)
    if a.start_from is None and {"score", "pack", "distil"} & set(a.only):
        a.start_from = repository / "models" / "en-de"
    a.run_dir = a.training / a.preset
    a.out = a.out or a.run_dir / "package"
    if a.mix_in and a.out.resolve() == a.start_from.resolve():
        p.error(f"--mix-in: --out {a.out} is also --start-from, and a second run would mix a mixture; copy it first")
    a.settings = dict(PRESETS[a.preset])
    if a.steps:
        a.settings["steps"] = a.steps
    if a.learning_rate:
        a.settings["learning_rate"] = a.learning_rate
    return a
