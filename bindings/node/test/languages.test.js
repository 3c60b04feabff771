// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";

import { dragoman } from "./support.js";

const { Translator, detectLanguages } = dragoman;

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
