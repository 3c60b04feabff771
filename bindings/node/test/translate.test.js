// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";

import { data, dragoman, text, textModel, tokenModel, translation } from "./support.js";

const { Model, Translator } = dragoman;
const document = `${text}\nbatiß. Késora banara!\nbatiß.`;
let model, translator;
before(async () => {
    model = await Model.load(textModel, { computeType: "f32" });
    translator = await model.translator({ targetLanguage: "xx" });
});
after(async () => {
    await translator.close();
    await model.close();
});

test("a text gives a translation and a list gives a list", async () => {
    const found = await translator.translate(text);
    assert.equal(found.text, translation);
    assert.equal(`${found}`, translation);
    assert.equal(found.source, text);
    assert.deepEqual((await translator.translate([text, "", text])).map(String), [translation, "", translation]);
    assert.deepEqual((await translator.translate(new Set([text]))).map(String), [translation]);
    assert.deepEqual(await translator.translate([]), []);
});

test("options of the translator and of the call", async () => {
    const wide = await model.translator({ targetLanguage: "xx", beamSize: 2 });
    assert.equal((await wide.translate(text, { numHypotheses: 2 })).hypotheses.length, 2);
    await assert.rejects(wide.translate(text, { numHypotheses: 3 }), dragoman.InvalidArgumentError);
    assert.equal((await wide.translate(text, { numHypotheses: 3, beamSize: 4 })).hypotheses.length, 3);
    await wide.close();
});

test("bad options and texts", async () => {
    const bad = [
        [{ beamSize: -1 }, dragoman.InvalidArgumentError, /beamSize: -1/],
        [{ beamSize: 1.5 }, dragoman.InvalidArgumentError, /beamSize: 1.5/],
        [{ priority: NaN }, dragoman.InvalidArgumentError, /priority: nan/],
        [{ priority: 2 ** 31 }, dragoman.InvalidArgumentError, /priority: 2147483648/],
        [{ beamSize: "2" }, TypeError, /beamSize: expected a number/],
        [{ beemSize: 2 }, TypeError, /beemSize: there is no such option/],
        [{ search: "best" }, dragoman.InvalidArgumentError, /search is 'best'.*ctranslate2/],
        [{ targetLanguage: 3 }, TypeError, /targetLanguage: expected a string/],
        [{ targetLanguage: "d\0e" }, dragoman.InvalidArgumentError, /zero byte/],
        [{ suppressSequences: ["ab"] }, TypeError, /suppressSequences\[0\]: expected a sequence of tokens, not string/],
        [{ prefixes: [[], []] }, dragoman.InvalidArgumentError, /prefixes: 2 for 1 inputs/],
    ];
    for (const [options, kind, words] of bad) {
        await assert.rejects(translator.translate([text], options), (error) => {
            assert.ok(error instanceof kind, `${JSON.stringify(options)}: ${error}`);
            assert.match(error.message, words);
            return true;
        });
    }
    await assert.rejects(translator.translate(["a", "b\ud800c"]), /texts\[1\]: a lone surrogate at 1/);
    await assert.rejects(translator.translate([1]), TypeError);
    await assert.rejects(Translator.create({ beemSize: 2 }), /there is no such option/);
    assert.throws(() => new Translator(), TypeError);
    assert.equal((await translator.translate("batiß\0batiß")).source, "batiß\0batiß");
});

test("errors have class, code and message", async () => {
    await assert.rejects(translator.translate(text, { beamSize: 100 }), (error) => {
        assert.ok(error instanceof dragoman.InvalidArgumentError && error instanceof dragoman.DragomanError);
        assert.equal(error.name, "InvalidArgumentError");
        assert.equal(error.code, "invalid_argument");
        assert.match(error.message, /^beam_size: 100 is not allowed/);
        return true;
    });
    await assert.rejects(Model.load("/nowhere/at/all"), { code: "io_error", name: "FileError" });
    await assert.rejects(Model.load(textModel, { device: "no such device" }), { code: "no_device" });
    await assert.rejects(Model.load(textModel, { memoryLimitBytes: 1000 }), dragoman.OutOfMemoryError);
});

