// SPDX-License-Identifier: Apache-2.0
// The script of an installation, with a program in place of CMake that notes what it is asked.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const scripts = join(dirname(fileURLToPath(import.meta.url)), "../scripts");
const folder = mkdtempSync(join(tmpdir(), "dragoman-"));
after(() => rmSync(folder, { recursive: true }));
const binding = join(folder, "bindings/node"), programs = join(folder, "programs"), notes = join(folder, "notes");
for (const path of [join(binding, "native"), join(folder, "capi/include/dragoman"), programs]) {
    mkdirSync(path, { recursive: true });
}
writeFileSync(join(folder, "capi/include/dragoman/dragoman.h"), "");  // a checkout
writeFileSync(join(binding, "package.json"), "{}");
cpSync(scripts, join(binding, "scripts"), { recursive: true });
writeFileSync(join(programs, "cmake"), `#!/bin/sh
case "$1" in
-S) cache=no
    [ ! -e "$4/CMakeCache.txt" ] || cache=yes
    mkdir -p "$4"
    : > "$4/CMakeCache.txt"
    echo "cache=$cache $*" >> '${notes}' ;;
--install) mkdir -p "$4" ;;
esac
`, { mode: 0o755 });

function install(from) {
    rmSync(notes, { force: true });
    const env = { ...process.env, PATH: `${programs}:${process.env.PATH}`, DRAGOMAN_FROM: from, INIT_CWD: folder };
    const { status, stderr } = spawnSync(process.execPath, [join(binding, "scripts/install.js")],
        { encoding: "utf8", env });
    assert.equal(status, 0, stderr);
    return existsSync(notes) ? readFileSync(notes, "utf8") : "";
}

/** An addon in the package's prebuilds. */
function bring(write) {
    const file = join(binding, "prebuilds", `${process.platform}-${process.arch}`, "dragoman.node");
    mkdirSync(dirname(file), { recursive: true });
    write(file);
}

test("what the package brings is taken where it can be loaded", { skip: !process.env.DRAGOMAN_ADDON }, (t) => {
    t.after(() => rmSync(join(binding, "prebuilds"), { recursive: true }));
    bring((file) => writeFileSync(file, "made for another system"));
    assert.match(install(""), /-DDRAGOMAN_BUILD=ON\n$/);
    bring((file) => cpSync(process.env.DRAGOMAN_ADDON, file));
    assert.match(install("/first"), /-DDRAGOMAN_FROM=\/first\n$/);
    assert.equal(install(""), "");
});

test("another installation is asked for again, the library of a checkout is not", () => {
    assert.match(install("/first"), /^cache=no .*-DDRAGOMAN_FROM=\/first\n$/);
    assert.match(install("/second"), /^cache=no .*-DDRAGOMAN_FROM=\/second\n$/);
    assert.match(install("system"), /^cache=no .*-DDRAGOMAN_FROM=\n$/);
    assert.match(install("../third"), new RegExp(`-DDRAGOMAN_FROM=${join(dirname(folder), "third")}\n$`));
    assert.match(install(""), /^cache=yes .*-DDRAGOMAN_BUILD=ON\n$/);
    assert.match(install(""), /^cache=yes .*-DDRAGOMAN_BUILD=ON\n$/);
});

test("what DRAGOMAN_FROM named counts when npm runs the script again", (t) => {
    t.after(() => rmSync(join(binding, "native"), { recursive: true }));
    install("/first");
    assert.match(install(undefined), /-DDRAGOMAN_BUILD=OFF -DDRAGOMAN_FROM=\/first\n$/);
    install("system");
    assert.match(install(undefined), /-DDRAGOMAN_FROM=\n$/);
    assert.match(install(""), /-DDRAGOMAN_BUILD=ON\n$/);
    assert.match(install(undefined), /-DDRAGOMAN_BUILD=ON\n$/);
});

test("an addon that was made before stays while its sources do", { skip: !process.env.DRAGOMAN_ADDON }, (t) => {
    const source = join(binding, "src/addon.cpp"), addon = join(binding, "native/dragoman.node");
    t.after(() => ["native", "src"].forEach((name) => rmSync(join(binding, name), { recursive: true })));
    install("/first");
    mkdirSync(dirname(source));
    writeFileSync(source, "");
    cpSync(process.env.DRAGOMAN_ADDON, addon);
    utimesSync(source, 1000, 1000);
    assert.equal(install(undefined), "");
    utimesSync(source, 4e9, 4e9);
    assert.match(install(undefined), /-DDRAGOMAN_FROM=\/first\n$/);
});
