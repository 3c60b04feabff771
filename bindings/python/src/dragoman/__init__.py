# SPDX-License-Identifier: Apache-2.0
"""Dragoman: translation on any GPU, through Vulkan.

    import dragoman

    print(dragoman.translate("Wo ist der Bahnhof?", to="en"))

    with dragoman.Translator(target_language="en") as translator:
        print(translator.translate("Wo ist der Bahnhof?"))

Names and rules are those of the C header, dragoman.h. Calls let other Python threads run.
"""
from . import models
from ._default import default_translator, translate
from ._feeding import Results
from ._library import lib as _lib
from .bench import bench, bench_tokens
from .convert import convert
from .devices import Device, DeviceInfo, Memory, device_memory, devices
from .documents import document_format, translate_document, translate_document_bytes
from .errors import (BadModelError, CancelledError, DeviceLostError, Error, FileError, InternalError,
                     InvalidArgumentError, NoDeviceError, OutOfMemoryError, UnsupportedError)
from .features import features, has_feature
from .glossary import Glossary
from .languages import LanguageGuess, detect_languages
from .logs import log_to
from .memory import MemoryCounts, TranslationMemory
from .model import Language, Model, ModelInfo, describe, describe_files
from .models import load
from .options import ALL_HEADS, TranslateOptions
from .results import Hypothesis, Match, Score, Sentence, Term, Translation, WordAlignment
from .streams import AsyncStream, Event, Stream
from .tables import ColumnMap
from .text import TokenList, split_sentences
from .translator import Stats, Translator
from .vectors import TokenVectors

__version__: str = _lib.dragoman_version_string().decode()

__all__ = [
    "ALL_HEADS", "AsyncStream", "BadModelError", "CancelledError", "ColumnMap", "Device", "DeviceInfo",
    "DeviceLostError", "Error", "Event", "FileError", "Glossary", "Hypothesis", "InternalError",
    "InvalidArgumentError", "Language", "LanguageGuess", "Match", "Memory", "MemoryCounts", "Model", "ModelInfo",
    "NoDeviceError", "OutOfMemoryError", "Results", "Score", "Sentence", "Stats", "Stream", "Term", "TokenVectors",
    "TranslateOptions", "Translation", "TranslationMemory", "Translator", "UnsupportedError", "WordAlignment",
    "bench", "bench_tokens", "convert", "default_translator", "describe", "describe_files", "detect_languages",
    "device_memory", "devices", "document_format", "features", "has_feature", "load", "log_to", "models",
    "split_sentences", "translate", "translate_document", "translate_document_bytes",
]
