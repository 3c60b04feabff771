# SPDX-License-Identifier: Apache-2.0
"""A step for pipelines of datatrove (pip install 'dragoman[datatrove]').

    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter
    from dragoman.datatrove import Translate

    LocalPipelineExecutor([JsonlReader("crawl/"), Translate(to="de"), JsonlWriter("translated/")], tasks=8).run()
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Iterator

from ._engines import BATCH_CHARACTERS, StageArguments, as_stage, fetch, needs
from .corpus import Stage
from .corpus.paths import leaves

if TYPE_CHECKING:
    from datatrove.data import Document  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from datatrove.pipeline.base import PipelineStep  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from typing_extensions import Unpack
else:
    PipelineStep = needs("datatrove.pipeline.base", "datatrove").PipelineStep

__all__ = ["Translate"]

_ROW = "\0row"


class Translate(PipelineStep):  # type: ignore[misc, unused-ignore]
    """Translates documents; those that filters drop do not come out.

        Translate(to="de")                                            # metadata["translation"]
        Translate(to="de", outputs={"translation": "text"})           # in the text's place
        Translate(to="de", columns=["text", "metadata.title"], outputs={"translation": "{column}_de"})

    Columns are "text", "id" and paths in "metadata". What is made goes into the metadata, or into the place that the
    outputs name. Each task has a translator of its own; datatrove does a task again that did not end.

    stage, arguments: a `dragoman.corpus.Stage`, or its arguments.
    batch_characters: of the texts that are translated at once.
    """

    name = "Dragoman"
    type = "TRANSLATION"

    def __init__(self, stage: Stage | None = None, *, batch_characters: int = BATCH_CHARACTERS,
                 **arguments: Unpack[StageArguments]):
        super().__init__()
        if batch_characters < 1:
            raise ValueError(f"batch_characters is {batch_characters}; expected at least 1")
        self.stage, self.batch_characters = as_stage(stage, arguments), batch_characters

    def run(self, data: Iterable[Document] | None, rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        """The documents in their order."""
        fetch(self.stage.settings.model)
        waiting: list[Document] = []
        characters = 0
        for document in data or ():
            size = self._size(document)
            if waiting and characters + size > self.batch_characters:
                yield from self._translated(waiting)
                waiting, characters = [], 0
            waiting.append(document)
            characters += size
        if waiting:
            yield from self._translated(waiting)

    def _size(self, document: Document) -> int:
        cells = {"text": document.text, "id": document.id, "metadata": document.metadata}
        total = 0
        for column in self.stage.columns:
            steps = column.resolved(cells)
            try:
                total += sum(len(text) for text in leaves(cells[steps[0]], steps[1:]) if isinstance(text, str))
            except TypeError:  # the stage says what is wrong with it
                pass
        return total

    def _translated(self, documents: list[Document]) -> Iterator[Document]:
        batch: dict[str, list[Any]] = {"text": [document.text for document in documents],
                                       "id": [document.id for document in documents],
                                       "metadata": [document.metadata for document in documents],
                                       _ROW: list(range(len(documents)))}
        with self.track_time():
            found = self.stage(batch)
        kept = found.pop(_ROW)
        self.stat_update("dropped", value=len(documents) - len(kept))
        for place, row in enumerate(kept):
            document = documents[row]
            document.text, document.id = found["text"][place], found["id"][place]
            document.metadata = dict(found["metadata"][place])
            document.metadata.update({name: cells[place] for name, cells in found.items() if name not in batch})
            self.stat_update("translated")
            yield document
