// SPDX-License-Identifier: Apache-2.0
// The programs of README.md run.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { play, skip } from "./played.js";
import { root } from "./support.js";

const readme = readFileSync(join(root, "bindings/node/README.md"), "utf8");
const programs = [...readme.matchAll(/```js\n([^]*?)```/g)].map(([, program]) => program);
const folder = mkdtempSync(join(tmpdir(), "dragoman-"));
after(() => rmSync(folder, { recursive: true }));
const index = new URL("../lib/index.js", import.meta.url).href;

for (const [place, program] of programs.entries()) {
    const published = program.includes("models");
    test(`program ${place + 1}`, { skip: published && skip }, async (t) => {
        const played = published ? await play() : undefined;
        t.after(() => played?.close());
        const script = program.replaceAll('from "dragoman"', `from ${JSON.stringify(index)}`);
        const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script],
            { encoding: "utf8", timeout: 600_000, cwd: folder, env: played?.environment });
        assert.equal(status, 0, stderr);
        assert.ok(stdout.length > 10);
    });
}

test("there are programs", () => assert.equal(programs.length, 8));
