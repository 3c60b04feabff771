# SPDX-License-Identifier: Apache-2.0
"""Published models by their names, with libdragoman_models, which is opened when it is first used.

    import dragoman

    model = dragoman.load("firefox:de-en")  # downloads it where it is not on this machine
    print(model.translator().translate("Wo ist der Bahnhof?"))

    for model in dragoman.models.search("de", "fr"):
        print(model.name, model.bytes, model.license)

A name is taken wherever a model's path is, without this library, where the model is on this machine.
"""
from __future__ import annotations

import ctypes
import functools
import logging
import os
import pathlib
import re
from dataclasses import dataclass
from typing import Any, List, Tuple

from ._ending import ReturningCall
from ._interrupts import callback
from ._library import beside
from ._progress import Progress, Teller
from .errors import BY_STATUS, FileError, InternalError
from .model import Model
from .options import c_text

__all__ = ["PublishedFile", "PublishedModel", "PublishedModels", "Registry", "download", "folder", "list", "path",
           "registries", "remove", "route", "search", "show", "verify"]

_P, _TEXT, _SIZE = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t


class _Download(ctypes.Structure):
    """dragoman_download."""

    _fields_ = [("struct_size", ctypes.c_uint32), ("reserved", ctypes.c_uint32), ("model", _TEXT), ("file", _TEXT),
                ("note", _TEXT), ("done_bytes", ctypes.c_uint64), ("total_bytes", ctypes.c_uint64)]


_DownloadFn = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(_Download), ctypes.c_void_p)


class _Options(ctypes.Structure):
    """dragoman_models_options."""

    _fields_ = [("struct_size", ctypes.c_uint32), ("offline", ctypes.c_int32), ("refresh", ctypes.c_int32),
                ("again", ctypes.c_int32), ("parallel", ctypes.c_int32), ("reserved", ctypes.c_uint32),
                ("registries", _TEXT), ("progress", _DownloadFn), ("user", ctypes.c_void_p),
                ("memory_bytes", ctypes.c_uint64)]


class _Model(ctypes.Structure):
    """dragoman_published_model."""

    _fields_ = [("struct_size", ctypes.c_uint32), ("installed", ctypes.c_int32),
                *((name, _TEXT) for name in ("name", "title", "source", "target", "publisher", "license", "version",
                                             "architecture", "metric", "path", "owner", "notice", "gate")),
                ("quality", ctypes.c_double), ("bytes", ctypes.c_uint64), ("file_count", _SIZE)]


