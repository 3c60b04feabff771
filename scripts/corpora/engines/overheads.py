#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a worker does beside translating, in seconds: importing, loading the model, and rows from Arrow and back.

    scripts/corpora/engines/overheads.py --work FOLDER [--rows 20000] [--shipped] [--json FILE]"""
import json
import time

from common import Corpus, arguments


class Untranslated:
    """A translator that gives back what it gets."""

    def translate(self, texts, *_):
        from dragoman.corpus.outcome import Outcome
        return [Outcome(translation=text) for text in texts]


def main():
    options = arguments(__doc__).parse_args()
    import pyarrow as pa
    import pyarrow.parquet as pq
    corpus = Corpus(options)
    clock = [time.perf_counter()]

    def lap():
        clock.append(time.perf_counter())
        return round(clock[-1] - clock[-2], 3)

    from dragoman._arrow import ArrowStage
    from dragoman.corpus import Stage
    from dragoman.corpus import stage as module
    found = {"import": lap()}
    stage = Stage(**corpus.stage)
    stage.open()
    found["model"] = lap()
    table = pq.read_table(corpus.folder / "in")
    found["read"] = lap()
    translated = pa.concat_tables(ArrowStage(stage)(table))
    found["translate"] = lap()
    pq.write_table(translated, corpus.folder / "out.parquet")
    found["write"] = lap()
    module.engine = lambda _: Untranslated()
    lap()
    pa.concat_tables(ArrowStage(stage)(table))
    found["rows without translating"] = lap()
    print(json.dumps({"rows": table.num_rows, **found}))


if __name__ == "__main__":
    main()
