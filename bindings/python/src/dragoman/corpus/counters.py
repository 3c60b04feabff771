# SPDX-License-Identifier: Apache-2.0
"""What a stage counts."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Counters:
    """What a stage has done in this process. Stages with equal models share a translator, and `tokens` is of that."""

    rows: int = 0
    texts: int = 0
    """That were translated; equal ones of a batch count once."""
    characters: int = 0
    """Of these texts."""
    tokens: int = 0
    """Source tokens that went through the model."""
    target_tokens: int = 0
    errors: int = 0
    """Rows with an error."""
    filtered: int = 0
    """Rows that were dropped or marked."""
    seconds: float = 0.0
    """In calls; those of several threads add up."""
