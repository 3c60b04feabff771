# SPDX-License-Identifier: Apache-2.0
"""Files that are either whole or absent, whenever the process is killed."""
import os

import torch


def save(value, path):
    part = path.with_suffix(".part")
    with open(part, "wb") as f:
        torch.save(value, f)
        f.flush()
        os.fsync(f.fileno())
    os.replace(part, path)


def save_last(value, folder):
    """Keeps the one before, should the newest not be readable."""
    last, previous = folder / "last.pt", folder / "previous.pt"
    if last.exists():
        os.replace(last, previous)
    save(value, last)


def load_last(folder, log):
    for name in ("last.pt", "previous.pt"):
        path = folder / name
        if path.exists():
            try:
                return torch.load(path, map_location="cpu", weights_only=True)
            except Exception as error:
                log(f"{name} cannot be read: {error}")
    return None


def snapshots(folder):
    return sorted(folder.glob("snapshot-*.pt"))


def save_snapshot(weights, step, folder, keep):
    save(weights, folder / f"snapshot-{step:08d}.pt")
    for path in snapshots(folder)[:-keep]:
        path.unlink()
