// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { dragoman } from "./support.js";

const { TranslationMemory, Translator } = dragoman;

test("answers are kept in a file, and segments translate", async () => {
    const folder = await mkdtemp(join(tmpdir(), "dragoman-"));
    const path = join(folder, "memory.sqlite");
    const translator = await Translator.create({ targetLanguage: "de" });
    const plain = await translator.translate("I have a dog.");
    for (const kept of [0, 1]) {
        const memory = await TranslationMemory.create({ path, record: true, minSimilarity: 0.5 });
        assert.equal((await translator.translate("I have a dog.", { memory })).text, plain.text);
        assert.equal(memory.counts.fileHits, kept);
        assert.equal(memory.counts.misses, 1 - kept);
        memory.add("en", "de", "I have a cat.", "Ich habe einen Kater.");
        const [exact, like] = (await translator.translate("I have a cat. I have a big cat.", { memory })).sentences;
        assert.equal(exact.text, "Ich habe einen Kater.");
        assert.deepEqual(exact.flags, ["fromMemory"]);
        assert.equal(like.matches[0].target, exact.text);
        assert.ok(Math.abs(like.matches[0].similarity - 5 / 6) < 1e-6);
        const tmx = join(folder, "out.tmx");
        await memory.writeTmx(tmx);
        assert.equal(await memory.loadTmx(tmx), 3);
        assert.equal(await memory.readTmx(await readFile(tmx, "utf8")), 3);
        await assert.rejects(memory.readTmx("<tmx>"), dragoman.InvalidArgumentError);
        await memory.close();
    }
    const memory = await TranslationMemory.create({ path });
    await memory.clear();
    assert.equal(memory.counts.fileEntries, 0);
    await memory.close();
    await assert.rejects(TranslationMemory.create({ minSimilarity: 0 }), dragoman.InvalidArgumentError);
    await assert.rejects(translator.translate("x", { memory: 3 }), TypeError);
    await translator.close();
    await rm(folder, { recursive: true });
});
