// SPDX-License-Identifier: Apache-2.0
#include "combinations.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

namespace cli {
namespace {

using Names = std::initializer_list<const char*>;

bool is_set(const CLI::App& command, const char* name) {
    const CLI::Option* option = command.get_option_no_throw(std::string("--") + name);
    return option && option->count() > 0;
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
    throw CLI::ParseError("--" + name + why, CLI::ExitCodes::RequiresError);
}

void check_needs(const CLI::App& command, const char* name, Names needed) {
    for (const char* other : needed)
        if (is_set(command, name) && !is_set(command, other)) refuse(name, std::string(" requires --") + other);
}

void check_use(const CLI::App& command, const std::set<std::string>& given, const char* name, Names users,
               const std::string& why) {
    const bool used = std::ranges::any_of(users, [&](const char* user) { return is_set(command, user); });
    if (given.contains(name) && !used) refuse(name, ": " + why);
}

}  // namespace

std::set<std::string> given_options(const CLI::App& command) {
    std::set<std::string> names;
    for (const CLI::Option* option : command.get_options())
        if (option->count() > 0) names.insert(option->get_lnames().begin(), option->get_lnames().end());
    return names;
}

void check_combinations(const CLI::App& command, const std::set<std::string>& given) {
    check_needs(command, "route", {"from", "to"});
    check_needs(command, "weights", {"models"});
    // Everything that reads the weights of attention.
    const Names readers = {
        "attention",        "attention-picture", "alignment",   "show",     "coverage", "max-uncovered-words",
        "replace-unknowns", "coverage-penalty",  "html",        "xml",      "glossary", "keep-spans",
        "quality",          "quality-marks",     "min-quality", "document", "format",   "output"};
    for (const char* name : {"attention-layer", "attention-head"})
        check_use(command, given, name, readers,
                  "changes nothing without --attention, --attention-picture or "
                  "--alignment");
    check_use(command, given, "min-alternative-prob", {"alternatives"}, "changes nothing without --alternatives");
    check_use(command, given, "coverage", {"json", "show"}, "is written with --json, and changes nothing without it");
    if (given.contains("glossary") && is_set(command, "tokens"))
        refuse("glossary", ": its terms are found in texts, and --tokens are none");
}

}  // namespace cli
