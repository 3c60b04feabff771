# SPDX-License-Identifier: Apache-2.0
"""Lists of dispatches that nobody recorded: what the library would dispatch for a model of given shapes, as far as the
model of a step (step_model.py) looks at it: kernel, workgroups, operations and bytes.

Kernels and workgroups follow lib/ops/matmul_tiles.cpp and lib/ops/device_table.cpp; tests compare the lists with
recorded ones. Kinds of devices: nvidia, amd (products of many rows on cooperative matrices), plain (without them: also
Intel's, whose compiler spills there) and cpu."""
import dataclasses
import math

from step_model import List

PANEL = 64
BUSY_SUBGROUPS = 8 * 128    # kBusy of matmul_tiles.cpp
NORM_ROWS = 256             # kMaxNormalised of matmul.cpp: norms of more rows are dispatches of their own
# Rows of a subgroup, its columns, subgroups along rows and columns, slices of the inputs: kWide and kAmd.
COOPMAT = dict(nvidia=((64, 64, 2, 2, 1), (32, 64, 2, 2, 1), (32, 32, 2, 2, 2), (32, 64, 1, 1, 4), (16, 64, 1, 1, 4),
                       (16, 32, 1, 1, 4)),
               amd=((32, 64, 4, 2, 1), (32, 64, 2, 2, 1), (32, 64, 2, 1, 2), (32, 64, 1, 1, 4), (16, 64, 1, 1, 4),
                    (16, 32, 1, 1, 4)))
TILED_ROWS = 64, 32, 16
FEW_ROWS = 8    # up to so many, matmul_split; above, devices measure another kernel to be better
BYTES = dict(f32=4.0, f16=2.0, q8=1.0625)       # of a weight; q8 has a scale of two bytes for each 32
TYPES = dict(f32="float32", f16="float16", q8="float16")   # q8 is counted as a kernel of float16 with fewer bytes


@dataclasses.dataclass(frozen=True)
class Shape:
    """A model's. width: of all heads together, where it is not d."""
    layers: tuple
    d: int
    ffn: tuple          # of the encoder, of the decoder
    heads: int
    vocabulary: int
    width: int = 0
    gated: bool = False
    tied: bool = True   # one matrix for the output and both embeddings
    recurrent: bool = False

    @property
    def across(self):
        return self.width or self.d

    def layer(self, decoder):
        """Weights of one layer."""
        own = self.d * self.across
        earlier = (2 * self.d * self.d if self.recurrent else 4 * own) if decoder else 4 * own
        return earlier + (4 * own if decoder else 0) + (3 if self.gated else 2) * self.d * self.ffn[decoder]

    def parameters(self):
        tables = (1 if self.tied else 2) * self.vocabulary * self.d
        return self.layers[0] * self.layer(False) + self.layers[1] * self.layer(True) + tables

    def cache_bytes(self, tokens, element=2.0):
        """Keys and values of so many tokens, of the encoder's memory or the decoder's own."""
        return tokens * self.layers[1] * 2 * self.across * element


def largest_busy(tiles, rows, n):
    """The choice of largest_busy() in matmul_tiles.cpp. tiles: rows and columns of a workgroup, its subgroups."""
    for tile_rows, columns, subgroups in tiles:
        row_groups = math.ceil(rows / tile_rows)
        if row_groups == 1 and rows * 2 <= tile_rows:
            continue
        if row_groups * math.ceil(n / columns) * subgroups >= BUSY_SUBGROUPS:
            return tile_rows, columns
    return tiles[-1][:2]


