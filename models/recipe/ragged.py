# SPDX-License-Identifier: Apache-2.0
"""Rows of token ids of different lengths: in memory one array and the lengths, on disk packed."""
import lzma

import numpy as np

FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 1, "pb": 1}]


def flatten(rows):
    """[[ids]] -> (ids, lengths)"""
    lengths = np.array([len(r) for r in rows], np.int64)
    flat = np.fromiter((i for r in rows for i in r), np.int16, int(lengths.sum()))
    return flat, lengths


def save(path, flat, lengths):
    data = (np.array([len(lengths)], "<i8").tobytes() + np.asarray(lengths, "<u2").tobytes()
            + np.asarray(flat, "<i2").tobytes())
    path.write_bytes(lzma.compress(data, format=lzma.FORMAT_XZ, filters=FILTERS))


def load(path):
    data = lzma.decompress(path.read_bytes())
    count = int(np.frombuffer(data, "<i8", 1)[0])
    lengths = np.frombuffer(data, "<u2", count, 8).astype(np.int64)
    flat = np.frombuffer(data, "<i2", -1, 8 + 2 * count).copy()
    if len(flat) != lengths.sum():
        raise SystemExit(f"{path}: expected {lengths.sum()} ids, got {len(flat)}")
    return flat, lengths
