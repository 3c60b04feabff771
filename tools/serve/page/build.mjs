// SPDX-License-Identifier: Apache-2.0
// Makes the files of the page, the same bytes on every machine. build.mjs [FOLDER]: into another folder than built.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const built = process.argv[2] ?? join(here, "built");
const source = (name) => join(here, "src", name);
mkdirSync(built, { recursive: true });

const common = {
    bundle: true, minify: true, write: false, charset: "utf8", target: ["es2021", "safari15"], absWorkingDir: here,
};
const licence = "SPDX-License-Identifier: Apache-2.0";
const scripts = { "app.js": "main.ts", "worker.js": "worker.ts" };
for (const [name, entry] of Object.entries(scripts)) {
    const banner = { js: `// ${licence}` };
    const result = buildSync({ ...common, entryPoints: [source(entry)], format: "iife", banner });
    writeFileSync(join(built, name), result.outputFiles[0].contents);
}
const style = buildSync({ ...common, entryPoints: [source("app.css")], banner: { css: `/* ${licence} */` } });
writeFileSync(join(built, "app.css"), style.outputFiles[0].contents);
for (const name of ["index.html", "icon.svg", "manifest.webmanifest"]) copyFileSync(source(name), join(built, name));
