// SPDX-License-Identifier: Apache-2.0
// index.d.ts is written by hand: it has to say what the modules export, and what api.json says of the header.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { dragoman, root } from "./support.js";

const types = readFileSync(join(root, "bindings/node/index.d.ts"), "utf8");
const api = JSON.parse(readFileSync(join(root, "capi/api.json"), "utf8"));
const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const words = (name) => readFileSync(join(root, "bindings/node/lib/enums.js"), "utf8")
    .match(new RegExp(`^ {4}${name}: \\[(.*)\\],$`, "m"))[1].split(", ");

/** The fields of a struct of the header by their names in camelCase. */
function described(struct) {
    return new Map(api.structs.find(({ name }) => name === struct).fields.map((field) => [camel(field.name), field])
        .filter(([name]) => !/^(structSize|reserved\d*)$/.test(name)));
}
const fields = (struct) => [...described(struct).keys()];

/** Names of the members of an interface or class of index.d.ts. */
function members(name) {
    const body = new RegExp(`^export (?:interface|class) ${name}\\b[^{]*\\{\\n([^]*?)\\n\\}`, "m").exec(types)[1];
    return new Set([...body.matchAll(/^ {4}(?:static |get |readonly )*(\w+)\??[(:]/gm)].map(([, member]) => member));
}

test("what is exported is declared, and nothing else", () => {
    const values = [...types.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name);
    assert.deepEqual(Object.keys(dragoman).sort(), [...new Set(values)].sort());
});

const ownProperties = {
    Sentence: ["sourceSpan", "targetSpan", "sourceTokenSpan", "targetTokenSpan", "score", "language",
        "languageProbability", "flags", "quality", "coverage", "uncoveredWords", "uncoveredSpan"],
    Hypothesis: ["source"],
};

test("members of classes are declared, and there", () => {
    for (const name of ["Device", "Model", "Translator", "Translation", "Hypothesis", "Sentence"]) {
        const kind = dragoman[name];
        const found = new Set([...Object.getOwnPropertyNames(kind.prototype), ...Object.getOwnPropertyNames(kind)]);
        for (const inner of ["constructor", "length", "name", "prototype", "handle", "read"]) found.delete(inner);
        const declared = members(name);
        declared.delete("constructor");
        for (const own of ownProperties[name] ?? []) declared.delete(own);
        assert.deepEqual([...found].sort(), [...declared].sort(), name);
    }
});

test("options and information have all the fields of the header", async () => {
    const translate = new Set(fields("dragoman_translate_options"));
    for (const apart of ["progress", "progressUser", "suppressSequenceCount", "endTokenCount"]) translate.delete(apart);
    assert.deepEqual([...members("TranslateOptions")].sort(), [...translate].sort());
    const device = fields("dragoman_device_options");
    const counts = ["moreModelCount", "weightCount"];  // of lists
    const model = fields("dragoman_model_options").filter((name) => !counts.includes(name));
    assert.deepEqual([...members("DeviceOptions")].sort(), [...device].sort());
    // A device's options stand beside a model's, for which it is opened; its name is `device`.
    assert.deepEqual([...members("ModelOptions")].sort(),
        [...model, ...device.filter((name) => name !== "name")].sort());
    assert.deepEqual([...members("ModelInfo")].sort(),
        [...fields("dragoman_model_info"), "sourceLanguages", "targetLanguages"].sort());
    assert.deepEqual([...members("Language")].sort(), fields("dragoman_language").sort());
    assert.deepEqual([...members("DeviceInfo")].sort(), fields("dragoman_device_info").sort());
    assert.deepEqual([...members("Memory")].sort(), fields("dragoman_memory_info").sort());
    assert.deepEqual([...members("Stats")].sort(), fields("dragoman_stats").sort());

    const { native } = await import("../lib/native.js");
    assert.deepEqual([...native.optionNames.translate].sort(), [...translate].sort());
    assert.deepEqual([...native.optionNames.device].sort(), [...device].sort());
    assert.deepEqual([...native.optionNames.model].sort(), model.filter((name) => name !== "device").sort());
    assert.deepEqual([...native.optionNames.score].sort(), fields("dragoman_score_options").sort());
    const bench = fields("dragoman_bench_options").filter((name) => name !== "device");
    assert.deepEqual([...native.optionNames.bench].sort(), [...bench].sort());
    const convert = fields("dragoman_convert_options")
        .filter((name) => !name.startsWith("progress") && name !== "device");
    assert.deepEqual([...native.optionNames.convert].sort(), convert.sort());
    assert.deepEqual([...members("BenchOptions")].sort(), bench.sort());
    assert.deepEqual([...members("ConvertOptions")].sort(), convert.sort());
});

/** The TypeScript of a field, where one follows from its C type. */
function typeOf(name, field, option) {
    if (field.enum) return option ? words(name).join(" | ") : null;
    if (field.flag) return "boolean";
    if (field.role === "text" || field.type.base === "char") return "string";
    return field.type.pointers || field.type.array || field.type.kind !== "integer" && field.type.kind !== "float"
        ? null : "number";
}

test("members have the types of the header's fields", () => {
    // A device may be a number; lists and versions are made of what C has.
    const others = { device: "Device | string | number", name: "string | number", cacheDir: "string",
        memoryLimitBytes: "number", validation: "boolean", trustKernels: "boolean",
        tune: '"auto" | "off" | "on"', sourceLanguages: "Language[]",
        targetLanguages: "Language[]" };
    const ofInfo = { name: "string", apiVersion: "string" };
    let checked = 0;
    for (const name of ["TranslateOptions", "DeviceOptions", "ModelOptions", "BenchOptions", "ConvertOptions",
        "ModelInfo", "Memory", "DeviceInfo", "Stats"]) {
        const struct = { Memory: "dragoman_memory_info", DeviceInfo: "dragoman_device_info",
            ModelInfo: "dragoman_model_info", Stats: "dragoman_stats" }[name];
        const body = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([^]*?)\\n\\}`, "m").exec(types)[1];
        const c = described(struct ?? `dragoman_${name.replace("Options", "").toLowerCase()}_options`);
        for (const [, member, type] of body.matchAll(/^ {4}(\w+)\??: ([^;]+);/gm)) {
            const expected = (struct && ofInfo[member]) ?? others[member] ?? typeOf(member, c.get(member), !struct);
            if (expected) assert.equal(type, expected, `${name}.${member}`), ++checked;
        }
    }
    assert.ok(checked > 80, `${checked}`);
});

test("information has the declared members", async () => {
    const model = await dragoman.Model.load(join(root, "tests/data/huggingface/shared"));
    assert.deepEqual(Object.keys(model.info).sort(), [...members("ModelInfo")].sort());
    assert.deepEqual(Object.keys(model.device).sort(), [...members("DeviceInfo")].sort());
    assert.deepEqual(Object.keys(model.memory).sort(), [...members("Memory")].sort());
    const translator = await model.translator();
    assert.deepEqual(Object.keys(await translator.stats()).sort(), [...members("Stats")].sort());
    await translator.close();
    await model.close();
});

test("every status has its class", () => {
    const statuses = api.enumerations.find(({ name }) => name === "dragoman_status").enumerators
        .map(({ name }) => name.replace("DRAGOMAN_", "").toLowerCase()).filter((name) => name !== "ok");
    const codes = Object.values(dragoman).filter((value) => value?.prototype instanceof dragoman.DragomanError)
        .map((kind) => new kind("").code);
    for (const status of statuses) assert.ok(codes.includes(status), status);
    assert.equal(statuses.length, 9);
});

// npm's typescript, Debian's node-typescript, or none.
const tsc = [process.env.TSC, join(root, "bindings/node/node_modules/.bin/tsc"), "/usr/bin/tsc", "tsc"].filter(Boolean)
    .find((command) => spawnSync(command, ["--version"]).status === 0);

test("a TypeScript program is accepted, and its mistakes are not", { skip: tsc ? false : "no tsc" }, () => {
    const { status, stdout } = spawnSync(tsc, ["--project", join(root, "bindings/node/typescript")]);
    assert.equal(status, 0, stdout?.toString());
});

test("programs of README.md are TypeScript, too", { skip: tsc ? false : "no tsc" }, (t) => {
    const folder = mkdtempSync(join(tmpdir(), "dragoman-"));
    t.after(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(root, "bindings/node"), join(folder, "node_modules/dragoman"), "junction");
    const readme = readFileSync(join(root, "bindings/node/README.md"), "utf8");
    const programs = [...readme.matchAll(/```js\n([^]*?)```/g)].map(([, program]) => program)
        .filter((program) => !program.includes('from "node:'));  // whose types are another package
    const files = programs.map((_, place) => `program${place}.mts`);
    for (const [place, program] of programs.entries()) {
        // The TypeScript of Debian 12 does not know AbortSignal.timeout, which Node has.
        const known = program.replaceAll("AbortSignal.timeout(", "signalAfter(");
        writeFileSync(join(folder, files[place]),
                      `${known}export {};\ndeclare function signalAfter(milliseconds: number): AbortSignal;\n`);
    }
    const { compilerOptions } = JSON.parse(readFileSync(join(root, "bindings/node/typescript/tsconfig.json"), "utf8"));
    const own = { target: "ES2022", lib: ["ES2022", "DOM", "DOM.Iterable"], noUncheckedIndexedAccess: false };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...compilerOptions, ...own }, files }));
    const { status, stdout } = spawnSync(tsc, ["--project", folder]);
    assert.equal(status, 0, stdout?.toString());
    assert.ok(programs.length > 4);
});
