# SPDX-License-Identifier: Apache-2.0
"""Models: weights and vocabularies on a device."""
from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Literal, Mapping, Sequence, overload

from . import _abi
from ._closing import Closing
from ._files import Content, Files
from ._library import Handle, check, create, lib, struct
from ._text import path_bytes
from .devices import Device, Memory, device, memory
from .options import defaults, fill
from .text import SideName, detokenize, tokenize

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .options import OptionArguments
    from .translator import Translator

__all__ = ["Model", "ModelInfo", "describe", "describe_files"]

ComputeTypeName = Literal["auto", "f32", "f16", "int8"]


@dataclass(frozen=True)
class ModelInfo:
    """What a model is. Texts are "" where its files say nothing."""

    path: str
    """Where it was found."""
    format: str
    family: str
    version: str
    license: str
    source_languages: list[str]
    """Codes; those of a very long list that fit in 255 bytes."""
    target_languages: list[str]
    """The same in 1023 bytes."""
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


def _info(raw: _abi.ModelInfo) -> ModelInfo:
    values: dict[str, Any] = {}
    for name in ModelInfo.__dataclass_fields__:
        value = getattr(raw, name)
        values[name] = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    for name in ("source_languages", "target_languages"):
        values[name] = [code for code in values[name].split(", ") if code]
    values["has_tokenizer"] = bool(raw.has_tokenizer)
    return ModelInfo(**values)


def describe(path: str | os.PathLike[str] | None = None) -> ModelInfo:
    """Describes a model from its files alone; needs no device. None: the default model, see `Model`.

    Raises InvalidArgumentError, FileError, BadModelError, UnsupportedError.
    """
    info = struct(_abi.ModelInfo)
    check(lib.dragoman_model_describe(path_bytes(path), ctypes.byref(info)))
    return _info(info)


def describe_files(files: Mapping[str, Content]) -> ModelInfo:
    """`describe` for files as `Model.from_files` takes them."""
    info = struct(_abi.ModelInfo)
    with Files(files) as given:
        given.check(lib.dragoman_model_describe_files(given.data, given.count, ctypes.byref(info)))
    return _info(info)


class Model(Closing):
    """A model on a device. It never changes; any number of threads and translators share it.

    path: a directory, a zip archive or a GGUF file. None: the model DRAGOMAN_MODEL names in the environment, else the one that comes
        with the package (German-English and English-German).
    device: an index, a UUID, or a part of a name, see `devices`. None: DRAGOMAN_DEVICE from the environment, else the
        best one.
    compute_type: "auto" is int8 for a model made for it, else f16 on a GPU that has it (not for T5), f32 elsewhere.
    cache_dir: a folder for compiled pipelines; "-": none. None: DRAGOMAN_CACHE_DIR, else the user's cache folder.
    memory_limit_bytes: what the model and its translators may hold on the device; None: no limit.
    validation: run under the Vulkan validation layer where it is installed.

    Raises InvalidArgumentError, FileError, BadModelError, UnsupportedError, OutOfMemoryError, NoDeviceError and
    DeviceLostError.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, device: int | str | None = None,
                 compute_type: ComputeTypeName | None = None, cache_dir: str | os.PathLike[str] | None = None,
                 memory_limit_bytes: int | None = None, validation: bool = False):
        options = model_options(device, compute_type, cache_dir, memory_limit_bytes, validation)
        self._own(create(lib.dragoman_model_load, path_bytes(path), ctypes.byref(options)))

    @classmethod
    def from_files(cls, files: Mapping[str, Content], *, device: int | str | None = None,
                   compute_type: ComputeTypeName | None = None, cache_dir: str | os.PathLike[str] | None = None,
                   memory_limit_bytes: int | None = None, validation: bool = False) -> Self:
        """Loads a model that need not lie in the file system: the files of its folder by their names there, or one that
        is a model by itself, as a zip archive.

        files: names to bytes (or another buffer), binary files that can seek, or `pathlib.Path`s.
        """
        options = model_options(device, compute_type, cache_dir, memory_limit_bytes, validation)
        model = cls.__new__(cls)
        handle = ctypes.c_void_p()
        with Files(files) as given:
            given.check(lib.dragoman_model_load_files(given.data, given.count, ctypes.byref(options),
                                                      ctypes.byref(handle)))
        assert handle.value is not None
        model._own(handle.value)
        return model

    @classmethod
    def from_file(cls, file: Content, *, name: str | None = None, **options: Any) -> Self:
        """Loads a model that is a single file, as a zip archive: its bytes or a binary file that can seek.

        name: as it would have in a folder; for formats that are recognised by it.
        """
        return cls.from_files({name or os.path.basename(str(getattr(file, "name", "") or "model")): file}, **options)

    @property
    def memory(self) -> Memory:
        """Of its device, and what it and its translators hold."""
        raw = struct(_abi.MemoryInfo)
        with self._handle as pointer:
            check(lib.dragoman_model_memory(pointer, ctypes.byref(raw)))
        return memory(raw)

    @overload
    def tokenize(self, texts: str, *, side: SideName = "source") -> list[str]: ...  # type: ignore[overload-overlap]

    @overload
    def tokenize(self, texts: Iterable[str], *, side: SideName = "source") -> list[list[str]]: ...

    def tokenize(self, texts: Any, *, side: SideName = "source") -> Any:
        """Cuts each text, as one sentence, into the model's tokens. No token is added.

        Raises UnsupportedError for a model without tokenizer.
        """
        found = tokenize(self._handle, [texts] if isinstance(texts, str) else texts, side)
        return found[0] if isinstance(texts, str) else found

    def detokenize(self, tokens: Iterable[Sequence[str]], *, side: SideName = "target") -> list[str]:
        """Puts each sequence of tokens together to a text. Tokens that control the model ("</s>") vanish."""
        return detokenize(self._handle, tokens, side)

    def _own(self, pointer: int) -> None:
        self._handle = Handle(pointer, lib.dragoman_model_destroy, "model")

    @property
    def info(self) -> ModelInfo:
        info = struct(_abi.ModelInfo)
        with self._handle as pointer:
            check(lib.dragoman_model_get_info(pointer, ctypes.byref(info)))
        return _info(info)

    @property
    def device(self) -> Device:
        """The device it is on."""
        info = struct(_abi.DeviceInfo)
        with self._handle as pointer:
            check(lib.dragoman_model_device(pointer, ctypes.byref(info)))
        return device(info)

    def translator(self, **options: Unpack[OptionArguments]) -> Translator:
        """A translator with these options as its defaults."""
        from .translator import Translator
        return Translator(self, **options)

    def close(self) -> None:
        """Lets go of the model. Translators made from it keep what they need."""
        self._handle.close()

    @property
    def closed(self) -> bool:
        return self._handle.closed

    def __repr__(self) -> str:
        return "<Model, closed>" if self.closed else f"<Model {self.info.path!r} on {self.device.name!r}>"


def model_options(device: int | str | None, compute_type: str | None, cache_dir: Any, memory_limit_bytes: int | None,
                  validation: bool) -> _abi.ModelOptions:
    options: _abi.ModelOptions = defaults(_abi.ModelOptions)
    fill(options, {
        "device": None if device is None else str(device), "compute_type": compute_type,
        "cache_dir": None if cache_dir is None else os.fspath(cache_dir), "memory_limit_bytes": memory_limit_bytes,
        "validation": bool(validation)})
    return options
