# SPDX-License-Identifier: Apache-2.0
"""What the scripts of this folder share: calls of a client, each with what it must give, and the report of them."""
import json
import sys

# Sentences whose translations by the model that ships are part of its tests.
BOAT, BOOT = "The boat is full.", "Das Boot ist voll."
HAT, HUT = "She is wearing a hat.", "Sie trägt einen Hut."


class Checks:
    def __init__(self, client, version=""):
        self.client, self.version, self.calls, self.failed = client, version, 0, []

    def call(self, what, make, expected, holds=None):
        """Calls make(); its answer must equal `expected` or, where holds is given, satisfy it (`expected` says how)."""
        self.calls += 1
        try:
            answer = make()
            good = bool(holds(answer)) if holds else answer == expected
        except Exception as error:  # whatever a client throws is a failure of this call, and is reported as one
            answer, good = f"{type(error).__name__}: {error}", False
        if not good:
            self.failed.append({"call": what, "answer": repr(answer)[:600], "expected": str(expected)[:300]})
        return answer if good else None

    def raises(self, what, make, expected, holds=lambda error: True):
        """make() must throw something that satisfies `holds`."""
        def thrown():
            try:
                return f"no error but {make()!r}"
            except Exception as error:
                return error
        return self.call(what, thrown, expected, lambda answer: isinstance(answer, Exception) and holds(answer))

    def report(self):
        """A line of JSON on standard output; ends the script with 1 where a call failed."""
        print(json.dumps({"client": self.client, "version": self.version, "calls": self.calls,
                          "passed": self.calls - len(self.failed), "failed": self.failed}, ensure_ascii=False))
        sys.exit(1 if self.failed or not self.calls else 0)


def url_argument():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} URL")
    return sys.argv[1].rstrip("/")
