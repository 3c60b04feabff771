// SPDX-License-Identifier: Apache-2.0
// Names of models on this machine, where a model's path is taken.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { dragoman, text, textModel, tokenModel, translation } from "./support.js";

const { convert, describe, Translator } = dragoman;
const store = mkdtempSync(join(tmpdir(), "dragoman-"));
process.env.DRAGOMAN_MODELS_DIR = store;
after(() => rmSync(store, { recursive: true }));

function add(registry, model, files) {
    const folder = join(store, registry, model);
    mkdirSync(folder, { recursive: true });
    cpSync(files, folder, { recursive: true });
    writeFileSync(join(folder, "dragoman-model.json"), JSON.stringify({ format: 1, name: `${registry}:${model}` }));
    return folder;
}

test("a name is taken where a path is", async () => {
    const folder = add("opus", "xx-yy", textModel);
    assert.equal((await describe("opus:xx-yy")).path, folder);
    const translator = await Translator.create({ model: "opus:xx-yy", targetLanguage: "xx" });
    assert.equal((await translator.translate(text)).text, translation);
    await translator.close();
    add("opus", "ar-en", tokenModel);
    const out = join(store, "m.gguf");
    await convert("opus:ar-en", out);
    assert.equal((await describe(out)).format, "gguf");
});

test("a name that is not here", async () => {
    const message = /opus:de-en is not on this machine; `dragoman models download opus:de-en` brings it/;
    await assert.rejects(describe("opus:de-en"), { name: "FileError", message });
    await assert.rejects(Translator.create({ model: "opus:de-en" }), { name: "FileError", message });
});
