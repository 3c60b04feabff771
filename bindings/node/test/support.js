// SPDX-License-Identifier: Apache-2.0
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
export const data = join(root, "tests/data");
export const textModel = join(data, "huggingface/shared");
export const tokenModel = join(data, "aren-transliteration");

// Not installed: the addon of a build folder.
const built = join(root, "build/release/bindings/node/dragoman.node");
if (!existsSync(join(root, "bindings/node/native/dragoman.node")) && existsSync(built)) {
    process.env.DRAGOMAN_ADDON ||= built;
}
export const { default: dragoman } = await import("../lib/index.js");

export const text = "batin kétiß kénara késora banara!";
export const translation = "fopiй Gasa Gakuй Gakux foй!";
