# SPDX-License-Identifier: Apache-2.0
"""Measures what needs no GPU: processor seconds of starting, of texts in and out, of all but the search; lengths."""
import gzip
import json
import math
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from xml.sax.saxutils import escape


def arguments(p):
    p.add_argument("table", type=pathlib.Path, help="rows of text, translation and, if there are several, the name of "
                   "their source, between tabs; may be gzipped")
    p.add_argument("--vocabulary", type=pathlib.Path, help="of SentencePiece, for lengths in tokens")
    p.add_argument("--rows", type=int, default=80_000, help="at most, drawn by chance (default: %(default)s)")
    p.add_argument("--languages", nargs=2, default=("en", "de"))


def read(path, count):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
    with opened as file:
        rows = [(line.rstrip("\n").split("\t") + [""])[:3] for line in file]
    random.Random(1).shuffle(rows)
    return rows[:count]


def processor(function, repeat=3):
    """The median of its processor seconds."""
    found = []
    for _ in range(repeat):
        begin = time.process_time()
        function()
        found.append(time.process_time() - begin)
    return statistics.median(found)


def start(code):
    found = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        if subprocess.run([sys.executable, "-c", code], capture_output=True).returncode:
            return None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(found)


def lengths(rows, vocabulary):
    import sentencepiece
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(vocabulary))
    by_source, of_bytes = {}, {}
    for text, _, source in rows:
        tokens = len(pieces.encode(text)) + 2   # the language and the end are tokens, too
        by_source.setdefault(source, []).append(tokens)
        of_bytes[source] = of_bytes.get(source, 0) + len(text.encode())
    every = sorted(n for own in by_source.values() for n in own)
    large = {source: own for source, own in by_source.items() if len(own) >= 200}
    weights = [len(own) for own in large.values()]

    def spread(values):
        mean = sum(w * v for w, v in zip(weights, values)) / sum(weights)
        return math.sqrt(sum(w * (v - mean) ** 2 for w, v in zip(weights, values)) / sum(weights))

    return {"length.training.mean": statistics.mean(map(math.log, every)),
            "length.training.within": statistics.mean(statistics.pstdev(map(math.log, own)) for own in large.values()),
            "length.training.between": spread([math.log(statistics.mean(own)) for own in large.values()]),
            "length.training.longest": every[int(0.999 * len(every))],
            "length.bytes_error": spread([math.log(sum(own) / of_bytes[source]) for source, own in large.items()]),
            "length.bytes_per_token": sum(of_bytes.values()) / sum(every)}


def lines_of(rows, folder):
    """JSON lines in and out, plain and gzipped."""
    def write(path, records, opener):
        with opener(path, "wt", encoding="utf-8") as file:
            for record in records:
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def load(path, opener):
        with opener(path, "rt", encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    sources = [{"id": i, "text": row[0]} for i, row in enumerate(rows)]
    done = [dict(record, translation=row[1], score=-1.2345, error=None) for record, row in zip(sources, rows)]
    for name, opener in (("jsonl", open), ("jsonl.gz", lambda path, mode, **more: gzip.open(path, mode, 6, **more))):
        path = folder / name
        write(path, sources, opener)
        yield f"data.read.{name}", processor(lambda: load(path, opener)) / len(rows)
        yield f"data.write.{name}", processor(lambda: write(folder / "out", done, opener)) / len(rows)


def parquet(rows, folder):
    import pyarrow
    import pyarrow.parquet
    ids, texts, found = list(range(len(rows))), [row[0] for row in rows], [row[1] for row in rows]

    def write(path, columns):
        with pyarrow.parquet.ParquetWriter(path, pyarrow.table(columns).schema, compression="zstd") as file:
            for begin in range(0, len(rows), 8192):
                file.write_table(pyarrow.table({name: own[begin:begin + 8192] for name, own in columns.items()}))

    write(folder / "in", {"id": ids, "text": texts})
    yield "data.read.parquet", processor(lambda: [batch.to_pydict() for batch in pyarrow.parquet.ParquetFile(
        folder / "in").iter_batches(8192)]) / len(rows)
    yield "data.write.parquet", processor(lambda: write(folder / "out", {
        "id": ids, "text": texts, "translation": found, "score": [-1.2345] * len(rows)})) / len(rows)


def host(rows, languages, folder):
    """All of a row but the search: a translation memory has each."""
    from dragoman.corpus import Stage
    memory = folder / "memory.tmx"
    units = ("".join(f'<tuv xml:lang="{language}"><seg>{escape(text)}</seg></tuv>'
                     for language, text in zip(languages, row)) for row in rows)
    memory.write_text("<tmx version='1.4'><header/><body>" + "".join(f"<tu>{unit}</tu>" for unit in units)
                      + "</body></tmx>", encoding="utf-8")
    stage = Stage(columns=["text"], to=languages[1], source_language=languages[0], memory=str(memory))
    stage({"text": ["."]})
    yield "data.host", processor(lambda: [stage({"text": [row[0] for row in rows[i:i + 2000]]})
                                          for i in range(0, len(rows), 2000)], 1) / len(rows)


def commit(folder):
    found = []
    for i in range(30):
        begin = time.perf_counter()
        with open(folder / "part", "wb") as file:
            file.write(b"x" * 2_000_000)
            file.flush()
            os.fsync(file.fileno())
        os.replace(folder / "part", folder / f"part{i}")
        found.append(time.perf_counter() - begin)
    yield "part.commit", statistics.median(found)


def run(o):
    rows = read(o.table, o.rows)
    found = {f"start.{name}": start(code) for name, code in (("python", "import dragoman"),
                                                             ("pyarrow", "import pyarrow.parquet"))}
    if o.vocabulary:
        found.update(lengths(rows, o.vocabulary))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found.update(lines_of(rows, folder))
        found.update(commit(folder))
        for part in (lambda: parquet(rows, folder), lambda: host(rows[:20_000], o.languages, folder)):
            try:
                found.update(part())
            except ImportError as error:
                print(f"left out: {error}", file=sys.stderr)
    return [f"{name}\t{'not there' if value is None else f'{value:.4g}'}" for name, value in found.items()]
