# SPDX-License-Identifier: Apache-2.0
"""A driver of Spark, as a user has it: spark_job.py MASTER INPUT OUTPUT CHECKPOINT STAGE INTERFACE

A stream of the files that are there: what is written and noted in the checkpoint is not done again."""
import json
import sys
import time

from pyspark.sql import SparkSession

import dragoman.spark

master, source, target, checkpoint, stage, interface = sys.argv[1:]
began = time.monotonic()
spark = (SparkSession.builder.master(master).appName("dragoman").config("spark.ui.enabled", "false")
         .config("spark.executor.memory", "512m").config("spark.executor.cores", "1").config("spark.cores.max", "2")
         .config("spark.driver.memory", "512m").config("spark.task.maxFailures", "8")
         .config("spark.sql.execution.arrow.maxRecordsPerBatch", "500").getOrCreate())
print(f"session {time.monotonic() - began:.1f} s", flush=True)
rows = spark.readStream.schema("id long, text string").option("maxFilesPerTrigger", "2").parquet(source)
done = dragoman.spark.translate(rows, batch_characters=8000, interface=interface, **json.loads(stage))
stream = (done.writeStream.format("parquet").option("path", target).option("checkpointLocation", checkpoint)
          .trigger(availableNow=True).start())
stream.awaitTermination()
print(f"job {time.monotonic() - began:.1f} s", flush=True)
spark.stop()
