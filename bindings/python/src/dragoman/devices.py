# SPDX-License-Identifier: Apache-2.0
"""What Vulkan offers on this machine, and devices in use."""
from __future__ import annotations

import ctypes
import json
import os
import uuid as uuid_module
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Union

from . import _abi
from ._closing import HandleOwner
from ._library import Handle, check, create, lib, read, struct
from ._text import read_string
from .errors import InvalidArgumentError, NoDeviceError
from .options import TuneName, defaults, fill

__all__ = ["Device", "DeviceInfo", "DeviceName", "Memory", "device_memory", "devices"]

DeviceName = Union[int, str, Sequence[Union[int, str]]]
"""An index, a UUID, or a part of a name; "all"; or a list of devices that work together."""


@dataclass(frozen=True)
class DeviceInfo:
    """Facts about a device."""

    index: int
    """Place in the list, valid as the name of a `Device`."""
    name: str
    driver: str
    kind: str
    """"discrete", "integrated", "virtual", "cpu" or "other"."""
    uuid: uuid_module.UUID
    vendor_id: int
    device_id: int
    api_version: tuple[int, int, int]
    """Of Vulkan."""
    driver_version: int
    """As the driver encodes it."""
    subgroup_size: int
    f16: bool
    """16-bit floats can be stored and computed with."""
    cooperative_matrix: bool
    integer_dot_product: bool
    unified_memory: bool
    memory_bytes: int
    """Of the largest device-local heap; of an integrated GPU, of all heaps together."""
    max_buffer_bytes: int

    def __str__(self) -> str:
        return self.name


def device_info(info: _abi.DeviceInfo) -> DeviceInfo:
    version = info.api_version
    return DeviceInfo(
        index=info.index, name=info.name.decode("utf-8", "replace"), driver=info.driver.decode("utf-8", "replace"),
        kind=_abi.DeviceKind(info.kind).name.lower(), uuid=uuid_module.UUID(bytes=bytes(info.uuid)),
        vendor_id=info.vendor_id, device_id=info.device_id,
        api_version=(version >> 22, version >> 12 & 0x3FF, version & 0xFFF), driver_version=info.driver_version,
        subgroup_size=info.subgroup_size, f16=bool(info.f16), cooperative_matrix=bool(info.cooperative_matrix),
        integer_dot_product=bool(info.integer_dot_product), unified_memory=bool(info.unified_memory),
        memory_bytes=info.memory_bytes, max_buffer_bytes=info.max_buffer_bytes)


@dataclass(frozen=True)
class Memory:
    """Memory of a device at one moment, in bytes."""

    measured: bool
    """The driver says budget and use; else they are the whole heap and 0."""
    heap_bytes: int
    budget_bytes: int
    """What this process may use of it now, beside other programs."""
    used_bytes: int
    """What this process uses of it."""
    held_bytes: int
    """By everything on an open device; 0 from `device_memory`."""
    peak_bytes: int
    limit_bytes: int
    """`memory_limit_bytes` of the device; 0: none."""


def memory(raw: _abi.MemoryInfo) -> Memory:
    values = {name: getattr(raw, name) for name in Memory.__dataclass_fields__}
    return Memory(**{**values, "measured": bool(raw.measured)})


def device_memory(index: int) -> Memory:
    """Asks the driver at every call. Raises NoDeviceError for an index that is too large."""
    if not 0 <= index < 2**32:
        raise NoDeviceError(f"there is no device {index}")
    raw = struct(_abi.MemoryInfo)
    check(lib.dragoman_device_memory(index, ctypes.byref(raw)))
    return memory(raw)


def devices() -> list[DeviceInfo]:
    """All Vulkan devices, in the order of the drivers; empty where there is a loader but no driver.

    Raises NoDeviceError where there is no Vulkan loader.
    """
    count = ctypes.c_uint32()
    check(lib.dragoman_device_count(ctypes.byref(count)))
    found = []
    for index in range(count.value):
        info = struct(_abi.DeviceInfo)
        check(lib.dragoman_device_describe(index, ctypes.byref(info)))
        found.append(device_info(info))
    return found