class Maker:
    """Collects the dispatches of one encoder's run or one step."""

    def __init__(self, kind, weights, rows):
        self.kind, self.weights, self.rows, self.list = kind, weights, rows, []
        self.float = TYPES[weights]
        self.element = BYTES[weights if weights != "q8" else "f16"]
        self.cpu = "_texel" if kind == "cpu" else ""
        self.now = ""

    def add(self, kernel, groups, flops, moved, count=1, **more):
        """more: what step_changes.py wants to know."""
        self.list.append({"pass": self.now, "kernel": kernel, "waits": True, "count": count, "groups": count * groups,
                          "flops": count * flops, "bytes": count * moved, "seconds": 0.0, **more})

    def product_kernel(self, n, output):
        """The kernel, and the rows and columns of a workgroup."""
        types = f"({self.float},{self.float}" + ("" if output else f",{self.float}") + ")"
        if self.kind == "cpu":
            return "matmul_texel", (8, 256)
        if self.rows <= FEW_ROWS:
            return "matmul_split" + types, (1 << (self.rows - 1).bit_length(), PANEL if output or n >= 128 * PANEL else 16)
        if self.kind == "plain" or self.weights != "f16":
            return "matmul_tiled" + types, largest_busy([(r, PANEL, 8) for r in TILED_ROWS], self.rows, n)
        tiles = [(r * sr, c * sc, sr * sc * s) for r, c, sr, sc, s in COOPMAT[self.kind] if not output or c == PANEL]
        return "matmul_coopmat" + types, largest_busy(tiles, self.rows, n)

    def product(self, n, k, count=1, residual=False, output=False, beam=1):
        kernel, (tile_rows, columns) = self.product_kernel(n, output)
        r = self.rows
        moved = BYTES[self.weights] * n * k + 4 * n + self.element * r * k
        if output:      # records; logits only where a search of several beams looks at them again
            moved += r * (8 * math.ceil(n / PANEL) + (4 * n if beam > 1 else 0))
        else:
            moved += self.element * r * n * (2 if residual else 1)
        self.add(kernel, math.ceil(r / tile_rows) * math.ceil(n / columns), 2.0 * r * n * k, moved, count, rows=r, n=n,
                 sums=count * r * n, logits=4 * n * r if output and beam > 1 else 0)

    def norm(self, d, count, always=False):
        """One that is a dispatch of its own. Elsewhere it is in the product that follows."""
        if always or self.kind == "cpu" or self.rows > NORM_ROWS:
            self.add(f"layer_norm({self.float})", math.ceil(self.rows / 2), 0.0, 2 * self.element * self.rows * d, count)


    def embed(self, d):
        self.add(f"embed({self.float},{self.float})", self.rows, 0.0, self.rows * d * (BYTES[self.weights] + self.element))

    def encoder_attention(self, w, heads, length, count=1):
        matrices = self.kind in COOPMAT and length >= 16
        kernel = f"encoder_attention_coopmat({self.float})" if matrices else f"encoder_attention{self.cpu}({self.float})"
        self.add(kernel, math.ceil(self.rows / (16 if matrices else 8)) * heads, 4.0 * self.rows * length * w,
                 self.element * self.rows * 4 * w, count)

    def self_attention(self, w, heads, position, beam, count=1):
        keys = self.rows * (2 * position + 6) * w * self.element    # and the row's own, in and out
        self.add(f"step_self_attention{self.cpu}({self.float})", self.rows * heads, 4.0 * self.rows * (position + 1) * w,
                 keys + (4 * self.rows * position if beam > 1 else 0), count, beam=beam)

    def cross_attention(self, w, heads, length, beam, count=1):
        sentences = self.rows // beam
        self.add(f"step_cross_attention{self.cpu}({self.float})", math.ceil(self.rows / min(beam, 4)) * heads,
                 4.0 * self.rows * length * w, self.element * (sentences * length * 2 * w + 2 * self.rows * w), count)

    def cross_attention_query(self, d, w, heads, length, beam, count=1):
        moved = self.element * (self.rows // beam * length * 2 * w + self.rows * (w + 2 * d)) + BYTES[self.weights] * d * w
        self.add(f"step_cross_attention_query({self.float},uint32,{self.float})", self.rows * heads,
                 4.0 * self.rows * length * w + 2.0 * self.rows * d * w, moved + 4 * w, count)

    def search(self, vocabulary, beam):
        lanes = 8 if self.kind == "cpu" else 128
        self.add(f"beam_step {lanes} {lanes} {beam} 1 1 {PANEL}", self.rows // beam, 0.0,
                 self.rows * (8 * math.ceil(vocabulary / PANEL) + 256.0 * beam))


def encoder(shape, kind, weights, sentences, length):
    """Dispatches of an encoder's run over sentences of so many tokens."""
    m = Maker(kind, weights, sentences * length)
    d, w, layers = shape.d, shape.across, shape.layers[0]
    m.now = "encoder/embed"
    m.embed(d)
    m.now = "encoder/self_attention"
    m.norm(d, layers)
    m.product(3 * w, d, layers)
    m.encoder_attention(w, shape.heads, length, layers)
    m.product(d, w, layers, residual=True)
    m.now = "encoder/ffn"
    m.norm(d, layers)
    m.product(shape.ffn[0], d, layers * (2 if shape.gated else 1))
    m.product(d, shape.ffn[0], layers, residual=True)
    m.now = "encoder/memory"
    m.norm(d, 1)
    m.product(2 * w, d, shape.layers[1])
    return m.list


def step(shape, kind, weights, sentences, beam, position, length):
    """Dispatches of one step of all sentences with so many beams, at a position, with sources of so many tokens."""
    m = Maker(kind, weights, sentences * beam)
    d, w, layers = shape.d, shape.across, shape.layers[1]
    m.now = "decoder/embed"
    m.embed(d)
    if shape.recurrent:
        m.now = "decoder/recurrence"
        m.product(2 * d, d, layers)
        m.norm(d, layers, always=True)
    else:
        m.now = "decoder/self_attention"
        m.norm(d, layers)
        m.product(3 * w, d, layers)
        m.self_attention(w, shape.heads, position, beam, layers)
        m.product(d, w, layers, residual=True)
    m.now = "decoder/cross_attention"
    if m.rows <= FEW_ROWS and kind != "cpu":
        m.cross_attention_query(d, w, shape.heads, length, beam, layers)
    else:
        m.norm(d, layers)
        m.product(w, d, layers)
        m.cross_attention(w, shape.heads, length, beam, layers)
    m.product(d, w, layers, residual=True)
    m.now = "decoder/ffn"
    m.norm(d, layers)
    m.product(shape.ffn[1], d, layers * (2 if shape.gated else 1))
    m.product(d, shape.ffn[1], layers, residual=True)
    m.now = "decoder/output"
    m.norm(d, 1)
    m.product(shape.vocabulary, d, output=True, beam=beam)
    m.now = "decoder/search"
    m.search(shape.vocabulary, beam)
    return m.list


class Made(List):
    """An encoder's run or a step."""

    def __init__(self, dispatches, also=()):
        """also: what is touched in the same while, for the cache."""
        self.dispatches = dispatches
        self.touched = sum(d["bytes"] for d in [*dispatches, *also])

    def working_set(self):
        return self.touched


def measured_kernels(path):
    """(dispatch, seconds, whether seconds are between timestamps) of the lines of a table such as
    devices/h100_kernels.tsv."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        what, sentences, beam, n, k, microseconds, between, _ = line.split("\t")
        sentences, beam, n, k = map(int, (sentences, beam, n, k))
        m = Maker("nvidia", "f16", sentences * beam)
        if what in ("product", "output"):
            m.product(n, k, residual=n == 512, output=what == "output", beam=beam)
        elif what == "norm":
            m.norm(n, 1, always=True)
        elif what == "self":
            m.self_attention(n, 8, 12, beam)
        elif what == "cross":
            m.cross_attention(n, 8, 25, beam)
        elif what == "query":
            m.cross_attention_query(k, n, 8, 25, beam)
        elif what == "search":
            m.search(n, beam)
        else:
            raise SystemExit(f"{path}: expected product, output, norm, self, cross, query or search, got {what}")
        yield m.list[0], float(microseconds) * 1e-6, between == "timestamps"
