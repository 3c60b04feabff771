// SPDX-License-Identifier: Apache-2.0
#include "help.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <sstream>
#include <string_view>

namespace cli {
namespace {

// In the order of the help.
constexpr std::array<std::string_view, 12> kOfTranslate = {"to",   "from",     "model",  "input",   "output", "html",
                                                           "json", "glossary", "memory", "quality", "beam",   "device"};
constexpr std::array<std::string_view, 10> kOfContinue = {"model", "input",    "output",      "json",   "max-length",
                                                          "beam",  "sampling", "temperature", "n-best", "device"};

constexpr std::array<std::string_view, 13> kOfServe = {
    "host",       "port",    "api-prefix", "public-url",          "tls-certificate",
    "tls-key",    "state",   "keys-file",  "requests-per-minute", "trust-proxy",
    "allow-host", "metrics", "device"};

std::string name_of(const CLI::Option& option) {
    return option.get_lnames().empty() ? std::string() : option.get_lnames().front();
}

using OptionList = std::vector<const CLI::Option*>;

OptionList picked(const CLI::App& app, std::span<const std::string_view> names) {
    OptionList options;
    for (const std::string_view name : names) options.push_back(app.get_option("--" + std::string(name)));
    return options;
}

// Of most commands, all but what says how a device works; without those that show help.
OptionList usual_options(const CLI::App& app) {
    if (app.get_name() == "translate") return picked(app, kOfTranslate);
    if (app.get_name() == "continue") return picked(app, kOfContinue);
    if (app.get_name() == "serve") return picked(app, kOfServe);
    OptionList options;
    for (const OptionGroup& group : option_groups(app))
        for (const CLI::Option* option : group.options) {
            const std::string name = name_of(*option);
            const bool helps = option == app.get_help_ptr() || option == app.get_help_all_ptr();
            const bool of_device = group.name == "Model and device" && name != "model" && name != "device";
            if (!helps && !of_device) options.push_back(option);
        }
    return options;
}

}  // namespace

std::string Help::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
    if (mode != CLI::AppFormatMode::Normal || app->get_parent() == nullptr)
        return CLI::Formatter::make_help(app, name, mode);
    OptionList shown = usual_options(*app);
    shown.insert(shown.end(), {app->get_help_ptr(), app->get_help_all_ptr()});
    std::size_t all = 0;
    for (const OptionGroup& group : option_groups(*app)) all += group.options.size();
    std::ostringstream out;
    out << make_description(app) << make_usage(app, name) << make_positionals(app)
        << make_group("Options", false, shown);
    if (all > shown.size()) out << "\n" << name << " --help-all has " << all - shown.size() << " more options.\n";
    if (!app->get_footer().empty()) out << "\n" << make_footer(app);
    return out.str();
}

// What excludes what is said by the messages about it.
std::string Help::make_option_opts(const CLI::Option* option) const {
    const std::string text = CLI::Formatter::make_option_opts(option);
    return text.substr(0, std::min(text.find(" Needs:"), text.find(" Excludes:")));
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
    app.footer(
        "'dragoman help COMMAND' says more of a command; 'dragoman COMMAND --help-all' lists all its options.\n"
        "'dragoman completion SHELL' prints what completes command lines in bash, zsh or fish, 'dragoman manual COMMAND'\n"
        "a page for man.");
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) command->footer("");
    app.get_subcommand("translate")
        ->footer(
            "Examples:\n"
            "  dragoman translate --to de \"Where is the station?\"\n"
            "  dragoman translate --to german letter.docx --output brief.docx\n"
            "  dragoman translate --to de < lines.txt > translations.txt");
    for (CLI::App* serve : app.get_subcommands([](CLI::App* each) { return each->get_name() == "serve"; }))
        serve->footer(
            "Examples:\n"
            "  dragoman serve                          the page and the APIs at http://127.0.0.1:5000\n"
            "  dragoman serve firefox:de-en en-de.gguf these models only\n"
            "  dragoman serve keys add --note Mastodon makes a key; from then on one is needed");
}

}  // namespace cli
