# SPDX-License-Identifier: Apache-2.0
"""What Vulkan offers on this machine."""
from __future__ import annotations

import ctypes
import uuid as uuid_module
from dataclasses import dataclass

from . import _abi
from ._library import check, lib, struct
from .errors import NoDeviceError

__all__ = ["Device", "Memory", "device_memory", "devices"]


@dataclass(frozen=True)
class Device:
    """Facts about a device."""

    index: int
    """Place in the list, valid as `device` of `Model`."""
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
    """Of the largest device-local heap."""
    max_buffer_bytes: int

    def __str__(self) -> str:
        return self.name


def device(info: _abi.DeviceInfo) -> Device:
    version = info.api_version
    return Device(
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
    """By a model and its translators; 0 from `device_memory`."""
    peak_bytes: int
    limit_bytes: int
    """`memory_limit_bytes` of the model; 0: none."""


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


def devices() -> list[Device]:
    """All Vulkan devices, in the order of the drivers; empty where there is a loader but no driver.

    Raises NoDeviceError where there is no Vulkan loader.
    """
    count = ctypes.c_uint32()
    check(lib.dragoman_device_count(ctypes.byref(count)))
    found = []
    for index in range(count.value):
        info = struct(_abi.DeviceInfo)
        check(lib.dragoman_device_describe(index, ctypes.byref(info)))
        found.append(device(info))
    return found
