// SPDX-License-Identifier: Apache-2.0
// Registries that a local server plays, and an environment in which the library asks that server.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

import { root } from "./support.js";

const python = ["python3", "python"].find((command) => spawnSync(command, ["--version"]).status === 0);
const { native, modelsAddon } = await import("../lib/native.js").then((module) => module.default);
/** Why tests of published models are left out; false: they run. */
export const skip = !native || !existsSync(modelsAddon) ? `no ${modelsAddon}`
    : !python || spawnSync("zstd", ["--version"]).status !== 0 ? "no python3, or no zstd" : false;

/** {set, unset, text, translation, home, environment, close()} */
export async function play() {
    const server = spawn(python, ["-B", join(root, "tests/registry/serve.py")], { stdio: ["pipe", "pipe", "inherit"] });
    const [line] = await once(createInterface(server.stdout), "line");
    const played = JSON.parse(line);
    const environment = { ...process.env, ...played.set };
    for (const name of played.unset) delete environment[name];
    const close = async () => {
        server.stdin.end();
        await once(server, "exit");
    };
    return { ...played, environment, close };
}

/** The same for this process. */
export async function playHere() {
    const played = await play();
    Object.assign(process.env, played.set);
    for (const name of played.unset) delete process.env[name];
    return played;
}

export const addonFolder = dirname(modelsAddon);
