// SPDX-License-Identifier: Apache-2.0
// What `dragoman translate` takes an argument for: words, a file, or the name of a file that is not there.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "support/system.h"
#include "tool_run.h"

namespace cli_arguments_test {

using namespace dragoman::test;

namespace {

namespace fs = std::filesystem;

const std::string kToy = DRAGOMAN_TEST_DATA "/toy-text";

Run translate(std::vector<std::string> arguments, const std::string& input = "") {
    std::vector<std::string> all = {"translate", "--model", kToy};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run(DRAGOMAN_CLI, all, input);
}

// The lines that standard input's lines become, asked for once: a run takes half a second.
const std::string& piped(const std::string& input) {
    static std::map<std::string, std::string> known;
    const auto [at, added] = known.try_emplace(input);
    if (added) at->second = output(translate({}, input));
    return at->second;
}

// Each line's, with its end, by one run.
std::vector<std::string> piped_each(const std::vector<std::string>& lines) {
    std::string input;
    for (const std::string& line : lines) input += line + "\n";
    std::istringstream all(piped(input));
    std::vector<std::string> each;
    for (std::string line; std::getline(all, line);) each.push_back(line + "\n");
    REQUIRE(each.size() == lines.size());
    return each;
}

struct Files {
    const TempDir folder;
    const std::string lines = folder.write("lines.txt", "ab\nba\n").string();
    const std::string note = folder.write("note.md", "# ab\n\nba **ab**\n").string();
    const std::string film = folder.write("film.srt", "1\n00:00:01,000 --> 00:00:02,000\nab\n").string();
    std::string in(const char* name) const { return (folder.path() / name).string(); }
};

}  // namespace

TEST_CASE("the name of a file stands for the file") {
    const Files files;
    const std::string& expected = piped("ab\nba\n");
    CHECK(output(translate({files.lines})) == expected);
    CHECK(output(translate({files.lines, "-o", files.in("out.txt")})).empty());
    CHECK(read_file(files.in("out.txt")) == expected);
    CHECK(output(translate({files.note, "-o", files.in("out.md")})).empty());
    CHECK(read_file(files.in("out.md")).starts_with("# "));
    const std::string no_suffix = files.folder.write("plain", "ab\n").string();
    CHECK(output(translate({no_suffix})) == output(translate({"ab"})));
}

TEST_CASE("a document needs a place for its translation, which may be a folder") {
    const Files files;
    check_refused(translate({files.note}), "note.md: is a document");
    check_refused(translate({files.note}), "--output");
    fs::create_directory(files.in("there"));
    CHECK(output(translate({files.note, "-o", files.in("there")})).empty());
    CHECK(fs::exists(files.in("there/note.md")));
}

TEST_CASE("several files go to a folder") {
    const Files files;
    CHECK(output(translate({files.note, files.film, files.lines, "-o", files.in("out")})).empty());
    CHECK(read_file(files.in("out/note.md")).starts_with("# "));
    CHECK(read_file(files.in("out/film.srt")).find("00:00:01,000 --> 00:00:02,000") != std::string::npos);
    CHECK(read_file(files.in("out/lines.txt")) == piped("ab\nba\n"));
    check_refused(translate({files.note, files.film}), "--output FOLDER");
    check_refused(translate({files.note, files.film, "-o", files.in("out.md")}), "expected a folder for 2 files");
    check_refused(translate({files.note, files.film, "-o", files.in("out.pdf")}), "expected a folder for 2 files");
    check_refused(translate({files.note, files.film, "-o", files.lines}), "expected a folder for 2 files");
    CHECK_FALSE(fs::exists(files.in("out.md")));
    check_refused(translate({files.note, files.in("out/note.md"), "-o", files.in("both")}), "two files of this name");
    check_refused(translate({files.note, "ab ba", "-o", files.in("both")}), "\"ab ba\": is no file");
    CHECK_FALSE(fs::exists(files.in("both")));
}

TEST_CASE("several files go on where they were stopped: what is complete stays") {
    const Files files;
    const std::string folder = files.in("out");
    fs::create_directories(folder);
    std::ofstream(folder + "/note.md") << "complete before the stop";
    CHECK(output(translate({files.note, files.lines, "-o", folder, "--resume"})).empty());
    CHECK(read_file(folder + "/note.md") == "complete before the stop");
    CHECK(read_file(folder + "/lines.txt") == piped("ab\nba\n"));
    CHECK(output(translate({files.note, files.lines, "-o", folder})).empty());
    CHECK(read_file(folder + "/note.md").starts_with("# "));
}

TEST_CASE("what looks like a file and is none is refused, and --text takes it") {
    const Files files;
    const std::vector<std::string> names = {"nosuch.docx",   "nosuch.txt", "nosuch.PDF",
                                            "folder/nosuch", "/no/such",   "my letter.docx"};
    const std::vector<std::string> piped_names = piped_each(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string& name = names[i];
        CAPTURE(name);
        check_refused(translate({name, "-o", files.in("x.docx")}), "no such file: " + name);
        check_refused(translate({name}), "pipe them in or use --text");
        CHECK(output(translate({"--text", name})) == piped_names[i]);
    }
    CHECK_FALSE(fs::exists(files.in("x.docx")));
    check_refused(translate({files.folder.path().string()}), "is a folder");
    const std::vector<std::string> texts = {"ab/ba ab", "https://example.org/ab", "ab.", "e.g. ab"};
    const std::vector<std::string> piped_texts = piped_each(texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        CAPTURE(texts[i]);
        CHECK(output(translate({texts[i]})) == piped_texts[i]);
    }
    CHECK(output(translate({"--text", files.lines, "--text", "ab"})) == output(translate({}, files.lines + "\nab\n")));
    check_refused(translate({"--text", "ab", "ba"}), "--text");
    check_refused(translate({"--text", "ab", "--input", files.lines}), "--text");
}

TEST_CASE("a document keeps its format, and lines are no document") {
    const Files files;
    for (const char* name : {"out.pdf", "out.docx", "out.txt"}) {
        CAPTURE(name);
        check_refused(translate({files.film, "-o", files.in(name)}), "a document keeps its format, srt");
        check_refused(translate({"--document", "-i", files.film, "-o", files.in(name)}), "a document keeps its format");
        CHECK_FALSE(fs::exists(files.in(name)));
    }
    for (const char* name : {"out.pdf", "out.docx", "out.epub"}) {
        CAPTURE(name);
        check_refused(translate({files.lines, "-o", files.in(name)}), "texts are written as lines");
        check_refused(translate({"ab", "-o", files.in(name)}), "texts are written as lines");
        CHECK_FALSE(fs::exists(files.in(name)));
    }
    CHECK(output(translate({files.film, "-o", files.in("film.de.srt")})).empty());
}

TEST_CASE("a document's output has an ending, or is a folder, which is made") {
    const Files files;
    const std::string german = files.in("german");
    check_refused(translate({files.note, "-o", german}),
                  "expected a name that ends in .md, or a folder, " + german + "/");
    CHECK_FALSE(fs::exists(german));
    CHECK(output(translate({files.note, "-o", german, "--document"})).empty());
    CHECK(fs::is_regular_file(german));
    CHECK(output(translate({files.note, "-o", files.in("made/")})).empty());
    CHECK(fs::exists(files.in("made/note.md")));
    CHECK(output(translate({files.lines, "-o", files.in("made too/")})).empty());
    CHECK(fs::exists(files.in("made too/lines.txt")));
    CHECK(output(translate({files.lines, "-o", files.in("lines")})).empty());  // they need no ending
}

TEST_CASE("- is standard input, and --text - the text") {
    const std::string& expected = piped("ab\nba\n");
    CHECK(output(translate({"-"}, "ab\nba\n")) == expected);
    CHECK(output(translate({"--text", "-"}, "ab\nba\n")) == output(translate({}, "-\n")));
    check_refused(translate({"-", "ab", Files().lines}), "\"-\": is no file");
    const std::string detected = output(run(DRAGOMAN_CLI, {"detect"}, "Where is the station?\n"));
    CHECK(output(run(DRAGOMAN_CLI, {"detect", "-"}, "Where is the station?\n")) == detected);
}

TEST_CASE("with markup, what begins with a tag is no name of a file") {
    const std::string page = "<p>ab</p>";
    CHECK(output(translate({"--html", page})) == output(translate({"--html", "--text", page})));
    CHECK(output(translate({"--xml", page})) == output(translate({"--xml", "--text", page})));
    check_refused(translate({page}), "no such file: " + page);
    check_refused(translate({"--html", "no/such"}), "no such file: no/such");
}

TEST_CASE("a document is no JSON of lines, and its tokens are none") {
    const Files files;
    const std::string note = files.in("out.md");
    for (const std::string flag : {"--json", "--tokens"}) {
        CAPTURE(flag);
        check_refused(translate({files.note, "-o", note, flag}), flag + ": writes lines, which are no markdown");
        check_refused(translate({files.note, files.lines, "-o", files.in("out"), flag}), flag + ": writes lines");
        check_refused(translate({files.note, "-o", note, "--document", flag}),
                      flag + ": changes nothing in a document");
    }
    CHECK_FALSE(fs::exists(note));
    CHECK_FALSE(fs::exists(files.in("out")));
    CHECK(output(translate({files.note, "--json"})) == output(translate({"--json"}, read_file(files.note))));
    CHECK(output(translate({files.note, "--json", "-o", files.in("out.jsonl")})).empty());
    CHECK(read_file(files.in("out.jsonl")).starts_with("{"));
}

TEST_CASE("options that a document has no place for are refused") {
    const Files files;
    const std::string note = files.in("out.md");
    const std::vector<std::vector<std::string>> idle = {
        {"--scores"},      {"--quality"},     {"--alignment", "pharaoh"}, {"--attention"},
        {"--prefix", "a"}, {"--n-best", "2"}, {"--on-error", "skip"}};
    for (const std::vector<std::string>& flags : idle) {
        CAPTURE(flags.front());
        std::vector<std::string> all = {files.note, "-o", note};
        all.insert(all.end(), flags.begin(), flags.end());
        check_refused(translate(all), flags.front());
        CHECK_FALSE(fs::exists(note));
        all = {files.lines, files.note, "-o", files.in("out")};
        all.insert(all.end(), flags.begin(), flags.end());
        check_refused(translate(all), flags.front());
        CHECK_FALSE(fs::exists(files.in("out")));
    }
    CHECK(output(translate({files.note, "-o", note, "--n-best", "1", "--batch-size", "10", "--stats"})).empty());
}

TEST_CASE("options that change nothing without others are refused") {
    const Files files;
    const auto refused = [](const std::vector<std::string>& flags, const std::string& why) {
        CAPTURE(flags.front());
        std::vector<std::string> all = {"ab"};
        all.insert(all.end(), flags.begin(), flags.end());
        const Run run = translate(all);
        CHECK(run.exit_code == 2);
        check_refused(run, why);
    };
    refused({"--attention-head", "1"}, "--attention-head: changes nothing without --attention");
    refused({"--attention-layer", "1"}, "--attention-layer: changes nothing without --attention");
    refused({"--min-alternative-prob", "0.1"}, "--min-alternative-prob: changes nothing without --alternatives");
    refused({"--coverage"}, "--coverage: is written with --json");
    refused({"--glossary", files.lines, "--tokens"}, "--glossary: its terms are found in texts");
    output(translate({"ab", "--attention", "--attention-head", "1"}));
    output(translate({"ab", "--alternatives", "--min-alternative-prob", "0.1"}));
}

TEST_CASE("several models, weights and ways do not swallow the text") {
    const std::string expected = output(translate({"ab ba."}));
    const auto run_tool = [](const std::vector<std::string>& arguments) { return run(DRAGOMAN_CLI, arguments); };
    const std::vector<std::vector<std::string>> orders = {
        {"translate", "ab ba.", "--models", kToy, kToy},
        {"translate", "--models", kToy, kToy, "ab ba."},
        {"translate", "--models", kToy, "--models", kToy, "ab ba.", "--beam", "2"},
        {"-v", "translate", "--models", kToy, kToy, "--weights", "0.5", "5e-1", "ab ba."},
        {"translate", "--models", kToy, kToy, "--weights", "0.5", "0.5", "--", "ab ba."}};
    for (const std::vector<std::string>& order : orders) CHECK(output(run_tool(order)) == expected);
    CHECK(output(run_tool({"translate", "--models", kToy, kToy, "ab.", "ba."})) == output(translate({"ab.", "ba."})));
    check_refused(run_tool({"translate", "--models", kToy, "mistyped"}), "mistyped");
    check_refused(run_tool({"translate", "ab", "--models", kToy, kToy, "--weights", "0.5", "0,5"}),
                  "expected 2 numbers");
}

TEST_CASE("numbers are sizes and numbers, or refused") {
    const std::vector<std::vector<std::string>> wrong = {{"--memory-limit", "-5"},
                                                         {"--memory-limit", "99999999999999999999"},
                                                         {"--memory-size", "-5"},
                                                         {"--memory-size", "-1GB"},
                                                         {"--memory-limit", "99999999999GB"},
                                                         {"--length-penalty", "nan"},
                                                         {"--repetition-penalty", "NaN"},
                                                         {"--temperature", "-nan"},
                                                         {"--memory-limit", "much"}};
    for (const std::vector<std::string>& flags : wrong) {
        CAPTURE(flags.front());
        CAPTURE(flags.back());
        const Run run = translate({"ab", flags.front(), flags.back()});
        CHECK(run.exit_code == 2);
        check_refused(run, flags.front());
    }
    const std::string expected = output(translate({"ab"}));
    for (const char* size : {"0", "2000MB", "2 GB", "2147483648", "2gb"})
        CHECK(output(translate({"ab", "--memory-limit", size, "--memory-size", size})) == expected);
}

TEST_CASE("a zero byte parts words, and many are another encoding") {
    const std::string zero(1, '\0');
    CHECK(output(translate({}, "ab" + zero + "ba\n")) == output(translate({}, "ab ba\n")));
    check_refused(translate({}, "a" + zero + "b" + zero + "b" + zero + "\n"), "line 1: expected UTF-8, got UTF-16");
}

TEST_CASE("a page or picture that cannot be written is told before the work") {
    const Files files;
    for (const char* flag : {"--show", "--attention-picture"}) {
        CAPTURE(flag);
        check_refused(translate({flag, files.in("missing/x.html"), "ab"}), "missing/x.html: ");
        check_refused(translate({flag, files.in("new.html"), "ab", "--beam", "0"}), "--beam");
        CHECK_FALSE(fs::exists(files.in("new.html")));
    }
}

TEST_CASE("what is wrong with the input is said first") {
    const Files files;
    const std::string pdf = files.in("report.pdf");
    std::ofstream(pdf) << "%PDF-1.4\n";
    for (const char* name : {"out.pdf", "out.txt"})
        check_refused(translate({"-i", pdf, "--document", "-o", files.in(name)}), "got a PDF; pdftotext says its text");
    check_refused(translate({"-i", pdf, "-o", files.in("out.pdf")}), "got a PDF; pdftotext says its text");
    const std::string lines = files.in("wide.txt");
    std::ofstream(lines, std::ios::binary) << std::string(
        "\xff\xfe"
        "a\0\n\0",
        6);
    check_refused(translate({"-i", lines}), "line 1: expected UTF-8, got UTF-16");
}

}  // namespace cli_arguments_test
