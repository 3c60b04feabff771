# SPDX-License-Identifier: Apache-2.0
"""Files of rows, a module for each format: how its parts are read, and written with columns that were made."""
from __future__ import annotations

import os
from dataclasses import replace
from typing import Callable, Mapping

from .batch import Batch, Reader, Shape, Writer
from .compression import SUFFIXES as COMPRESSIONS
from .delimited import DelimitedReader, DelimitedWriter
from .jsonl import JsonLinesReader, JsonLinesWriter, rows_naming
from .lines import LinesReader, LinesWriter
from .parquet import ParquetReader, ParquetWriter
from .survey import survey
from .tmx import TmxReader, TmxWriter

__all__ = ["Batch", "FORMATS", "Reader", "Shape", "Writer", "format_of", "output_name", "reader", "rows_naming", "surveyed",
           "writer"]

#: Formats and the ends of their files' names, the usual one first.
FORMATS: Mapping[str, tuple[str, ...]] = {
    "jsonl": (".jsonl", ".ndjson", ".json"), "parquet": (".parquet", ".pq"), "csv": (".csv",), "tsv": (".tsv", ".tab"),
    "text": (".txt", ".text"), "tmx": (".tmx",)}
_READERS: Mapping[str, Callable[[str, Shape], Reader]] = {
    "jsonl": JsonLinesReader, "parquet": ParquetReader, "csv": DelimitedReader, "tsv": DelimitedReader,
    "text": LinesReader, "tmx": TmxReader}
_WRITERS: Mapping[str, Callable[[str, Shape], Writer]] = {
    "jsonl": JsonLinesWriter, "parquet": ParquetWriter, "csv": DelimitedWriter, "tsv": DelimitedWriter,
    "text": LinesWriter, "tmx": TmxWriter}


def _split(name: str) -> tuple[str, str, str]:
    """What is before the end of a format, that end, and that of a compression."""
    compression = next((end for end in COMPRESSIONS if name.lower().endswith(end)), "")
    inner = name[:len(name) - len(compression)]
    end = next((end for ends in FORMATS.values() for end in ends if inner.lower().endswith(end)), "")
    return inner[:len(inner) - len(end)], inner[len(inner) - len(end):], name[len(inner):]


def format_of(path: str) -> str | None:
    """The format that a file's name tells."""
    end = _split(os.path.basename(path))[1].lower()
    return next((name for name, ends in FORMATS.items() if end in ends), None) if end else None


def output_name(name: str, from_format: str, to_format: str) -> str:
    """That of the part that a part becomes: its own, with the end of another format if it has one."""
    if from_format == to_format:
        return name
    stem, _, compression = _split(name)
    return stem + FORMATS[to_format][0] + (compression if to_format != "parquet" else "")


def _of_format(name: str, shape: Shape) -> Shape:
    return replace(shape, delimiter="\t" if name == "tsv" else ",")


def reader(name: str, path: str, shape: Shape) -> Reader:
    """Opens a part. Raises ImportError where its format, or its compression, needs a package that is missing."""
    return _READERS[name](path, _of_format(name, shape))


def writer(name: str, path: str, shape: Shape) -> Writer:
    """Makes a file. It is whole once it is closed."""
    return _WRITERS[name](path, _of_format(name, shape))


def surveyed(name: str, path: str, made: str, shape: Shape) -> Shape:
    """How a part of the format `name` is written as one of `made`: the shape for `writer`. May read the part. Raises
    BadPart where it cannot be."""
    return survey(lambda: reader(name, path, shape), path, made, shape)
