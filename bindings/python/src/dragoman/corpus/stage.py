# SPDX-License-Identifier: Apache-2.0
"""The stage that translates rows, for every engine that has them as columns."""
from __future__ import annotations

import os
import threading
import time
from dataclasses import asdict, replace
from typing import Any, Iterable, Literal, Mapping, Sequence, Union

from ..errors import (BadModelError, CancelledError, DeviceLostError, Error, FileError, NoDeviceError, OutOfMemoryError)
from ..options import TranslateOptions, changed
from . import fingerprint
from .cells import Cells, Place, RowFound
from .counters import Counters
from .engine import Engine, Settings, engine, is_tmx
from .filters import Filters
from .outcome import KINDS, Outcome
from .paths import ColumnPath, Output

__all__ = ["Counters", "Stage"]

PathLike = Union[str, "os.PathLike[str]"]
DeviceLike = Union[int, str, Sequence[Union[int, str]], None]

#: Never the fault of a row.
_OF_THE_WHOLE = (BadModelError, CancelledError, DeviceLostError, FileError, NoDeviceError)
#: Of a row, if others of its batch go.
_OF_A_ROW = (Error, ValueError, TypeError)


class Stage:
    """Translates batches of rows: dict of column -> list, in and out.

        stage = Stage(columns=["text"], to="de")
        stage({"id": [1, 2], "text": ["Good morning!", None]})
        # {"id": [1, 2], "text": [...], "translation": ["Guten Morgen!", None], "error": [None, None]}

    Rows keep their order and columns; a list of the input is never changed. What a row becomes does not depend on the
    batch that it is in, on other rows, processes or threads. It is picklable (options only). The translator is made at
    first use in each process, also after a fork, is shared by all stages of the process that want the same model and
    device, and may be used by any number of threads.

    model: the path or name of a model; None: the default model.
    columns: of texts, as names or paths: `text`, `meta.title`, `messages.*.content`. A cell is a text, or missing
        (None, NaN), and then so is its translation. Lists may be NumPy arrays.
    to: the target language.
    source_language: a tag; "auto": found, sentence by sentence; None: unknown, for models that need not know.
    source_language_column: a column with each row's tag, before `source_language`, which is for rows where it is
        missing.
    outputs: the columns to make, of "translation", "score", "quality", "coverage", "source_language", "alignment" (in
        Pharaoh's format) and "error", with their names; True for the usual name, False for none. A name may hold
        `{column}`. It is a column of its own, where a path with stars gives lists, or beside the text if the path is
        the text's but for its last key (`messages.*.content_de`), or in the text's place if it is the text's.
        "translation" and "error" are made unless they are False. Usual names are those words; where texts have several
        columns, or a path, all but "error" are `{column}_translation` and so on.
    device: as of `Model`: an index, UUID or part of a name; "all" or a list, where the library takes it.
    compute_type: as of `Model`.
    options: further options of `Translator.translate`, such as {"beam_size": 4}.
    glossary: the path of a file, or a dict of terms.
    memory: translation memories (.tmx) and at most one file of SQLite that keeps answers: a path or several.
    remember: keep answers in memory (bounded), so that what is repeated is searched once in a process.
    filters: which rows are translated and kept.
    on_error: "row": a row that cannot be translated has the reason in its column "error" and no translation; "raise".
        Errors that are no row's, such as a missing device, raise in both.
    """

    def __init__(self, model: PathLike | None = None, *, columns: str | Iterable[str] = ("text",),
                 to: str | None = None, source_language: str | None = None, source_language_column: str | None = None,
                 outputs: Mapping[str, str | bool] | Iterable[str] = ("translation", "error"),
                 device: DeviceLike = None, compute_type: str | None = None,
                 options: Mapping[str, Any] | None = None, glossary: PathLike | Mapping[str, str] | None = None,
                 memory: PathLike | Iterable[PathLike] | None = None, remember: bool = True,
                 filters: Filters | None = None, on_error: Literal["row", "raise"] = "row"):
        if on_error not in ("row", "raise"):
            raise ValueError(f"on_error is {on_error!r}; expected 'row' or 'raise'")
        self.columns = [ColumnPath(column) for column in ([columns] if isinstance(columns, str) else columns)]
        if not self.columns:
            raise ValueError("columns: expected at least one")
        self.source_language, self.source_language_column = source_language, source_language_column
        self.filters, self.on_error = filters, on_error
        self.options = {name: value for name, value in (options or {}).items() if value is not None}
        for name, value in (("to", to), ("glossary", glossary)):
            if value is not None:
                self.options[name] = value
        for name in ("source_language", "memory"):
            if name in self.options:
                raise ValueError(f"options: {name} is an argument of its own")
        changed(TranslateOptions(), self.options, Stage)  # refuses names that are none
        files = [memory] if isinstance(memory, (str, os.PathLike)) else list(memory or ())
        chosen = device if device is None or isinstance(device, (int, str)) else tuple(device)
        self.settings = Settings(None if model is None else os.fspath(model), chosen, compute_type,
                                 tuple(os.fspath(file) for file in files), remember)
        self._name_outputs(outputs)
        self._start()

    def _name_outputs(self, outputs: Mapping[str, str | bool] | Iterable[str]) -> None:
        given: dict[str, str | bool] = {"translation": True, "error": True}
        given.update(outputs if isinstance(outputs, Mapping) else dict.fromkeys(outputs, True))
        unknown = [kind for kind in given if kind not in (*KINDS, "error")]
        if unknown:
            raise ValueError(f"outputs: {unknown[0]!r} is none; expected {', '.join((*KINDS, 'error'))}")
        self.error_column = given["error"] if isinstance(given["error"], str) else "error" if given["error"] else None
        single = len(self.columns) == 1 and len(self.columns[0].steps) == 1
        self.outputs: list[tuple[int, str, Output]] = []
        for kind in KINDS:
            name = given.get(kind)
            if not name:
                continue
            pattern = name if isinstance(name, str) else kind if single else f"{{column}}_{kind}"
            for place, path in enumerate(self.columns):
                self.outputs.append((place, kind, Output(path, pattern.replace("{column}", path.spelled))))
        names = [output.spelled for _, _, output in self.outputs] + ([self.error_column] if self.error_column else [])
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ValueError(f"outputs: several want the column {twice[0]!r}; a name may hold {{column}}")
        told = self.filters.kinds() if self.filters else set()
        self._wanted = frozenset({kind for _, kind, _ in self.outputs} | told)

    def _start(self) -> None:
        self._lock = threading.Lock()
        self._counters = Counters()
        self._probed = False

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items()
                if name not in ("_lock", "_counters", "_probed")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._start()

    def open(self) -> None:
        """Loads the model and checks the options now, instead of with the first batch."""
        found = engine(self.settings)
        if not self._probed:
            if self.source_language or not self.source_language_column:
                found.translate([""], self.source_language, self.options, self._wanted)
            self._probed = True

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        """The batch's columns and those that the outputs name; fewer rows where filters drop some.

        Raises KeyError for a column that is missing, and with `on_error="raise"` what the first row that fails has.
        """
        return self.place(batch, self.find(batch))

    def find(self, batch: Mapping[str, Sequence[Any]]) -> list[RowFound]:
        """The first half of a call: what becomes of each row."""
        began = time.perf_counter()
        cells = Cells(batch, self.columns, self.source_language, self.source_language_column)
        if cells.texts:
            self.open()
        if self.filters:
            cells.filter_before(self.filters)
        outcomes = self._translated(cells)
        if self.filters:
            cells.filter_after(self.filters, outcomes)
        if self.on_error == "raise" and cells.errors:
            row, message = min(cells.errors.items())
            raise ValueError(f"row {row}: {message}")
        with self._lock:
            was = self._counters
            characters = sum(len(text) for _, text in outcomes)
            self._counters = replace(
                was, rows=was.rows + cells.rows, texts=was.texts + len(outcomes),
                characters=was.characters + characters, errors=was.errors + len(cells.errors),
                filtered=was.filtered + len(cells.filtered), seconds=was.seconds + time.perf_counter() - began)
        return cells.found(outcomes, "source_language" in self._wanted)

    def place(self, batch: Mapping[str, Sequence[Any]], found: Sequence[RowFound]) -> dict[str, list[Any]]:
        """The second half: the batch's columns and those that the outputs name."""
        made: dict[str, list[Any]] = {name: list(values) for name, values in batch.items()}
        for column, kind, output in self.outputs:
            values = [row.texts[column] if column < len(row.texts) else None for row in found]
            output.place(made, [texts and [None if one is None else getattr(one, kind) for one in texts]
                                for texts in values])
        if self.error_column:
            made[self.error_column] = [row.error for row in found]
        if self.filters is None:
            return made
        if self.filters.action == "mark":
            made[self.filters.column] = [row.filtered for row in found]
            return made
        return {name: [value for value, row in zip(values, found) if not row.filtered] for name, values in made.items()}

    def _translated(self, cells: Cells) -> dict[Place, Outcome]:
        """What becomes of each different text, by its language and itself."""
        found: dict[Place, Outcome] = {}
        for language, texts in cells.different().items():
            translated = self._bisected(engine(self.settings), texts, language)
            if len(texts) > 1 and all(outcome.error for outcome in translated):
                self._refuse_all(translated)
            for text, outcome in zip(texts, translated):
                found[language, text] = outcome
        cells.note_errors(found)
        return found

    def _refuse_all(self, translated: list[Outcome]) -> None:
        """Where memory is too small for every row, no row is at fault."""
        if all(outcome.error and outcome.error.startswith(("out_of_memory:", "internal:")) for outcome in translated):
            raise OutOfMemoryError(f"all {len(translated)} texts of a batch failed: {translated[0].error}")

    def _bisected(self, translator: Engine, texts: list[str], language: str | None) -> list[Outcome]:
        try:
            return translator.translate(texts, language, self.options, self._wanted)
        except _OF_THE_WHOLE:
            raise
        except _OF_A_ROW as error:
            if len(texts) == 1:
                return [Outcome(error=f"{getattr(error, 'status', 'invalid_argument')}: {error}")]
            half = len(texts) // 2
            return [*self._bisected(translator, texts[:half], language),
                    *self._bisected(translator, texts[half:], language)]

    def parts(self) -> dict[str, Any]:
        """What outputs depend on, by name: model, version, options. Reads the model's files, but needs no device."""
        from .. import __version__
        options = {name: value for name, value in sorted(self.options.items()) if name != "glossary"}
        parts: dict[str, Any] = {
            "version": __version__, "model": fingerprint.of_model(self.settings.model),
            "compute_type": self.settings.compute_type or "auto",
            "columns": [path.spelled for path in self.columns], "source_language": self.source_language,
            "source_language_column": self.source_language_column,
            "outputs": [[kind, output.spelled] for _, kind, output in self.outputs], "error": self.error_column,
            "filters": asdict(self.filters) if self.filters else None}
        if "glossary" in self.options:
            parts["glossary"] = fingerprint.of_glossary(self.options["glossary"])
        parts["memory"] = [fingerprint.of_file(path) for path in self.settings.memory if is_tmx(path)]
        return {**parts, **{f"option {name}": value for name, value in options.items()}}

    def fingerprint(self) -> str:
        """Of `parts`: stages with equal ones give equal outputs, on devices of one kind."""
        return fingerprint.together(self.parts())

    @property
    def counters(self) -> Counters:
        """What it has done in this process."""
        totals = engine(self.settings).totals if self._probed else None
        with self._lock:
            return self._counters if totals is None else replace(
                self._counters, tokens=totals.source_tokens, target_tokens=totals.target_tokens)

    def __repr__(self) -> str:
        return f"<Stage {', '.join(path.spelled for path in self.columns)} to {self.options.get('to')}>"