test("attention, scores, tokens", async () => {
    const found = await translator.translate(text, { returnAttention: true, returnScores: true });
    const { data, rows, cols } = found.attention;
    assert.ok(data instanceof Float32Array && data.length === rows * cols);
    assert.deepEqual([rows, cols], [found.tokens.length, found.sourceTokens.length]);
    assert.ok(found.score < 0);
    const first = data.slice(0, cols).reduce((sum, value) => sum + value, 0);
    assert.ok(Math.abs(first - 1) < 0.05);
});

test("sentences are places in JavaScript's strings", async () => {
    const given = "😀 batin kétiß. Késora banara!\n\nbatiß.";
    const found = await translator.translate(given, { returnAttention: true });
    for (const sentence of found.sentences) {
        assert.equal(given.slice(...sentence.sourceSpan), sentence.source);
        assert.equal(found.text.slice(...sentence.targetSpan), sentence.text);
        assert.equal(sentence.attention.rows, sentence.tokens.length);
        assert.equal(sentence.attention.cols, sentence.sourceTokens.length);
    }
    assert.equal(found.sentences.at(-1).source, "batiß.");
    assert.equal(found.sentences.at(-1).text, "vöpiй.");
    assert.throws(() => found.attention, dragoman.UnsupportedError);
});

test("quality", async () => {
    const given = "😀 batin kétiß. Késora banara!";
    const found = await translator.translate(given, { returnQuality: true });
    assert.ok(found.quality > 0 && found.quality <= 1);
    const words = found.sentences.flatMap((sentence) => sentence.wordQuality);
    assert.equal(words.map(({ span }) => found.text.slice(...span)).join(""), found.text.replaceAll(" ", ""));
    for (const { span, score } of words) assert.ok(found.text.slice(...span) === "😀" ? score === 1 : score >= 0 && score <= 1);
    const without = await translator.translate(given);
    assert.equal(without.text, found.text);
    assert.equal(without.quality, 0);
    assert.deepEqual(without.sentences[0].wordQuality, []);
    const marked = await translator.translate("<p>batin kétiß.</p>", { markup: "html", qualityMarks: 1 });
    assert.match(marked.text, /<span class="dragoman-unsure" data-score="0\.\d\d">/);
    await assert.rejects(translator.translate(given, { qualityMarks: 0.5 }), /quality_marks/);
});

test("rather none than a bad translation", async () => {
    const found = await translator.translate("batin kétiß.", { minQuality: 1 });
    assert.equal(found.text, "batin kétiß.");
    assert.deepEqual(found.sentences[0].flags, ["copied", "unsure"]);
    await assert.rejects(translator.translate("batiß.", { minQuality: 2 }), /min_quality/);
});

test("coverage", async () => {
    const given = "😀 batin kétiß. Késora banara!";
    const found = await translator.translate(given, { returnCoverage: true });
    for (const { coverage, uncoveredWords, uncoveredSpan } of found.sentences) {
        assert.ok(coverage > 0 && coverage <= 1);
        const uncovered = given.slice(...uncoveredSpan);
        assert.equal(uncovered.split(" ").filter(Boolean).length, uncoveredWords);
        assert.equal(coverage === 1, uncovered === "");
    }
    const [{ coverage, uncoveredWords, uncoveredSpan }] = (await translator.translate(given)).sentences;
    assert.deepEqual([coverage, uncoveredWords, uncoveredSpan], [0, 0, [0, 0]]);
});

test("words are aligned", async () => {
    const given = "😀 batin kétiß. Késora banara!";
    const found = await translator.translate(given, { returnAlignment: true });
    for (const sentence of found.sentences) {
        const { sourceSpans, targetSpans, weights } = sentence.alignment;
        assert.deepEqual([weights.rows, weights.cols], [targetSpans.length, sourceSpans.length]);
        const words = targetSpans.map((span) => found.text.slice(...span)).join("");
        assert.equal(words, sentence.text.replaceAll(" ", ""));
    }
    const words = found.sentences.at(-1).alignment.sourceSpans.map((span) => given.slice(...span));
    assert.deepEqual(words, ["Késora", "banara", "!"]);
    assert.match(found.pharaoh, /^\d+-\d+( \d+-\d+)*$/);
    assert.equal((await translator.translate(given)).pharaoh, "");
});

