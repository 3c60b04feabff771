// SPDX-License-Identifier: Apache-2.0
#include "config_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/os/environment.h"
#include "base/os/path_text.h"
#include "commands.h"
#include "mistakes.h"
#include "nearest.h"
#include "shells.h"

namespace cli {
namespace {

// What is of one run only, and can be no default.
constexpr std::array<std::string_view, 12> kOfOneRun = {
    "input",     "output", "text", "document", "format",   "show", "attention-picture",
    "write-tmx", "resume", "help", "help-all", "no-config"};

// Options that the library also takes from the environment.
constexpr std::pair<std::string_view, const char*> kOfEnvironment[] = {{"model", "DRAGOMAN_MODEL"},
                                                                       {"device", "DRAGOMAN_DEVICE"},
                                                                       {"cache-dir", "DRAGOMAN_CACHE_DIR"}};

// A line of TOML: KEY = VALUE, where a value is a string, a number, true, false, or a list of these on one line. Not
// read by toml++, whose errors say less of what is expected ("could not determine value type" of `to = de`), and which
// takes four seconds to compile or is one more library in each package.
class Line {
public:
    Line(std::string_view text, std::string place) : rest_(text), place_(std::move(place)) {}

    bool is_blank() {
        skip_spaces();
        return rest_.empty() || rest_.front() == '#';
    }

    std::string key() {
        skip_spaces();
        const std::string name = rest_.starts_with('"') ? string() : word();
        skip_spaces();
        const std::string hint = name.starts_with('[') ? "; there are no sections" : "";
        if (!rest_.starts_with('=')) fail("expected KEY = VALUE" + hint);
        rest_.remove_prefix(1);
        return name;
    }

    std::vector<std::string> values() {
        std::vector<std::string> all;
        skip_spaces();
        if (!rest_.starts_with('[')) {
            all.push_back(value());
        } else {
            do {
                rest_.remove_prefix(1);
                skip_spaces();
                if (!rest_.starts_with(']')) all.push_back(value());
                skip_spaces();
            } while (rest_.starts_with(','));
            if (!rest_.starts_with(']')) fail("expected a list that ends with ] on its line");
            rest_.remove_prefix(1);
        }
        if (!is_blank()) fail(fmt::format("expected the end of the line, got {}", rest_));
        return all;
    }

    [[noreturn]] void fail(const std::string& why) const { throw Failure(place_ + ": " + why); }

private:
    void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size())); }

    std::string value() {
        if (rest_.starts_with('"') || rest_.starts_with('\'')) return string();
        std::string plain = word();
        const bool number = !plain.empty() && plain.find_first_not_of("0123456789.+-eE") == std::string::npos;
        if (!number && plain != "true" && plain != "false")
            fail("expected a value: a text in quotes, a number, true or false, or a list of these");
        return plain;
    }

    std::string word() {
        const std::size_t end = std::min(rest_.find_first_of(" \t\r=,]#\"'"), rest_.size());
        std::string text(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return text;
    }

    // As TOML has them: backslashes mean something in double quotes only.
    std::string string() {
        const char quote = rest_.front();
        std::string text;
        for (std::size_t at = 1; at < rest_.size(); ++at) {
            if (rest_[at] == quote) {
                rest_.remove_prefix(at + 1);
                return text;
            }
            if (rest_[at] == '\\' && quote == '"') {
                constexpr std::string_view kNames = "\\\"tn", kMeant = "\\\"\t\n";
                const std::size_t which = ++at < rest_.size() ? kNames.find(rest_[at]) : std::string_view::npos;
                if (which == std::string_view::npos) fail("expected \\\\, \\\", \\t or \\n behind a backslash");
                text += kMeant[which];
            } else {
                text += rest_[at];
            }
        }
        fail("expected a quote that ends the text");
    }

    std::string_view rest_;
    std::string place_;
};

CLI::Option* option_for(CLI::App& translate, const std::string& key, const Line& line) {
    std::vector<std::string> names;
    for (const CLI::Option* option : translate.get_options())
        for (const std::string& name : option->get_lnames())
            if (std::ranges::count(kOfOneRun, name) == 0) names.push_back(name);
    if (std::ranges::count(names, key) > 0) return translate.get_option("--" + key);
    if (std::ranges::count(kOfOneRun, key) > 0) line.fail(key + ": is an option of one run, and no default");
    const std::string meant = nearest(key, names);
    line.fail(key + ": expected an option of dragoman translate without its dashes" +
              (meant.empty() ? meant : "; did you mean " + meant + "?"));
}

bool in_environment(const std::string& key) {
    for (const auto& [name, variable] : kOfEnvironment)
        if (name == key) return !dragoman::os::environment(variable).empty();
    return false;
}

// By one that contradicts it, such as --models where the file names a model.
bool is_excluded(const CLI::Option& option, const std::vector<const CLI::Option*>& of_file, const Line& line) {
    for (const CLI::Option* other : option.get_excludes()) {
        if (std::ranges::count(of_file, other) > 0)
            line.fail(option.get_name() + " cannot be combined with " + other->get_name() + ", which is here too");
        if (other->count() > 0) return true;
    }
    return false;
}

void set(CLI::Option& option, const std::string& key, const std::vector<std::string>& values, const Line& line) {
    if (values.empty()) return;
    const bool flag = !takes_value(option);
    if (flag && values != std::vector<std::string>{"true"} && values != std::vector<std::string>{"false"})
        line.fail(fmt::format("{}: expected true or false, got {}", key, fmt::join(values, ", ")));
    if (flag && values.front() == "false") return;
    try {
        for (const std::string& value : values) option.add_result(value);
        option.run_callback();
    } catch (const CLI::ParseError& error) {
        line.fail(explain_value(option, error));
    }
}

}  // namespace

std::filesystem::path config_path() {
    const std::filesystem::path folder = dragoman::os::config_folder();
    return folder.empty() ? folder : folder / "dragoman" / "config.toml";
}

void read_config(CLI::App& translate) {
    const std::filesystem::path path = config_path();
    std::ifstream file;
    if (!path.empty()) file.open(path, std::ios::binary);
    if (!file.is_open()) return;
    std::vector<const CLI::Option*> seen;
    std::size_t number = 0;
    for (std::string text; std::getline(file, text);) {
        constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // editors on Windows write one
        if (number == 0 && text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
        Line line(text, fmt::format("{}: line {}", dragoman::text_of(path), ++number));
        if (line.is_blank()) continue;
        const std::string key = line.key();
        const std::vector<std::string> values = line.values();
        CLI::Option& option = *option_for(translate, key, line);
        if (std::ranges::count(seen, &option) > 0) line.fail(key + ": is here twice");
        const bool open = !is_excluded(option, seen, line) && option.count() == 0 && !in_environment(key);
        seen.push_back(&option);
        if (open) set(option, key, values, line);
    }
    if (file.bad()) throw Failure(dragoman::text_of(path) + ": cannot be read");
}

}  // namespace cli
