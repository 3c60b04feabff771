// SPDX-License-Identifier: Apache-2.0
// What people try first: results show their text, one text is one text, files are named by their paths, mistakes are named.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

import { dragoman, root, text, textModel, tokenModel, translation } from "./support.js";

const { Glossary, Model, TranslationMemory, Translator } = dragoman;
const folder = mkdtempSync(join(tmpdir(), "dragoman-"));
after(() => rmSync(folder, { recursive: true }));
const index = join(root, "bindings/node/lib/index.js");

async function translator(t, options = {}) {
    const made = await Translator.create({ model: textModel, to: "xx", ...options });
    t.after(() => made.close());
    return made;
}

test("a result shows its text", async (t) => {
    const found = await (await translator(t)).translate(text);
    assert.equal(inspect(found), `Translation '${translation}'`);
    assert.equal(inspect([found.hypotheses[0]]), `[ Hypothesis '${translation}' ]`);
    assert.equal(inspect(found.sentences[0]), `Sentence '${text}' -> '${translation}'`);
    assert.deepEqual(JSON.parse(JSON.stringify({ found, all: found.sentences })),
        { found: translation, all: [translation] });
    assert.equal(`${found}` + found, translation + translation);
});

test("what has no text shows its tokens", async (t) => {
    const tokens = await translator(t, { model: tokenModel, to: undefined });
    const [found] = await tokens.translateTokens(["آ ت ز م و ن".split(" ")], { beamSize: 4 });
    assert.equal(`${found}`, "a t z m o n");
    assert.equal(JSON.stringify(found), '"a t z m o n"');
    assert.equal(inspect(found), "Translation 'a t z m o n'");
    assert.throws(() => found.text, dragoman.UnsupportedError);
});

test("events say what is new", async (t) => {
    const shown = new Map();
    let grown = 0;
    const check = ({ input, sentence, text, kept, delta }) => {
        const before = shown.get(`${input} ${sentence}`) ?? "";
        assert.equal(before.slice(0, kept) + delta, text);
        grown += kept > 0 && delta !== "";
        shown.set(`${input} ${sentence}`, text);
    };
    const made = await translator(t);
    for await (const event of made.stream([text, "batiß."], { partial: true })) check(event);
    assert.deepEqual([...shown].sort(), [["0 0", translation], ["1 0", "vöpiй."]]);
    assert.ok(grown > 0);
    shown.clear();
    for await (const event of made.stream(new Set([text]), { partial: true })) check(event);
    for await (const { kept, delta } of made.stream(text)) assert.deepEqual([kept, delta], [0, translation]);
});

test("one text is one text", async (t) => {
    const made = await translator(t), { model } = made;
    const german = "Wo ist der Bahnhof, und wann fährt der Zug?";
    assert.deepEqual(await dragoman.detectLanguages(german), (await dragoman.detectLanguages([german]))[0]);
    assert.equal((await dragoman.detectLanguages(new Set([german]), { expected: "de" }))[0][0].tag, "de");
    const found = [];
    for await (const item of made.translateAll(text)) found.push(`${item}`);
    assert.deepEqual(found, [translation]);
    assert.deepEqual(await made.scoreTexts(text, translation), (await made.scoreTexts([text], [translation]))[0]);
    assert.equal((await model.embed(new Set([text])))[0].length, (await model.embed(text)).length);
    const { throughput } = await dragoman.bench(text,
        { model: textModel, to: "xx", repeat: 1, latencySamples: 0, ceilings: false, passes: false });
    assert.equal(throughput.counters.sentences, 1);
});

test("what are no texts or tokens is said", async (t) => {
    const made = await translator(t), { model } = made;
    const all = async (texts) => { for await (const item of made.translateAll(texts)) assert.ok(item); };
    const calls = [(texts) => made.translate(texts), all, (texts) => model.tokenize(texts), (texts) => model.embed(texts),
        (texts) => dragoman.detectLanguages(texts), (texts) => made.scoreTexts(texts, texts)];
    for (const call of calls) {
        for (const [texts, words] of [[3, "number"], [null, "null"], [new Map([["a", "b"]]), "Map"], [{}, "Object"],
            [new Uint8Array(2), "Uint8Array"]]) {
            await assert.rejects(call(texts), { name: "TypeError", message: new RegExp(`expected a string.*not ${words}`) });
        }
        await assert.rejects(call(["a", null]),
            { name: "TypeError", message: /^(texts|targets)\[1\]: expected a string, not null$/ });
    }
    for (const call of [() => made.translateTokens("</s>"), () => made.translateTokens(["</s>"]),
        () => model.detokenize("</s>"), () => made.translate(text, { endTokens: "</s>" }),
        () => made.translate(text, { suppressSequences: ["</s>"] }), () => made.translate(text, { prefixes: "</s>" })]) {
        await assert.rejects(call(), { name: "TypeError", message: /expected .*tokens, not string|not a string/ });
    }
});

test("an unknown option is named with near ones", async (t) => {
    const made = await translator(t);
    for (const call of [(options) => made.translate(text, options), (options) => dragoman.translate(text, options),
        (options) => Translator.create(options), (options) => dragoman.bench(text, options)]) {
        await assert.rejects(call({ beemSize: 2 }),
            { name: "TypeError", message: /^beemSize: there is no such option; did you mean beamSize\? .*lengthPenalty/ });
    }
    await assert.rejects(made.translate(text, { onprogress: () => {} }), /did you mean onProgress\?/);
    await assert.rejects(made.translate(text, { quality: true }), /^TypeError: quality: there is no such option\. There are/);
});