test("the event loop goes on, and progress comes", async () => {
    let beats = 0;
    const heart = setInterval(() => { ++beats; }, 1);
    const seen = [];
    const texts = Array.from({ length: 40 }, (_, place) => `${text} ${"batin ".repeat(place)}kén.`);
    await translator.translate(texts, { onProgress: (done, total) => seen.push([done, total]) });
    clearInterval(heart);
    assert.ok(beats > 3, `${beats}`);
    assert.deepEqual(seen.at(-1), [80, 80]);
    await assert.rejects(translator.translate(texts, { onProgress() { throw new RangeError("mine"); } }), /mine/);
    assert.equal(`${await translator.translate(text)}`, translation);
});

test("a signal stops a translation", async () => {
    const texts = Array.from({ length: 2000 }, (_, place) => `${text} ${"kén ".repeat(place % 50)}`);
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error("enough"));
    await assert.rejects(translator.translate(texts, { signal: stop.signal, maxBatchSize: 8, onProgress }), /enough/);
    await assert.rejects(translator.translate(text, { signal: AbortSignal.abort() }), { name: "AbortError" });
    assert.equal(`${await translator.translate(text)}`, translation);
});

test("streams give every sentence once", async () => {
    const whole = await translator.translate([document, text]);
    const events = [];
    for await (const event of translator.stream([document, text])) events.push(event);
    assert.deepEqual(events.map(({ done, total, kind }) => [done, total, kind]),
        [1, 2, 3, 4, 5].map((done) => [done, 5, "sentence"]));
    for (const { input, sentence, source, sourceSpan, text: found, tokens } of events) {
        const expected = whole[input].sentences[sentence];
        assert.deepEqual([source, sourceSpan, found, tokens],
            [expected.source, expected.sourceSpan, expected.text, expected.tokens]);
    }
});

test("partial translations grow", { skip: !dragoman.hasFeature("jobs.partial") }, async () => {
    const partial = [];
    for await (const event of translator.stream(text, { partial: true, beamSize: 1 })) {
        if (event.kind === "partial") partial.push(event.text.trimEnd());
        else assert.equal(event.text, translation);
    }
    assert.ok(partial.length > 0 && partial.every((part) => translation.startsWith(part)));
});

test("a stream that is left stops; one that fails throws", async () => {
    for await (const event of translator.stream(Array(50).fill(document))) {
        assert.equal(event.kind, "sentence");
        break;
    }
    const stop = new AbortController();
    await assert.rejects(async () => {
        for await (const event of translator.stream([document], { signal: stop.signal })) {
            stop.abort(new Error(`after ${event.done}`));
        }
    }, /after/).catch((error) => assert.match(error.message, /Missing expected rejection/));  // it was done already
    await assert.rejects(translator.stream("\ud800").next(), dragoman.InvalidArgumentError);
    await assert.rejects(translator.stream(text, { beamSize: 100 }).next(), dragoman.InvalidArgumentError);
});

for (const [kind, wrap] of [["asynchronous", (texts) => (async function* () { yield* texts; })()],
    ["synchronous", (texts) => texts]]) {
    test(`${kind} iterables are read no further ahead than told, and keep their order`, async () => {
        let taken = 0, given = 0, ended = false;
        function* endless() {
            try {
                for (;;) {
                    // 8, one that waits for room, and what is being given out
                    assert.ok(++taken - given <= 17, `${taken} ${given}`);
                    yield taken % 2 ? text : "batiß.";
                }
            } finally {
                ended = true;
            }
        }
        const done = [];
        const onProgress = (count) => done.push(count);
        for await (const item of translator.translateAll(wrap(endless()), { ahead: 8, onProgress })) {
            assert.equal(`${item}`, given % 2 ? "vöpiй." : translation);
            if (++given === 100) break;
        }
        assert.ok(done.at(-1) >= 100 && done.every((count, place) => place === 0 || count > done[place - 1]));
        const last = taken;
        await translator.translate(text);
        assert.equal(taken, last);
        assert.ok(ended);
    });
}

test("a text that is long in coming holds no translation up, nor the event loop", async () => {
    let beats = 0;
    const heart = setInterval(() => { ++beats; }, 1);
    const seen = [];
    let more;
    async function* slow() {
        yield text;
        await new Promise((resolve) => { more = resolve; });
        yield "batiß.";
    }
    for await (const item of translator.translateAll(slow())) {
        seen.push(`${item}`);
        more();
    }
    clearInterval(heart);
    assert.deepEqual(seen, [translation, "vöpiй."]);
    assert.ok(beats > 0);
});

