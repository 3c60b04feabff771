# SPDX-License-Identifier: Apache-2.0
"""Documents, with libdragoman_documents, which is opened when it is first used."""
from __future__ import annotations

import ctypes
import functools
import os
from typing import TYPE_CHECKING, Any, Callable, Mapping

from . import _abi
from ._library import beside, unless_raised
from ._text import path_bytes
from .errors import BY_STATUS, InternalError, InvalidArgumentError
from .options import Call, Progress, TranslateOptions, c_text, changed

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import OptionArguments
    from .translator import Translator

__all__ = ["document_format", "translate_document", "translate_document_bytes"]


class _Options(ctypes.Structure):
    """dragoman_document_options."""

    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("format", ctypes.c_int32),
        ("progress", _abi.ProgressFn),
        ("user", ctypes.c_void_p),
        ("resume", ctypes.c_char_p),
    ]


_P, _TEXT = ctypes.c_void_p, ctypes.c_char_p
_OPTIONS = [ctypes.POINTER(_abi.TranslateOptions), ctypes.POINTER(_Options)]
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {  # of documents.h
    "document_format": (ctypes.c_int32, [_TEXT, _TEXT, ctypes.c_size_t]),
    "document_format_name": (_TEXT, [ctypes.c_int32]),
    "document_format_named": (ctypes.c_int32, [_TEXT]),
    "translate_document": (ctypes.c_int32, [_P, _TEXT, _TEXT, *_OPTIONS]),
    "translate_document_bytes": (ctypes.c_int32, [_P, _TEXT, _TEXT, ctypes.c_size_t, *_OPTIONS, ctypes.POINTER(_P)]),
    "document_bytes": (_abi.String, [_P]),
    "document_destroy": (None, [_P]),
    "document_error": (_TEXT, []),
}


@functools.cache
def _library() -> ctypes.CDLL:
    library = beside("dragoman_documents")
    for name, (result, parameters) in _FUNCTIONS.items():
        function = getattr(library, f"dragoman_{name}")
        function.restype, function.argtypes = result, parameters
    return library


class _Document(Call):
    """Both structs of a call."""

    def __init__(self, function: Callable[..., Any], translator: Translator, options: TranslateOptions | None,
                 changes: Mapping[str, Any], progress: Progress | None, format: str | None,
                 resume: str | os.PathLike[str] | None):
        if not hasattr(translator, "_opened"):
            raise TypeError(f"translator: expected a Translator, not {type(translator).__name__}")
        super().__init__(changed(options or translator.options, changes, function), progress, translator._opened)
        self.struct.progress = _abi.ProgressFn()
        self.document = _Options(ctypes.sizeof(_Options), 0, self.callback, None, path_bytes(resume, "resume"))
        if format is not None:
            self.document.format = _library().dragoman_document_format_named(c_text("format", format))
            if not self.document.format:
                raise InvalidArgumentError(f"format is {format!r}: there is no such format of documents")

    def check(self, status: int) -> None:
        if status and self.raised is None:
            message = _library().dragoman_document_error().decode("utf-8", "replace")
            raise BY_STATUS.get(status, InternalError)(message)
        super().check(status)

    def options(self) -> tuple[Any, Any]:
        return ctypes.byref(self.struct), ctypes.byref(self.document)


def document_format(name: str | os.PathLike[str] = "", content: bytes = b"") -> str | None:
    """The format of a document, such as "docx", by its first bytes where these tell, else by the end of its name; None:
    neither tells."""
    library = _library()
    found = library.dragoman_document_format(os.fsencode(name), content, len(content))
    return library.dragoman_document_format_name(found).decode() if found else None


def translate_document(translator: Translator, path: str | os.PathLike[str], out_path: str | os.PathLike[str], *,
                       format: str | None = None, resume: str | os.PathLike[str] | None = None,
                       options: TranslateOptions | None = None, progress: Progress | None = None,
                       **changes: Unpack[OptionArguments]) -> None:
    """Translates a document and writes it, whole or not at all (docs/documents.md has the formats).

    format: its format, such as "docx"; None: found from the name and the bytes.
    resume: a file that keeps translations until the document is written; the same call goes on from there.
    options: instead of the translator's own; keyword arguments change single ones.
    progress: called now and then with the numbers of texts done and of all. An exception in it, and Ctrl-C, end the
        translation and come out of this call.

    Raises InvalidArgumentError (also for a broken document), UnsupportedError (no known format), FileError.
    """
    if path is None or out_path is None:
        raise TypeError("path, out_path: expected strs or paths, not None")
    call = _Document(translate_document, translator, options, changes, progress, format, resume)
    with call, translator._handle as pointer:
        call.check(_library().dragoman_translate_document(pointer, path_bytes(path), path_bytes(out_path, "out_path"),
                                                          *call.options()))


def translate_document_bytes(translator: Translator, content: bytes, *, name: str | os.PathLike[str] = "",
                             format: str | None = None, resume: str | os.PathLike[str] | None = None,
                             options: TranslateOptions | None = None, progress: Progress | None = None,
                             **changes: Unpack[OptionArguments]) -> bytes:
    """`translate_document` from memory to memory. `name`, as a file would have it, helps to find the format."""
    call = _Document(translate_document_bytes, translator, options, changes, progress, format, resume)
    library, document = _library(), ctypes.c_void_p()
    with call, translator._handle as pointer, unless_raised(document, library.dragoman_document_destroy):
        call.check(library.dragoman_translate_document_bytes(
            pointer, os.fsencode(name), content, len(content), *call.options(), ctypes.byref(document)))
    try:
        found = library.dragoman_document_bytes(document)
        return ctypes.string_at(found.data, found.size)
    finally:
        library.dragoman_document_destroy(document)