test("to and from are short for languages", async (t) => {
    const made = await translator(t, { model: undefined, to: "en" });
    assert.equal(`${await made.translate("Good morning.", { to: "de", from: "en" })}`, "Guten Morgen.");
    assert.equal(`${await made.translate("Good morning.", { targetLanguage: "de" })}`, "Guten Morgen.");
    await assert.rejects(made.translate(text, { to: "de", targetLanguage: "en" }), /to is 'de' and targetLanguage 'en'/);
});

test("glossaries and memories are named by their paths", async (t) => {
    const made = await translator(t, { model: undefined, to: "de" });
    const terms = join(folder, "terms.tsv"), kept = join(folder, "kept.sqlite"), asked = "Where is the station?";
    writeFileSync(terms, "station\tHaltepunkt\n");
    for (const glossary of [terms, pathToFileURL(terms), { station: "Haltepunkt" }, new Map([["station", "Haltepunkt"]])]) {
        assert.match(`${await made.translate(asked, { glossary })}`, /Haltepunkt/);
        for await (const item of made.translateAll([asked], { glossary })) assert.match(`${item}`, /Haltepunkt/);
        for await (const event of made.stream(asked, { glossary })) assert.match(event.text, /Haltepunkt/);
    }
    writeFileSync(terms, "station\tHauptbahnhof\n");
    assert.match(`${await made.translate(asked, { glossary: terms })}`, /Hauptbahnhof/);  // what the file has now
    await assert.rejects(made.translate(asked, { glossary: join(folder, "none.tsv") }), dragoman.FileError);
    await assert.rejects(made.translate(asked, { glossary: 3 }), /^TypeError: glossary: expected a Glossary, the path/);
    await assert.rejects(made.translate(asked, { memory: {} }), /^TypeError: memory: expected a TranslationMemory or the path/);
    const plain = `${await made.translate(asked, { memory: kept })}`;
    assert.equal(`${await made.translate(asked, { memory: pathToFileURL(kept) })}`, plain);
    const other = await translator(t, { model: made.model, memory: kept, to: "de" });
    assert.equal(`${await other.translate(asked)}`, plain);
    await made.close();
    await other.close();
    const memory = await TranslationMemory.create({ path: kept });
    assert.equal(memory.counts.fileEntries, 1);
    await memory.close();
    assert.equal((await Glossary.of([["source", "target"], ["#note", "#Notiz"], ["<b>", "<i>"]])).size, 3);
    for (const wrong of [["ab"], [["a", 3]], [["a\tb", "c"]]]) await assert.rejects(Glossary.of(wrong), /terms/);
});

test("a line is enough", async () => {
    assert.equal(`${await dragoman.translate("Good morning.", { to: "de" })}`, "Guten Morgen.");
    const [one, other] = await Promise.all([dragoman.defaultTranslator(), dragoman.defaultTranslator()]);
    assert.equal(one, other);
    const own = await dragoman.defaultTranslator(pathToFileURL(textModel));
    assert.equal(own, await dragoman.defaultTranslator(textModel));
    assert.deepEqual((await dragoman.translate([text], { to: "xx", model: textModel })).map(String), [translation]);
    await own.close();
    assert.ok(own.closed);
    assert.equal(`${await dragoman.translate(text, { to: "xx", model: textModel })}`, translation);  // made anew
    await (await dragoman.defaultTranslator(textModel)).close();
    await assert.rejects(dragoman.defaultTranslator(join(folder, "none")), dragoman.DragomanError);
    await assert.rejects(dragoman.translate("x", { model: join(folder, "none") }), dragoman.DragomanError);
});

test("both kinds of modules have the same", () => {
    const modules = `import dragoman, { Translator, translate } from ${JSON.stringify(pathToFileURL(index))};
        import { createRequire } from "node:module";
        const required = createRequire(import.meta.url)(${JSON.stringify(index)});
        console.log(String(await translate("Good morning.", { to: "de" })), required.Translator === Translator,
            dragoman === required);`;
    const common = `const { translate } = require(${JSON.stringify(index)});
        translate("Good morning.", { to: "de" }).then((found) => console.log(String(found)));`;
    for (const [type, program, expected] of [["module", modules, "Guten Morgen. true true\n"],
        ["commonjs", common, "Guten Morgen.\n"]]) {
        const { stdout, stderr } = spawnSync(process.execPath, [`--input-type=${type}`, "--eval", program],
            { encoding: "utf8", timeout: 600_000 });
        assert.equal(stdout, expected, stderr);
    }
});

test("what is disposed of is closed", { skip: Symbol.asyncDispose ? false : "no Symbol.asyncDispose" }, async () => {
    const model = await Model.load(textModel);
    const made = await model.translator();
    for (const one of [made, model, await Glossary.of([["a", "b"]]), await TranslationMemory.create()]) {
        await one[Symbol.asyncDispose]();
    }
    await assert.rejects(made.translate(text), dragoman.ClosedError);
    assert.throws(() => model.info, dragoman.ClosedError);
});

test("vocabularies are asked", async (t) => {
    const model = await Model.load(textModel);
    t.after(() => model.close());
    const tokens = await model.tokenize(text);
    assert.ok(tokens.length > 0 && tokens.every((token) => model.hasToken(token, "source")));
    assert.equal(model.hasToken("no such token"), false);
    assert.throws(() => model.hasToken("a\0b"), { name: "InvalidArgumentError", message: /token: .*zero byte/ });
    assert.throws(() => model.hasToken(3), TypeError);
    const described = await dragoman.describe();
    assert.deepEqual(described.targetLanguages.map(({ tag }) => tag), ["de", "en"]);
});
