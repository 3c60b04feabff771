# SPDX-License-Identifier: Apache-2.0
"""Reads and writes CTranslate2's model.bin in every binary version, 1 to 6. Needs numpy only."""
import struct

import numpy as np

TYPE_IDS = {"float32": 0, "int8": 1, "int16": 2, "int32": 3, "float16": 4, "bfloat16": 5}
ITEM_SIZES = {"float32": 4, "int8": 1, "int16": 2, "int32": 4, "float16": 2, "bfloat16": 2}
OLD_TYPES = {4: "float32", 2: "int16", 1: "int8"}


class BFloat16:
    """An array of bfloat16 values, kept as their upper 16 bits."""

    def __init__(self, values):
        bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
        rounded = bits + 0x7FFF + ((bits >> 16) & 1)  # to nearest, ties to even
        self.bits = (rounded >> 16).astype(np.uint16)
        self.shape = self.bits.shape

    def values(self):
        return (self.bits.astype(np.uint32) << 16).view(np.float32)


def type_name(array):
    return "bfloat16" if isinstance(array, BFloat16) else array.dtype.name


def raw_bytes(array):
    data = array.bits if isinstance(array, BFloat16) else array
    return np.ascontiguousarray(data).tobytes()


def string(text):
    data = text.encode("utf-8") + b"\0"
    return struct.pack("<H", len(data)) + data


def variable(name, array, version):
    kind = type_name(array)
    data = raw_bytes(array)
    out = string(name) + struct.pack("<B", len(array.shape)) + struct.pack("<%dI" % len(array.shape), *array.shape)
    if version >= 4:
        return out + struct.pack("<BI", TYPE_IDS[kind], len(data)) + data
    size = ITEM_SIZES[kind]
    assert OLD_TYPES[size] == kind, f"{name}: version {version} cannot hold {kind}"
    return out + struct.pack("<BI", size, len(data) // size) + data


def write_model(path, version, spec, revision, variables, aliases=()):
    """variables: name -> array; aliases: (alias, name) pairs, versions 3 and later."""
    out = struct.pack("<I", version)
    if version >= 2:
        out += string(spec) + struct.pack("<I", revision)
    out += struct.pack("<I", len(variables))
    out += b"".join(variable(name, variables[name], version) for name in sorted(variables))
    if version >= 3:
        out += struct.pack("<I", len(aliases))
        out += b"".join(string(alias) + string(name) for alias, name in aliases)
    else:
        assert not aliases
    with open(path, "wb") as file:
        file.write(out)


def read_model(path, with_aliases=False):
    """Returns version, spec, revision and name -> array of a file without bfloat16, and its (alias, name) pairs."""
    with open(path, "rb") as file:
        data = file.read()
    at = 0

    def take(layout):
        nonlocal at
        values = struct.unpack_from("<" + layout, data, at)
        at += struct.calcsize("<" + layout)
        return values

    def take_string():
        nonlocal at
        (size,) = take("H")
        text = data[at:at + size - 1].decode("utf-8")
        at += size
        return text

    (version,) = take("I")
    spec, revision = (take_string(), take("I")[0]) if version >= 2 else ("", 1)
    (count,) = take("I")
    names = {number: kind for kind, number in TYPE_IDS.items()}
    variables = {}
    for _ in range(count):
        name = take_string()
        (rank,) = take("B")
        shape = take("%dI" % rank)
        code, amount = take("BI")
        kind = names[code] if version >= 4 else OLD_TYPES[code]
        size = amount if version >= 4 else amount * ITEM_SIZES[kind]
        variables[name] = np.frombuffer(data[at:at + size], dtype=kind).reshape(shape)
        at += size
    aliases = [(take_string(), take_string()) for _ in range(take("I")[0])] if version >= 3 else []
    return (version, spec, revision, variables, aliases) if with_aliases else (version, spec, revision, variables)
