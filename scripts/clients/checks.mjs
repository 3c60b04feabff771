// SPDX-License-Identifier: Apache-2.0
// Calls of a client with what each must give, and their report: what checks.py is for Python.
import { readFileSync } from "node:fs";

export const BOAT = "The boat is full.", BOOT = "Das Boot ist voll.";
export const HAT = "She is wearing a hat.", HUT = "Sie trägt einen Hut.";
let calls = 0;
const failed = [];

export async function call(what, make, expected) {
    calls += 1;
    let answer;
    try {
        answer = await make();
    } catch (error) {
        answer = `${error.name}: ${error.message}`;
    }
    if (JSON.stringify(answer) !== JSON.stringify(expected)) {
        failed.push({ call: what, answer: JSON.stringify(answer)?.slice(0, 600) ?? "undefined", expected: String(expected) });
    }
}

export async function throws(what, make, pattern) {
    calls += 1;
    try {
        failed.push({ call: what, answer: JSON.stringify(await make()) ?? "undefined", expected: `error ${pattern}` });
    } catch (error) {
        if (!pattern.test(error.message)) failed.push({ call: what, answer: error.message, expected: `error ${pattern}` });
    }
}

export function versionOf(name) {
    return JSON.parse(readFileSync(`${process.env.CLIENT_MODULES}/node_modules/${name}/package.json`)).version;
}

export function report(client, version) {
    console.log(JSON.stringify({ client, version, calls, passed: calls - failed.length, failed }));
    process.exit(failed.length || !calls ? 1 : 0);
}
