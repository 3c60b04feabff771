# SPDX-License-Identifier: Apache-2.0
"""How to translate: the fields of dragoman_translate_options under the same names."""
from __future__ import annotations

import ctypes
import difflib
import enum
import inspect
import os
import threading
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Callable, Literal, Mapping, Sequence, TypedDict, Union

from . import _abi
from ._ending import ReturningCall
from ._interrupts import callback
from ._library import check, lib
from ._progress import Progress, ProgressCallback, Teller
from ._text import Sequences, Strings, encode
from .errors import InvalidArgumentError

if TYPE_CHECKING:
    from .glossary import Glossary
    from .memory import TranslationMemory

__all__ = ["TranslateOptions", "OptionArguments", "ALL_HEADS", "GlossaryLike", "MemoryLike", "Progress",
           "ProgressCallback"]

#: A glossary, the path of its file, or terms and what they become.
GlossaryLike = Union["Glossary", str, "os.PathLike[str]", Mapping[str, str]]
#: A memory, or the path of its file.
MemoryLike = Union["TranslationMemory", str, "os.PathLike[str]"]

#: For `attention_head`: the mean of all heads.
ALL_HEADS: int = _abi.ALL_HEADS

# options: names (made of capi/options.json by capi/tools/make_options.py)
SearchName = Literal["auto", "ctranslate2", "marian", "huggingface"]
EarlyStoppingName = Literal["auto", "off", "on", "never"]
SamplingName = Literal["auto", "off", "on"]
MarkupName = Literal["none", "html", "xml"]
# end of options
TuneName = Literal["auto", "off", "on"]


