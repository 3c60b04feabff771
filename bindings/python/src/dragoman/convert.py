# SPDX-License-Identifier: Apache-2.0
"""Models as one file."""
from __future__ import annotations

import ctypes
import os
from typing import Literal

from . import _abi
from ._library import lib
from ._text import path_bytes
from .options import Progress, Watched, defaults, fill

__all__ = ["convert"]

WeightTypeName = Literal["keep", "f32", "f16", "q8", "q4"]


def convert(path: str | os.PathLike[str] | None, out_path: str | os.PathLike[str], *,
            weight_type: WeightTypeName = "keep", replace: bool = False,
            progress: Progress | None = None, alignment_text: str | None = None,
            quality_pairs: str | None = None, source_language: str | None = None,
            target_language: str | None = None) -> None:
    """Writes a model as one GGUF file with everything it needs. Needs no device, unless there are texts to translate.

    path: a model of any format; None: the default one, see `Model`.
    out_path: the file; it appears complete or not at all.
    weight_type: how matrices are stored: as they are, in 32 or 16 bits, or in blocks of 32 numbers of 8 or 4 bits.
    replace: an old file of this name is replaced; else that is a FileError.
    progress: called now and then with the numbers of bytes written and of all. An exception in it, and Ctrl-C, end the
        work and come out of this call.
    alignment_text: a hundred sentences, which are translated: the file names the heads that align their words best.
    quality_pairs: 200 lines or more: a source, a tab, its translation by a person, and behind another tab the target
        language, if it is another one: the file has weights of quality estimates for this model.
    source_language, target_language: of these sentences, see `TranslateOptions`.

    Raises InvalidArgumentError, FileError, BadModelError, UnsupportedError (a weight that the type cannot hold).
    """
    watched = Watched(progress)
    options = defaults(_abi.ConvertOptions)
    fill(options, {"weight_type": weight_type, "replace": bool(replace), "alignment_text": alignment_text, "quality_pairs": quality_pairs,
                   "source_language": source_language, "target_language": target_language})
    options.progress = watched.callback
    with watched:
        watched.check(lib.dragoman_model_convert(path_bytes(path), path_bytes(out_path), ctypes.byref(options)))
