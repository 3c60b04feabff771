# SPDX-License-Identifier: Apache-2.0
import asyncio
import gc
import threading

import dragoman
import pytest
from test_translate import TEXT, TRANSLATION

DOCUMENT = f"{TEXT}\nbatiß. Késora banara!\nbatiß."


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 1200))


def test_awaiting(translator):
    async def main():
        one, many, none = await asyncio.gather(
            translator.translate_async(TEXT), translator.translate_async([TEXT, ""]), translator.translate_async([]))
        assert str(one) == TRANSLATION and [str(item) for item in many] == [TRANSLATION, ""] and none == []
        tokens, = await translator.translate_tokens_async([one.source_tokens])
        assert tokens.tokens == one.tokens

    run(main())


def test_errors_of_awaiting(translator):
    async def main():
        with pytest.raises(dragoman.InvalidArgumentError, match="beam_size"):
            await translator.translate_async(TEXT, beam_size=1000)
        with pytest.raises(dragoman.InvalidArgumentError, match="invalid UTF-8"):
            await translator.translate_async([TEXT, "\ud800"])
        with pytest.raises(dragoman.InvalidArgumentError, match="priority"):
            await translator.translate_async(TEXT, priority=2**31)

        def fail(done, total):
            raise KeyError("mine")

        with pytest.raises(KeyError, match="mine"):
            await translator.translate_async([TEXT, "batiß."], progress=fail)
        assert str(await translator.translate_async(TEXT)) == TRANSLATION

    run(main())


def test_the_event_loop_goes_on(translator):
    """The loop's other work is done while a translation runs, and progress comes on the loop's thread."""
    async def main():
        beats, seen = 0, []

        async def heart():
            nonlocal beats
            while True:
                beats += 1
                await asyncio.sleep(0)

        heartbeat = asyncio.create_task(heart())
        await translator.translate_async([f"{TEXT} batin {word}." for word in ["kén"] * 5 + ["bara"] * 5],
                                         progress=lambda *numbers: seen.append((*numbers, asyncio.current_task())))
        heartbeat.cancel()
        assert beats > 10
        assert seen[-1][:2] == (20, 20)

    run(main())


def test_cancelling_a_task_stops_its_translation(translator):
    texts = [" ".join([TEXT] * 3 + ["kén" * (1 + place % 7)] * (place % 11)) for place in range(500)]

    async def main():
        begun, before = asyncio.Event(), translator.stats.sentences
        task = asyncio.create_task(translator.translate_async(texts, max_batch_size=8, progress=lambda *_: begun.set()))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert str(await translator.translate_async(TEXT)) == TRANSLATION
        assert translator.stats.sentences - before < len(texts)

    run(main())


def test_streams_give_every_sentence_once(translator):
    with translator.stream([DOCUMENT, TEXT]) as stream:
        with pytest.raises(RuntimeError, match="not been read"):
            stream.translations
        events = list(stream)
    assert {event.kind for event in events} == {"sentence"}
    assert sorted((event.input, event.sentence) for event in events) == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)]
    assert [event.done for event in events] == [1, 2, 3, 4, 5] and events[0].total == 5
    for event in events:
        found = stream.translations[event.input].sentences[event.sentence]
        assert (event.source, event.text, event.source_span) == (found.source, found.text, found.source_span)
        assert event.tokens == found.tokens
    assert list(stream) == []
    assert str(stream.translations[1]) == TRANSLATION


def test_partial_translations_grow(translator):
    if not dragoman.has_feature("jobs.partial"):
        pytest.skip("this library has no events of unfinished sentences")
    events = list(translator.stream(TEXT, partial=True, beam_size=1))
    partial = [event.text for event in events if event.kind == "partial"]
    assert partial and events[-1].kind == "sentence" and events[-1].text == TRANSLATION
    assert all(TRANSLATION.startswith(text.rstrip()) for text in partial)
    assert [len(text) for text in partial] == sorted(len(text) for text in partial)


def test_streams_of_the_event_loop(translator):
    async def main():
        async with translator.stream_async(DOCUMENT) as stream:
            sources = {event.source: event.text async for event in stream}
        assert sources[TEXT] == TRANSLATION
        assert [sentence.text for sentence in stream.translations[0].sentences] == [
            sources[sentence.source] for sentence in stream.translations[0].sentences]
        async with translator.stream_async([DOCUMENT] * 3) as left:
            async for _ in left:
                break
        with pytest.raises(dragoman.InvalidArgumentError):
            translator.stream_async("\ud800")

    run(main())


