# SPDX-License-Identifier: Apache-2.0
"""A stand-in for the translator, where a trial is about files and processes: it makes capitals."""
import time

import dragoman.corpus.engine as engine
from dragoman.corpus.outcome import Outcome


class StandIn:
    totals = engine.Totals()

    def __init__(self, settings):
        pass

    def translate(self, texts, source_language, options, wanted):
        time.sleep(0.00002 * len(texts))
        return [Outcome(translation=text.upper(), score=-float(len(text))) for text in texts]


engine.LocalEngine = StandIn
