# SPDX-License-Identifier: Apache-2.0
"""Random texts for the small model, which writes Arabic names in Latin letters; and some that it cannot read."""
LETTERS = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
ODD = ["", " ", "Hello there.", "\u00e4\u00f6\u00fc 123, 4.5%", "\U0001f600", "https://example.org/a?b=c", "a\n\nb", "日本語です。", "e\u0301\u200d"]


def word(chance):
    return "".join(chance.choice(LETTERS) for _ in range(chance.choice((2, 3, 4, 5, 6, 9))))


def text(chance):
    """And how many sentences it has: each line is one."""
    if chance.random() < 0.03:
        return chance.choice(ODD), 1
    lines = chance.choice((1, 1, 1, 1, 2, 4))
    return "\n".join(" ".join(word(chance) for _ in range(chance.choice((1, 1, 1, 2, 3, 8)))) for _ in range(lines)), lines
