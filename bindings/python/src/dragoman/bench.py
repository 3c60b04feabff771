# SPDX-License-Identifier: Apache-2.0
"""How fast a model is on a device."""
from __future__ import annotations

import ctypes
import json
import os
from typing import TYPE_CHECKING, Any, Callable, Iterable, Sequence

from . import _abi
from ._library import Handle, check, lib, unless_raised
from ._text import Sequences, Strings, as_texts, path_bytes, read_string
from .devices import device_options
from .model import ComputeTypeName, ModelOptions
from .options import Call, Progress, TranslateOptions, changed, defaults, fill

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import OptionArguments

__all__ = ["bench", "bench_tokens"]


def bench(texts: str | Iterable[str] = (), *,  # type: ignore[misc]  # of two options `seed`, this one
          model: str | os.PathLike[str] | None = None, device: int | str | None = None,
          compute_type: ComputeTypeName | None = None, repeat: int | None = None, latency_samples: int | None = None,
          synthetic_sentences: int | None = None, synthetic_tokens: int | None = None, seed: int | None = None,
          ceilings: bool | None = None, passes: bool | None = None, options: TranslateOptions | None = None,
          progress: Progress | None = None, **changes: Unpack[OptionArguments]) -> dict[str, Any]:
    """Loads a model, translates the texts again and again, and measures; docs/bench.md says what is in the report.

    texts: cut into sentences first, each different one once. None given: sentences of random words,
        `synthetic_sentences` of `synthetic_tokens` each, drawn with `seed`; default 32 of 25.
    model, compute_type: as for `Model`.
    device: an index, a UUID, or a part of a name; opened for the measurement.
    repeat: timed runs, after one to warm up; default 5.
    latency_samples: sentences translated alone, taken in turn; default 32; 0: none.
    ceilings: measure the device's ceilings; default True.
    passes: measure the device's time by pass, where it has timestamps; default True.
    options: for the translations; keyword arguments change single ones.
    progress: called now and then. An exception in it, and Ctrl-C, end the measurement and come out of this call.

    Other work on the device or the machine shows in the numbers. Raises what `Model` and `Translator.translate` raise.
    """
    return _bench(bench, lib.dragoman_bench_texts, Strings(as_texts(texts, "texts"), "texts"), locals())


def bench_tokens(sources: Iterable[Sequence[str]], *, model: str | os.PathLike[str] | None = None,
                 device: int | str | None = None, compute_type: ComputeTypeName | None = None,
                 repeat: int | None = None, latency_samples: int | None = None, ceilings: bool | None = None,
                 passes: bool | None = None, options: TranslateOptions | None = None,
                 progress: Progress | None = None, **changes: Unpack[OptionArguments]) -> dict[str, Any]:
    """`bench` with sequences of source tokens, see `Translator.translate_tokens`."""
    return _bench(bench_tokens, lib.dragoman_bench_tokens, Sequences(sources, "sources"), locals())


_FIELDS = [name for name, *_ in _abi.BenchOptions._fields_ if name not in ("struct_size", "device")]


def _bench(called: Callable[..., Any], function: Callable[..., int], inputs: Strings | Sequences,
           given: dict[str, Any]) -> dict[str, Any]:
    call = Call(changed(given["options"] or TranslateOptions(), given["changes"], called), given["progress"])
    model, device = ModelOptions(given["compute_type"]), device_options(given["device"])
    how = defaults(_abi.BenchOptions)
    fill(how, {name: given.get(name) for name in _FIELDS})
    how.device = ctypes.pointer(device)
    report = ctypes.c_void_p()
    with call, unless_raised(report, lib.dragoman_report_destroy):
        call.check(function(path_bytes(given["model"]), ctypes.byref(model.struct), inputs.data, inputs.count,
                            ctypes.byref(call.struct), ctypes.byref(how), ctypes.byref(report)))
    assert report.value is not None
    with Handle(report.value, lib.dragoman_report_destroy, "report") as pointer:
        text = _abi.String()
        check(lib.dragoman_report_json(pointer, ctypes.byref(text)))
        found: dict[str, Any] = json.loads(read_string(text))
    return found
