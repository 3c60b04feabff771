// SPDX-License-Identifier: Apache-2.0
// npm's translate against a running service: translate_client.mjs URL
import { createRequire } from "node:module";
import { report, call, throws, BOAT, BOOT, HAT, HUT, versionOf } from "./checks.mjs";

const url = process.argv[2].replace(/\/$/, "");
const { default: translate } = await import(createRequire(process.env.CLIENT_MODULES + "/").resolve("translate"));
const client = translate.Translate({ engine: "libre", url: url + "/translate", from: "en", to: "de" });
await call("translate", () => client(HAT), HUT);
await call("translate with options", () => client(BOAT, { from: "en", to: "de" }), BOOT);
await call("20 at once", async () => [...new Set(await Promise.all(
    Array.from({ length: 20 }, (_, i) => client(`${HAT} ${"!".repeat(i % 2)}`.trim()))))].length > 0, true);
await throws("an unknown pair", () => client(HAT, { from: "en", to: "ja" }), /ja|not/i);
report("npm translate", versionOf("translate"));
