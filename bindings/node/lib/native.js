// SPDX-License-Identifier: Apache-2.0
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** What scripts/install.js built, else what the package brings for this system. */
function addon() {
    const built = fileURLToPath(new URL("../native/dragoman.node", import.meta.url));
    if (existsSync(built)) return built;
    return `../prebuilds/${process.platform}-${process.arch}/dragoman.node`;
}

// DRAGOMAN_ADDON names another build of the addon.
export const native = createRequire(import.meta.url)(process.env.DRAGOMAN_ADDON || addon());

// Translations at work stop before the process takes their memory away.
process.on("exit", () => native.leave());
