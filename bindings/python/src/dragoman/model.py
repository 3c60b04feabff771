# SPDX-License-Identifier: Apache-2.0
"""Models: weights and vocabularies on a device."""
from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Literal, Mapping, Sequence, overload

from . import _abi
from ._closing import HandleOwner
from ._files import Content, Files
from ._library import Handle, check, create, lib, read, struct, unless_raised
from ._text import Strings, as_texts, path_bytes
from .devices import Device, DeviceInfo, DeviceName, Memory, UsedDevice, device_info, memory
from .options import Progress, TuneName, defaults, fill
from .text import SideName, TokenList, detokenize, has_token, tokenize
from .vectors import PoolingName, TokenVectors, embed, matrix

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Self, Unpack

    from .options import OptionArguments
    from .translator import Translator

__all__ = ["Language", "Model", "ModelInfo", "describe", "describe_files"]

ComputeTypeName = Literal["auto", "f32", "f16", "int8", "int8_float16"]


@dataclass(frozen=True)
class Language:
    """A language of a model. Options take its tag as well as its code."""

    tag: str
    """As BCP 47 has it, "pt-BR"; "und" where the model's code is of no standard."""
    code: str
    """As the model's files spell it, "deu_Latn"."""
    name: str
    """In English; the code where there is none."""

    def __str__(self) -> str:
        return self.tag


def _languages(function: Callable[..., int], *which: Any) -> list[Language]:
    """Of one side: those that the library's function lists."""
    return _listed(create(function, *which))


def _listed(made: int) -> list[Language]:
    """What a list of the library has, which ends."""
    with Handle(made, lib.dragoman_language_list_destroy, "list") as pointer:
        data = lib.dragoman_language_list_data(pointer)
        found = [data[place] for place in range(lib.dragoman_language_list_count(pointer))]
        return [Language(*(text.decode("utf-8", "replace") for text in (one.tag, one.code, one.name)))
                for one in found]


@dataclass(frozen=True)
class ModelInfo:
    """What a model is. Texts are "" where its files say nothing."""

    path: str
    """Where it was found."""
    format: str
    family: str
    version: str
    license: str
    prompt: str
    """What stands around a text and begins its translation: "{from} TEXT </s> => </s> {to} TEXT </s>"."""
    source_languages: list[Language]
    """In the order of its files; none where they do not say."""
    target_languages: list[Language]
    has_tokenizer: bool
    """Takes and gives text; else only tokens."""
    d_model: int
    """Width."""
    heads: int
    encoder_layers: int
    decoder_layers: int
    encoder_ffn: int
    decoder_ffn: int
    source_vocabulary: int
    """Tokens."""
    target_vocabulary: int
    parameters: int
    file_bytes: int
    stored_types: str
    compute_type: str
    """What it computes with; "" from `describe`."""
    device_bytes: int
    """Weights on the device; 0 from `describe`."""
    networks: int
    """More than 1: an ensemble; widths and layers are those of the first one."""
    max_source_tokens: int
    """Of a source, with those that the model wants around it; 0: any number."""
    max_target_tokens: int
    """Of a translation, likewise."""
    lacks: str
    """What the library offers and the model does not: "shortlist, names of languages"."""
    compute_reason: str
    """Why that compute type: "asked for", "fastest on GPUs"; "" from `describe`."""


def _info(raw: _abi.ModelInfo, languages: Callable[[int], list[Language]]) -> ModelInfo:
    values: dict[str, Any] = {"source_languages": languages(_abi.Side.SOURCE),
                              "target_languages": languages(_abi.Side.TARGET)}
    for name in ModelInfo.__dataclass_fields__.keys() - values.keys():
        value = getattr(raw, name)
        values[name] = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    values["has_tokenizer"] = bool(raw.has_tokenizer)
    return ModelInfo(**values)


