// SPDX-License-Identifier: Apache-2.0
// Files that the tool reads and writes: what must not be lost, whatever they are, and what is said of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/system.h"
#include "text_model.h"
#include "tool_run.h"

namespace cli_files_test {

using namespace dragoman::test;
namespace fs = std::filesystem;

namespace {

const std::string kToy = DRAGOMAN_TEST_DATA "/toy-text";

Run tool(std::vector<std::string> arguments, const std::string& input = "") {
    return run(DRAGOMAN_CLI, arguments, input);
}

Run translate(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), {"translate", "--model", kToy});
    return tool(std::move(arguments), input);
}

// In a shell, where $tool translates tokens, with files by name.
Run shell(const std::string& script, const std::vector<std::string>& files) {
    const std::string start = "tool() { \"$program\" translate --model \"$model\" --tokens \"$@\"; }\n";
    std::vector<std::string> arguments = {"-c", start + script, "sh"};
    arguments.insert(arguments.end(), files.begin(), files.end());
    return run("/bin/sh", arguments, "", "program='" DRAGOMAN_CLI "' model='" + std::string(kModel) + "'");
}

// Newer CPU drivers of Mesa's keep a device's memory in files. A limit of file sizes is for these too: programs end by a bus
// error (135), whatever they write.
bool memory_is_in_files() {
    static const bool found = shell("trap '' XFSZ; ulimit -f 8; tool \"$1\" > /dev/null", {kSourceA}).exit_code == 135;
    if (found) MESSAGE("skipped: the driver keeps memory in files");
    return found;
}

bool says(const Run& run, const std::string& what) { return run.err.find(what) != std::string::npos; }

std::size_t lines(const std::string& text) { return std::size_t(std::count(text.begin(), text.end(), '\n')); }

struct Files {
    const TempDir folder;
    std::string path(const std::string& name) const { return (folder.path() / name).string(); }
    std::string write(const std::string& name, const std::string& text) const { return folder.write(name, text); }
};

std::string many_lines(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i % 2 ? kSourceA : kSourceB) + std::string("\n");
    return text;
}

}  // namespace

TEST_CASE("an output that is standard input's file is refused" * only_posix()) {
    const Files files;
    const std::string text = many_lines(3), file = files.write("x.txt", text);
    fs::create_symlink(file, files.path("link"));
    fs::create_hard_link(file, files.path("hard"));
    for (const std::string output : {"x.txt", "link", "hard"}) {
        CAPTURE(output);
        const Run same = shell("tool --output \"$1\" < \"$2\"", {files.path(output), file});
        CHECK(same.exit_code == 1);
        CHECK_MESSAGE(says(same, output + ": is the input file"), same.err);
        CHECK(read_file(file) == text);
    }
    for (const char* script : {"tool < \"$1\" >> \"$1\"", "tool --input \"$1\" >> \"$1\""}) {
        const Run grows = shell(script, {file});
        CHECK(grows.exit_code == 1);
        CHECK_MESSAGE(says(grows, "standard output: is the input file"), grows.err);
        CHECK(read_file(file) == text);
    }
    CHECK(output(shell("tool --output \"$1\" < \"$2\"", {files.path("other"), file})).empty());
    CHECK(lines(read_file(files.path("other"))) == 3);
    CHECK(output(shell("tool --output /dev/null < /dev/null", {})).empty());  // one node, and no file
}