test("what ends an iteration", async () => {
    const all = async (texts, given) => {
        const found = [];
        for await (const item of translator.translateAll(texts, given)) found.push(`${item}`);
        return found;
    };
    assert.deepEqual(await all([]), []);
    assert.deepEqual(await all(["", text]), ["", translation]);
    async function* failing() {
        yield text;
        throw new RangeError("mine");
    }
    await assert.rejects(all(failing()), /mine/);
    await assert.rejects(all([text], { ahead: 0 }), /ahead is 0/);
    await assert.rejects(all([text], { beamSize: 100 }), dragoman.InvalidArgumentError);
    await assert.rejects(all([text, "\ud800"]), dragoman.InvalidArgumentError);
    await assert.rejects(all([1]), TypeError);
    const stop = new AbortController();
    async function* stopping() {
        yield text;
        stop.abort(new Error("enough"));
        for (;;) yield text;
    }
    await assert.rejects(all(stopping(), { signal: stop.signal }), /enough/);
    await assert.rejects(all([text], { signal: AbortSignal.abort() }), { name: "AbortError" });
    assert.equal(`${await translator.translate(text)}`, translation);
});

test("texts of iterables may have prefixes", async () => {
    const prefix = (await translator.translate("batiß.")).tokens.slice(0, 1);
    const [plain, forced] = await translator.translate([text, text], { prefixes: [[], prefix] });
    assert.notDeepEqual(forced.tokens, plain.tokens);
    assert.deepEqual(forced.tokens.slice(0, 1), prefix);
    const items = [text, [text, prefix], [text], [text, []]];
    const expected = [plain, forced, plain, plain].map(({ tokens }) => tokens);
    const found = [];
    for await (const item of translator.translateAll(items)) found.push(item);
    assert.deepEqual(found.map(({ tokens }) => tokens), expected);
    assert.deepEqual(found.map(({ source }) => source), [text, text, text, text]);
    for (const iterable of [items, new Set(items)]) {
        const events = [];
        for await (const { input, tokens } of translator.stream(iterable)) events[input] = tokens;
        assert.deepEqual(events, expected);
    }
    await assert.rejects(translator.translateAll([[text, "tokens"]]).next(), TypeError);
    await assert.rejects(translator.stream([[text, prefix]], { prefixes: [prefix] }).next(), /prefixes/);
});

test("streams of iterables give every sentence once, and read no further ahead than told", async () => {
    const whole = await translator.translate([document, text]);
    let taken = 0, results = 0;
    function* texts() {
        for (; taken < 40; ++taken) {
            assert.ok(taken - results / 2.5 <= 12);
            yield taken % 2 ? text : document;
        }
    }
    const found = new Set();
    for await (const event of translator.stream(texts(), { ahead: 4 })) {
        ++results;
        const expected = whole[event.input % 2].sentences[event.sentence];
        assert.deepEqual([event.source, event.sourceSpan, event.text],
            [expected.source, expected.sourceSpan, expected.text]);
        found.add(`${event.input} ${event.sentence}`);
    }
    assert.deepEqual([found.size, results, taken], [100, 100, 40]);
});

test("tokens have places in JavaScript's strings", async () => {
    for (const given of ["😀 batin kétiß. Ke\u0301sora  banara!\n\nbatiß 👩‍👧.", text, "", " \n"]) {
        const found = await translator.translate(given);
        const tokens = await model.tokenize(given);
        for (const [of, ranges, count] of [[found.text, found.ranges, found.tokens.length],
            [given, found.sourceRanges, found.sourceTokens.length], [given, tokens.ranges, tokens.length]]) {
            assert.equal(ranges.length, count);
            let last = 0;
            for (const [begin, end] of ranges) {
                assert.ok(last <= end && begin <= end && end <= of.length);
                last = end;
            }
        }
        const covered = new Set(tokens.ranges.flatMap(([begin, end]) =>
            Array.from({ length: end - begin }, (_, place) => begin + place)));
        for (let place = 0; place < given.length; ++place) assert.ok(/\s/.test(given[place]) || covered.has(place));
        for (const sentence of found.sentences) {
            assert.equal(sentence.ranges.length, sentence.tokens.length);
            assert.equal(sentence.sourceRanges.map((span) => given.slice(...span)).join("").replaceAll(/\s/g, ""),
                sentence.source.replaceAll(/\s/g, ""));
        }
    }
    const given = "😀 batin kétiß.";
    const { ranges } = await model.tokenize(given);
    assert.deepEqual(ranges.map((span) => given.slice(...span)).filter(Boolean), ["😀", "batin", "kétiß", "."]);
    assert.deepEqual((await translator.translate(given, { discardTokens: true })).ranges, []);
    const [ofTokens] = await translator.translateTokens([await model.tokenize(given)]);
    assert.deepEqual([ofTokens.sourceRanges, ofTokens.ranges.length], [[], ofTokens.tokens.length]);
});

