# SPDX-License-Identifier: Apache-2.0
"""Through the Python package in this process, which calls the C API."""
import asyncio
import collections
import ctypes
import gc
import os
import random
import sys
import time

from . import system, texts

PROBE = "آتزمون"


class Work:
    def __init__(self, options):
        os.environ.setdefault("DRAGOMAN_LIBRARY", str(options.library))
        sys.path.insert(0, str(options.root / "bindings/python/src"))
        import dragoman  # after the path and the library are known
        self.dragoman, self.options = dragoman, options
        self.chance = random.Random(options.seed)
        self.counts = collections.Counter()
        self.expected = None
        try:
            self.trim = ctypes.CDLL(None).malloc_trim  # free lists are no leak
        except AttributeError:
            self.trim = lambda _: None

    def __enter__(self):
        self.model = self.dragoman.Model(self.options.model)
        self.translator = self.model.translator()
        return self

    def __exit__(self, *_):
        self.translator.close()
        self.model.close()

    def warm(self):
        self.expected = str(self.translator.translate(PROBE))

    def step(self):
        """Some sentences, and how long the fixed one took."""
        kinds = (self.many, self.many, self.many, self.many, self.many, self.sampled, self.cancelled, self.streamed,
                 self.fed, self.gathered, self.other_calls, self.reloaded)
        kind = self.chance.choice(kinds)
        if kind == self.reloaded and self.chance.random() < 0.7:
            kind = self.many
        count = kind()
        self.counts[kind.__name__] += 1
        begun = time.perf_counter()
        found = str(self.translator.translate(PROBE))
        took = time.perf_counter() - begun
        if found != self.expected:
            raise AssertionError(f"{PROBE}: expected {self.expected}, got {found}")
        return count + 1, [took]

    def some(self, most=24):
        pairs = [texts.text(self.chance) for _ in range(self.chance.randint(1, most))]
        return [text for text, _ in pairs], sum(count for _, count in pairs)

    def options_of_call(self):
        chance = self.chance
        beam = chance.choice((1, 1, 2, 4))
        return {"beam_size": beam, "num_hypotheses": chance.choice((1, beam)), "return_scores": chance.random() < 0.3,
                "return_alignment": chance.random() < 0.1, "return_attention": chance.random() < 0.1,
                "max_decoding_length": chance.choice((8, 24, 40)), "length_penalty": chance.choice((0.0, 0.6, 1.0))}

    def many(self):
        given, count = self.some()
        found = self.translator.translate(given, **self.options_of_call())
        if len(found) != len(given):
            raise AssertionError(f"expected {len(given)} translations, got {len(found)}")
        return count

    def sampled(self):
        given, count = self.some(6)
        self.translator.translate(given, sampling="on", top_k=4, temperature=0.8, seed=self.chance.randrange(1 << 30),
                                  max_decoding_length=16)
        return count

    def cancelled(self):
        """A job that nobody waits for any more, sooner or later."""
        given, _ = self.some(12)

        async def leave():
            task = asyncio.create_task(self.translator.translate_async(given))
            await asyncio.sleep(self.chance.choice((0, 0, 0.002, 0.02)))
            task.cancel()
            try:
                await task
                return len(given)
            except asyncio.CancelledError:
                return 0

        return asyncio.run(leave())

    def streamed(self):
        given, _ = self.some(6)
        seen = 0
        with self.translator.stream(given, partial=self.chance.random() < 0.3) as stream:
            for _ in stream:
                seen += 1
                if self.chance.random() < 0.05:
                    break
        return min(seen, len(given))

    def fed(self):
        given, count = self.some(12)
        for number, _ in enumerate(self.translator.translate_iter(given, ahead=4)):
            if number == 8:  # the rest is given up
                return number
        return count

    def gathered(self):
        given, count = self.some(6)

        async def together():
            await asyncio.gather(*(self.translator.translate_async(text, priority=self.chance.randint(0, 2)) for text in given))

        asyncio.run(together())
        return count

    def other_calls(self):
        tokens = self.model.tokenize("آزا")
        self.translator.score_tokens([list(tokens)], [["a", "z", "z", "a"]])
        self.dragoman.detect_languages("Wo ist der Bahnhof?")
        self.dragoman.split_sentences("One. Two.", language="en")
        try:
            self.translator.translate("a", beam_size=1000)
        except self.dragoman.InvalidArgumentError:
            return 1
        raise AssertionError("a beam of 1000: expected an error")

    def reloaded(self):
        """A model of its own, with a job in flight when it goes; or the one that is used."""
        given, count = self.some(4)
        if self.chance.random() < 0.5:
            self.translator.close()
            self.model.close()
            self.__enter__()
            self.translator.translate(given)
            return count
        model = self.dragoman.Model(self.options.model)
        translator = model.translator()
        stream = translator.stream(given)
        next(iter(stream), None)
        del stream, translator, model  # as the collector finds them
        return 1

    def look(self):
        """Memory where nothing is loaded, which only then is comparable: what is at work takes 70 MB more or less."""
        held = self.model.memory.held_bytes
        self.__exit__()
        gc.collect()
        self.trim(0)
        found = {**system.look(), "held": held, "allocated": system.allocated(),
                 "python_blocks": sys.getallocatedblocks()}
        self.__enter__()
        return found
