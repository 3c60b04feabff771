// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";

import { dragoman } from "./support.js";

const page = "<p>Where is the <b>station</b>?</p><p>I have a dog 🐕.</p>";

test("markup keeps its tags", async () => {
    const translator = await dragoman.Translator.create({ targetLanguage: "de" });
    const found = await translator.translate(page, { markup: "html" });
    assert.ok(found.text.startsWith("<p>") && found.text.includes("<b>Bahnhof</b>") && found.text.includes("🐕"));
    assert.deepEqual(found.sentences.map((sentence) => sentence.source), ["Where is the station?", "I have a dog 🐕."]);
    assert.ok(!found.plainText.includes("<") && found.plainText.includes(found.sentences[0].text));
    assert.ok(found.sentences[1].flags.includes("carried"));
    const plain = await translator.translate("I have a dog.");
    assert.equal(plain.plainSource, "I have a dog.");
    assert.equal(plain.plainText, plain.text);
    await translator.close();
});
