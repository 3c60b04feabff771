// SPDX-License-Identifier: Apache-2.0
#include "help.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <sstream>
#include <string_view>

namespace cli {
namespace {

constexpr std::array<std::string_view, 13> kOfTranslate = {"to",     "from",     "model",  "input",   "output",
                                                           "html",   "glossary", "memory", "quality", "beam",
                                                           "device", "json",     "help"};
constexpr std::array<std::string_view, 11> kOfContinue = {"model",  "input",    "output",      "max-length",
                                                          "beam",   "sampling", "temperature", "n-best",
                                                          "device", "json",     "help"};

// Of other commands, all but what says how a device works.
bool is_usual(std::string_view command, const CLI::Option& option) {
    const std::string name = option.get_lnames().empty() ? "" : option.get_lnames().front();
    if (name == "help-all") return true;
    if (command == "translate") return std::ranges::count(kOfTranslate, name) > 0;
    if (command == "continue") return std::ranges::count(kOfContinue, name) > 0;
    return option.get_group() != "Model and device" || name == "model" || name == "device";
}

}  // namespace

std::string Help::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
    if (mode != CLI::AppFormatMode::Normal || app->get_parent() == nullptr)
        return CLI::Formatter::make_help(app, name, mode);
    std::vector<const CLI::Option*> usual;
    std::size_t all = 0;
    for (const OptionGroup& group : option_groups(*app))
        for (const CLI::Option* option : group.options) {
            ++all;
            if (is_usual(app->get_name(), *option)) usual.push_back(option);
        }
    std::ostringstream out;
    out << make_description(app) << make_usage(app, name) << make_positionals(app)
        << make_group("Options", false, usual);
    if (all > usual.size()) out << "\n" << name << " --help-all has " << all - usual.size() << " more options.\n";
    out << make_footer(app);
    return out.str();
}

std::vector<OptionGroup> option_groups(const CLI::App& app) {
    std::vector<OptionGroup> groups;
    for (const std::string& name : app.get_groups()) {
        if (name.empty()) continue;  // hidden
        auto options = app.get_options([&](const CLI::Option* option) {
            return option->get_group() == name && option->nonpositional();
        });
        if (!options.empty()) groups.push_back({name, std::move(options)});
    }
    return groups;
}

void describe(CLI::App& app) {
    app.footer("'dragoman help COMMAND' says more of a command; 'dragoman COMMAND --help-all' lists all its options.");
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) command->footer("");
    app.get_subcommand("translate")
        ->footer(
            "Examples:\n"
            "  dragoman translate --to de \"Where is the station?\"\n"
            "  dragoman translate --to german letter.docx --output brief.docx\n"
            "  dragoman translate --to de < lines.txt > translations.txt");
}

}  // namespace cli
