#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What noise.py makes of pairs, and that each kind is drawn."""
import noise

SOURCE, TARGET = 'Er sagte: "Das ist groß."', 'He said, "That\'s big."'
EXPECTED = {
    noise.capitals: ('ER SAGTE: "DAS IST GROSS."', 'HE SAID, "THAT\'S BIG."'),
    noise.title: ('Er Sagte: "Das Ist Groß."', TARGET),
    noise.small: ('er sagte: "das ist groß."', TARGET),
    noise.open_end: (SOURCE, TARGET),
    noise.typographic: ("Er sagte: „Das ist groß.“", TARGET),
}
for kind, expected in EXPECTED.items():
    assert kind(SOURCE, TARGET, "de") == expected, (kind.__name__, kind(SOURCE, TARGET, "de"))
assert noise.typographic(TARGET, SOURCE, "en") == ("He said, “That’s big.”", SOURCE)
for pair, expected in [(("Gut.", "Good."), ("Gut", "Good")), (("Gut!", "Good."), ("Gut!", "Good.")),
                       (("Tja...", "Well..."), ("Tja...", "Well...")), ((".", "."), (".", ".")), (("", ""), ("", ""))]:
    assert noise.open_end(*pair, "de") == expected, (pair, noise.open_end(*pair, "de"))
assert abs(sum(share for _, share in noise.KINDS) - 1) < 1e-9
drawn = {noise.vary("Oh, 'ne \"Insel\".", 'An "Island".', "de", k / 100) for k in range(100)}
assert len(drawn) == len(noise.KINDS), drawn
print("noise: as expected")
