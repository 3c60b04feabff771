// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { dragoman, text, textModel, translation } from "./support.js";

const { documentFormat, Model, translateDocument, translateDocumentBytes, Translator } = dragoman;
const folder = mkdtempSync(join(tmpdir(), "dragoman-"));
after(() => rmSync(folder, { recursive: true }));
const page = `<p title="${text}">${text}</p>`, translated = `<p title="${translation}">${translation}</p>`;
const utf8 = (given) => new TextEncoder().encode(given);
const toy = () => Translator.create({ model: textModel, targetLanguage: "xx" });

test("a document from file to file and from memory to memory", async () => {
    const translator = await toy();
    const input = join(folder, "pägé.html"), output = join(folder, "out.html");
    writeFileSync(input, page);
    const seen = [];
    await translateDocument(translator, input, pathToFileURL(output), { onProgress: (...given) => seen.push(given) });
    assert.equal(readFileSync(output, "utf8"), translated);
    assert.deepEqual(seen.at(-1), [2, 2]);
    assert.ok(seen.every(([done, total], place) => total === 2 && (place === 0 || done > seen[place - 1][0])));
    const found = await translateDocumentBytes(translator, utf8(page), { name: "x.html" });
    assert.equal(new TextDecoder().decode(found), translated);
    const again = await translateDocumentBytes(translator, utf8(page), { format: "html", targetLanguage: "xx" });
    assert.equal(new TextDecoder().decode(again), translated);
    await translator.close();
});

test("formats", () => {
    assert.equal(documentFormat("a.docx"), "docx");
    assert.equal(documentFormat(new URL("file:///a.srt")), "srt");
    assert.equal(documentFormat("", utf8("WEBVTT\n\n")), "vtt");
    assert.equal(documentFormat("a.pdf"), null);
});

test("a stopped document goes on with what was kept", async () => {
    const translator = await toy();
    const input = join(folder, "long.txt"), output = join(folder, "long.out"), resume = join(folder, "kept");
    // The longest first, as they are worked on.
    writeFileSync(input, Array.from({ length: 24 }, (_, n) => `batin ${"kén ".repeat(24 - n)}.\n\n`).join(""));
    const how = { format: "text", resume, maxBatchSize: 1 };
    await assert.rejects(translateDocument(translator, input, output, { ...how, onProgress: (done) => {
        if (done > 0) throw new Error("enough");
    } }), /enough/);
    assert.ok(!existsSync(output) && existsSync(resume));
    await translator.resetStats();
    await translateDocument(translator, input, output, how);
    assert.ok((await translator.stats()).sentences < 24);
    assert.ok(existsSync(output) && !existsSync(resume));
    await translator.close();
});

test("errors of documents", async () => {
    const translator = await toy();
    const input = join(folder, "broken.docx"), output = join(folder, "never");
    writeFileSync(input, "no archive");
    await assert.rejects(translateDocument(translator, input, output),
        { name: "InvalidArgumentError", message: /broken\.docx: .*expected a zip archive/ });
    await assert.rejects(translateDocument(translator, join(folder, "none.txt"), output), { name: "FileError" });
    await assert.rejects(translateDocumentBytes(translator, utf8("?"), { name: "x.bin" }),
        { name: "UnsupportedError" });
    await assert.rejects(translateDocumentBytes(translator, utf8("?"), { format: "doc" }), /format is 'doc'/);
    await assert.rejects(translateDocumentBytes(translator, utf8("?"), { formats: "po" }), /formats: there is no such/);
    await assert.rejects(translateDocumentBytes(translator, "text", { format: "text" }), TypeError);
    await assert.rejects(translateDocument(translator, input), TypeError);
    await assert.rejects(translateDocument(await Model.load(textModel), input, output), TypeError);
    const signal = AbortSignal.abort(new Error("enough"));
    await assert.rejects(translateDocument(translator, input, output, { signal }), /enough/);
    assert.ok(!existsSync(output));
    await translator.close();
    await assert.rejects(translateDocument(translator, input, output), { name: "ClosedError" });
});
