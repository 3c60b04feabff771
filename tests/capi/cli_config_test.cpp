// SPDX-License-Identifier: Apache-2.0
// The file of defaults of `dragoman translate`: flags come before the environment, that before the file.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>

#include "support/system.h"
#include "tool_run.h"

namespace cli_config_test {

using namespace dragoman::test;

namespace {

namespace fs = std::filesystem;

const std::string kToy = DRAGOMAN_TEST_DATA "/toy-text", kCodes = DRAGOMAN_TEST_DATA "/huggingface/shared";
const std::string kText = "batin kétiß kénara!";

struct Home {
    explicit Home(const std::string& config) {
        fs::create_directories(folder.path() / "dragoman");
        folder.write("dragoman/config.toml", config);
    }
    Run translate(const std::vector<std::string>& more, const std::string& environment = "") const {
        std::vector<std::string> all = {"translate", kText};
        all.insert(all.end(), more.begin(), more.end());
        return run(DRAGOMAN_CLI, all, "", "XDG_CONFIG_HOME='" + folder.path().string() + "' " + environment);
    }
    const TempDir folder;
};

// Asked for once: a run takes half a second.
const std::string& by_flags(const std::vector<std::string>& more) {
    static std::map<std::vector<std::string>, std::string> known;
    const auto [at, added] = known.try_emplace(more);
    if (added) at->second = output(Home("").translate(more));
    return at->second;
}

}  // namespace

TEST_CASE("options come from the file, and flags and the environment before it" * only_posix()) {
    const Home home("# defaults\nmodel = \"" + kCodes +
                    "\"\n\nto = 'yy'  # the language\nbeam = 3\nn-best = 2\nscores = true\n" +
                    "quality = false\nsuppress = [\"▁Gaku\", \"▁fo\"]\n");
    const std::vector<std::string> flags = {"--model", kCodes,       "--to", "yy",       "--beam",
                                            "3",       "--n-best",   "2",    "--scores", "--suppress",
                                            "▁Gaku",   "--suppress", "▁fo"};
    const std::string expected = by_flags(flags);
    CHECK(output(home.translate({})) == expected);
    std::vector<std::string> other = flags;
    other[3] = "xx";
    CHECK(by_flags(other) != expected);
    CHECK(output(home.translate({"--to", "xx"})) == by_flags(other));
    CHECK(output(home.translate({"--no-config", "--model", kToy})) == by_flags({"--model", kToy}));

    const Home named("model = \"" + kCodes + "\"\n");
    CHECK(output(named.translate({}, "DRAGOMAN_MODEL='" + kToy + "'")) == by_flags({"--model", kToy}));
    CHECK(output(named.translate({"--model", kToy})) == by_flags({"--model", kToy}));
    CHECK(output(named.translate({"--models", kToy, kToy})) == by_flags({"--models", kToy, kToy}));
}

TEST_CASE("what is wrong in the file is named with its line" * only_posix()) {
    const auto check_refused = [](const std::string& config, const std::string& what) {
        CAPTURE(config);
        const Run run = Home(config).translate({"--model", kToy});
        CHECK(run.exit_code == 1);
        CHECK(run.out.empty());
        CHECK_MESSAGE(run.err.find("config.toml: line " + what) != std::string::npos, run.err);
    };
    check_refused("\nbeem = 4\n",
                  "2: beem: expected an option of dragoman translate without its dashes; did you mean beam?");
    check_refused("beam = 4\nbeam = 5\n", "2: beam: is here twice");
    check_refused("beam = \"many\"\n", "1: ");
    check_refused("scores = 3\n", "1: scores: expected true or false, got 3");
    check_refused("output = \"x\"\n", "1: output: is an option of one run");
    check_refused("beam\n", "1: expected KEY = VALUE");
    check_refused("to = de\n", "1: expected a value");
    check_refused("to = \"de\n", "1: expected a quote");
    check_refused("suppress = [\"a\"\n", "1: expected a list");
    check_refused("beam = 4 5\n", "1: expected the end of the line, got 5");
    check_refused("html = true\nxml = true\n", "2: --xml cannot be combined with --html");
    check_refused("[translate]\n", "1: expected KEY = VALUE; there are no sections");
    check_refused("to = \"\"\n", "1: ");
}

TEST_CASE("options of the file satisfy those that need them, and stay idle where they change nothing" * only_posix()) {
    const Run way = Home("to = \"de\"\n").translate({"--route", "/no/such/model", "--from", "en"});
    CHECK_MESSAGE(way.err.find("/no/such/model") != std::string::npos, way.err);
    const Run no_source = Home("to = \"de\"\n").translate({"--route", "/no/such/model"});
    CHECK(no_source.exit_code == 2);
    CHECK_MESSAGE(no_source.err.find("--route requires --from") != std::string::npos, no_source.err);
    const Home models("models = [\"" + kToy + "\", \"" + kToy + "\"]\n");
    CHECK(output(models.translate({"--weights", "0.5", "0.5"})) == by_flags({"--model", kToy}));
    const Home idle("coverage = true\nattention-head = 1\nmin-alternative-prob = 0.5\n");
    CHECK(output(idle.translate({"--model", kToy})) == by_flags({"--model", kToy}));
}

TEST_CASE("a document has no lines that json = true could be of" * only_posix()) {
    const Home home("json = true\nscores = true\nn-best = 2\n");
    const std::string note = home.folder.write("note.md", "# ab\n").string(),
                      out = (home.folder.path() / "out.md").string();
    const std::string variables = "XDG_CONFIG_HOME='" + home.folder.path().string() + "'";
    CHECK(output(run(DRAGOMAN_CLI, {"translate", "--model", kToy, note, "-o", out}, "", variables)).empty());
    CHECK(read_file(out).starts_with("# "));
    const Run unnamed = run(DRAGOMAN_CLI, {"translate", "--model", kToy, note}, "", variables);
    check_refused(unnamed, "note.md: is a document");
    CHECK(output(home.translate({"--model", kToy})).starts_with("{"));
}

TEST_CASE("the file may begin with a byte order mark" * only_posix()) {
    CHECK(output(Home("\xef\xbb\xbfmodel = \"" + kToy + "\"\n").translate({})) == by_flags({"--model", kToy}));
}

TEST_CASE("folders of the user that are relative are none" * only_posix()) {
    const TempDir folder;
    fs::create_directories(folder.path() / "here/dragoman");
    folder.write("here/dragoman/config.toml", "beem = 3\n");
    for (const char* variables :
         {"XDG_CONFIG_HOME=here HOME=/nonexistent", "HOME=here XDG_CACHE_HOME=here DRAGOMAN_CACHE_DIR="}) {
        CAPTURE(variables);
        const std::string program = fs::absolute(DRAGOMAN_CLI).string();
        output(run("env", {"-C", folder.path().string(), program, "translate", "--model", kToy, kText}, "", variables));
        CHECK_FALSE(fs::exists(folder.path() / "here/.cache/dragoman"));  // Mesa has its own there
    }
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path() / "here/dragoman"))
        files += entry.is_regular_file();
    CHECK(files == 1);
}

TEST_CASE("a level of the log that is none is told once") {
    const Run run = dragoman::test::run(DRAGOMAN_CLI, {"translate", "--model", kToy, kText}, "",
                                        "DRAGOMAN_LOG=nonsense");
    const std::string why = "DRAGOMAN_LOG: expected error, warning, info or debug, got \"nonsense\"";
    CHECK(run.exit_code == 0);
    CHECK_MESSAGE(run.err.find(why) != std::string::npos, run.err);
    CHECK(run.err.find(why, run.err.find(why) + 1) == std::string::npos);
    CHECK(dragoman::test::run(DRAGOMAN_CLI, {"translate", "--model", kToy, kText}, "", "DRAGOMAN_LOG=warning")
              .err.empty());
}

}  // namespace cli_config_test
