// SPDX-License-Identifier: Apache-2.0
// Programs and workers that end while the library works, and handles that are only dropped.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import { textModel } from "./support.js";

const support = new URL("support.js", import.meta.url).href;
const start = `
    const { dragoman } = await import(${JSON.stringify(support)});
    const model = ${JSON.stringify(textModel)};
    const translator = await dragoman.Translator.create({ model, targetLanguage: "xx", maxBatchSize: 4 });
    const many = Array.from({ length: 500 }, (_, n) => "batin kétiß. " + "kén ".repeat(n % 50));
`;

function run(script, ...flags) {
    const child = spawnSync(process.execPath, [...flags, "--input-type=module", "--eval", start + script],
        { encoding: "utf8", timeout: 120_000, env: { ...process.env, INNER: start } });
    assert.equal(child.signal, null, child.stderr);
    return child;
}

test("a program ends by itself when the work is done", () => {
    const child = run(`console.log(String(await translator.translate("batiß.")));`);
    assert.equal(child.status, 0, child.stderr);
    assert.equal(child.stdout, "vöpiй.\n");
});

test("exit in the middle of a translation", () => {
    const child = run(`
        translator.translate(many, { onProgress: () => process.exit(7) });
        setTimeout(() => process.exit(7), 1000);`);
    assert.equal(child.status, 7, child.stderr);
});

test("an exception in the middle of a translation", () => {
    const child = run(`translator.translate(many); setTimeout(() => { throw new Error("mine"); }, 50);`);
    assert.equal(child.status, 1);
    assert.match(child.stderr, /mine/);
});

test("dropped handles are collected", () => {
    const child = run(`
        for (let i = 0; i < 20; ++i) {
            const other = await translator.model.translator({ targetLanguage: "xx", maxBatchSize: 4 });
            await other.translate("batiß.");
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
        globalThis.gc();
        await new Promise((resolve) => setTimeout(resolve, 10));
        console.log(String(await translator.translate("batiß.")));`, "--expose-gc");
    assert.equal(child.status, 0, child.stderr);
    assert.equal(child.stdout, "vöpiй.\n");
});

test("handles that are dropped in the middle of their work, and a process that is spawned then", () => {
    const child = run(`
        const { spawnSync } = await import("node:child_process");
        for (let i = 0; i < 5; ++i) {
            let other = await translator.model.translator({ targetLanguage: "xx", maxBatchSize: 4 });
            let left = new Promise((resolve) => {
                other.translate(many, { onProgress: () => resolve() }).catch(() => resolve());
            });
            await left;
            left = other = null;
            globalThis.gc();
        }
        const inner = spawnSync(process.execPath, ["--input-type=module", "--eval",
            process.env.INNER + 'console.log(String(await translator.translate("batiß.")));'], { encoding: "utf8" });
        process.stdout.write(inner.stdout);
        console.log(String(await translator.translate("batiß.")));
        process.exit(9);`, "--expose-gc");
    assert.equal(child.status, 9, child.stderr);
    assert.equal(child.stdout, "vöpiй.\nvöpiй.\n");
});

test("a worker that is terminated", async () => {
    const url = new URL(`data:text/javascript,${encodeURIComponent(`
        import { parentPort } from "node:worker_threads";
        ${start}
        translator.translate(many).catch(() => {});
        parentPort.postMessage("running");`)}`);
    const worker = new Worker(url);
    await new Promise((resolve, reject) => {
        worker.once("message", resolve);
        worker.once("error", reject);
    });
    await worker.terminate();
    const again = new Worker(new URL(`data:text/javascript,${encodeURIComponent(`
        import { parentPort } from "node:worker_threads";
        ${start}
        parentPort.postMessage(String(await translator.translate("batiß.")));`)}`));
    const found = await new Promise((resolve, reject) => {
        again.once("message", resolve);
        again.once("error", reject);
    });
    assert.equal(found, "vöpiй.");
    await again.terminate();
});

test("an iterator that is dropped keeps no program alive", () => {
    for (const [call, kept] of [["translateAll(lines(), { ahead: 4 })", 1], ["stream(lines(), { ahead: 4 })", 1],
        ["stream(many)", 1], ["stream(new Set(many))", 0]]) {
        const child = run(`
            function* lines() {
                for (let number = 0; ; ++number) yield "batiß. " + number;
            }
            const found = translator.${call};
            await found.next();
            if (${kept}) globalThis.found = found;
            console.log("end");`);
        assert.equal(child.status, 0, child.stderr);
        assert.equal(child.stdout, "end\n");
    }
});

test("what waits for an iterator, or for the end of one that was dropped, keeps the program alive", () => {
    const child = run(`
        function* lines() {
            for (let number = 0; ; ++number) yield "batiß. " + number;
        }
        const dropped = translator.translateAll(lines(), { ahead: 4 });
        await dropped.next();
        const seen = [];
        for await (const item of translator.translateAll(many.slice(0, 30))) seen.push(item);
        for await (const event of translator.stream(many.slice(0, 30))) seen.push(event);
        console.log(seen.length);
        await translator.close();
        console.log("closed");`);
    assert.equal(child.status, 0, child.stderr);
    assert.equal(child.stdout, "89\nclosed\n");
});
