// SPDX-License-Identifier: Apache-2.0
// The cases that every way into the library runs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import { data, dragoman } from "./support.js";

const { cases } = JSON.parse(readFileSync(join(data, "golden/golden.json"), "utf8"));
const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const options = (given) => Object.fromEntries(Object.entries(given).map(([name, value]) => [camel(name), value]));
const inBytes = (text, span) => span.map((end) => Buffer.byteLength(text.slice(0, end)));
const shape = ({ rows, cols }) => [rows, cols];

const translators = new Map();
async function translator(name) {
    if (!translators.has(name)) {
        const model = await dragoman.Model.load(join(data, name), { computeType: "f32" });
        translators.set(name, await model.translator());
    }
    return translators.get(name);
}
after(() => Promise.all([...translators.values()].map((translator) => translator.close())));

function describeTranslation(found, texts) {
    const hypotheses = found.hypotheses.map((hypothesis) => {
        let attention = null;
        try {
            attention = shape(hypothesis.attention);
        } catch (error) {
            assert.ok(error instanceof dragoman.UnsupportedError);
        }
        const sentences = hypothesis.sentences.map((sentence) => ({
            source: inBytes(found.source, sentence.sourceSpan),
            target: inBytes(hypothesis.text, sentence.targetSpan),
            source_tokens: sentence.sourceTokenSpan,
            target_tokens: sentence.targetTokenSpan,
            score: sentence.score,
            attention: shape(sentence.attention),
        }));
        return { tokens: hypothesis.tokens, score: hypothesis.score, attention, sentences,
            ...(texts ? { text: hypothesis.text } : {}) };
    });
    return { source_tokens: found.sourceTokens, hypotheses };
}

const calls = {
    async translate_texts(c) {
        const made = await translator(c.model);
        const found = await made.translate(c.inputs, { ...options(c.options), prefixes: c.prefixes });
        return found.map((item) => describeTranslation(item, true));
    },
    async translate_tokens(c) {
        const made = await translator(c.model);
        const found = await made.translateTokens(c.inputs, { ...options(c.options), prefixes: c.prefixes });
        return found.map((item) => describeTranslation(item, false));
    },
    async score_tokens(c) {
        const found = await (await translator(c.model)).score(c.inputs, c.targets, options(c.options));
        return found.map(({ tokens, logProbs }) => ({ tokens, log_probs: [...logProbs] }));
    },
    async score_texts(c) {
        const found = await (await translator(c.model)).scoreTexts(c.inputs, c.targets, options(c.options));
        return found.map(({ tokens, logProbs, ranges }, place) => ({
            tokens, log_probs: [...logProbs], ranges: ranges.map((span) => inBytes(c.targets[place], span)) }));
    },
    async tokenize(c) {
        return (await translator(c.model)).model.tokenize(c.inputs, c.side);
    },
    async detokenize(c) {
        return (await translator(c.model)).model.detokenize(c.inputs, c.side);
    },
    async split_sentences(c) {
        return c.inputs.map((text) => dragoman.splitSentences(text, options(c.options))
            .map((span) => inBytes(text, span)));
    },
    async describe(c) {
        const info = await dragoman.describe(join(data, c.model));
        return Object.fromEntries(Object.keys(c.expected ?? {}).map((name) => [name, info[camel(name)]]));
    },
};

function same(found, expected, where) {
    if (typeof expected === "number" && typeof found === "number") {
        const exact = Number.isInteger(expected) && Number.isInteger(found);
        const allowed = exact ? 0 : 1e-3 * Math.max(1, Math.abs(expected));
        assert.ok(Math.abs(found - expected) <= allowed, `${where}: ${found}, expected ${expected}`);
    } else if (expected !== null && typeof expected === "object") {
        assert.ok(found !== null && typeof found === "object", where);
        assert.deepEqual(Object.keys(found).sort(), Object.keys(expected).sort(), where);
        for (const key of Object.keys(expected)) same(found[key], expected[key], `${where}.${key}`);
    } else {
        assert.equal(found, expected, where);
    }
}

for (const c of cases) {
    test(`golden: ${c.name}`, async () => {
        let outcome;
        try {
            outcome = { expected: await calls[c.call](c) };
        } catch (error) {
            if (!(error instanceof dragoman.DragomanError)) throw error;
            outcome = { error: { status: error.code, message: error.message.replaceAll(`${data}/`, "") } };
        }
        const wanted = c.error ? { error: c.error } : { expected: c.expected };
        same(outcome, wanted, c.name);
    });
}
