// SPDX-License-Identifier: Apache-2.0
import { createRequire } from "node:module";

// DRAGOMAN_ADDON names another build of the addon.
export const native = createRequire(import.meta.url)(process.env.DRAGOMAN_ADDON || "../native/dragoman.node");

// Translations at work stop before the process takes their memory away.
process.on("exit", () => native.leave());