TEST_CASE("a file that is replaced keeps its permissions, and a link stays one" * only_posix()) {
    const Files files;
    const std::string note = files.write("note.md", "# ab\n"), old = files.write("old.md", "secret");
    fs::permissions(old, fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("old.md", files.path("link.md"));
    CHECK(output(translate({note, "--output", files.path("link.md")})).empty());
    CHECK(fs::is_symlink(files.path("link.md")));
    CHECK(read_file(old).starts_with("# "));
    CHECK(fs::status(old).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    fs::create_symlink("made.tmx", files.path("link.tmx"));
    CHECK_FALSE(output(translate({"--write-tmx", files.path("link.tmx"), "ab"})).empty());
    CHECK(fs::is_symlink(files.path("link.tmx")));
    CHECK(read_file(files.path("made.tmx")).find("<tmx") != std::string::npos);
}

TEST_CASE("a named pipe stays one and gets what is written" * only_posix()) {
    const Files files;
    const std::string note = files.write("note.md", "# ab\n");
    const auto first_line = [&](const char* name, const std::vector<std::string>& arguments) {
        make_named_pipe(files.path(name));
        std::fstream pipe(files.path(name), std::ios::in | std::ios::out);  // nobody waits for another side
        const Run run = translate(arguments);
        REQUIRE_MESSAGE(run.exit_code == 0, run.err);
        REQUIRE(fs::is_fifo(files.path(name)));
        std::string line;
        std::getline(pipe, line);
        return line;
    };
    CHECK(first_line("a", {"--write-tmx", files.path("a"), "ab"}).starts_with("<?xml"));
    CHECK(first_line("b.md", {note, "--output", files.path("b.md")}).starts_with("# "));
    // What descriptors are.
    const Run printed = shell("tool --write-tmx /dev/fd/1 \"$1\" | cat", {kSourceB});
    CHECK_MESSAGE(printed.out.find("<tmx") != std::string::npos, printed.err);
}

TEST_CASE("- is a file for no option but --output") {
    for (const char* option : {"--write-tmx", "--show", "--attention-picture"}) {
        CAPTURE(option);
        check_refused(translate({option, "-", "ab"}), std::string(option) + ": expected a file, got -");
    }
    check_refused(tool({"embed", "--npy", "-", "ab"}), "--npy: expected a file, got -");
    CHECK_FALSE(fs::exists("-"));
}

// A limit of file sizes stands for a full disk.
TEST_CASE("an output that was cut by a full disk is known for incomplete, and goes on" * only_posix()) {
    const Files files;
    std::string line = kSourceA;
    for (int i = 0; i < 5; ++i) line += " " + line;
    const std::string in = files.write("in.txt", line + "\n"), out = files.path("out.txt");
    if (memory_is_in_files()) return;
    const std::string drawn = "drawn() { tool --json --attention --sampling on --sampling-seed 3 \"$@\"; }\n";
    const std::string whole = output(shell(drawn + "drawn --input \"$1\"", {in}));
    const std::string limited = "trap '' XFSZ; ulimit -f 8; drawn --input \"$1\" --output \"$2\" 2>&1 | cat";
    const Run full = shell(drawn + limited, {in, out});
    CHECK_MESSAGE(full.out.find("out.txt: ") != std::string::npos, full.out);
    CHECK_MESSAGE(full.out.find("File too large") != std::string::npos, full.out);
    CHECK_MESSAGE(full.out.find("--resume") != std::string::npos, full.out);
    const std::string cut = read_file(out);
    CHECK(cut.size() < whole.size());
    CHECK(fs::exists(out + ".resume"));
    // Among several files it is not passed over.
    fs::create_directories(files.path("to"));
    const std::string other = files.write("other.txt", many_lines(1));
    for (const char* end : {"", ".resume", ".resume-sentences"})
        if (fs::exists(out + end)) fs::copy(out + end, files.path("to/in.txt") + end);
    CHECK(output(shell(drawn + "drawn \"$1\" \"$2\" --output \"$3\" --resume", {in, other, files.path("to")})).empty());
    CHECK(read_file(files.path("to/in.txt")) == whole);
    CHECK(output(shell(drawn + "drawn --input \"$1\" --output \"$2\" --resume", {in, out})).empty());
    CHECK(read_file(out) == whole);
    CHECK_FALSE(fs::exists(out + ".resume"));
}

TEST_CASE("where sentences cannot be kept, that is said of the output" * only_posix()) {
    const Files files;
    const std::string in = files.write("in.txt", many_lines(1)), out = files.path("out.txt");
    fs::create_directories(out + ".resume-sentences/used");
    const Run run = shell("tool --input \"$1\" --output \"$2\"", {in, out});
    CHECK(run.exit_code == 1);
    CHECK_MESSAGE(says(run, "out.txt: what is kept beside it cannot be written: "), run.err);
    CHECK_FALSE(fs::exists(out + ".resume"));
}

TEST_CASE("a run that cannot write keeps what an earlier one has left" * only_posix()) {
    const Files files;
    const std::string in = files.write("in.txt", many_lines(2) + "\xff\n"), out = files.path("out.txt");
    CHECK(shell("tool --input \"$1\" --output \"$2\"", {in, out}).exit_code == 1);
    const std::string kept = read_file(out + ".resume"), begun = read_file(out);
    CHECK(lines(begun) == 2);
    if (!memory_is_in_files())
        CHECK(shell("trap '' XFSZ; ulimit -f 0; tool --input \"$1\" --output \"$2\"", {in, out}).exit_code == 1);
    CHECK(read_file(out + ".resume") == kept);
    CHECK(read_file(out) == begun);
    // Nor does one that fails before it has written make the part look whole.
    files.write("in.txt", "\xff\n");
    CHECK(shell("tool --input \"$1\" --output \"$2\"", {in, out}).exit_code == 1);
    CHECK(fs::exists(out + ".resume"));
}

TEST_CASE("errors of writing name the output and the reason" * only_posix()) {
    const Files files;
    const std::string in = files.write("in.txt", many_lines(1)), away = files.path("missing/out.txt");
    for (const std::string& file : {in, files.write("note.md", "# ab\n")}) {
        const Run nowhere = translate({file, "--output", file.ends_with("md") ? files.path("missing/out.md") : away});
        CHECK(nowhere.exit_code == 1);
        CHECK_MESSAGE(says(nowhere, "missing/out."), nowhere.err);
        CHECK_MESSAGE(says(nowhere, "there is no folder " + files.path("missing")), nowhere.err);
        CHECK_FALSE(says(nowhere, ".resume"));
    }
    if (!fs::is_character_file("/dev/full")) return;
    const auto full = [](const Run& run, const std::string& name) {
        CHECK(run.exit_code == 1);
        CHECK_MESSAGE(says(run, name + ": No space left on device"), run.err);
    };
    full(shell("tool --input \"$1\" > /dev/full", {in}), "standard output");
    full(shell("tool --input \"$1\" --output /dev/full", {in}), "/dev/full");
    full(shell("\"$program\" info \"$model\" > /dev/full", {}), "standard output");
    full(tool({"embed", "--model", DRAGOMAN_TEST_DATA "/encoders/xlmr", "--npy", "/dev/full", "ab"}), "/dev/full");
    full(translate({"--attention-picture", "/dev/full", "ab"}), "/dev/full");
    full(translate({"--show", "/dev/full", "ab"}), "/dev/full");
}

TEST_CASE("names of files are bytes" * only_posix()) {
    const Files files;
    const std::string lines = files.write("b\xff.txt", "ab\nba\n"), note = files.write("n\xff.md", "# ab\n");
    const std::string expected = output(translate({}, "ab\nba\n"));
    CHECK(output(translate({lines})) == expected);
    CHECK(output(translate({lines, note, "--output", files.path("o\xff")})).empty());
    CHECK(read_file(files.path("o\xff/b\xff.txt")) == expected);
    CHECK(read_file(files.path("o\xff/n\xff.md")).starts_with("# "));
    CHECK(std::distance(fs::directory_iterator(files.path("o\xff")), fs::directory_iterator()) == 2);
    const std::string glossary = files.write("g\xff.tsv", "ab\tba\n");
    fs::copy(kToy, files.path("m\xff"), fs::copy_options::recursive);
    const Run all =
        tool({"translate", "--model", files.path("m\xff"), "--glossary", glossary, "--memory", files.path("k\xff"),
              "--write-tmx", files.path("w\xff.tmx"), "--cache-dir", files.path("c\xff"), "ba"});
    CHECK_MESSAGE(all.exit_code == 0, all.err);
    for (const char* name : {"k\xff", "w\xff.tmx", "c\xff"}) CHECK(fs::exists(files.path(name)));
    const Run missing = translate({"--glossary", files.path("x\xff"), "ab"});
    CHECK(missing.exit_code == 1);
    CHECK_MESSAGE(says(missing, "x?: "), missing.err);
}

TEST_CASE("one bad file among several is told, and the others are translated") {
    const Files files;
    const std::string note = files.write("x.md", "# ab\n"), bad = files.write("bad.docx", "no zip"),
                      data = files.write("y.json", "{\"a\": \"ab\"}"), wrong = files.write("w.txt", "ab\n\xff\n"),
                      last = files.write("z.txt", "ab\n");
    const Run run = translate({note, bad, data, wrong, last, "--output", files.path("out")});
    CHECK(run.exit_code == 1);
    CHECK_MESSAGE(says(run, "bad.docx: expected a zip archive"), run.err);
    CHECK_MESSAGE(says(run, "w.txt: line 2: invalid UTF-8"), run.err);
    CHECK_MESSAGE(says(run, "2 of 5 files are not translated"), run.err);
    for (const char* name : {"x.md", "y.json", "z.txt"}) CHECK(fs::exists(files.path("out/") + name));
    CHECK_FALSE(fs::exists(files.path("out/bad.docx")));
    const Run again = translate({note, bad, data, "--output", files.path("out"), "--resume"});
    CHECK(again.exit_code == 1);
    CHECK_MESSAGE(says(again, "1 of 1 files is not translated"), again.err);
    // What no file can do without ends the run at once.
    const Run none = translate({"--end-token", "no such", note, data, last, "--output", files.path("none")});
    CHECK(none.exit_code != 0);
    CHECK_FALSE(says(none, "3 files"));
    const Run pages = translate({"--html", note, last, "--output", files.path("out"), "--resume"});
    CHECK(pages.exit_code == 1);
    CHECK_MESSAGE(says(pages, "--resume: expected lines or documents, got pages"), pages.err);
}

TEST_CASE("a folder as --input is named") {
    const Files files;
    for (const char* command : {"translate", "score", "embed"}) {
        const Run run = tool({command, "--model", kToy, "--input", files.folder.path().string()});
        CHECK(run.exit_code == 1);
        CHECK_MESSAGE(says(run, files.folder.path().string() + ": is a folder; expected a file"), run.err);
    }
}

TEST_CASE("another user's link in a folder of everybody's is not followed" * only_posix()) {
    const Files mine, shared;
    const fs::path folder = shared.folder.path();
    fs::permissions(folder, fs::perms::all | fs::perms::sticky_bit);
    const std::string text = mine.write("in.txt", many_lines(1)), note = mine.write("note.md", "# ab\n"),
                      page = mine.write("page.md", "mine"), kept = mine.write("kept.txt", "mine");
    const auto link = [&](const char* name, const std::string& target) {
        fs::create_symlink(target, folder / name);
        return run("chown", {"-h", "65534", (folder / name).string()}).exit_code == 0;
    };
    if (!link("page.md", page) || !link("out.txt", kept)) {
        MESSAGE("skipped: this user may give no file away");
        return;
    }
    const auto check_foreign = [&](const Run& run, const char* name) {
        CHECK(run.exit_code == 1);
        const std::string why = "the symbolic link " + shared.path(name) + " is another user's";
        CHECK_MESSAGE(says(run, why), run.err);
    };
    check_foreign(translate({note, "--output", shared.path("page.md")}), "page.md");
    check_foreign(translate({"--show", shared.path("page.md"), "ab"}), "page.md");
    check_foreign(translate({"--write-tmx", shared.path("page.md"), "ab"}), "page.md");
    check_foreign(shell("tool --input \"$1\" --output \"$2\"", {text, shared.path("out.txt")}), "out.txt");
    CHECK(read_file(page) == "mine");
    CHECK(read_file(kept) == "mine");
    fs::permissions(folder, fs::perms::all);  // where nothing protects names, nothing is gained by it
    CHECK(output(translate({note, "--output", shared.path("page.md")})).empty());
    CHECK(read_file(page).starts_with("# "));
}

TEST_CASE("pages, pictures and vectors appear whole or not at all" * only_posix()) {
    const Files files;
    const std::string old = files.write("old", "old");
    if (memory_is_in_files()) return;
    const std::string start = "tool() { \"$program\" \"$@\"; }\ntrap '' XFSZ; ulimit -f 1; ",
                      encoder = DRAGOMAN_TEST_DATA "/encoders/xlmr";
    for (const std::string& what : {"translate --model '" + kToy + "' --show \"$1\" ab",
                                    "translate --model '" + kToy + "' --attention-picture \"$1\" ab",
                                    "embed --model '" + encoder + "' --npy \"$1\" a b c d e f g h i j"}) {
        CAPTURE(what);
        const Run run = dragoman::test::run("/bin/sh", {"-c", start + "tool " + what, "sh", old}, "",
                                            "program='" DRAGOMAN_CLI "'");
        CHECK(run.exit_code == 1);
        CHECK_MESSAGE(says(run, old + ": File too large"), run.err);
        CHECK(read_file(old) == "old");
    }
    CHECK(std::distance(fs::directory_iterator(files.folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("no file that is written besides is the input's" * only_posix()) {
    const Files files;
    const std::string text = "ab\n", file = files.write("in.txt", text), encoder = DRAGOMAN_TEST_DATA "/encoders/xlmr";
    for (const std::string& what :
         {"translate --model '" + kToy + "' --show", "translate --model '" + kToy + "' --attention-picture",
          "translate --model '" + kToy + "' --write-tmx", "embed --model '" + encoder + "' --npy"})
        for (const char* how : {" \"$1\" --input \"$1\"", " \"$1\" < \"$1\""}) {
            CAPTURE(what);
            CAPTURE(how);
            const Run run = dragoman::test::run("/bin/sh", {"-c", "\"$program\" " + what + how, "sh", file}, "",
                                                "program='" DRAGOMAN_CLI "'");
            CHECK(run.exit_code == 1);
            CHECK_MESSAGE(says(run, file + ": is the input file"), run.err);
            CHECK(read_file(file) == text);
        }
    const Run bench = tool({"bench", "--model", kToy, "--input", file, "--plot", file});
    CHECK_MESSAGE(says(bench, file + ": is the input file"), bench.err);
    CHECK(read_file(file) == text);
}

TEST_CASE("what cannot be written is said before the work") {
    const Files files;
    const std::string away = files.path("missing/x");
    const auto check_early = [&](const Run& run) {
        check_refused(run, away + ": ");  // nothing was printed
        CHECK(run.exit_code == 1);
    };
    check_early(translate({"--write-tmx", away, "ab"}));
    check_early(tool({"embed", "--model", kToy, "--npy", away, "ab"}));
    check_early(tool({"bench", "--model", kToy, "--synthetic", "1x2", "--plot", away}));
    const std::string there = files.write("there.gguf", "old");
    const Run kept = tool({"convert", kToy, there});
    CHECK_MESSAGE(says(kept, there + ": it exists; --force replaces it"), kept.err);
    CHECK(read_file(there) == "old");
    CHECK_MESSAGE(says(tool({"convert", kToy, "-"}), "expected a file, got -"), "convert");
}

}  // namespace cli_files_test