def test_a_stream_keeps_its_translator(model):
    stream = model.translator(target_language="xx").stream([TEXT, "batiß. " * 5])
    gc.collect()
    assert len(list(stream)) > 5 and str(stream.translations[0]) == TRANSLATION


def test_a_stream_that_is_left_ends(translator):
    stream = translator.stream([DOCUMENT.replace("batin", word) for word in ["kén", "bara", "loson"]] * 50)
    next(stream)
    stream.close()
    with pytest.raises(ValueError, match="this job is closed"):
        list(stream)
    stream = translator.stream([DOCUMENT] * 3)
    del stream
    gc.collect()
    assert str(translator.translate(TEXT)) == TRANSLATION


def test_a_stream_that_failed_can_be_read_again(model):
    """It raises, and does not wait for events that never come."""
    texts = [f"{TEXT} {'kén ' * count}" for count in range(300)]
    translator = model.translator(target_language="xx")
    stream = translator.stream(texts)
    translator.close()
    with pytest.raises(dragoman.CancelledError):
        list(stream)
    again = []
    for _ in range(2):
        thread = threading.Thread(target=lambda: again.append(pytest.raises(ValueError, next, stream)), daemon=True)
        thread.start()
        thread.join(600)
    assert len(again) == 2

    async def main():
        translator = model.translator(target_language="xx")
        stream = translator.stream_async(texts)
        await asyncio.to_thread(translator.close)
        with pytest.raises(dragoman.CancelledError):
            [event async for event in stream]
        for _ in range(2):
            with pytest.raises(ValueError, match="closed"):
                await asyncio.wait_for(stream.__anext__(), 600)

    run(main())


def test_closing_a_translator_cancels_its_jobs(model):
    async def main():
        async with model.translator(target_language="xx") as translator:
            task = asyncio.create_task(translator.translate_async([f"{TEXT} {'kén ' * n}" for n in range(300)]))
            await asyncio.sleep(0)  # which begins the task
        with pytest.raises(dragoman.CancelledError) as caught:
            await task
        assert caught.value.status == "cancelled"

    run(main())


def test_iterating_both_kinds_of_iterables(translator):
    async def texts():
        for place in range(5):
            await asyncio.sleep(0)
            yield TEXT if place % 2 else "batiß."

    async def main():
        done = []
        found = [str(item) async for item in
                 translator.translate_iter_async(texts(), ahead=2, progress=done.append)]
        assert found == ["vöpiй.", TRANSLATION] * 2 + ["vöpiй."] and done == sorted(done) and done[-1] == 5
        assert [str(item) async for item in translator.translate_iter_async(iter([TEXT]))] == [TRANSLATION]
        with pytest.raises(ValueError, match="ahead is 0"):
            [item async for item in translator.translate_iter_async([TEXT], ahead=0)]

    run(main())


def test_iterating_reads_no_further_ahead_than_told_and_stops_when_it_is_left(translator):
    taken, given, ended = 0, 0, False

    async def endless():
        nonlocal taken, ended
        try:
            while True:
                taken += 1
                assert taken - given <= 17  # 8, one that waits for room, and what is being given out
                yield TEXT if taken % 2 else "batiß."
        finally:
            ended = True

    async def main():
        nonlocal given
        found = translator.translate_iter_async(endless(), ahead=8)
        async for item in found:
            assert str(item) == (TRANSLATION, "vöpiй.")[given % 2]
            given += 1
            if given == 60:
                break
        await found.aclose()
        last = taken
        await translator.translate_async(TEXT)
        assert taken == last

    run(main())
    assert ended


def test_a_text_that_is_long_in_coming_holds_no_translation_up(translator):
    async def main():
        more = asyncio.Event()

        async def slow():
            yield TEXT
            await more.wait()
            yield "batiß."

        found = []
        async for item in translator.translate_iter_async(slow()):
            found.append(str(item))
            more.set()
        assert found == [TRANSLATION, "vöpiй."]

    run(main())


