# SPDX-License-Identifier: Apache-2.0
"""Dragoman: translation on any GPU, through Vulkan.

    import dragoman

    with dragoman.Translator(target_language="en") as translator:
        print(translator.translate("Wo ist der Bahnhof?"))

Names and rules are those of the C header, dragoman.h. Calls let other Python threads run.
"""
from ._library import lib as _lib
from .devices import Device, devices
from .errors import (BadModelError, CancelledError, DeviceLostError, Error, FileError, InternalError,
                     InvalidArgumentError, NoDeviceError, OutOfMemoryError, UnsupportedError)
from .logs import log_to
from .model import Model, ModelInfo, describe
from .options import ALL_HEADS, TranslateOptions
from .results import Hypothesis, Score, Sentence, Translation
from .translator import Stats, Translator

__version__: str = _lib.dragoman_version_string().decode()

__all__ = [
    "ALL_HEADS", "BadModelError", "CancelledError", "Device", "DeviceLostError", "Error", "FileError", "Hypothesis",
    "InternalError", "InvalidArgumentError", "Model", "ModelInfo", "NoDeviceError", "OutOfMemoryError", "Score",
    "Sentence", "Stats", "TranslateOptions", "Translation", "Translator", "UnsupportedError", "describe", "devices",
    "log_to",
]
