// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {
namespace {

std::vector<std::string>& words() {
    static std::vector<std::string> given;
    return given;
}

std::string quoted(const std::string& word) {
    static constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string result = "'";
    for (const char letter : word) result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return result + "'";
}

}  // namespace

void remember_command_line(int argc, const char* const* argv) { words().assign(argv, argv + argc); }

std::string command_to_resume() {
    std::string command;
    bool added = std::ranges::find(words(), "--resume") != words().end();
    for (const std::string& word : words()) {
        if (word == "--" && !std::exchange(added, true)) command += " --resume";  // behind it are texts
        command += (command.empty() ? "" : " ") + quoted(word);
    }
    return added ? command : command + " --resume";
}

}  // namespace cli
