# SPDX-License-Identifier: Apache-2.0
"""DataFrames of Spark (pip install 'dragoman[spark]').

    import dragoman.spark

    pages = spark.read.parquet("crawl/")
    dragoman.spark.translate(pages, columns="text", to="de").write.parquet("translated/")
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Literal

from ._arrow import ArrowStage
from ._engines import (BATCH_CHARACTERS, StageArguments, arrow, as_stage, fetch, gpu_device, needs, on_device,
                       share_cores)
from .corpus import Stage

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]
    import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from pyspark.sql import DataFrame  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from pyspark.sql.types import StructType  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from typing_extensions import Unpack

__all__ = ["translate"]

Interface = Literal["arrow", "pandas"]


def translate(frame: DataFrame, stage: Stage | None = None, *, batch_characters: int = BATCH_CHARACTERS,
              interface: Interface = "arrow", **arguments: Unpack[StageArguments]) -> DataFrame:
    """A DataFrame with the columns that a stage makes. Nothing runs before it is written or shown. It may be a stream.

        dragoman.spark.translate(pages, columns="text", to="de", outputs=["score"]).write.parquet("translated/")

    Each Python process of an executor has one translator, for all of its tasks. Where Spark gives tasks GPUs
    (`spark.task.resource.gpu.amount`), it is on the task's; otherwise on the default device, and a driver of the CPU
    uses `spark.task.cpus` threads. Executors need this package; the first process of a machine downloads a published
    model. A task that is lost is done again by Spark and gives the same, and what is written is committed once. A
    stream with a checkpointLocation goes on where the driver is lost, too.

    stage, arguments: a `dragoman.corpus.Stage`, or its arguments.
    batch_characters: of the texts that are translated at once: the length of texts counts, not their number.
    interface: "arrow": `mapInArrow`; "pandas": `mapInPandas`, for clusters that allow only that.
    """
    needs("pyspark.sql", "spark", "pyspark")
    if interface not in ("arrow", "pandas"):
        raise ValueError(f"interface is {interface!r}; expected 'arrow' or 'pandas'")
    types = needs("pyspark.sql.pandas.types", "spark", "pyspark")
    run = ArrowStage(as_stage(stage, arguments), batch_characters)
    before = types.to_arrow_schema(frame.schema)
    schema = _schema(frame.schema, run, before)

    def in_arrow(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        return _translated(run, batches)

    def in_pandas(frames: Iterator[pandas.DataFrame]) -> Iterator[pandas.DataFrame]:
        pa = arrow()
        batches = (pa.RecordBatch.from_pandas(each, schema=before, preserve_index=False) for each in frames)
        return (batch.to_pandas() for batch in _translated(run, batches))

    return frame.mapInArrow(in_arrow, schema) if interface == "arrow" else frame.mapInPandas(in_pandas, schema)


def _schema(given: StructType, run: ArrowStage, before: pyarrow.Schema) -> StructType:
    """Fields that stay are Spark's own, with what is noted about them."""
    kinds = needs("pyspark.sql.types", "spark", "pyspark")
    of_arrow = needs("pyspark.sql.pandas.types", "spark", "pyspark").from_arrow_type
    made = run.made(before)
    fields = [kinds.StructField(field.name, of_arrow(made.pop(field.name))) if field.name in made else field
              for field in given.fields]
    fields += [kinds.StructField(name, of_arrow(kind)) for name, kind in made.items()]
    found: StructType = kinds.StructType(fields)
    return found


def _translated(run: ArrowStage, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """In a task."""
    pa = arrow()
    placed = ArrowStage(_placed(run.stage), run.batch_characters)
    for batch in batches:
        for table in placed(pa.Table.from_batches([batch])):
            yield from table.combine_chunks().to_batches()


def _placed(stage: Stage) -> Stage:
    """The stage on the GPU of this task."""
    context: Any = needs("pyspark", "spark").TaskContext.get()
    if context is not None:
        gpu = context.resources().get("gpu")
        stage = on_device(stage, lambda: gpu_device(gpu.addresses[0]) if gpu and gpu.addresses else None)
        share_cores(context.cpus())
    fetch(stage.settings.model)
    return stage
