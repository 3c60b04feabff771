# SPDX-License-Identifier: Apache-2.0
"""The command line."""
from __future__ import annotations

import argparse
import json
from typing import Any, Sequence

from .formats import FORMATS
from .job import Job
from .outcome import KINDS
from .parts import UsageError

EPILOG = """\
exit codes:
  0    every part of the shard is done; rows that failed have the reason in their column "error"
  1    the model, a device or a file failed; the message says which
  2    something in the command is wrong
  4    the folder or a journal in it is of a run with other options
  5    some parts could not be read, or another process works on them; all others are done
  6    a disk is full
  130  SIGINT; 143: SIGTERM
After every one of them the same command goes on where it was.

examples:
  python -m dragoman.corpus --to de -o german english/*.jsonl.gz
  python -m dragoman.corpus --to en --from auto --columns 'messages.*.content' \\
      --outputs 'translation=messages.*.content_en' -o out chats/
  sbatch --array=0-99 --gpus=1 --wrap 'python -m dragoman.corpus --to en -o /data/en /data/crawl'
"""


def parser() -> argparse.ArgumentParser:
    """Of the program."""
    made = argparse.ArgumentParser(
        prog="python -m dragoman.corpus", formatter_class=argparse.RawDescriptionHelpFormatter, epilog=EPILOG,
        description="Translates columns of many files (JSON Lines, Parquet, CSV, TSV, text, TMX; gzip, Zstandard), "
                    "part by part. A part that is there is whole and is not done again; one that was begun goes on.")
    add = made.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="a file, a folder with all that is in it, or a pattern (** is any "
        "folder)")
    add("-o", "--output", required=True, metavar="FOLDER", help="gets a file for each file of the input")
    add("--version", action="version", version=_version())

    group = made.add_argument_group("translation")
    add = group.add_argument
    add("--to", metavar="LANGUAGE", help="a tag such as de")
    add("--from", dest="source_language", metavar="LANGUAGE", help="a tag; auto: found sentence by sentence")
    add("--from-column", metavar="NAME", help="a column with each row's tag; --from is for rows without one")
    add("-m", "--model", help="a path or a name; default: the one that comes with the library")
    add("--columns", default="text", metavar="PATHS", help="of texts, with commas between: text,meta.title or "
        "messages.*.content; default: text")
    add("--outputs", default="translation,error", metavar="KINDS", help="columns to make, with commas between: "
        f"{', '.join(KINDS)} and error, each with =NAME if it shall have another name; a column of the input is replaced "
        "only by one with =NAME; default: translation,error")
    add("-d", "--device", help="index, UUID, a part of the name, or all")
    add("--compute-type", choices=("auto", "f32", "f16", "int8", "int8_float16"))
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="of the translation, such as beam_size=4")
    add("--glossary", metavar="FILE", help="terms that translations must have")
    add("--memory", action="append", default=[], metavar="FILE", help="a translation memory (.tmx), or a file of "
        "SQLite that keeps answers; may be given several times")

    group = made.add_argument_group("rows")
    add = group.add_argument
    add("--keep-languages", metavar="TAGS", help="only rows whose texts are in these, as far as can be told: de,fr")
    add("--min-characters", type=int, default=0, metavar="N")
    add("--max-characters", type=int, default=0, metavar="N")
    add("--min-quality", type=float, default=0.0, metavar="Q", help="of translations, 0 to 1")
    add("--min-coverage", type=float, default=0.0, metavar="C", help="of translations, 0 to 1")
    add("--filtered", choices=("drop", "mark"), default="drop", help='rows that do not pass are left out, or have the '
        'reason in a column "filtered"; default: drop')
    add("--duplicates", choices=("translate", "mark", "drop"), default="translate", help="rows whose texts came "
        "before, in any part: they get the translation, or are not translated and marked or left out; default: "
        "translate")

    group = made.add_argument_group("files")
    add = group.add_argument
    add("--input-format", choices=tuple(FORMATS), help="default: what names tell")
    add("--output-format", choices=tuple(FORMATS), help="default: that of each part")
    add("--text-column", default="text", metavar="NAME", help="of lines and of segments of TMX; default: text")
    add("--no-header", action="store_true", help="CSV and TSV have none; their columns are 0, 1 and so on")

    group = made.add_argument_group("the run")
    add = group.add_argument
    add("--shard", metavar="I/N", help="this process does the I-th of N shares of the parts, 1/8 to 8/8; default in a "
        "Slurm array: from SLURM_ARRAY_TASK_ID and _COUNT")
    add("--steal", action=argparse.BooleanOptionalAction, default=True, help="a process that has done its share goes on "
        "with parts that other shards at work have not begun; --no-steal where their folder is on a file system whose "
        "locks (flock) are not seen by all machines; default: --steal")
    add("--log", metavar="FILE", help="appends what happens, as JSON Lines")
    add("--progress", action=argparse.BooleanOptionalAction, default=None, help="default: on a terminal")
    add("--plan", action="store_true", help="lists the parts of the shard and what is done of them, and ends")
    add("--batch-rows", type=int, default=256, metavar="N", help="at most so many rows in one call; default: 256")
    add("--batch-characters", type=int, default=1 << 16, metavar="N", help="of texts, likewise; default: 65536")
    add("--calls", type=int, default=3, metavar="N", help="at once; default: 3")
    return made


def _version() -> str:
    from .. import __version__
    return __version__


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _outputs(text: str) -> dict[str, str | bool]:
    found: dict[str, str | bool] = {"translation": False, "error": False}
    for item in _names(text):
        kind, equals, name = item.partition("=")
        if kind not in (*KINDS, "error"):
            raise UsageError(f"--outputs: {kind!r} is none of {', '.join((*KINDS, 'error'))}")
        found[kind] = name if equals else True
    return found


def _options(items: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals:
            raise UsageError(f"--option {item}: expected NAME=VALUE")
        try:
            found[name.replace("-", "_")] = json.loads(value)
        except ValueError:
            found[name.replace("-", "_")] = value
    return found


def job_of(given: argparse.Namespace) -> Job:
    """The run that a command line wants."""
    filters = {"languages": _names(given.keep_languages or ""), "min_characters": given.min_characters,
               "max_characters": given.max_characters, "min_quality": given.min_quality,
               "min_coverage": given.min_coverage, "action": given.filtered}
    filtered = any(value for name, value in filters.items() if name != "action")
    for name in ("batch_rows", "batch_characters", "calls"):
        if getattr(given, name) < 1:
            raise UsageError(f"--{name.replace('_', '-')} {getattr(given, name)}: expected at least 1")
    stage = {"model": given.model, "columns": _names(given.columns), "to": given.to,
             "source_language": given.source_language, "source_language_column": given.from_column,
             "outputs": _outputs(given.outputs), "device": given.device,
             "compute_type": given.compute_type, "options": _options(given.option), "glossary": given.glossary,
             "memory": given.memory}
    return Job(stage=stage, filters=filters if filtered else None, duplicates=given.duplicates,
               output_format=given.output_format, text_column=given.text_column, header=not given.no_header,
               rows=given.batch_rows, characters=given.batch_characters, calls=given.calls)
