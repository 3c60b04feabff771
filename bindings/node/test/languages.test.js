// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { data, dragoman } from "./support.js";

const { Model, Translator, detectLanguages } = dragoman;

test("languages of texts", async () => {
    const [german, nothing, japanese] = await detectLanguages(
        ["Wo ist der Bahnhof, und wann fährt der Zug?", "12:30", "最終電車は夜十時に出ます。"]);
    assert.equal(german[0].tag, "de");
    assert.equal(german[0].name, "German");
    assert.ok(german[0].probability > 0.8 && german[0].probability <= 1);
    assert.deepEqual(nothing, []);
    assert.equal(japanese[0].tag, "ja");
    assert.equal((await detectLanguages(["Guten Tag"], { expected: ["en", "de"] }))[0][0].tag, "de");
    await assert.rejects(detectLanguages(["text"], { expected: ["xqzz"] }), dragoman.InvalidArgumentError);
});

test("a text in an unknown language", async () => {
    const translator = await Translator.create({ sourceLanguage: "auto", targetLanguage: "de" });
    const found = await translator.translate("Where is the station? Der Bahnhof ist hinter der Kirche.");
    const [first, second] = found.sentences;
    assert.equal(first.language, "en");
    assert.deepEqual(first.flags, []);
    assert.equal(second.language, "de");
    assert.deepEqual(second.flags, ["copied", "inTargetLanguage"]);
    assert.equal(second.text, second.source);
    await translator.close();
});

test("a route over two models", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dragoman-route-"));
    try {
        cpSync(join(data, "huggingface", "separate"), folder, { recursive: true });
        const path = join(folder, "tokenizer_config.json");
        writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), source_lang: "en", target_lang: "fr" }));
        const first = await Model.load(undefined, { computeType: "f32" });
        const second = await Model.load(folder, { computeType: "f32" });
        const languages = { sourceLanguage: "de", targetLanguage: "fr" };
        const both = await Translator.create({ route: [second, first], ...languages });
        const one = await Translator.create({ model: first, sourceLanguage: "de", targetLanguage: "en" });
        const two = await Translator.create({ model: second });
        const between = await one.translate("Wo ist der Bahnhof?");
        assert.equal((await both.translate("Wo ist der Bahnhof?")).text, (await two.translate(between.text)).text);
        await assert.rejects(Translator.create({ route: [first], sourceLanguage: "ko", targetLanguage: "de" }),
            dragoman.InvalidArgumentError);
        await assert.rejects(Translator.create({ route: [], ...languages }), dragoman.InvalidArgumentError);
        for (const each of [both, one, two, first, second]) await each.close();
    } finally {
        rmSync(folder, { recursive: true });
    }
});