test("models share a device", async () => {
    await assert.rejects(dragoman.Device.open({ tune: "much" }), /tune is 'much'/);
    const device = await dragoman.Device.open({ name: 0, cacheDir: "-", tune: "off" });
    assert.deepEqual(device.info, (await dragoman.devices())[0]);
    assert.equal(device.memory.heldBytes, 0);
    const one = await Model.load(textModel, { device });
    const alone = device.memory.heldBytes;
    assert.ok(alone > 0 && alone === one.memory.heldBytes);
    const other = await Model.load(tokenModel, { device });
    assert.ok(device.memory.heldBytes > alone && one.memory.heldBytes === other.memory.heldBytes);
    await other.close();
    const checked = await device.check();
    assert.equal(checked.wrong, 0);
    assert.equal(checked.right, checked.kernels.length);
    await device.trim();
    await assert.rejects(Model.load(textModel, { device, memoryLimitBytes: 1 }), /memoryLimitBytes: the device/);
    await device.close();
    await assert.rejects(Model.load(textModel, { device }), dragoman.ClosedError);
    assert.throws(() => device.info, dragoman.ClosedError);
    const kept = await one.translator({ targetLanguage: "xx" });
    assert.equal(`${await kept.translate("batiß.")}`, "vöpiй.");
    await kept.close();
    await one.close();
    await assert.rejects(dragoman.Device.open({ name: "no such device" }), { code: "no_device" });
    await assert.rejects(dragoman.Device.open({ nome: 0 }), /nome: there is no such option/);
    assert.throws(() => new dragoman.Device(), TypeError);
});

test("a device's limit is for all its models", async () => {
    const memoryLimitBytes = Math.floor(model.info.deviceBytes * 1.5);
    const device = await dragoman.Device.open({ memoryLimitBytes });
    assert.equal(device.memory.limitBytes, memoryLimitBytes);
    const one = await Model.load(textModel, { device, computeType: "f32" });
    await assert.rejects(Model.load(textModel, { device, computeType: "f32" }), dragoman.OutOfMemoryError);
    await one.close();
    await device.close();
});

test("tokens and scores", async () => {
    const letters = await (await Model.load(tokenModel)).translator({ returnScores: true });
    const source = [..."آتزمون"];
    const [best] = await letters.translateTokens([source], { beamSize: 4 });
    assert.deepEqual(best.tokens, [..."atzmon"]);
    const [score] = await letters.score([source], [best.tokens]);
    assert.deepEqual(score.tokens, [..."atzmon", "</s>"]);
    assert.ok(score.logProbs instanceof Float32Array && score.logProbs.length === 7);
    await assert.rejects(letters.score([source], []), /targets: 0 for 1 inputs/);
    await assert.rejects(letters.translate("a"), dragoman.UnsupportedError);
    await letters.close();
});

test("closing", async () => {
    const other = await model.translator({ targetLanguage: "xx" });
    const found = await other.translate(text);
    const running = other.translate(Array.from({ length: 300 }, (_, n) => `${text} ${"kén ".repeat(n)}`));
    const stopped = assert.rejects(running, dragoman.CancelledError);
    await other.close();
    await stopped;
    await other.close();
    assert.equal(`${found}`, translation);
    await assert.rejects(other.translate(text), { code: "closed", name: "ClosedError" });
    const own = await Translator.create({ model: textModel, targetLanguage: "xx" });
    assert.equal(`${await own.translate(text)}`, translation);
    await own.close();
    assert.throws(() => own.model.info, dragoman.ClosedError);
});

