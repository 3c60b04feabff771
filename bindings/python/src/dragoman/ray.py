# SPDX-License-Identifier: Apache-2.0
"""Datasets of Ray, translated by all GPUs of a cluster (pip install 'dragoman[ray]').

    import ray
    import dragoman.ray

    pages = ray.data.read_parquet("crawl/", include_row_hash=True)
    done = dragoman.ray.translate(pages, columns="text", to="de", checkpoint="checkpoint/", id_column="row_hash")
    done.write_parquet("translated/")
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, Mapping

from ._arrow import ArrowStage
from ._engines import (BATCH_CHARACTERS, StageArguments, actors_device, arrow, as_stage, fetch, needs, on_device,
                       share_cores)
from .corpus import Stage

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from ray.data import Dataset  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from typing_extensions import Unpack

__all__ = ["Translate", "translate"]

#: Blocks of so many bytes are read, translated and written: what is done again where a machine is lost.
BLOCK_BYTES = 16 << 20
#: Ray wants a number of rows where an actor has a GPU; characters divide them further.
_GPU_ROWS = 8192
_CORES = 4


class Translate:
    """A class for `map_batches`, for those who set up the actors themselves. Each actor has a translator on its GPU.

        pages.map_batches(dragoman.ray.Translate, batch_format="pyarrow", num_gpus=0.5, batch_size=8192,
                          compute=ray.data.ActorPoolStrategy(min_size=1, max_size=8),
                          fn_constructor_kwargs={"columns": "text", "to": "de"})

    The first actor of a machine downloads a published model, the others wait. Without a GPU, the driver of the CPU uses
    as many cores as Ray gives the actor.

    stage, arguments: a `dragoman.corpus.Stage`, or its arguments.
    batch_characters: of the texts that are translated at once. Output comes in such parts, too.
    """

    def __init__(self, stage: Stage | None = None, *, batch_characters: int = BATCH_CHARACTERS,
                 **arguments: Unpack[StageArguments]):
        ray = needs("ray", "ray")
        chosen = on_device(as_stage(stage, arguments), actors_device)
        if ray.is_initialized():
            share_cores(ray.get_runtime_context().get_assigned_resources().get("CPU", 1))
        fetch(chosen.settings.model)
        chosen.open()
        self._run = ArrowStage(chosen, batch_characters)

    def __call__(self, batch: Any) -> Iterator[pyarrow.Table]:
        """The batch in parts: a table of Arrow, or what other formats of batches are."""
        pa = arrow()
        if isinstance(batch, Mapping):
            batch = pa.table({name: pa.array(list(values)) for name, values in batch.items()})
        elif not isinstance(batch, pa.Table):
            batch = pa.Table.from_pandas(batch, preserve_index=False)
        yield from self._run(batch)


def translate(dataset: Dataset, stage: Stage | None = None, *, num_gpus: float | None = None,
              num_cpus: float | None = None, workers: int | tuple[int, int] | None = None,
              batch_characters: int = BATCH_CHARACTERS, block_bytes: int | None = BLOCK_BYTES,
              checkpoint: str | None = None, id_column: str | None = None,
              **arguments: Unpack[StageArguments]) -> Dataset:
    """A dataset with the columns that a stage makes. Nothing runs before it is written or read.

        done = dragoman.ray.translate(ray.data.read_json("pages.jsonl"), columns="text", to="de")
        done.write_parquet("translated/")

    Rows stream through, and Ray holds back readers where translators are slower. An actor that is lost is started anew,
    and its blocks go to others.

    stage, arguments: a `dragoman.corpus.Stage`, or its arguments.
    num_gpus: of an actor; 0.5: two share one. None: 1 where the cluster has GPUs, else 0.
    num_cpus: of an actor. None: as Ray has it with a GPU; without, 4, or all that the smallest machine has, less one
        where none would be left for the tasks that read and write. Drivers of CPUs use as many threads.
    workers: the number of actors, or the least and the most. None: from one to as many as the cluster has room for.
    batch_characters: of the texts that are translated at once: the length of texts counts, not their number.
    block_bytes: of the blocks that Ray cuts data into, and of files that are written. None: Ray's own. What is lost with
        an actor is a task of the reader with all of its blocks: `read_...(..., override_num_blocks=...)` makes more of them.
    checkpoint: a folder that all machines see, or an address such as s3://..., with which a job that ended in any way
        goes on: what was written is not done again. Give the same reader, options and folders once more. Works for
        `read_...` to `write_parquet`, `write_json` and other files. It stays after success, and is of one stage: other
        options are refused.
    id_column: with it: a column of the dataset that is unique for each row; `read_parquet(..., include_row_hash=True)`
        makes one, if no two rows are equal.
    """
    ray = needs("ray", "ray")
    needs("ray.data", "ray")
    chosen = as_stage(stage, arguments)
    if not ray.is_initialized():
        ray.init()
    total = ray.cluster_resources()
    if num_gpus is None:
        num_gpus = 1 if total.get("GPU", 0) else 0
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    if num_cpus is None and not num_gpus:
        num_cpus = _cores(nodes)
    least, most = workers if isinstance(workers, tuple) else (workers or 1, workers or _room(nodes, num_gpus, num_cpus))
    done = dataset.map_batches(
        Translate, fn_constructor_kwargs={"stage": chosen, "batch_characters": batch_characters},
        batch_size=_GPU_ROWS if num_gpus else None, batch_format="pyarrow", num_gpus=num_gpus or None,
        num_cpus=num_cpus, compute=ray.data.ActorPoolStrategy(min_size=least, max_size=max(least, most)),
        udf_modifying_row_count=chosen.filters is not None)
    if block_bytes is not None:
        done.context.target_max_block_size = block_bytes
    if checkpoint is not None:
        done.context.checkpoint_config = _checkpoint(checkpoint, id_column, chosen)
    return done


def _cores(nodes: list[dict[str, float]]) -> float:
    """Of an actor without a GPU. Ray waits for ever where the first actor leaves nothing to the tasks that read."""
    counts = [node["CPU"] for node in nodes if node.get("CPU", 0) >= 1]
    wanted = min([_CORES, *counts])
    return wanted if sum(counts) - wanted >= 1 else max(0.5, wanted - 1)


def _room(nodes: list[dict[str, float]], num_gpus: float, num_cpus: float | None) -> int:
    """How many actors fit."""
    wanted = [(kind, amount) for kind, amount in (("GPU", num_gpus), ("CPU", num_cpus)) if amount]
    if not wanted:
        return 1
    return max(1, sum(min(int(node.get(kind, 0) / amount + 1e-6) for kind, amount in wanted) for node in nodes))


def _checkpoint(path: str, id_column: str | None, stage: Stage) -> Any:
    """Ray's checkpoints, in a folder of this stage's own."""
    if id_column is None:
        raise ValueError("checkpoint: expected an id_column, by which it knows rows")
    interfaces = needs("ray.data.checkpoint.interfaces", "ray", "ray 2.50 or later")
    fs = needs("pyarrow.fs", "ray")
    path = path if "://" in path else os.path.abspath(path)
    system, folder = fs.FileSystem.from_uri(path)
    own = f"stage-{stage.fingerprint()}"
    found = [info.base_name for info in system.get_file_info(fs.FileSelector(folder, allow_not_found=True))]
    others = [name for name in found if name.startswith("stage-") and name != own]
    if others:
        raise ValueError(f"checkpoint: {path} is of another model, version or options ({others[0]}, not {own})")
    return interfaces.CheckpointConfig(id_column=id_column, checkpoint_path=f"{path.rstrip('/')}/{own}",
                                       delete_checkpoint_on_success=False)
