// SPDX-License-Identifier: Apache-2.0
// What shells offer for a command line, asked of the shells themselves.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <sstream>

#include "support/system.h"
#include "tool_run.h"

namespace cli_completion_test {

using namespace dragoman::test;
namespace fs = std::filesystem;

namespace {

// For cases about a program that a machine may lack.
doctest::skip only_with(const char* program) {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (std::error_code none; fs::exists(fs::path(folder) / program, none)) return doctest::skip(false);
    return doctest::skip();
}

std::string script_for(const char* shell) { return output(run(DRAGOMAN_CLI, {"completion", shell})); }

struct Line {
    const char *given, *offered;
};

// Offers are sorted, with spaces between them.
const Line kLines[] = {
    {"dragoman trans", "translate"},
    {"dragoman --versi", "--version"},  // fish offers --verbose for --vers too
    {"dragoman -v detec", "detect"},
    {"dragoman help det", "detect"},
    {"dragoman translate --glo", "--glossary"},
    {"dragoman translate detect --expec", ""},
    {"dragoman detect translate --expec", "--expect"},
    {"dragoman translate --early-stopping o", "off on"},
    {"dragoman translate --compute-type float", "float16 float32"},
    {"dragoman models se", "search"},
    {"dragoman models search regist", ""},
    {"dragoman serve key", "keys"},
    {"dragoman serve --public-u", "--public-url"},
    {"dragoman serve keys --no", "--note"},
    {"dragoman serve keys im", "import"},
    {"dragoman translate no", "note.txt"},
    {"dragoman translate --glossary no", "note.txt"},
};
const Line kLinesInOneWord[] = {{"dragoman translate --early-stopping=o", "off on"},
                                {"dragoman translate --early-stopping=of", "off"}};

// Asks for all lines with a program that prints what is offered for its second argument, a word a line.
void check_lines(const std::vector<std::string>& program, const fs::path& folder, std::span<const Line> lines,
                 std::string_view before = "") {
    for (const Line& line : lines) {
        CAPTURE(line.given);
        std::vector<std::string> arguments{"-C", folder.string()};
        arguments.insert(arguments.end(), program.begin(), program.end());
        arguments.push_back(line.given);
        const Run run = dragoman::test::run("env", arguments);
        CHECK_MESSAGE(run.err.empty(), run.err);
        std::istringstream offers(run.out);
        std::vector<std::string> words;
        for (std::string word; std::getline(offers, word);)
            words.push_back(word.starts_with(before) ? word.substr(before.size()) : word);
        std::ranges::sort(words);
        words.erase(std::ranges::unique(words).begin(), words.end());
        std::string all;
        for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
        CHECK(all == line.offered);
    }
}

}  // namespace

TEST_CASE("shells complete commands, options and their choices") {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        CAPTURE(shell);
        const std::string script = script_for(shell);
        for (const char* word : {"translate", "detect", "glossary", "auto float32 float16 int8", "text"})
            CHECK_MESSAGE(script.find(word) != std::string::npos, word);
    }
    CHECK(run(DRAGOMAN_CLI, {"completion", "csh"}).err ==
          "dragoman: completion: expected bash, zsh or fish, got csh\n");
}

TEST_CASE("bash completes a command line" * only_posix() * only_with("bash")) {
    const TempDir folder;
    folder.write("note.txt", "");
    folder.write("dragoman.bash", script_for("bash"));
    folder.write("ask.sh",
                 "source dragoman.bash\n"
                 "line=${1//=/ = }\n"  // as bash cuts it
                 "read -ra COMP_WORDS <<< \"$line\"\n"
                 "[[ $line == *' ' ]] && COMP_WORDS+=('')\n"
                 "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                 "_dragoman\n"
                 "[ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' \"${COMPREPLY[@]}\"\n");
    check_lines({"bash", "ask.sh"}, folder.path(), kLines);
    check_lines({"bash", "ask.sh"}, folder.path(), kLinesInOneWord);
}

// A zsh of its own on a terminal, in which compadd, that shells give offers to, prints them.
TEST_CASE("zsh completes a command line" * only_posix() * only_with("zsh")) {
    const TempDir folder;
    folder.write("note.txt", "");
    folder.write("_dragoman", script_for("zsh"));
    folder.write("setup.zsh", R"(PROMPT=
fpath=($PWD $fpath)
autoload -Uz compinit
compinit -D -u
bindkey '^I' complete-word
before() { print -r -- $'\n<<<' }
after() { print -r -- '>>>'; exit }
compprefuncs=(before)
comppostfuncs=(after)
compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
    local -a hits
    builtin compadd -A hits "$@"
    print -rl -- $hits
    return 1
}
print ready
)");
    folder.write("ask.zsh", R"(zmodload zsh/zpty || exit
zpty shell zsh -f -i
zpty -w shell 'source ./setup.zsh'
while zpty -r shell line; do [[ $line == *ready* ]] && break; done
zpty -n -w shell $1$'\t'
while zpty -r shell line; do
    line=${line%%$'\r'*}
    [[ $line == *'>>>'* ]] && break
    [[ -n $on && -n $line ]] && print -r -- $line
    [[ $line == *'<<<'* ]] && on=1
done
)");
    check_lines({"zsh", "-f", "ask.zsh"}, folder.path(), kLines);
    check_lines({"zsh", "-f", "ask.zsh"}, folder.path(), kLinesInOneWord);
}

TEST_CASE("fish completes a command line" * only_posix() * only_with("fish")) {
    const TempDir folder;
    folder.write("note.txt", "");
    folder.write("dragoman.fish", script_for("fish"));
    folder.write("ask.fish", "source dragoman.fish\ncomplete -C \"$argv[1]\" | cut -f1\n");
    const std::vector<std::string> ask{"HOME=" + folder.path().string(), "fish", "--no-config", "ask.fish"};
    check_lines(ask, folder.path(), kLines);
    check_lines(ask, folder.path(), kLinesInOneWord, "--early-stopping=");
}

}  // namespace cli_completion_test
