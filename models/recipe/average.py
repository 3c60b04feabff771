# SPDX-License-Identifier: Apache-2.0
"""The mean of the last snapshots: what a decaying rate would have found."""
import torch

import checkpoint
from model import Translator


def averaged_model(options, log):
    folder = options.run_dir / "checkpoints"
    paths = checkpoint.snapshots(folder)[-options.average:]
    if paths:
        log("averaging " + " ".join(p.stem for p in paths))
        states = [torch.load(p, map_location="cpu", weights_only=True) for p in paths]
        weights = {name: sum(s[name].double() for s in states).div(len(states)).float() for name in states[0]}
    else:
        state = checkpoint.load_last(folder, log)
        if state is None:
            raise SystemExit(f"nothing trained yet in {folder}")
        weights = state["model"]
    return Translator.of(weights).eval()