def test_streams_of_iterables_give_every_sentence_once(translator):
    whole = translator.translate([DOCUMENT, TEXT])
    taken = 0

    def texts():
        nonlocal taken
        while taken < 40:
            taken += 1
            yield TEXT if taken % 2 == 0 else DOCUMENT

    def check(events):
        assert len({(event.input, event.sentence) for event in events}) == len(events) == 20 * 4 + 20
        for event in events:
            expected = whole[event.input % 2].sentences[event.sentence]
            assert (event.source, event.source_span, event.text, event.tokens) == (
                expected.source, expected.source_span, expected.text, expected.tokens)

    events = translator.stream_iter(texts(), ahead=4)
    first = next(events)
    assert taken <= 5
    check([first, *events])
    assert taken == 40

    async def main():
        nonlocal taken
        taken = 0
        check([event async for event in translator.stream_iter_async(texts(), ahead=4)])
        taken = 0
        events = translator.stream_iter_async(texts(), ahead=2, partial=True)
        kinds = [(await anext(events)).kind for _ in range(3)]
        assert set(kinds) <= {"partial", "sentence"} and taken <= 20
        await events.aclose()

        def failing():
            yield TEXT
            raise KeyError("mine")

        with pytest.raises(KeyError, match="mine"):
            [event async for event in translator.stream_iter_async(failing())]
        with pytest.raises(KeyError, match="mine"):
            list(translator.stream_iter(failing()))

    run(main())


def test_texts_of_iterables_may_have_prefixes(translator):
    prefix = translator.translate("batiß.").tokens[:1]
    plain, forced = translator.translate([TEXT, TEXT], prefixes=[[], prefix])
    assert plain.tokens != forced.tokens and forced.tokens[:1] == prefix
    items = [TEXT, (TEXT, prefix), (TEXT, None), (TEXT, [])]
    expected = [plain.tokens, forced.tokens, plain.tokens, plain.tokens]
    assert [found.tokens for found in translator.translate_iter(items)] == expected
    assert [found.source for found in translator.translate_iter(items)] == [TEXT] * 4
    events = {event.input: event.tokens for event in translator.stream_iter(items)}
    assert events == dict(enumerate(expected))
    with pytest.raises(TypeError, match="prefixes 0: expected a sequence of tokens"):
        list(translator.translate_iter([(TEXT, "tokens")]))

    async def main():
        assert [found.tokens async for found in translator.translate_iter_async(items)] == expected
        assert {event.input: event.tokens
                async for event in translator.stream_iter_async(items)} == dict(enumerate(expected))

    run(main())


def test_what_ends_asynchronous_iterating(translator):
    async def failing():
        yield TEXT
        raise KeyError("mine")

    async def main():
        with pytest.raises(KeyError, match="mine"):
            [item async for item in translator.translate_iter_async(failing())]
        with pytest.raises(dragoman.InvalidArgumentError, match="UTF-8"):
            [item async for item in translator.translate_iter_async([TEXT, "\udcff"])]
        with pytest.raises(dragoman.InvalidArgumentError, match="beam_size"):
            [item async for item in translator.translate_iter_async([TEXT], beam_size=1000)]
        assert [item async for item in translator.translate_iter_async([])] == []

        async def forever():
            while True:
                yield TEXT

        async def read():
            async for _ in translator.translate_iter_async(forever(), ahead=8):
                pass

        task = asyncio.create_task(read())
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert str(await translator.translate_async(TEXT)) == TRANSLATION

    run(main())


def test_priority(translator):
    """An urgent text overtakes the bulk of another job."""
    async def main():
        order = []

        async def one(name, texts, priority):
            await translator.translate_async(texts, priority=priority)
            order.append(name)

        await asyncio.gather(one("first", [f"{TEXT} {'kén ' * (n % 30)}" for n in range(120)], 0),
                             one("later", ["batiß. " * 5], 0), one("urgent", [TEXT], 5))
        assert order.index("urgent") < order.index("first")

    run(main())


def encoded(monkeypatch, work):
    """How many characters a function turns into bytes."""
    count = 0
    encode = dragoman._text.encode

    def counting(text):
        nonlocal count
        count += len(text)
        return encode(text)

    with monkeypatch.context() as patch:
        patch.setattr(dragoman._text, "encode", counting)
        work()
    return count