test("statistics", async () => {
    await translator.resetStats();
    await translator.translate(text);
    const stats = await translator.stats();
    assert.equal(stats.sentences, 1);
    assert.ok(stats.targetTokens > 5 && stats.memoryBytes > 0);
    await translator.trim();
    assert.equal(`${await translator.translate(text)}`, translation);
});

test("many calls at a time", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => translator.translate(text)));
    assert.ok(all.every((item) => item.text === translation));
});

test("devices, models and their memory", async () => {
    const [device] = await dragoman.devices();
    assert.match(device.uuid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.ok(["discrete", "integrated", "virtual", "cpu", "other"].includes(device.kind));
    assert.equal(model.info.format, "huggingface");
    assert.deepEqual(model.targetLanguages.map(({ code }) => code), ["xx", "yy"]);
    assert.deepEqual([model.targetLanguages, []], [model.info.targetLanguages, model.sourceLanguages]);
    const { targetLanguages } = await dragoman.describe();
    assert.deepEqual(targetLanguages.find(({ tag }) => tag === "de"), { tag: "de", code: "de", name: "German" });
    assert.equal((await dragoman.describe(pathToFileURL(textModel))).deviceBytes, 0);
    assert.ok(model.memory.heldBytes > 0 && (await dragoman.deviceMemory(0)).heapBytes > 0);
    await assert.rejects(dragoman.deviceMemory(1000), dragoman.NoDeviceError);
    assert.equal(model.device.uuid, (await (await Model.load(textModel, { device: model.device.uuid })).device).uuid);
});

test("a model from memory", async () => {
    const names = readdirSync(textModel);
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(textModel, name))]));
    for (const given of [files, new Map(Object.entries(files)),
        Object.fromEntries(names.map((name) => [name, pathToFileURL(join(textModel, name))]))]) {
        const loaded = await Model.fromFiles(given, { computeType: "f32" });
        const made = await loaded.translator({ targetLanguage: "xx" });
        assert.equal(`${await made.translate(text)}`, translation);
        await made.close();
        await loaded.close();
    }
    await assert.rejects(Model.fromFiles({ "model.bin": Buffer.from("abc") }), dragoman.BadModelError);
    await assert.rejects(Model.fromFiles({ "model.bin": "abc" }), TypeError);
});

test("tokens and sentences of texts", async () => {
    const tokens = await model.tokenize(text);
    assert.deepEqual(tokens, ["▁batin", "▁kétiß", "▁kénara", "▁késora", "▁banara", "!"]);
    assert.deepEqual(await model.tokenize([text, ""]), [tokens, []]);
    assert.equal(await model.detokenize(tokens, "source"), text);
    assert.deepEqual(await model.detokenize([await model.tokenize(translation, "target"), []]), [translation, ""]);
    await assert.rejects(model.tokenize(text, "left"), /side is 'left'/);
    const given = "😀 Größe 5 z. B. ist gut. Ja!\n\n* Ähm?";
    assert.deepEqual(dragoman.splitSentences(given, { language: "de" }).map((span) => given.slice(...span)),
        ["😀 Größe 5 z. B. ist gut.", "Ja!", "Ähm?"]);
    assert.equal(dragoman.splitSentences("eine\nZeile", { joinLines: true }).length, 1);
});

test("the default model", async () => {
    const own = await Translator.create({ targetLanguage: "en" });
    // Its weights change: no more than that it translates.
    const found = await own.translate("Guten Morgen. Wo ist der Bahnhof?");
    assert.equal(found.sentences.length, 2);
    assert.ok(found.text.length > 10);
    await own.close();
    assert.ok(dragoman.features().includes("jobs") && !dragoman.hasFeature("teleport"));
});

test("several models predict together", async () => {
    const alone = await (await Model.load(tokenModel, { computeType: "f32" })).translator();
    const [expected] = await alone.translateTokens([["آ", "ز", "ا"]]);
    for (const averageProbabilities of [false, true]) {
        const together = await Model.load(tokenModel, {
            computeType: "f32", moreModels: [tokenModel], weights: [0.25, 0.75], averageProbabilities });
        assert.equal(together.info.networks, 2);
        const [found] = await (await together.translator()).translateTokens([["آ", "ز", "ا"]]);
        assert.deepEqual(found.tokens, expected.tokens);
        await together.close();
    }
    await assert.rejects(Model.load(tokenModel, { moreModels: [tokenModel], weights: [1] }), /expected 2 numbers.*got 1/);
    await assert.rejects(Model.load(tokenModel, { moreModels: [1] }), TypeError);
    await assert.rejects(Model.load(tokenModel, { moreModels: [tokenModel], weights: ["a", 1] }), TypeError);
});

