// SPDX-License-Identifier: Apache-2.0
// Takes the addon that the package brings in prebuilds/ where this system can load it; else, and where DRAGOMAN_FROM is
// set, builds it into native/. In a checkout of Dragoman the library is built too and put beside it; elsewhere the
// one that pkg-config finds is linked. DRAGOMAN_FROM=FOLDER names an installation or a build folder of the checkout, =system
// the one of pkg-config. npm runs this again whenever anything is installed beside a package that is a link: then what
// DRAGOMAN_FROM named before still counts.
"use strict";

const { spawnSync } = require("node:child_process");
const { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } = require("node:fs");
const { dirname, join, resolve } = require("node:path");

const here = dirname(__dirname);
const root = dirname(dirname(here));
const inCheckout = existsSync(join(root, "capi/include/dragoman/dragoman.h"));
// npm runs this in the package's folder, and a relative path is meant from where npm was called.
const native = join(here, "native"), note = join(native, "from");
const again = process.env.DRAGOMAN_FROM === undefined && existsSync(note);
const given = again ? readFileSync(note, "utf8") : process.env.DRAGOMAN_FROM ?? "";
const from = given && given !== "system" ? resolve(process.env.INIT_CWD ?? ".", given) : given;
const build = inCheckout ? join(root, "build/node") : join(here, "build");

function run(command, ...args) {
    const { status, error } = spawnSync(command, args, { stdio: "inherit", cwd: here });
    if (error?.code === "ENOENT") throw new Error(`${command} is not installed`);
    if (error || status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? `exit code ${status}`}`);
}

/** Folders that may hold node_api.h: the package's, those of this Node, and the system's. */
function headers() {
    const found = [];
    try {
        found.push(require("node-api-headers").include_dir);
    } catch { /* not installed */ }
    return [...found, join(dirname(dirname(process.execPath)), "include")];
}

/** Whether this Node, with this system's C library, can load an addon. */
function loads(addon) {
    // In a process of its own, which a C library of another kind may end.
    const { status } = spawnSync(process.execPath, ["-e", "require(process.argv[1]).leave()", addon]);
    if (status === 0) console.log(`dragoman: ${addon}`);
    return status === 0;
}

/** Whether prebuilds/ has one for it. */
function brought() {
    const addon = join(here, "prebuilds", `${process.platform}-${process.arch}`, "dragoman.node");
    return !from && existsSync(addon) && loads(addon);
}

/** Whether the one of the run before still does: its sources are as they were. */
function made() {
    const addon = join(native, "dragoman.node");
    if (!again || !existsSync(addon)) return false;
    const sources = existsSync(join(here, "src")) ? readdirSync(join(here, "src")).map((name) => join(here, "src", name)) : [];
    return sources.every((file) => statSync(file).mtimeMs < statSync(addon).mtimeMs) && loads(addon);
}

if (brought() || made()) process.exit(0);
try {
    const ninja = spawnSync("ninja", ["--version"]).status === 0 ? ["-G", "Ninja"] : [];
    const library = !from && inCheckout ? ["-DDRAGOMAN_BUILD=ON"]
        : ["-DDRAGOMAN_BUILD=OFF", `-DDRAGOMAN_FROM=${from === "system" ? "" : from}`];
    const cache = join(build, "CMakeCache.txt");
    // It remembers where pkg-config found the library, and would not ask again for another one.
    if (library.includes("-DDRAGOMAN_BUILD=OFF")) rmSync(cache, { force: true });
    run("cmake", "-S", here, "-B", build, ...(existsSync(cache) ? [] : ninja),
        "-DCMAKE_BUILD_TYPE=Release", `-DNODE_API_HINTS=${headers().join(";")}`, ...library);
    run("cmake", "--build", build, "--target", "dragoman_node_addons");
    rmSync(native, { recursive: true, force: true });
    run("cmake", "--install", build, "--prefix", native, "--component", "node", "--strip");
    if (!inCheckout) rmSync(build, { recursive: true });
    console.log(`dragoman: ${readdirSync(native).join(", ")} in ${native}`);
    if (from) writeFileSync(note, from);
} catch (error) {
    console.error(`dragoman: ${error.message}`);
    if (again) console.error(`dragoman: DRAGOMAN_FROM named ${given} before; set it to another one, or to nothing`);
    console.error(inCheckout ? "dragoman: scripts/setup.sh in the checkout installs what the build needs"
        : "dragoman: install the library first (pkg-config has to find it), or set DRAGOMAN_FROM to its prefix");
    process.exit(1);
}