@dataclass(frozen=True, kw_only=True)
class TranslateOptions:
    """How to decode. None is the library's default, which for many is what the model says; docs/options.md has more.

    The methods of `Translator` take the same names as keyword arguments.
    """

    # options: fields
    beam_size: int | None = None
    """1 (greedy) to 64; default the model's."""
    patience: float | None = None
    """A search ends with round(beam_size * patience) hypotheses; default 1."""
    length_penalty: float | None = None
    """score = sum of log-probabilities / length ^ this; default the model's."""
    coverage_penalty: float | None = None
    """Weight of the reward for source tokens attended to; default 0."""
    repetition_penalty: float | None = None
    """Above 1: tokens that have occurred become less likely; default the model's."""
    no_repeat_ngram_size: int | None = None
    """No sequence of this many tokens occurs twice; 0: off; default the model's."""
    prefix_bias_beta: float | None = None
    """0 (default): a target prefix is forced; up to 1: made more likely."""
    max_input_length: int | None = None
    """Source tokens; longer inputs are cut; 0: no limit; default 1024."""
    max_decoding_length: int | None = None
    """Target tokens, end token included; 1 to 4096; default the model's."""
    min_decoding_length: int | None = None
    """Fewest target tokens; default the model's."""
    num_hypotheses: int | None = None
    """Per input, at most round(beam_size * patience); default 1."""
    min_alternative_expansion_prob: float | None = None
    """With return_alternatives: the least probability of an alternative; default 0."""
    disable_unk: bool | None = None
    """Never produce the unknown token; default False."""
    return_end_token: bool | None = None
    """Keep the end token in the result; default False."""
    return_scores: bool | None = None
    """Return scores; otherwise every score is 0; default False."""
    return_attention: bool | None = None
    """Return attention of target tokens to source tokens; default False."""
    return_alternatives: bool | None = None
    """Hypotheses that differ in the first token after the prefix; default False."""
    replace_unknowns: bool | None = None
    """An unknown token is replaced by the source token that gets most attention; default False."""
    max_batch_tokens: int | None = None
    """Source tokens per device batch; 0 (default): chosen from memory."""
    max_batch_size: int | None = None
    """Inputs per device batch; 0 (default): chosen."""
    suppress_sequences: Sequence[Sequence[str]] | None = None
    """Token sequences that must not be produced; none of them may be empty; default none."""
    end_tokens: Sequence[str] | None = None
    """Tokens that end a translation; default the model's."""
    search: SearchName | None = None
    """Which engine's beam search; "auto": that of the model's engine; default "auto"."""
    word_penalty: float | None = None
    """Marian's search: subtracted for each token; default the model's."""
    max_length_factor: float | None = None
    """Most target tokens per source token; 0: any; default the model's."""
    early_stopping: EarlyStoppingName | None = None
    """What ends Hugging Face's search; "auto": as the model says; default "auto"."""
    source_language: str | None = None
    """Of texts: BCP 47 ("de") or the model's code; "auto": found, sentence by sentence; default unknown."""
    target_language: str | None = None
    """Of texts: BCP 47 ("en") or the model's code; default the text's own code, or the only one."""
    split_sentences: bool | None = None
    """Of texts: False: each text is one sequence, which max_input_length cuts; default True."""
    join_lines: bool | None = None
    """Of texts: True: a line break is a space, a blank line ends a paragraph; default False."""
    max_segment_tokens: int | None = None
    """Of texts: longer sentences are translated in parts; 0 (default): 128."""
    discard_tokens: bool | None = None
    """Of texts: True: no tokens in the result, which takes much less memory; default False."""
    attention_layer: int | None = None
    """Of the decoder, from 1; 0 (default): the layer the model names for alignment."""
    attention_head: int | None = None
    """From 1, or ALL_HEADS; 0 (default): the mean of the heads the model names."""
    use_shortlist: bool | None = None
    """Only tokens of the model's lexical shortlist may occur (Marian); default False."""
    sampling: SamplingName | None = None
    """Draw tokens by their probabilities: num_hypotheses independent samples, no beams; "auto": as the model says;
    default "auto"."""
    temperature: float | None = None
    """With sampling: divides the logits; default the model's."""
    top_k: int | None = None
    """With sampling: only so many of the best tokens; 0: all; default the model's."""
    top_p: float | None = None
    """With sampling: only the best with this probability together; 0 to 1; default the model's."""
    min_p: float | None = None
    """With sampling: only this share of the best one's probability; 0 to 1; default the model's."""
    seed: int | None = None
    """With sampling: the same seed gives a sentence the same samples; default 0."""
    return_alignment: bool | None = None
    """Of texts: return which source words each word of a translation stands for; default False."""
    markup: MarkupName | None = None
    """Of texts: tags stay, and what stands in them is translated; default "none"."""
    raw: bool | None = None
    """Of texts: True: the model sees texts as they are, and nothing is put into its translations; default False."""
    keep_spans: bool | None = None
    """Of texts: True: placeholders, addresses and names of programs are forced in the search, too, as terms are;
    default False."""
    glossary: GlossaryLike | None = None
    """Of texts: terms that translations must have; default none."""
    memory: MemoryLike | None = None
    """Of texts: what was translated before, and what is translated now; default none."""
    return_quality: bool | None = None
    """Of texts: return how sure each sentence and word of a translation is; default False."""
    quality_marks: float | None = None
    """Of texts: with markup HTML: words whose score is lower stand in a span element of the class dragoman-unsure; 0
    (default): none."""
    min_quality: float | None = None
    """Of texts: a sentence whose best translation has less quality comes back as it was given, marked unsure; 0
    (default): off."""
    return_coverage: bool | None = None
    """Of texts: return which words of the source a translation reaches; the alignment comes with it; default False."""
    max_uncovered_words: int | None = None
    """Of texts: a sentence whose translation leaves out more words in a row is translated again in parts, and marked
    uncovered where that does not mend it; return_coverage comes with it; 0 (default): off."""
    # end of options

    def replace(self, **changes: Any) -> TranslateOptions:
        """A copy with some fields changed; `to` is short for `target_language`. Raises TypeError for a name that is not an
        option."""
        return changed(self, changes, self.replace)


class OptionArguments(TypedDict, total=False):
    """The fields of `TranslateOptions` as keyword arguments."""

    # options: arguments
    beam_size: int | None
    patience: float | None
    length_penalty: float | None
    coverage_penalty: float | None
    repetition_penalty: float | None
    no_repeat_ngram_size: int | None
    prefix_bias_beta: float | None
    max_input_length: int | None
    max_decoding_length: int | None
    min_decoding_length: int | None
    num_hypotheses: int | None
    min_alternative_expansion_prob: float | None
    disable_unk: bool | None
    return_end_token: bool | None
    return_scores: bool | None
    return_attention: bool | None
    return_alternatives: bool | None
    replace_unknowns: bool | None
    max_batch_tokens: int | None
    max_batch_size: int | None
    suppress_sequences: Sequence[Sequence[str]] | None
    end_tokens: Sequence[str] | None
    search: SearchName | None
    word_penalty: float | None
    max_length_factor: float | None
    early_stopping: EarlyStoppingName | None
    source_language: str | None
    target_language: str | None
    split_sentences: bool | None
    join_lines: bool | None
    max_segment_tokens: int | None
    discard_tokens: bool | None
    attention_layer: int | None
    attention_head: int | None
    use_shortlist: bool | None
    sampling: SamplingName | None
    temperature: float | None
    top_k: int | None
    top_p: float | None
    min_p: float | None
    seed: int | None
    return_alignment: bool | None
    markup: MarkupName | None
    raw: bool | None
    keep_spans: bool | None
    glossary: GlossaryLike | None
    memory: MemoryLike | None
    return_quality: bool | None
    quality_marks: float | None
    min_quality: float | None
    return_coverage: bool | None
    max_uncovered_words: int | None
    # end of options
    to: str | None
    """Short for target_language."""


