// SPDX-License-Identifier: Apache-2.0
// npm's libretranslate against a running service: libretranslate_client.mjs URL
import { createRequire } from "node:module";
import { report, call, throws, BOAT, BOOT, HAT, HUT, versionOf } from "./checks.mjs";

const apiurl = process.argv[2].replace(/\/$/, "");
const { translate } = createRequire(process.env.CLIENT_MODULES + "/")("libretranslate");
await call("translate", () => translate({ query: HAT, source: "en", target: "de", apiurl }), HUT);
await call("source unknown", () => translate({ query: BOAT, target: "de", apiurl }), BOOT);
await call("html", () => translate({ query: `<p>${HAT}</p>`, source: "en", target: "de", format: "html", apiurl }),
           `<p>${HUT}</p>`);
await throws("a language that /languages does not have", () => translate({ query: HAT, target: "zz", apiurl }), /not found/);
report("npm libretranslate", versionOf("libretranslate"));
