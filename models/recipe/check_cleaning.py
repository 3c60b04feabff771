#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What cleaning.py drops and why, and that scores which are there are heeded."""
import tempfile
import types
from pathlib import Path

import numpy as np

import cleaning

ENGLISH = ["The old man went to the market this morning and bought some apples.",
           "She was sitting in the kitchen when the telephone rang for the third time.",
           "We have been thinking about which of these things they would want."] * 40
GERMAN = ["Der alte Mann ging heute Morgen auf den Markt und kaufte einige Äpfel.",
          "Sie saß gerade in der Küche, als das Telefon zum dritten Mal klingelte.",
          "Wir haben darüber nachgedacht, welche von diesen Dingen sie haben möchten."] * 40
PAIRS = [(en, de, "tatoeba") for en, de in zip(ENGLISH, GERMAN)]
REASONS = [
    (("It cost 1,234.5 dollars.", "Es kostete 1.234,5 Dollar."), None),
    (("It is 5:30 pm.", "Es ist 17.30 Uhr."), None),
    (("It was 2015-03-08.", "Es war der 08.03.2015."), None),
    (("January 1 1970", "1. Januar 1970"), None),
    (("One of 1,000.", "Einer von 1.000."), None),
    (("Thirteen of 20 came.", "13 von 20 kamen."), None),
    (("In 1987 we moved.", "Wir sind 1978 umgezogen."), "numbers"),
    (("A word of 16 letters.", "Ein Wort mit 17 Buchstaben."), "numbers"),
    (("We moved that year.", "Wir sind 1978 umgezogen."), "numbers"),
    (("No.", "Nein, das habe ich nicht gesagt, und ich werde es auch heute nicht sagen."), "length"),
    (("Extended Binary Coded Decimals Interchange Code", "EBCDIC"), None),
    ((ENGLISH[0], ENGLISH[0]), "language"),
    ((GERMAN[1], GERMAN[1]), "language"),
    ((GERMAN[1], ENGLISH[1]), "language"),
    (("Mozilla Firefox", "Mozilla Firefox"), None),
    ((ENGLISH[2], GERMAN[2]), None),
]
languages = cleaning.Languages(PAIRS)
for pair, expected in REASONS:
    assert cleaning.reason(*pair, languages) == expected, (pair, expected, cleaning.reason(*pair, languages))

assert cleaning.dual(np.array([[1.0, 1.0], [1.0, 3.0]])).tolist() == [1.0, 4.0]
with tempfile.TemporaryDirectory() as folder:
    options, said = types.SimpleNamespace(training=Path(folder)), []
    pairs = PAIRS + [("Hello", "Auf Wiedersehen", "tatoeba"), (ENGLISH[0], ENGLISH[0], "tatoeba")]
    assert cleaning.kept(options, pairs, said.append).tolist() == [1.0] * 121 + [0.0]
    scores = np.full((len(pairs), 2), 1.0, np.float32)
    scores[5], scores[7], scores[120] = (6.0, 2.0), np.nan, (9.0, 1.0)     # bad; not scored yet; a word
    np.save(options.training / cleaning.SCORES, scores)
    kept = cleaning.kept(options, pairs, said.append)
    assert np.flatnonzero(kept == 0).tolist() == [5, 121], np.flatnonzero(kept == 0)
    assert said[-1] == "cleaning: of 122 pairs dropped for length 0, numbers 0, language 1, score 1", said
    np.save(options.training / cleaning.SCORES, scores[1:])
    try:
        cleaning.kept(options, pairs, said.append)
        raise AssertionError("scores of other pairs were taken")
    except SystemExit as error:
        assert "expected scores of 122 pairs, got 121" in str(error), error
print("cleaning: as expected")
