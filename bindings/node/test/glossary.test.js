// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";

import { dragoman } from "./support.js";

const { Glossary, Translator } = dragoman;

test("a glossary's terms are in translations", async () => {
    const translator = await Translator.create({ targetLanguage: "de" });
    const glossary = await Glossary.of([["station", "Haltepunkt"]]);
    assert.equal(glossary.size, 1);
    const forms = await Glossary.of([["dog", "Vierbeiner|Vierbeiners"]]);
    assert.ok((await translator.translate("I have a dog.", { glossary: forms })).text.includes("Vierbeiner"));
    await forms.close();
    const kept = await translator.translate("Hello {user_name}, open %1$s.", { keepSpans: true });
    for (const part of ["{user_name}", "%1$s"]) assert.equal(kept.text.split(part).length, 2);
    const found = await translator.translate("🐕 Where is the station?", { glossary });
    assert.ok(found.text.includes("Haltepunkt"));
    const [term] = found.sentences.at(-1).terms;
    assert.ok(term.met);
    assert.equal(found.plainSource.slice(...term.sourceSpan), "station");
    await glossary.close();
    assert.ok(!(await translator.translate("Where is the station?")).text.includes("Haltepunkt"));
    await assert.rejects(Glossary.read("only one cell\n"), dragoman.InvalidArgumentError);
    await assert.rejects(translator.translate("x", { glossary: 3 }), TypeError);
    await translator.close();
});