_NAMES = tuple(field.name for field in fields(TranslateOptions))


def changed(base: TranslateOptions, changes: Mapping[str, Any], function: Callable[..., Any]) -> TranslateOptions:
    """Options with the changes that a function of the package was called with."""
    for name in changes:
        if name != "to" and name not in _NAMES:
            raise _unknown(name, function)
    if "to" not in changes:
        return replace(base, **changes) if changes else base
    given = {name: value for name, value in changes.items() if name != "to"}
    if given.get("target_language") is not None and changes["to"] is not None:
        raise TypeError(f"{function.__name__}() got both to={changes['to']!r} and "
                        f"target_language={given['target_language']!r}, which are the same option")
    return replace(base, **{"target_language": changes["to"], **given})


def _unknown(name: str, function: Callable[..., Any]) -> TypeError:
    own = [one.name for one in inspect.signature(function).parameters.values() if one.kind == one.KEYWORD_ONLY]
    near = difflib.get_close_matches(name, [*_NAMES, *own, "to"], 3, 0.6)
    meant = f"; did you mean {' or '.join(near)}?" if near else "."
    return TypeError(f"{function.__name__}() got an unexpected option {name!r}{meant} "
                     f"It takes {', '.join(sorted({*_NAMES, *own, 'to'}))}")


_ENUMS: dict[str, type[enum.IntEnum]] = {
    # options: enumerations
    "search": _abi.Search,
    "early_stopping": _abi.EarlyStopping,
    "sampling": _abi.Sampling,
    "markup": _abi.Markup,
    # end of options
    "compute_type": _abi.ComputeType, "tune": _abi.Tune, "weight_type": _abi.WeightType, "pooling": _abi.Pooling,
    "normalize": _abi.Normalize}
_BITS: dict[Any, tuple[int, int]] = {
    ctypes.c_uint32: (0, 2**32 - 1), ctypes.c_int32: (-2**31, 2**31 - 1), ctypes.c_uint64: (0, 2**64 - 1)}


def _number(name: str, kind: type, value: Any) -> Any:
    if kind is ctypes.c_float:
        return float(value)
    if name in _ENUMS:
        members = {member.name.lower(): member for member in _ENUMS[name]}
        if value not in members:
            raise InvalidArgumentError(f"{name} is {value!r}: expected one of {', '.join(map(repr, members))}")
        return members[value]
    if not hasattr(value, "__index__"):
        raise TypeError(f"{name}: expected an int, not {type(value).__name__}")
    number = value.__index__()
    low, high = _BITS[kind]
    if not low <= number <= high:
        raise InvalidArgumentError(f"{name} is {number}: expected {low} to {high}")
    return number


def c_text(name: str, value: Any) -> bytes:
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected str, not {type(value).__name__}")
    if "\0" in value:
        raise InvalidArgumentError(f"{name}: {value!r} holds a zero byte")
    return encode(value)


def fill(struct: ctypes.Structure, values: dict[str, Any]) -> None:
    """Sets the fields of a C struct that are not None."""
    kinds = dict(struct._fields_)  # type: ignore[arg-type]
    for name, value in values.items():
        if value is not None:
            kind = kinds[name]
            setattr(struct, name, c_text(name, value) if kind is ctypes.c_char_p else _number(name, kind, value))