class _File(ctypes.Structure):
    """dragoman_published_file."""

    _fields_ = [("struct_size", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
                *((name, _TEXT) for name in ("name", "url", "sha256", "proof")), ("bytes", ctypes.c_uint64)]


class _Registry(ctypes.Structure):
    """dragoman_registry."""

    _fields_ = [("struct_size", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
                *((name, _TEXT) for name in ("id", "title", "homepage", "license", "notice", "list_url", "mirror",
                                             "file", "list_time"))]


_OPTIONS, _OUT = ctypes.POINTER(_Options), ctypes.POINTER(_P)
_FUNCTIONS: dict[str, tuple[Any, List[Any]]] = {  # of models.h
    "models_options_init_sized": (ctypes.c_int32, [_OPTIONS, _SIZE]),
    "model_list_count": (_SIZE, [_P]),
    "model_list_get": (ctypes.POINTER(_Model), [_P, _SIZE]),
    "model_list_file": (ctypes.POINTER(_File), [_P, _SIZE, _SIZE]),
    "model_list_problems": (_TEXT, [_P]),
    "model_list_destroy": (None, [_P]),
    "models_installed": (ctypes.c_int32, [_OUT]),
    "models_search": (ctypes.c_int32, [_TEXT, _TEXT, _OPTIONS, _OUT]),
    "models_route": (ctypes.c_int32, [_TEXT, _TEXT, _OPTIONS, _OUT]),
    "models_show": (ctypes.c_int32, [_TEXT, _OPTIONS, _OUT]),
    "models_download": (ctypes.c_int32, [_TEXT, _OPTIONS, _OUT]),
    "models_verify": (ctypes.c_int32, [_TEXT, _OPTIONS]),
    "models_remove": (ctypes.c_int32, [_TEXT]),
    "models_folder": (_TEXT, []),
    "models_error": (_TEXT, []),
    "registries": (ctypes.c_int32, [_OUT]),
    "registry_list_count": (_SIZE, [_P]),
    "registry_list_get": (ctypes.POINTER(_Registry), [_P, _SIZE]),
    "registry_list_destroy": (None, [_P]),
}


@functools.cache
def _library() -> ctypes.CDLL:
    library = beside("dragoman_models")
    for name, (result, parameters) in _FUNCTIONS.items():
        function = getattr(library, f"dragoman_{name}")
        function.restype, function.argtypes = result, parameters
    return library


@dataclass(frozen=True)
class PublishedFile:
    """A file of a published model."""

    name: str
    """In the model's folder, with "/"."""
    url: str
    """Where it comes from; "": a member of an archive."""
    sha256: str
    """Of the file on this machine, or of what is downloaded; "": the registry has none."""
    proof: str
    """On this machine: "published": the registry's hash fitted; "first use": it has none; "converted q8": made here, by
    `dragoman models download --convert q8`."""
    bytes: int
    """0: not known."""


@dataclass(frozen=True)
class PublishedModel:
    """A model that a registry offers, or that is on this machine. "" stands for what is not known."""

    name: str
    """"firefox:de-en", as `load` takes it."""
    title: str
    """For people."""
    source_languages: Tuple[str, ...]
    """BCP 47; empty: the model says it when it is loaded."""
    target_languages: Tuple[str, ...]
    """BCP 47."""
    publisher: str
    """Who made it."""
    license: str
    """As the registry states it."""
    version: str
    """As the registry spells it."""
    architecture: str
    """As the registry spells it."""
    quality: float
    """As the registry has it; 0: it has none."""
    metric: str
    """Of `quality`: "comet22", "chrf", "bleu"."""
    bytes: int
    """On this machine, otherwise to download; 0: not known."""
    path: pathlib.Path | None
    """What is loaded; None: not on this machine."""
    owner: str
    """"dragoman", or the program in whose cache it is: "huggingface"."""
    notice: str
    """What the registry wants said before a download."""
    gate: str
    """Where its licence has to be accepted first."""
    files: Tuple[PublishedFile, ...]
    """Where they are known; `show` asks for them."""

    @property
    def installed(self) -> bool:
        """Whether it is on this machine."""
        return self.path is not None


@dataclass(frozen=True)
class Registry:
    """Who offers models."""

    id: str
    """"firefox", what names begin with."""
    title: str
    """For people."""
    homepage: str
    """Its address."""
    license: str
    """Of its models, unless one has its own; "": not stated."""
    notice: str
    """Said before a download."""
    list_url: str
    """Its list's address; "": it has none, names are taken as they are."""
    mirror: str
    """The variable that names another host."""
    file: str
    """Which describes it; "built in"."""
    list_time: str
    """When the list on this machine was fetched: "2026-11-26T10:00:00Z"; "": none is here."""


class PublishedModels(List[PublishedModel]):
    """A list of models."""

    problems: Tuple[str, ...] = ()
    """What kept the list from being whole: a registry that cannot be reached, a folder that is no model."""


def _text(value: Any) -> str:
    return (value or b"").decode("utf-8", "replace")


def _texts(struct: Any, *names: str) -> dict[str, str]:
    return {name: _text(getattr(struct, name)) for name in names}


def _codes(value: Any) -> Tuple[str, ...]:
    return tuple(filter(None, _text(value).split(",")))


def _read(list_: int, place: int) -> PublishedModel:
    library = _library()
    model = library.dragoman_model_list_get(list_, place).contents
    files = (library.dragoman_model_list_file(list_, place, number).contents for number in range(model.file_count))
    return PublishedModel(
        source_languages=_codes(model.source), target_languages=_codes(model.target), quality=model.quality,
        bytes=model.bytes, path=pathlib.Path(os.fsdecode(model.path)) if model.installed else None,
        files=tuple(PublishedFile(bytes=file.bytes, **_texts(file, "name", "url", "sha256", "proof"))
                    for file in files),
        **_texts(model, "name", "title", "publisher", "license", "version", "architecture", "metric", "owner", "notice",
                 "gate"))


class _Call(ReturningCall):
    """The options of a call, with its progress. What a function of progress raises comes out of the call."""

    def __init__(self, progress: Progress | None = None, offline: bool = False, refresh: bool = False,
                 again: bool = False, parallel: int | None = None, only: str | None = None, memory_bytes: int = 0):
        self._teller = Teller(progress)
        self.options = _Options()
        self.check(_library().dragoman_models_options_init_sized(ctypes.byref(self.options), ctypes.sizeof(_Options)))
        if offline:  # where DRAGOMAN_OFFLINE is set, it is already
            self.options.offline = True
        if parallel is not None:
            self.options.parallel = parallel
        self.options.refresh, self.options.again = bool(refresh), bool(again)
        self.options.memory_bytes = memory_bytes
        self._only = None if only is None else c_text("registries", only)
        self.options.registries = self._only
        self.options.progress = self._callback = _DownloadFn(self._tell)

    @callback
    def _tell(self, download: Any, _: Any) -> int:
        if self.stopped():
            return 1
        try:
            state = download.contents
            if state.note:
                _log.info("%s: %s", _text(state.model), _text(state.note))
            if self._teller and state.model:
                self._teller.tell(state.done_bytes, state.total_bytes)
        except BaseException as error:  # Ctrl-C, too
            self.raised = error
            return 1
        return 0

    def check(self, status: int) -> None:
        if self.raised is not None:
            raise self.raised
        if status:
            raise BY_STATUS.get(status, InternalError)(_text(_library().dragoman_models_error()))

    def models(self, name: str, *arguments: Any) -> PublishedModels:
        """What a function gives through its last parameter."""
        library, found = _library(), ctypes.c_void_p()
        try:
            with self:
                self.check(getattr(library, f"dragoman_{name}")(*arguments, ctypes.byref(found)))
            if found.value is None:
                return PublishedModels()
            models = PublishedModels(_read(found.value, place)
                                     for place in range(library.dragoman_model_list_count(found)))
            models.problems = tuple(_text(library.dragoman_model_list_problems(found)).splitlines())
            return models
        finally:
            library.dragoman_model_list_destroy(found)
            self._teller.close()

    @property
    def pointer(self) -> Any:
        return ctypes.byref(self.options)


_log = logging.getLogger("dragoman")


def _language(what: str, code: str | None) -> bytes | None:
    return None if code is None else c_text(what, code)


def search(source: str | None = None, target: str | None = None, *, registries: str | None = None,
           refresh: bool = False, offline: bool = False) -> PublishedModels:
    """The models that registries offer for two languages, the best first; None stands for any language.

    registries: ids of those that are asked, with commas between them; None: all.
    refresh: asks for lists even where those that are kept are younger than a day.
    offline: no network, as wherever DRAGOMAN_OFFLINE is set.
    """
    call = _Call(offline=offline, refresh=refresh, only=registries)
    return call.models("models_search", _language("source", source), _language("target", target), call.pointer)


def route(source: str, target: str, *, offline: bool = False, memory_bytes: int = 0) -> PublishedModels:
    """The models to load for two languages, in order: those on this machine where there are some, otherwise the best
    that registries offer. Empty: none leads there.

    memory_bytes: of the device that is to hold them: models whose files are larger come last; 0: not known.
    """
    call = _Call(offline=offline, memory_bytes=memory_bytes)
    return call.models("models_route", c_text("source", source), c_text("target", target), call.pointer)


def show(name: str, *, again: bool = False, offline: bool = False) -> PublishedModel:
    """One model by its name, with its files: as it is on this machine, otherwise as its registry offers it.

    again: as its registry offers it in any case.
    """
    call = _Call(offline=offline, again=again)
    return call.models("models_show", c_text("name", name), call.pointer)[0]


def download(name: str, *, progress: Progress | None = None, again: bool = False, parallel: int | None = None,
             offline: bool = False) -> PublishedModel:
    """Brings a model to this machine, and gives it as it is there. What is there in this version is not brought again.
    A download that was stopped in any way goes on.

    progress: called a few times a second with the bytes done and of all (0: not known), or tqdm. An exception in it,
        and Ctrl-C, stop the download and come out of this call.
    again: downloads what is there, too.
    parallel: files that come side by side, 1 to 16; None: 4.

    Raises InvalidArgumentError (an unknown name), FileError (the network, the disk, a file that is not what its
    registry says), BadModelError (an archive that is broken or dangerous).
    """
    call = _Call(progress, offline, again=again, parallel=parallel)
    return call.models("models_download", c_text("name", name), call.pointer)[0]


def verify(name: str, *, progress: Progress | None = None) -> None:
    """Reads the files of a downloaded model again, and compares sizes and hashes. Raises BadModelError, which names
    each file that differs."""
    call = _Call(progress)
    try:
        with call:
            call.check(_library().dragoman_models_verify(c_text("name", name), call.pointer))
    finally:
        call._teller.close()


def remove(name: str) -> None:
    """Removes a downloaded model. Raises InvalidArgumentError where it is not there, or belongs to another program."""
    _Call().check(_library().dragoman_models_remove(c_text("name", name)))


def path(name: str) -> pathlib.Path:
    """Where a model lies on this machine. Raises FileError where it does not."""
    found = next((model.path for model in list() if model.name == name), None)
    if found is None:
        raise FileError(f"{name} is not on this machine; dragoman.models.download brings it")
    return found


def folder() -> pathlib.Path | None:
    """Where downloaded models lie, whether it is there or not. None: the system does not say."""
    name = _library().dragoman_models_folder()
    return pathlib.Path(os.fsdecode(name)) if name else None


def registries() -> List[Registry]:
    """Those that are known, also by files in the user's folder of settings."""
    library, found = _library(), ctypes.c_void_p()
    _Call().check(library.dragoman_registries(ctypes.byref(found)))
    try:
        return [Registry(**_texts(library.dragoman_registry_list_get(found, place).contents,
                                  *Registry.__dataclass_fields__))
                for place in range(library.dragoman_registry_list_count(found))]
    finally:
        library.dragoman_registry_list_destroy(found)


def list() -> PublishedModels:
    """The models on this machine: those that were downloaded, and those in the caches of other programs (Hugging Face,
    llama.cpp, ollama, Argos Translate, translateLocally, fxtranslate), which are only read."""
    return _Call().models("models_installed")


_download = download  # under another name, where a parameter is called so


def _is_name(model: Any) -> bool:
    return isinstance(model, str) and re.match(r"[a-z][a-z0-9_-]+:.", model) is not None and not os.path.exists(model)


def load(model: str | os.PathLike[str] | None = None, *, download: bool = True, progress: Progress | None = None,
         **options: Any) -> Model:
    """Loads a model by its name, its path, or none for the default one. One that is not on this machine is downloaded
    first; its name, size and licence go to the log "dragoman".

    download: False, and DRAGOMAN_OFFLINE in the environment: it is refused instead.
    progress: of the download, see `dragoman.models.download`.
    options: as for `Model`.
    """
    try:
        return Model(model, **options)
    except FileError:
        if not download or not _is_name(model):
            raise
    name = str(model)
    offered = show(name)
    if offered.installed:  # here, but a file of it cannot be read
        return Model(model, **options)
    _log.info("downloading %s: %s bytes, licence: %s. %s", name, offered.bytes or "unknown number of",
              offered.license or "not stated", offered.notice)
    _download(name, progress=progress)
    return Model(model, **options)
