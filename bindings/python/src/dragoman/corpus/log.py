# SPDX-License-Identifier: Apache-2.0
"""What happens in a run, as lines of JSON."""
from __future__ import annotations

import datetime
import json
from typing import IO, Any


class Log:
    """Appends to a file; None: does nothing. Each line is written at once."""

    def __init__(self, path: str | None):
        self._file: IO[str] | None = None if path is None else open(path, "a", encoding="utf-8")

    def add(self, event: str, **values: Any) -> None:
        if self._file is not None:
            now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
            self._file.write(json.dumps({"time": now, "event": event, **values}) + "\n")
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