test("a decoder alone continues texts", async () => {
    const alone = await Model.load(join(data, "huggingface/gpt2"), { computeType: "f32" });
    assert.equal(alone.info.encoderLayers, 0);
    const goesOn = await alone.translator({ beamSize: 1, maxDecodingLength: 16 });
    assert.deepEqual((await goesOn.translate(["end ", "st"])).map(String), ["? d'ouque chèsse d'èl?", "ord?!"]);
    await assert.rejects(goesOn.translate("st", { returnAttention: true }), /return_attention: 1 is not allowed/);
    await goesOn.close();
    await alone.close();
});

/** How many characters a function turns into bytes. */
async function encoded(work) {
    const { from, byteLength } = Buffer;
    let count = 0;
    const counting = (function_) => function (given, ...rest) {
        if (typeof given === "string") count += given.length;
        return function_.call(this, given, ...rest);
    };
    [Buffer.from, Buffer.byteLength] = [counting(from), counting(byteLength)];
    try {
        await work();
    } finally {
        [Buffer.from, Buffer.byteLength] = [from, byteLength];
    }
    return count;
}

test("a sentence of a long text costs what it costs in a short one", async () => {
    const [few, many] = ["batiß. ".repeat(300), "batiß. ".repeat(1200)];
    const read = async (stream) => {
        for await (const { source } of stream) assert.equal(source, "batiß.");
    };
    for (const given of [(long) => long, (long) => new Set([long])]) {
        const less = await encoded(() => read(translator.stream(given(few))));
        assert.ok(await encoded(() => read(translator.stream(given(many)))) < 5 * less);
    }
    const [short, long] = await translator.translate([few, many], { returnAlignment: true });
    const spans = ({ sentences }) => sentences.map(({ alignment }) => alignment.sourceSpans);
    const less = await encoded(() => spans(short));
    assert.ok(await encoded(() => spans(long)) < 5 * less);
    assert.deepEqual(spans(long), Array.from({ length: 1200 }, (_, place) =>
        [[7 * place, 7 * place + 5], [7 * place + 5, 7 * place + 6]]));
});

test("places in bytes are places in strings", async () => {
    const { createRequire } = await import("node:module");
    const { Places } = createRequire(import.meta.url)("../lib/results.js");
    for (const given of ["aß€😀".repeat(100), "😀".repeat(100), "x" + "😀".repeat(100), "plain", ""]) {
        const found = new Places(given);
        let unit = 0;
        for (const letter of given) {
            assert.deepEqual(found.of([Buffer.byteLength(given.slice(0, unit)), Buffer.byteLength(given)]), [unit, given.length]);
            unit += letter.length;
        }
    }
});

test("what came before an error is given before it is thrown", async () => {
    for (const [bad, expected] of [
        ["kén \ud800 x", /texts\[25\]: a lone surrogate at 4/],
        [null, /texts\[25\]: expected a string, not null/],
        [["batiß.", "kén"], /prefixes\[25\]/],
        [new RangeError("mine"), /mine/],
    ]) {
        let ended = false;
        const texts = function* () {
            try {
                for (let place = 0; place < 30; ++place) {
                    if (place === 25 && bad instanceof Error) throw bad;
                    yield place === 25 ? bad : "batiß.";
                }
            } finally {
                ended = true;
            }
        };
        const found = [], events = [];
        await assert.rejects(async () => {
            for await (const item of translator.translateAll(texts(), { ahead: 4 })) found.push(`${item}`);
        }, expected);
        assert.deepEqual(found, Array(25).fill("vöpiй."));
        assert.ok(ended);
        await assert.rejects(async () => {
            for await (const { input } of translator.stream(texts())) events.push(input);
        }, expected);
        assert.deepEqual(events.sort((one, other) => one - other), [...Array(25).keys()]);
    }
});
