# SPDX-License-Identifier: Apache-2.0
"""Writes models in Marian's containers."""
import struct

import numpy

FLOAT32, FLOAT16, INT8 = 0x404, 0x402, 0x101
INTGEMM8 = {"upstream": 0x10001, "fork": 0x4101}


def options_bytes(options):
    text = options.encode() + b"\0"
    return text + b"\0" * (-len(text) % 256)


def write_npz(path, options, parameters, compress=True):
    content = dict(parameters)
    content["special:model.yml"] = numpy.frombuffer(options_bytes(options), "i1")
    (numpy.savez_compressed if compress else numpy.savez)(path, **content)


def quantise(values):
    """Integers and their multiplier."""
    scale = numpy.float32(127) / numpy.abs(values).max().astype("f4")
    return numpy.clip(numpy.rint(values.astype("f4") * scale), -127, 127).astype("i1"), scale


def is_matrix_of_layer(name):
    return name.find("_W") in (len(name) - 2, len(name) - 3) and "Wemb" not in name


def write_bin(path, options, parameters, kind="float32"):
    """kind: float32, float16, or upstream or fork (intgemm8; the fork's embeddings are integers too)."""
    items = []
    for name in sorted(parameters):
        values = parameters[name]
        if kind in INTGEMM8 and is_matrix_of_layer(name):
            integers, scale = quantise(values)
            items.append((name, INTGEMM8[kind], values.shape, integers.T.tobytes() + scale.tobytes()))
        elif kind == "fork" and "Wemb" in name:
            integers, scale = quantise(values)
            items.append((name, INTGEMM8[kind], values.shape, integers.tobytes() + scale.tobytes()))
        elif kind == "float16":
            items.append((name, FLOAT16, values.shape, values.astype("f2").tobytes()))
        else:
            items.append((name, FLOAT32, values.shape, values.astype("f4").tobytes()))
    text = options_bytes(options)
    items.append(("special:model.yml", INT8, (len(text),), text))
    items = [(name.encode() + b"\0", code, shape, data + b"\0" * (-len(data) % 256))
             for name, code, shape, data in items]
    out = struct.pack("<QQ", 1, len(items))
    for name, code, shape, data in items:
        out += struct.pack("<4Q", len(name), code, len(shape), len(data))
    out += b"".join(name for name, *_ in items)
    out += b"".join(struct.pack(f"<{len(shape)}i", *shape) for _, _, shape, _ in items)
    padding = ((len(out) + 8) // 256 + 1) * 256 - len(out) - 8
    out += struct.pack("<Q", padding) + b"\0" * padding + b"".join(data for *_, data in items)
    path.write_bytes(out)


def write_shortlist(path, lists, size, first, best):
    """lists: {source id: target ids, ascending}; the vocabulary has `size` words."""
    targets = [j for i in range(size) for j in lists.get(i, [])]
    offsets = [0]
    for i in range(size):
        offsets.append(offsets[-1] + len(lists.get(i, [])))
    checked = struct.pack(f"<4Q{len(offsets)}Q{len(targets)}I", first, best, len(offsets), len(targets), *offsets,
                          *targets)
    seed = 0
    for (word,) in struct.iter_unpack("<Q", checked[:len(checked) // 8 * 8]):
        seed ^= (word + 0x9e3779b9 + (seed << 6) + (seed >> 2)) & (2**64 - 1)
    path.write_bytes(struct.pack("<2Q", 0xF11A48D5013417F5, seed) + checked)
