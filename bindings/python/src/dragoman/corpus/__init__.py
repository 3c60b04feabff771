# SPDX-License-Identifier: Apache-2.0
"""Corpora: `python -m dragoman.corpus` translates files larger than a machine, and `Stage` is the same for engines that
have rows of their own (Ray, Spark, datasets, datatrove)."""
from .filters import Filters
from .stage import Counters, Stage

__all__ = ["Counters", "Filters", "Stage"]
