# SPDX-License-Identifier: Apache-2.0
"""A program with datatrove, as a user has it: datatrove_job.py INPUT OUTPUT LOG STAGE"""
import json
import sys

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import ParquetReader
from datatrove.pipeline.writers import JsonlWriter

from dragoman.datatrove import Translate

if __name__ == "__main__":
    source, target, log, stage = sys.argv[1:]
    LocalPipelineExecutor([ParquetReader(source), Translate(batch_characters=8000, **json.loads(stage)),
                           JsonlWriter(target, compression=None)], tasks=8, workers=2, logging_dir=log).run()
