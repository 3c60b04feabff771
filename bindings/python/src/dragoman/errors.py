# SPDX-License-Identifier: Apache-2.0
"""One exception per status of the C library, all of them `dragoman.Error`."""
from __future__ import annotations

from . import _abi

__all__ = ["Error", "InvalidArgumentError", "BadModelError", "UnsupportedError", "OutOfMemoryError",
           "DeviceLostError", "NoDeviceError", "FileError", "CancelledError", "InternalError"]


class Error(Exception):
    """What the library reports. `str(error)` is its sentence for a person, `status` the word for it in C."""

    status: str = "internal"


class InvalidArgumentError(Error, ValueError):
    """An option, text or value that was passed."""

    status = "invalid_argument"


class BadModelError(Error):
    """A model file that is broken, incomplete or contradicts itself."""

    status = "bad_model"


class UnsupportedError(Error):
    """A sound request that this library, model or device cannot fulfil."""

    status = "unsupported"


class OutOfMemoryError(Error, MemoryError):
    """Host or device memory ran out, or the memory limit was reached."""

    status = "out_of_memory"


class DeviceLostError(Error):
    """The device stopped answering; load the model again."""

    status = "device_lost"


class NoDeviceError(Error):
    """No Vulkan loader, no driver, or no device that fits the request."""

    status = "no_device"


class FileError(Error, OSError):
    """A file that cannot be read or written."""

    status = "io_error"


class CancelledError(Error):
    """The call was stopped before its end."""

    status = "cancelled"


class InternalError(Error):
    """A fault of the library."""


BY_STATUS: dict[int, type[Error]] = {
    _abi.Status.INVALID_ARGUMENT: InvalidArgumentError,
    _abi.Status.BAD_MODEL: BadModelError,
    _abi.Status.UNSUPPORTED: UnsupportedError,
    _abi.Status.OUT_OF_MEMORY: OutOfMemoryError,
    _abi.Status.DEVICE_LOST: DeviceLostError,
    _abi.Status.NO_DEVICE: NoDeviceError,
    _abi.Status.IO_ERROR: FileError,
    _abi.Status.CANCELLED: CancelledError,
    _abi.Status.INTERNAL: InternalError,
}