def defaults(kind: type[ctypes.Structure]) -> Any:
    """A struct of options as the library prepares it."""
    name = {_abi.TranslateOptions: "translate", _abi.ModelOptions: "model", _abi.DeviceOptions: "device",
            _abi.ScoreOptions: "score", _abi.JobOptions: "job", _abi.ConvertOptions: "convert",
            _abi.BenchOptions: "bench", _abi.EmbedOptions: "embed", _abi.MemoryOptions: "memory"}[kind]
    value = kind()
    check(getattr(lib, f"dragoman_{name}_options_init_sized")(ctypes.byref(value), ctypes.sizeof(kind)))
    return value


class Watched(ReturningCall):
    """A progress callback in C's shape, and the exception that it raised. Entered during the C call.

    It is always there: between two calls of it Python handles signals, so that Ctrl-C stops long work.
    """

    def __init__(self, progress: Progress | None):
        self._progress = Teller(progress)
        self.callback = _abi.ProgressFn(self._on_progress)

    @callback
    def _on_progress(self, done: int, total: int, _user: int | None) -> int:
        if self.stopped():
            return 1
        try:
            self._progress.tell(done, total)
            return 0
        except BaseException as error:  # noqa: BLE001, raised again after the C call
            self.raised = error
            return 1

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self._progress.close()

    def check(self, status: int) -> None:
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised
        check(status)


class Opened:
    """Glossaries and memories that options name by their paths. A file is read again once it has changed."""

    def __init__(self) -> None:
        self._kept: dict[Any, Any] = {}
        self._lock = threading.Lock()

    def glossary(self, given: GlossaryLike | None, options: TranslateOptions) -> Glossary | None:
        from .glossary import Glossary
        if given is None or isinstance(given, Glossary):
            return given
        if isinstance(given, Mapping):
            return Glossary.of(given)
        if not isinstance(given, (str, os.PathLike)):
            raise TypeError("glossary: expected a Glossary, the path of a file, or a dict of terms and what they become, "
                            f"not {type(given).__name__}")
        languages = options.source_language or "", options.target_language or ""
        try:
            stat = os.stat(given)
            state = stat.st_mtime_ns, stat.st_size
        except OSError:  # the library says why
            state = 0, 0
        found: Glossary = self._keep(("glossary", os.fspath(given), languages), state, lambda: Glossary(
            given, source_language=languages[0], target_language=languages[1]))
        return found

    def memory(self, given: MemoryLike | None) -> TranslationMemory | None:
        from .memory import TranslationMemory
        if given is None or isinstance(given, TranslationMemory):
            return given
        if not isinstance(given, (str, os.PathLike)):
            raise TypeError("memory: expected a TranslationMemory or the path of its file, "
                            f"not {type(given).__name__}")
        found: TranslationMemory = self._keep(("memory", os.path.abspath(given)), None, lambda: TranslationMemory(given))
        return found

    def _keep(self, name: Any, state: Any, make: Callable[[], Any]) -> Any:
        with self._lock:
            if name not in self._kept or self._kept[name][0] != state:
                self._kept[name] = state, make()  # calls at work keep the old one
            return self._kept[name][1]

    def close(self) -> None:
        with self._lock:
            self._kept = {}  # calls at work have what they use


class Call(Watched):
    """The C struct of one call and what it points to. `opened` keeps glossaries and memories that calls named by their
    paths."""

    def __init__(self, options: TranslateOptions, progress: Progress | None, opened: Opened | None = None):
        super().__init__(progress)
        self.struct = defaults(_abi.TranslateOptions)
        values = {field.name: getattr(options, field.name) for field in fields(options)}
        suppress, ends = values.pop("suppress_sequences"), values.pop("end_tokens")
        opened = opened or Opened()
        handles = {"glossary": opened.glossary(values.pop("glossary"), options),
                   "memory": opened.memory(values.pop("memory"))}
        fill(self.struct, values)
        if suppress:
            self._suppress = Sequences(suppress, "suppress_sequences")
            self.struct.suppress_sequences = self._suppress.data
            self.struct.suppress_sequence_count = self._suppress.count
        if isinstance(ends, str):
            raise TypeError("end_tokens: expected a sequence of tokens, not a str")
        if ends:
            self._ends = Strings(ends, "end_tokens")
            self.struct.end_tokens = self._ends.data
            self.struct.end_token_count = self._ends.count
        self._handles = handles  # live as long as the call
        for name, owner in handles.items():
            if owner is not None:
                with owner._handle as pointer:
                    setattr(self.struct, name, pointer)
        self.struct.progress = self.callback
