// SPDX-License-Identifier: Apache-2.0
"use strict";

const { existsSync } = require("node:fs");
const { dirname, join } = require("node:path");

/** What scripts/install.js built, else what the package brings for this system. */
function addon() {
    const built = join(__dirname, "../native/dragoman.node");
    return existsSync(built) ? built : `../prebuilds/${process.platform}-${process.arch}/dragoman.node`;
}

// DRAGOMAN_ADDON names another build of the addon.
const file = require.resolve(process.env.DRAGOMAN_ADDON || addon());
const native = require(file);
/** The addon for published models, where there is one. */
const modelsAddon = join(dirname(file), "dragoman_models.node");

// Translations at work stop before the process takes their memory away.
process.on("exit", () => native.leave());

/** What `await using` calls, where Node knows it. */
const asyncDispose = Symbol.asyncDispose ?? Symbol("asyncDispose");

module.exports = { asyncDispose, modelsAddon, native };
