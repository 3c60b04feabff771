# SPDX-License-Identifier: Apache-2.0
"""What the stages for Ray, Spark, datasets and datatrove share."""
from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import hashlib
import importlib
import os
import subprocess
import tempfile
import uuid
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Literal, Mapping, Sequence, TypedDict, Union

from . import models
from .corpus import Filters, Stage
from .devices import devices
from .errors import FileError, NoDeviceError
from .model import describe

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["BATCH_CHARACTERS", "StageArguments", "actors_device", "arrow", "as_stage", "cuts", "fetch", "gpu_device", "needs",
           "on_device", "share_cores"]

PathLike = Union[str, "os.PathLike[str]"]

#: Of the texts that are given to a translator at once: some 50,000 tokens, in which a device sorts sentences by length.
BATCH_CHARACTERS = 200_000


class StageArguments(TypedDict, total=False):
    """The arguments of `dragoman.corpus.Stage`."""

    model: PathLike | None
    columns: str | Iterable[str]
    to: str | None
    source_language: str | None
    source_language_column: str | None
    outputs: Mapping[str, str | bool] | Iterable[str]
    device: int | str | None
    compute_type: str | None
    options: Mapping[str, Any] | None
    glossary: PathLike | Mapping[str, str] | None
    memory: PathLike | Iterable[PathLike] | None
    remember: bool
    filters: Filters | None
    on_error: Literal["row", "raise"]


def needs(module: str, extra: str, package: str | None = None) -> Any:
    """A module of an engine. Raises ImportError that says how it is had."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"dragoman.{extra} needs {package or extra}, which cannot be imported ({error}): "
                          f"pip install 'dragoman[{extra}]'") from error


def arrow() -> Any:
    """pyarrow, which comes with each engine."""
    try:
        return importlib.import_module("pyarrow")
    except ImportError as error:
        raise ImportError(f"tables of Arrow need pyarrow, which cannot be imported ({error}): "
                          "pip install pyarrow") from error


def as_stage(stage: Stage | None, arguments: StageArguments) -> Stage:
    """The stage that was given, or one of the arguments."""
    if stage is None:
        return Stage(**arguments)
    if arguments:
        raise TypeError(f"{', '.join(arguments)}: the stage has its own")
    return stage


def on_device(stage: Stage, given: Callable[[], str | None]) -> Stage:
    """A copy of a stage on the device that a scheduler gave, unless the stage names one itself or none was given."""
    device = given() if stage.settings.device is None else None
    if device is None:
        return stage
    moved = copy.copy(stage)
    moved.settings = dataclasses.replace(stage.settings, device=device)
    return moved


def cuts(sizes: Sequence[int], limit: int) -> Iterator[tuple[int, int]]:
    """Ranges of rows whose sizes together are at most the limit; a row that is larger is alone."""
    if limit < 1:
        raise ValueError(f"batch_characters is {limit}; expected at least 1")
    begin = total = 0
    for row, size in enumerate(sizes):
        if row > begin and total + size > limit:
            yield begin, row
            begin, total = row, 0
        total += size
    if begin < len(sizes):
        yield begin, len(sizes)


@contextlib.contextmanager
def _node_lock(name: str) -> Iterator[None]:
    """Held by one process of this machine and user at a time."""
    try:
        import fcntl
    except ImportError:  # the download itself is safe; it may only be made twice
        yield
        return
    user = getattr(os, "getuid", int)()
    digest = hashlib.sha256(name.encode()).hexdigest()[:16]
    with open(os.path.join(tempfile.gettempdir(), f"dragoman-{user}-{digest}.lock"), "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def fetch(model: str | None) -> None:
    """Brings a published model to this machine if it is not there: one process does it, the others wait for it."""
    if not models._is_name(model):
        return
    assert model is not None
    try:
        describe(model)
    except FileError:
        with _node_lock(model):
            models.download(model)  # what is there by now is not brought again


def share_cores(cores: float) -> None:
    """Has the driver of CPU devices use so many cores of this process, unless the environment says how many."""
    os.environ.setdefault("LP_NUM_THREADS", str(max(1, int(cores))))


@functools.cache
def _nvidia_uuids() -> dict[str, str]:
    """UUIDs by the indices that NVIDIA's tools and schedulers use."""
    try:
        listed = subprocess.run(["nvidia-smi", "--query-gpu=index,uuid", "--format=csv,noheader"], capture_output=True,
                                text=True, timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    return dict(map(str.strip, line.split(",", 1)) for line in listed.splitlines() if "," in line)  # type: ignore[misc]


def actors_device() -> str | None:
    """The device that Ray gave this actor, if it gave one."""
    ray = needs("ray", "ray")
    if not ray.is_initialized():
        return None
    given = ray.get_runtime_context().get_accelerator_ids().get("GPU", [])
    return gpu_device(str(given[0])) if given else None


def gpu_device(address: str) -> str:
    """The UUID of the device that a scheduler means by an address: an index among the GPUs, or a UUID.

    Schedulers hide other GPUs through CUDA_VISIBLE_DEVICES, which Vulkan does not heed. Raises NoDeviceError.
    """
    found = devices()
    known = {str(device.uuid) for device in found}
    text = _nvidia_uuids().get(address, address)
    try:
        named = str(uuid.UUID(text[4:] if text.upper().startswith("GPU-") else text))
    except ValueError:
        named = ""
    if named in known:
        return named
    gpus = [device for device in found if device.kind != "cpu"]
    if address.isdigit() and int(address) < len(gpus):
        return str(gpus[int(address)].uuid)
    raise NoDeviceError(f"the scheduler gave GPU {address!r}, but Vulkan has "
                        f"{', '.join(f'{device.name} ({device.uuid})' for device in gpus) or 'no GPU'} here")
