# SPDX-License-Identifier: Apache-2.0
"""What the sample documents say."""
from __future__ import annotations

import io
import re

from PIL import Image, ImageDraw

TITLE = "Water for the whole city"
PARAGRAPHS = [
    "Every morning, *more than two hundred thousand people* open a tap in their kitchen. The water comes from the "
    "_mountains in the south_ and needs two days until it reaches the city.^ You can read more about it in "
    "[the annual report] of the company.",
    "The old pipes were made of *iron*, which becomes _weak_ after some years. That is why we replace them, street by "
    "street, with pipes that are *_stronger_ and cheaper*.",
    "If you see water on the street, please *call us* at once. We will be there within one hour.",
]
FOOTNOTE = "The company measures the quality of the water every day."
ITEMS = ["A *dry* place for the new meter", "A key for the _door of the cellar_", "Two hours of your time"]
STEPS = ["Close the main tap.", "Open the window of the *bathroom* and wait for ten minutes.",
         "Call the number in [this letter]."]
ROWS = [["What you get", "How long it takes", "Price"], ["A new pipe for the kitchen", "Two days", 120.5],
        ["A visit of our engineer", "One hour", 45], ["A test of your water", "One week", 0]]


def runs(text):
    """(kind, piece) of a text with *bold*, _italic_, [link] and ^ for a note. Italic within bold is bold."""
    kinds = {"*": "bold", "_": "italic", "[": "link", "^": "note"}
    for piece in re.findall(r"\*[^*]+\*|_[^_]+_|\[[^\]]+\]|\^|[^*_\[^]+", text):
        kind = kinds.get(piece[0], "")
        yield kind, (piece[1:-1] if kind and kind != "note" else piece).replace("_", "")


def picture():
    """A PNG file in memory."""
    image = Image.new("RGB", (240, 160), "#a0c8f0")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 110, 240, 160), fill="#3060a0")
    draw.arc((40, 60, 200, 170), 180, 360, fill="#604020", width=8)
    out = io.BytesIO()
    image.save(out, "PNG")
    return io.BytesIO(out.getvalue())
