// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { dragoman, root, text, textModel, tokenModel, translation } from "./support.js";

const { bench, benchTokens, convert, describe, Translator } = dragoman;
const folder = mkdtempSync(join(tmpdir(), "dragoman-"));
after(() => rmSync(folder, { recursive: true }));
const quick = { repeat: 1, latencySamples: 1, ceilings: false, passes: false };

test("a converted model translates the same", async () => {
    const out = join(folder, "mödel.gguf");
    await convert(textModel, pathToFileURL(out), { weightType: "f32" });
    assert.equal((await describe(out)).format, "gguf");
    const translator = await Translator.create({ model: out, targetLanguage: "xx" });
    assert.equal((await translator.translate(text)).text, translation);
    await translator.close();
});

test("a file that is there stays unless it may be replaced", async () => {
    const out = join(folder, "there.gguf");
    writeFileSync(out, "mine");
    await assert.rejects(convert(tokenModel, out), { name: "FileError", message: /there.gguf/ });
    await convert(tokenModel, out, { replace: true, weightType: "q8" });
    assert.equal((await describe(out)).dModel, 32);
});

test("errors of converting", async () => {
    await assert.rejects(convert(tokenModel, join(folder, "x"), { weightType: "q5" }), /weightType is 'q5'/);
    await assert.rejects(convert(tokenModel, join(folder, "x"), { type: "q4" }), /type: there is no such option/);
    await assert.rejects(convert(tokenModel), TypeError);
    await assert.rejects(convert("/nowhere/at/all", join(folder, "x")), { name: "FileError" });
    await assert.rejects(convert(tokenModel, "a\0b"), /zero byte/);
    const signal = AbortSignal.abort(new Error("enough"));
    await assert.rejects(convert(tokenModel, join(folder, "x"), { signal }), /enough/);
    assert.ok(!readdirSync(folder).includes("x"));
});

test("reports of texts, tokens and random words", async () => {
    const ofTexts = await bench([text], { model: textModel, targetLanguage: "xx", beamSize: 2, ...quick });
    assert.equal(ofTexts.options.beam_size, 2);
    assert.equal(ofTexts.throughput.counters.sentences, 1);
    const ofTokens = await benchTokens(new Set([["آ", "ز", "ا"]]), { model: tokenModel, ...quick });
    assert.equal(ofTokens.throughput.counters.source_tokens, 3);
    const random = await bench(null, {
        model: tokenModel, syntheticSentences: 3, syntheticTokens: 4, seed: 7, ...quick,
    });
    assert.equal(random.throughput.counters.sentences, 3);
    const drawn = { model: tokenModel, syntheticSentences: 2, beamSize: 1, samplingSeed: 7, ...quick };
    await assert.rejects(bench(null, drawn), /seed: 7 needs sampling on/);
    assert.equal((await bench(null, { ...drawn, sampling: "on" })).throughput.counters.sentences, 2);
});

test("errors of measuring", async () => {
    await assert.rejects(bench([], { model: tokenModel, repeat: -1 }), /repeat: -1/);
    await assert.rejects(bench([], { model: tokenModel, beemSize: 1 }), /beemSize: there is no such option/);
    await assert.rejects(bench([1], { model: textModel }), TypeError);
    await assert.rejects(bench(["text"], { model: tokenModel, ...quick }), { name: "UnsupportedError" });
    const stop = new AbortController();
    const long = benchTokens([["آ"]], { model: tokenModel, ...quick, repeat: 100000, signal: stop.signal });
    setTimeout(() => stop.abort(new Error("enough")), 200);
    await assert.rejects(long, /enough/);
});

test("a program that ends does not wait for a measurement", () => {
    const index = pathToFileURL(join(root, "bindings/node/lib/index.js"));
    const program = `import { benchTokens } from "${index}";
        benchTokens([["a"]], { model: ${JSON.stringify(tokenModel)}, repeat: 100000 });
        setTimeout(() => process.exit(7), 300);`;
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program],
        { timeout: 600_000 });
    assert.equal(status, 7, stderr.toString());
});