def describe(path: str | os.PathLike[str] | None = None) -> ModelInfo:
    """Describes a model from its files alone; needs no device. None: the default model, see `Model`.

    Raises InvalidArgumentError, FileError, BadModelError, UnsupportedError.
    """
    info = struct(_abi.ModelInfo)
    lists: dict[int, ctypes.c_void_p] = {side: ctypes.c_void_p() for side in (_abi.Side.SOURCE, _abi.Side.TARGET)}
    places = [ctypes.byref(each) for each in lists.values()]
    check(lib.dragoman_model_describe_all(path_bytes(path), ctypes.byref(info), *places))
    return _info(info, lambda side: _listed(lists[side].value or 0))


def describe_files(files: Mapping[str, Content]) -> ModelInfo:
    """`describe` for files as `Model.from_files` takes them."""
    info = struct(_abi.ModelInfo)
    with Files(files) as given:
        given.check(lib.dragoman_model_describe_files(given.data, given.count, ctypes.byref(info)))
        return _info(info, lambda side: _languages(lib.dragoman_model_describe_languages_files, given.data,
                                                   given.count, side))


class Model(HandleOwner):
    """A model on a device. It never changes; any number of threads and translators share it.

    path: a directory, a zip archive, a GGUF file, or the name of a published model that is on this machine, such as
        "firefox:de-en" (`load` downloads one). None: the model DRAGOMAN_MODEL names in the environment, else the one that
        comes with the package (German-English and English-German).
    device: a `Device`, or the name, index or UUID of one that is opened for this model alone; "all", or a list: several
        devices that work together, see `Device`. None, and none of the device's options below: the device that all such
        models of the process share.
    compute_type: "auto" is f16 on a GPU that has it, else int8 for a model made for it, else f32. "int8" and
        "int8_float16" take every model.
    more_models: paths or names of further models of the same vocabulary, which predict each token together with this one
        (an ensemble). Alignments are those of the first model.
    weights: one for each model, the first one's first; default: those of its files, else 1 each.
    average_probabilities: weighted probabilities are added up, not their logarithms.
    cache_dir, memory_limit_bytes, validation, trust_kernels, tune: of a device that is opened for this model, see
        `Device`.

    Raises InvalidArgumentError, FileError, BadModelError, UnsupportedError, OutOfMemoryError, NoDeviceError and
    DeviceLostError.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, device: Device | DeviceName | None = None,
                 compute_type: ComputeTypeName | None = None, cache_dir: str | os.PathLike[str] | None = None,
                 memory_limit_bytes: int | None = None, validation: bool = False, trust_kernels: bool = False,
                 tune: TuneName | None = None, more_models: Iterable[str | os.PathLike[str]] = (),
                 weights: Iterable[float] = (), average_probabilities: bool = False):
        options = ModelOptions(compute_type, more_models, weights, average_probabilities)
        self._load(lib.dragoman_model_load, (path_bytes(path),), check, options, device, cache_dir=cache_dir,
                   memory_limit_bytes=memory_limit_bytes, validation=validation, trust_kernels=trust_kernels,
                   tune=tune)

    @classmethod
    def from_files(cls, files: Mapping[str, Content], *, device: Device | DeviceName | None = None,
                   compute_type: ComputeTypeName | None = None, cache_dir: str | os.PathLike[str] | None = None,
                   memory_limit_bytes: int | None = None, validation: bool = False, trust_kernels: bool = False,
                   tune: TuneName | None = None, more_models: Iterable[str | os.PathLike[str]] = (),
                   weights: Iterable[float] = (), average_probabilities: bool = False) -> Self:
        """Loads a model that need not lie in the file system: the files of its folder by their names there, or one that
        is a model by itself, such as a zip archive.

        files: names to bytes (or another buffer), binary files that can seek, or `pathlib.Path`s.
        """
        model = cls.__new__(cls)
        options = ModelOptions(compute_type, more_models, weights, average_probabilities)
        with Files(files) as given:
            model._load(lib.dragoman_model_load_files, (given.data, given.count), given.check, options, device,
                        cache_dir=cache_dir, memory_limit_bytes=memory_limit_bytes, validation=validation,
                        trust_kernels=trust_kernels, tune=tune)
        return model

    @classmethod
    def from_file(cls, file: Content, *, name: str | None = None, **options: Any) -> Self:
        """Loads a model that is a single file, such as a zip archive: its bytes or a binary file that can seek.

        name: as it would have in a folder; for formats that are recognised by it.
        """
        return cls.from_files({name or os.path.basename(str(getattr(file, "name", "") or "model")): file}, **options)

    @property
    def memory(self) -> Memory:
        """Of its device, and what everything on that holds."""
        return memory(read(self._handle, struct(_abi.MemoryInfo), lib.dragoman_model_memory))

    @overload
    def tokenize(self, texts: str, *, side: SideName = "source") -> TokenList: ...  # type: ignore[overload-overlap]

    @overload
    def tokenize(self, texts: Iterable[str], *, side: SideName = "source") -> list[TokenList]: ...

    def tokenize(self, texts: Any, *, side: SideName = "source") -> Any:
        """Cuts each text, as one sentence, into the model's tokens. No token is added. `ranges` of the lists say which
        characters each token stands for.

        Raises UnsupportedError for a model without tokenizer.
        """
        found = tokenize(self._handle, [texts] if isinstance(texts, str) else texts, side)
        return found[0] if isinstance(texts, str) else found

    @overload
    def detokenize(self, tokens: list[str], *, side: SideName = "target") -> str: ...  # type: ignore[overload-overlap]

    @overload
    def detokenize(self, tokens: Iterable[Sequence[str]], *, side: SideName = "target") -> list[str]: ...

    def detokenize(self, tokens: Any, *, side: SideName = "target") -> Any:
        """Puts tokens together to a text, or each of several sequences of tokens to one. Tokens that control the model
        ("</s>") vanish."""
        given = tokens if isinstance(tokens, str) else list(tokens)
        if given and not isinstance(given, str) and all(isinstance(token, str) for token in given):
            return detokenize(self._handle, [given], side)[0]
        return detokenize(self._handle, given, side)

    def has_token(self, token: str, *, side: SideName = "target") -> bool:
        """Whether its vocabulary of a side has a token. For one that it has not, in sources and prefixes, the model takes
        its unknown token."""
        return has_token(self._handle, token, side)

    def embed(self, texts: str | Iterable[str], *, pooling: PoolingName = "model", normalize: bool | None = None,
              max_tokens: int | None = None, truncate: bool = False, source_language: str | None = None,
              target_language: str | None = None,
              progress: Progress | None = None) -> npt.NDArray[np.float32]:
        """Vectors of texts, from the encoder: float32, (texts, width), or (width,) for one text; read-only. Each text
        is one sequence, whatever sentences it has.

        pooling: "model": what the model's files say, else the mean over all tokens; "cls": the first token's vector.
        normalize: to a length of 1; None: as the model says.
        max_tokens, truncate: a text of more tokens (default: than the model takes) is an error, or cut.
        source_language, target_language: for models whose encoder gets them.

        Raises InvalidArgumentError, and UnsupportedError for a model without tokenizer, an ensemble and a missing
        pooler.
        """
        rows = matrix(embed(self._handle, as_texts(texts, "texts"), normalize, progress,
                            pooling=pooling, max_tokens=max_tokens, truncate=bool(truncate),
                            source_language=source_language, target_language=target_language))
        only: npt.NDArray[np.float32] = rows[0] if isinstance(texts, str) else rows
        return only

    @overload
    def embed_tokens(self, texts: str, *, normalize: bool | None = None,  # type: ignore[overload-overlap]
                     max_tokens: int | None = None, truncate: bool = False, source_language: str | None = None,
                     target_language: str | None = None, progress: Progress | None = None) -> TokenVectors: ...

    @overload
    def embed_tokens(self, texts: Iterable[str], *, normalize: bool | None = None, max_tokens: int | None = None,
                     truncate: bool = False, source_language: str | None = None, target_language: str | None = None,
                     progress: Progress | None = None) -> list[TokenVectors]: ...

    def embed_tokens(self, texts: Any, *, normalize: bool | None = None, max_tokens: int | None = None,
                     truncate: bool = False, source_language: str | None = None, target_language: str | None = None,
                     progress: Progress | None = None) -> Any:
        """Vectors of the tokens of a text, or of each of many; options as in `embed`."""
        if isinstance(texts, str):
            return self.embed_tokens([texts], normalize=normalize, max_tokens=max_tokens, truncate=truncate,
                                     source_language=source_language, target_language=target_language,
                                     progress=progress)[0]
        texts = as_texts(texts, "texts")
        found = embed(self._handle, texts, normalize, progress, pooling="tokens", max_tokens=max_tokens,
                      truncate=bool(truncate), source_language=source_language, target_language=target_language)
        return [TokenVectors(found, place, text) for place, text in enumerate(texts)]

    def _load(self, function: Callable[..., int], files: tuple[Any, ...], check_status: Callable[[int], None],
              options: ModelOptions, device: Device | DeviceName | None,
              **device_options: Any) -> None:
        handle = ctypes.c_void_p()
        with UsedDevice(device, **device_options) as options.struct.device, \
                unless_raised(handle, lib.dragoman_model_destroy):
            check_status(function(*files, ctypes.byref(options.struct), ctypes.byref(handle)))
        assert handle.value is not None
        self._handle = Handle(handle.value, lib.dragoman_model_destroy, "model")

    @property
    def info(self) -> ModelInfo:
        return _info(read(self._handle, struct(_abi.ModelInfo), lib.dragoman_model_get_info), self._languages)

    def _languages(self, side: int) -> list[Language]:
        with self._handle as pointer:
            return _languages(lib.dragoman_model_languages, pointer, side)

    @property
    def source_languages(self) -> list[Language]:
        """Those that it translates from; none where its files do not say."""
        return self._languages(_abi.Side.SOURCE)

    @property
    def target_languages(self) -> list[Language]:
        """Those that it translates to."""
        return self._languages(_abi.Side.TARGET)

    @property
    def device(self) -> DeviceInfo:
        """The device it is on."""
        return device_info(read(self._handle, struct(_abi.DeviceInfo), lib.dragoman_model_device))

    def translator(self, **options: Unpack[OptionArguments]) -> Translator:
        """A translator with these options as its defaults."""
        from .translator import Translator
        return Translator(self, **options)

    def close(self) -> None:
        """Lets go of the model. Translators made from it keep what they need."""
        super().close()

    def __repr__(self) -> str:
        return "<Model, closed>" if self.closed else f"<Model {self.info.path!r} on {self.device.name!r}>"


class ModelOptions:
    """The C struct, and what it points to."""

    def __init__(self, compute_type: str | None, more_models: Iterable[str | os.PathLike[str]] = (),
                 weights: Iterable[float] = (), average_probabilities: bool = False):
        self.struct: _abi.ModelOptions = defaults(_abi.ModelOptions)
        if isinstance(more_models, (str, bytes, os.PathLike)):
            raise TypeError(f"more_models: expected several paths, not a {type(more_models).__name__}")
        self._models = Strings([os.fsdecode(path) for path in more_models], "more_models")
        numbers = [float(weight) for weight in weights]
        self._weights = (ctypes.c_float * max(len(numbers), 1))(*numbers)
        fill(self.struct, {"compute_type": compute_type, "average_probabilities": bool(average_probabilities)})
        self.struct.more_models, self.struct.more_model_count = self._models.data, self._models.count
        self.struct.weights, self.struct.weight_count = self._weights, len(numbers)
