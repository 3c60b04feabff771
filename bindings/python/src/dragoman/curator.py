# SPDX-License-Identifier: Apache-2.0
"""A stage for pipelines of NVIDIA NeMo Curator (pip install 'dragoman[curator]').

    from nemo_curator.pipeline import Pipeline
    from nemo_curator.stages.text.io.reader import JsonlReader
    from nemo_curator.stages.text.io.writer import JsonlWriter
    from dragoman.curator import Translate

    pipeline = Pipeline(name="to German")
    for stage in (JsonlReader("crawl/"), Translate(columns="text", to="de"), JsonlWriter("translated/")):
        pipeline.add_stage(stage)
    pipeline.run()

Without it, NeMo Curator's own translation stage takes a running `dragoman serve` as its backend `nmt`.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._arrow import ArrowStage
from ._engines import (BATCH_CHARACTERS, StageArguments, actors_device, arrow, as_stage, fetch, needs, on_device,
                       share_cores)
from .corpus import Stage

if TYPE_CHECKING:
    from nemo_curator.stages.base import ProcessingStage  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from nemo_curator.tasks import DocumentBatch  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from typing_extensions import Unpack
else:
    ProcessingStage = needs("nemo_curator.stages.base", "curator", "nemo-curator").ProcessingStage
    DocumentBatch = needs("nemo_curator.tasks", "curator", "nemo-curator").DocumentBatch

__all__ = ["Translate"]


class Translate(ProcessingStage[DocumentBatch, DocumentBatch]):  # type: ignore[misc, unused-ignore]
    """Translates batches of documents. Each worker has one translator.

        Translate(columns="text", to="de", gpus=1)
        Translate(columns=["title", "text"], to="de", outputs={"translation": "{column}_de"}, cpus=4)

    stage, arguments: a `dragoman.corpus.Stage`, or its arguments.
    gpus, cpus: of a worker. Drivers of CPUs use as many threads as it has CPUs.
    batch_characters: of the texts that are translated at once.
    """

    def __init__(self, stage: Stage | None = None, *, gpus: float = 0, cpus: float = 1,
                 batch_characters: int = BATCH_CHARACTERS, **arguments: Unpack[StageArguments]):
        super().__init__()
        self.name = "dragoman"
        self.resources = needs("nemo_curator.stages.resources", "curator", "nemo-curator").Resources(cpus=cpus, gpus=gpus)
        self.run = ArrowStage(as_stage(stage, arguments), batch_characters)
        self.placed: ArrowStage | None = None

    def inputs(self) -> tuple[list[str], list[str]]:
        """What a task must have."""
        columns = [path.steps[0] for path in self.run.stage.columns]
        language = self.run.stage.source_language_column
        return ["data"], columns + ([language] if language else [])

    def outputs(self) -> tuple[list[str], list[str]]:
        """What it makes."""
        found = [output.path.steps[0] if output.inside else output.spelled for _, _, output in self.run.stage.outputs]
        return ["data"], found + ([self.run.stage.error_column] if self.run.stage.error_column else [])

    def setup_on_node(self, node_info: Any = None, worker_metadata: Any = None) -> None:
        """Brings the model to a machine."""
        fetch(self.run.stage.settings.model)

    def setup(self, worker_metadata: Any = None) -> None:
        """Loads the model in a worker."""
        stage = self.run.stage
        fetch(stage.settings.model)
        if self.resources.gpus:
            stage = on_device(stage, actors_device)
        share_cores(self.resources.cpus)
        stage.open()
        self.placed = ArrowStage(stage, self.run.batch_characters)

    def process(self, task: DocumentBatch) -> DocumentBatch:
        """A task with more columns; tables of Arrow and of pandas stay what they were."""
        if self.placed is None:
            self.setup()
        assert self.placed is not None
        given = task.to_pyarrow()
        table = arrow().concat_tables(list(self.placed(given)))
        data = table if given is task.data else table.to_pandas()
        return DocumentBatch(dataset_name=task.dataset_name, data=data, _metadata=task._metadata,
                             _stage_perf=task._stage_perf)
