// SPDX-License-Identifier: Apache-2.0
// Published models, from registries that a local server plays.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Worker } from "node:worker_threads";

import { addonFolder, playHere, skip } from "./played.js";
import { dragoman, root } from "./support.js";

const { models, Model, Translator } = dragoman;
const name = "firefox:de-en";
const types = readFileSync(join(root, "bindings/node/index.d.ts"), "utf8");
let played;
before(async () => { if (!skip) played = await playHere(); });
after(async () => { await played?.close(); });

/** Names of the members of an interface of index.d.ts. */
function members(kind) {
    const body = new RegExp(`^export interface ${kind}\\b[^{]*\\{\\n([^]*?)\\n\\}`, "m").exec(types)[1];
    return [...body.matchAll(/^ {4}(?:readonly )?(\w+)\??[(:]/gm)].map(([, member]) => member);
}
const declared = (value, kind) => assert.deepEqual(Object.keys(value).sort(), [...new Set(members(kind))].sort(), kind);
const progress = [];

test("what registries offer", { skip }, async () => {
    declared(models, "Models");
    const found = await models.search("de", "en");
    assert.deepEqual(found.map((each) => each.name), [name]);
    const [{ from, to, license, installed, files, path, bytes }] = found;
    assert.deepEqual([from, to, license, installed, path], [["de"], ["en"], "MPL-2.0", false, ""]);
    assert.ok(bytes > 0 && files.length === 3 && files.every(({ sha256 }) => sha256.length === 64));
    declared(found[0], "PublishedModel");
    declared(files[0], "PublishedFile");
    assert.deepEqual((await models.search(null, "fi", { registries: ["argos"] })).map((each) => each.name), ["argos:en_fi"]);
    assert.deepEqual((await models.route("de", "fr")).map((each) => each.name), [name, "firefox:en-fr"]);
    assert.ok((await models.search()).problems.every((line) => typeof line === "string"));
    assert.deepEqual(await models.list(), []);
    const firefox = (await models.registries()).find(({ id }) => id === "firefox");
    declared(firefox, "Registry");
    assert.equal(firefox.mirror, "DRAGOMAN_MIRROR_FIREFOX");
    assert.ok(models.folder().startsWith(played.home));
});

test("a model that is not here says how it comes here", { skip }, async () => {
    await assert.rejects(Translator.create({ model: name }),
        { name: "FileError", message: /firefox:de-en is not on this machine.*dragoman models download firefox:de-en.*download: true/ });
    await assert.rejects(Translator.create({ model: "./x", download: true }), { name: "InvalidArgumentError" });
});

test("create() downloads what is absent", { skip }, async () => {
    const download = { onProgress: (at) => progress.push(at), parallel: 1 };
    const translator = await Translator.create({ model: name, download });
    assert.equal(`${await translator.translate(played.text)}`, played.translation);
    await translator.close();
    const model = await Model.load(name, { download: { offline: true } });  // nothing is left to download
    await model.close();
    for (const at of progress) declared(at, "DownloadProgress");
    const [kept] = await models.list();
    assert.deepEqual([kept.name, kept.installed, kept.owner], [name, true, "dragoman"]);
    assert.ok(kept.files.every(({ proof }) => proof === "published"));
    assert.deepEqual((await models.installedRoute("de", "en")).map((each) => each.path), [kept.path]);
    assert.deepEqual(await models.installedRoute("en", "de"), []);
});

test("verify, remove, clean", { skip }, async () => {
    await models.verify(name);
    const { path, files } = await models.show(name);
    truncateSync(join(path, files[0].name), files[0].bytes - 1);
    await assert.rejects(models.verify(name), { name: "BadModelError", message: new RegExp(files[0].name) });
    await models.download(name, { again: true });
    await models.verify(name);
    await models.remove(name);
    assert.ok(!existsSync(path));
    await assert.rejects(models.remove(name), { name: "InvalidArgumentError" });
    assert.equal(typeof await models.clean(0), "number");
});

test("a signal stops a download, so does an exception of onProgress", { skip }, async () => {
    await assert.rejects(models.download("argos:en_fi", { signal: AbortSignal.abort(new Error("enough")) }), /enough/);
    const begin = Date.now();
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 300);
    await assert.rejects(models.download("argos:en_fi", { signal: stop.signal }), /enough/);
    let told = 0;
    await assert.rejects(models.download("argos:en_fi", { onProgress: () => {
        ++told;
        throw new Error("full");
    } }), /full/);
    assert.equal(told, 1);
    assert.ok(Date.now() - begin < 20_000, "both stopped long before the file came");
    assert.deepEqual(await models.list(), []);
});

test("errors", { skip }, async () => {
    await assert.rejects(models.show("nowhere:x"), { name: "InvalidArgumentError", message: /nowhere/ });
    await assert.rejects(models.search("de", "en", { registries: "nowhere" }), { name: "InvalidArgumentError" });
    await assert.rejects(models.search("de", "en", { parallel: 17 }), /parallel: expected 1 to 16, got 17/);
    await assert.rejects(models.search("de", "en", { ofline: true }), /ofline: there is no such option; did you mean offline/);
    await assert.rejects(models.search("de", 1), TypeError);
    await assert.rejects(models.download(), TypeError);
    await assert.rejects(models.download("argos:en_de", { offline: true, refresh: true }), dragoman.DragomanError);
    await assert.rejects(models.clean(-1), /days: expected 0 or more/);
});

test("workers and programs end in the middle of a download", { skip }, async () => {
    const support = new URL("support.js", import.meta.url).href;
    const start = `const { dragoman } = await import(${JSON.stringify(support)});
        const download = dragoman.models.download("argos:en_fi");`;
    const ran = spawnSync(process.execPath, ["--input-type=module", "--eval",
        `${start} setTimeout(() => process.exit(7), 300); await download;`], { encoding: "utf8", timeout: 30_000 });
    assert.equal(ran.status, 7, ran.stderr);
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(
        `import { parentPort } from "node:worker_threads"; ${start} parentPort.postMessage(1); await download;`)}`));
    await new Promise((resolve) => { worker.once("message", resolve); });
    const begin = Date.now();
    await worker.terminate();
    assert.ok(Date.now() - begin < 20_000);
});

test("without the second addon the rest works", () => {
    const folder = mkdtempSync(join(tmpdir(), "dragoman-"));
    const alone = join(folder, "dragoman.node");
    try {
        copyFileSync(join(addonFolder, "dragoman.node"), alone);
        const script = `const { dragoman } = await import(${JSON.stringify(new URL("support.js", import.meta.url).href)});
            console.log(dragoman.splitSentences("One. Two.").length);
            const told = (error) => console.log(error.name, error.message);
            await dragoman.models.list().catch(told);
            try { dragoman.models.folder(); } catch (error) { told(error); }
            await dragoman.Translator.create({ model: "toy:x", download: true }).catch(told);`;
        const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script],
            { encoding: "utf8", env: { ...process.env, DRAGOMAN_ADDON: alone } });
        const lines = stdout.trim().split("\n");
        assert.equal(lines[0], "2", stderr);
        assert.equal(lines.length, 4, stdout);
        for (const line of lines.slice(1)) assert.match(line, /^UnsupportedError published models need libdragoman_models/);
    } finally {
        rmSync(folder, { recursive: true });
    }
});