def test_a_sentence_of_a_long_text_costs_what_it_costs_in_a_short_one(translator, monkeypatch):
    def count(work, *sizes):
        return [encoded(monkeypatch, lambda: work("batiß. " * size)) for size in sizes]

    few, many = count(lambda text: list(translator.stream(text)), 300, 1200)
    assert many < 5 * few
    few, many = count(lambda text: list(translator.stream_iter([text])), 300, 1200)
    assert many < 5 * few
    told = []
    few, many = count(lambda text: run(translator.translate_async(text, progress=lambda *at: told.append(at))), 300, 1200)
    assert many < 2 * 7 * 1200 and few < 2 * 7 * 300 and told[-1] == (1200, 1200)

    found = translator.translate(["batiß. " * size for size in (300, 1200)], return_alignment=True)
    spans = [], []
    few, many = (encoded(monkeypatch, lambda: place.extend(sentence.alignment.source_spans for sentence in one.sentences))
                 for one, place in zip(found, spans))
    assert many < 5 * few
    assert spans[1] == [[(begin, begin + 5), (begin + 5, begin + 6)] for begin in range(0, 7 * 1200, 7)]


def test_places_in_bytes_are_places_in_characters():
    text = "aß€😀\ud800" * 100
    ends = [len(dragoman._text.encode(text[:place])) for place in range(len(text) + 1)]
    places = dragoman._text.Places(text)
    for begin in range(0, len(text), 7):
        for end in (begin, begin + 1, len(text)):
            assert places.span(ends[begin], ends[end]) == (begin, end)
    assert dragoman._text.Places("plain").span(1, 5) == (1, 5)
    assert dragoman._text.Places("").span(0, 0) == (0, 0)


def numbered(bad, count=30):
    """Texts, of which one is bad: a lone surrogate, no str, or an exception of the iterable."""
    for place in range(count):
        if place == 25 and isinstance(bad, Exception):
            raise bad
        yield bad if place == 25 else "batiß."


@pytest.mark.parametrize("bad, error, message", [
    ("kén \ud800 x", dragoman.InvalidArgumentError, r"texts\[25\]: invalid UTF-8"),
    (None, TypeError, r"texts\[25\]: expected str, not NoneType"),
    (("batiß.", ["kén", "\ud800"]), dragoman.InvalidArgumentError, r"prefixes\[25\]"),
    (("batiß.", "kén"), TypeError, "prefixes 25: expected a sequence of tokens"),
    (KeyError("mine"), KeyError, "mine"),
])
def test_what_came_before_an_error_is_given_before_it_is_raised(translator, bad, error, message):
    found, events = [], []
    with pytest.raises(error, match=message):
        for text in translator.translate_iter(numbered(bad)):
            found.append(str(text))
    assert found == ["vöpiй."] * 25
    with pytest.raises(error, match=message):
        for event in translator.stream_iter(numbered(bad), ahead=4):
            events.append(event.input)
    assert sorted(events) == list(range(25))

    async def main():
        found, events = [], []
        with pytest.raises(error, match=message):
            async for text in translator.translate_iter_async(numbered(bad)):
                found.append(str(text))
        assert found == ["vöpiй."] * 25
        with pytest.raises(error, match=message):
            async for event in translator.stream_iter_async(numbered(bad), ahead=4):
                events.append(event.input)
        assert sorted(events) == list(range(25))

    run(main())
    assert str(translator.translate(TEXT)) == TRANSLATION


def test_an_ordinary_iterable_that_waits_blocks_neither_the_loop_nor_translations(translator):
    async def main():
        more, seen = threading.Event(), []

        def slow():
            yield TEXT
            assert more.wait(60)  # set by what is behind the first translation
            yield "batiß."

        async for item in translator.translate_iter_async(slow()):
            seen.append(str(item))
            more.set()
        more.clear()
        async for event in translator.stream_iter_async(slow()):
            seen.append(event.text)
            more.set()
        assert seen == [TRANSLATION, "vöpiй."] * 2

    run(main())


def test_a_result_that_comes_while_a_task_is_cancelled_is_destroyed(translator, monkeypatch):
    came, cancelled, destroyed = threading.Event(), threading.Event(), []
    wait, destroy = dragoman._feeding._Feed.wait, dragoman._library.lib.dragoman_result_destroy

    def slow(feed, milliseconds):
        found = wait(feed, milliseconds)
        if found is not None:
            came.set()
            assert cancelled.wait(600)
        return found

    monkeypatch.setattr(dragoman._feeding._Feed, "wait", slow)
    monkeypatch.setattr(dragoman._library.lib, "dragoman_result_destroy",
                        lambda result: (destroyed.append(result), destroy(result)))

    async def main():
        async def read():
            async for _ in translator.translate_iter_async([TEXT]):
                raise AssertionError("it was to be cancelled")

        task = asyncio.create_task(read())
        await asyncio.to_thread(came.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not destroyed
        cancelled.set()

    run(main())
    gc.collect()
    assert len(destroyed) == 1