class Device(HandleOwner):
    """A device in use. Models that are loaded onto it share one memory budget and one queue of work; any number of
    threads may use it.

    name: an index, a UUID, or a part of a name, see `devices`. None: DRAGOMAN_DEVICE from the environment, else the
        best one. "all", every GPU, or a list of these: devices that work together. Each model is loaded on each of
        them, its sentences go to the device that will be free first, and those of a device that is lost to the others.
    cache_dir: a folder for compiled pipelines; "-": none. None: DRAGOMAN_CACHE_DIR, else the user's cache folder.
    memory_limit_bytes: what everything on it may hold; None: no limit.
    validation: run under the Vulkan validation layer where it is installed.
    trust_kernels: use kernels without checking them on this device before.
    tune: whether the first load of a model on a GPU measures which kernels are fastest; "on": loading waits for all of
        it; "auto" (default): DRAGOMAN_AUTOTUNE, else most of it in the background.

    Raises InvalidArgumentError, NoDeviceError, UnsupportedError and OutOfMemoryError.
    """

    def __init__(self, name: DeviceName | None = None, *, cache_dir: str | os.PathLike[str] | None = None,
                 memory_limit_bytes: int | None = None, validation: bool = False, trust_kernels: bool = False,
                 tune: TuneName | None = None):
        options = device_options(name, cache_dir, memory_limit_bytes, validation, trust_kernels, tune)
        self._handle = Handle(create(lib.dragoman_device_open, ctypes.byref(options)), lib.dragoman_device_close,
                              "device")

    @property
    def info(self) -> DeviceInfo:
        return device_info(read(self._handle, struct(_abi.DeviceInfo), lib.dragoman_device_get_info))

    @property
    def members(self) -> list[DeviceInfo]:
        """Those that work together behind this one; just itself where none was named beside it."""
        with self._handle as pointer:
            count = lib.dragoman_device_member_count(pointer)
        return [device_info(read(self._handle, struct(_abi.DeviceInfo), lib.dragoman_device_member_info, index))
                for index in range(count)]

    @property
    def memory(self) -> Memory:
        """Its memory, and what everything on it holds."""
        return memory(read(self._handle, struct(_abi.MemoryInfo), lib.dragoman_device_get_memory))

    def check(self) -> dict[str, Any]:
        """Runs the kernels of the device on small inputs, compares with loops in double precision, and says which give
        wrong results, for a bug report; docs/devices.md says what is in it. Takes seconds. Raises DeviceLostError."""
        with self._handle as pointer:
            report = create(lib.dragoman_device_check, pointer)
        with Handle(report, lib.dragoman_report_destroy, "report") as made:
            text = _abi.String()
            check(lib.dragoman_report_json(made, ctypes.byref(text)))
            found: dict[str, Any] = json.loads(read_string(text))
        return found

    def trim(self) -> None:
        """Gives back device memory except models and what running calls use."""
        with self._handle as pointer:
            check(lib.dragoman_device_trim(pointer))

    def close(self) -> None:
        """Lets go of the device. Models on it keep what they need."""
        super().close()

    def __repr__(self) -> str:
        return "<Device, closed>" if self.closed else f"<Device {self.info.name!r}>"


def _device_name(name: DeviceName | None) -> str | None:
    if name is None or isinstance(name, (int, str)):
        return None if name is None else str(name)
    if not name:
        raise InvalidArgumentError("name: expected devices, got an empty list")
    return ",".join(map(str, name))


def device_options(name: DeviceName | None, cache_dir: str | os.PathLike[str] | None = None,
                   memory_limit_bytes: int | None = None, validation: bool = False,
                   trust_kernels: bool = False, tune: TuneName | None = None) -> _abi.DeviceOptions:
    options: _abi.DeviceOptions = defaults(_abi.DeviceOptions)
    fill(options, {"name": _device_name(name),
                   "cache_dir": None if cache_dir is None else os.fspath(cache_dir),
                   "memory_limit_bytes": memory_limit_bytes, "validation": bool(validation),
                   "trust_kernels": bool(trust_kernels), "tune": tune})
    return options


class UsedDevice:
    """What `with` gives a model to be loaded: the pointer of the caller's device, of one opened for the model, which
    keeps it, or None for the one that all others share."""

    def __init__(self, device: Device | DeviceName | None, **options: Any):
        given = {name: value for name, value in options.items() if value not in (None, False)}
        self._opened: Device | None = None
        self._device: Device | None = None
        if isinstance(device, Device):
            if given:
                raise InvalidArgumentError(f"{', '.join(given)}: the device is open already")
            self._device = device
        elif device is not None or given:
            self._device = self._opened = Device(device, **given)

    def __enter__(self) -> int | None:
        return self._device._handle.__enter__() if self._device else None

    def __exit__(self, *_: object) -> None:
        if self._device:
            self._device._handle.__exit__()
        if self._opened:
            self._opened.close()
