// SPDX-License-Identifier: Apache-2.0
// calls.mjs MODEL [ROUNDS]: what calls cost in Node, beside calls.c, whose calls these are. DRAGOMAN_NODE: the package's
// folder. Calls are awaited, each on a thread of Node's pool.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.env.DRAGOMAN_NODE ?? "bindings/node");
const { Model, Translator, detectLanguages, version } = await import(pathToFileURL(`${folder}/lib/index.js`));

const DETECTED = "Wo ist der Bahnhof, und wann kommt der letzte Zug?";
const TRANSLATED = "batin kétiß kénara késora banara!";

/** Nanoseconds of one call: the median of `rounds`, each of `calls`. */
async function measure(name, call, calls, rounds) {
    const times = [];
    for (let round = -1; round < rounds; ++round) {
        const count = round < 0 ? Math.max(1, calls / 10) : calls;
        const started = process.hrtime.bigint();
        for (let i = 0; i < count; ++i) await call();
        if (round >= 0) times.push(Number(process.hrtime.bigint() - started) / count);
    }
    times.sort((a, b) => a - b);
    console.log(`${name}\t${times[times.length >> 1].toFixed(1)}`);
}

const rounds = Number(process.argv[3] ?? 21);
const model = await Model.load(process.argv[2]);
const translator = await Translator.create({ model });
const translate = async (text) => `${await translator.translate(text, { targetLanguage: "xx" })}`;
const found = await translator.translate(TRANSLATED, { targetLanguage: "xx" });
let seen = 0;
await measure("version", () => { seen += version.length; }, 1000000, rounds);
await measure("text", () => { seen += `${found}`.length; }, 100000, rounds);
await measure("detect", async () => { seen += (await detectLanguages([DETECTED]))[0][0].tag.length; }, 1000, rounds);
await measure("blank", async () => { seen += (await translate(" ")).length; }, 1000, rounds);
await measure("translate", async () => { seen += (await translate(TRANSLATED)).length; }, 10, rounds);
await translator.close();
await model.close();
