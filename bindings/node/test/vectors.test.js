// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { data, dragoman, textModel } from "./support.js";

const { Model } = dragoman;
const folder = (name) => join(data, "encoders", name);
const recorded = (name) => JSON.parse(readFileSync(join(folder(name), "vectors.json"), "utf8"));

function near(found, expected) {
    assert.equal(found.length, expected.length);
    found.forEach((value, place) => assert.ok(Math.abs(value - expected[place]) < 1e-4));
}

test("vectors are those of transformers", async () => {
    const cases = recorded("bert");
    const texts = cases.map((each) => each.text);
    const model = await Model.load(folder("bert"), { computeType: "f32" });
    for (const pooling of ["mean", "cls", "pooler"]) {
        const found = await model.embed(texts, { pooling });
        found.forEach((vector, place) => near(vector, cases[place][pooling]));
    }
    const one = await model.embed(texts[0], { normalize: true });
    assert.ok(one instanceof Float32Array);
    assert.ok(Math.abs(Math.hypot(...one) - 1) < 1e-5);
    assert.deepEqual(await model.embed([]), []);
    await assert.rejects(model.translator(), dragoman.UnsupportedError);
    await model.close();
});

test("a vector for each token", async () => {
    const [first, second] = recorded("labse");
    const model = await Model.load(folder("labse"), { computeType: "f32" });
    near(await model.embed(first.text), first.model);
    const [, found] = await model.embedTokens([second.text, first.text], { normalize: false });
    assert.deepEqual([...found.tokens], first.tokens);
    near(found.vectors.data, first.rows);
    assert.equal(found.vectors.rows, first.tokens.length);
    assert.equal(found.tokens.ranges.map((span) => first.text.slice(...span)).join(""), first.text.replaceAll(" ", ""));
    await model.close();
});

test("options and errors of vectors", async () => {
    const model = await Model.load(folder("xlmr"));
    await assert.rejects(model.embed("a", { pooling: "pooler" }), dragoman.UnsupportedError);
    await assert.rejects(model.embed("a", { pooling: "tokens" }), dragoman.InvalidArgumentError);
    await assert.rejects(model.embed("駅はどこですか", { maxTokens: 3 }), /expected at most 3 tokens/);
    assert.equal((await model.embedTokens("駅はどこですか", { maxTokens: 3, truncate: true })).tokens.length, 3);
    await assert.rejects(model.embed("a", { poolings: "cls" }), TypeError);
    await model.close();
    const translating = await Model.load(textModel);
    assert.equal((await translating.embed("batiß.")).length, translating.info.dModel);
    await translating.close();
});
