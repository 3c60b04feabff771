# SPDX-License-Identifier: Apache-2.0
"""What may be told how far a call is: a function, a progress bar, or a class of them such as tqdm."""
from __future__ import annotations

from typing import Any, Callable, Protocol, Type, Union

__all__ = ["FedProgress", "Progress", "ProgressBar", "ProgressCallback", "Teller"]

ProgressCallback = Callable[[int, int], object]


class ProgressBar(Protocol):
    """What tqdm's bars have."""

    n: Any
    total: Any

    def update(self, n: Any = ..., /) -> Any: ...

    def close(self) -> Any: ...


#: Called with the numbers done and of all; or a bar, or a class of which one is made, as `tqdm` is.
Progress = Union[ProgressCallback, ProgressBar, Type[ProgressBar], Callable[..., ProgressBar]]
#: Of an iterable: a function is called with the number done alone.
FedProgress = Union[Callable[[int], object], ProgressBar, Type[ProgressBar], Callable[..., ProgressBar]]


def _makes_bars(progress: Any) -> bool:
    made = getattr(progress, "func", progress)  # of a functools.partial
    return isinstance(made, type) and hasattr(made, "update")


class Teller:
    """Tells a function or a bar. A bar that it made ends with it."""

    def __init__(self, progress: Any, total: int | None = None):
        self._made = self._bar = self._call = None
        self._begin = 0
        if _makes_bars(progress):
            self._made = self._bar = progress(total=total)
        elif hasattr(progress, "update"):
            self._bar, self._begin = progress, progress.n
        elif progress is not None and not callable(progress):
            raise TypeError(f"progress: expected a function of two numbers, tqdm or a bar of it, "
                            f"not {type(progress).__name__}")
        else:
            self._call = progress

    def __bool__(self) -> bool:
        return self._bar is not None or self._call is not None

    def tell(self, done: int, total: int | None) -> None:
        """`total` None: not known; a function is then called with the one number."""
        if self._bar is not None:
            if total and (self._made is not None or self._bar.total is None):  # tqdm's bars without a total have no truth value
                self._bar.total = total
            self._bar.update(self._begin + done - self._bar.n)
        elif self._call is not None:
            self._call(done) if total is None else self._call(done, total)

    def close(self) -> None:
        if self._made is not None:
            self._made.close()
