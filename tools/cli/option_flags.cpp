// SPDX-License-Identifier: Apache-2.0
#include "option_flags.h"

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace cli {
namespace {

using Group = const std::string&;
using Words = std::map<std::string, uint32_t>;  // for numbers of their own meaning

enum class Default { of_option, of_model };
constexpr Default kOwn = Default::of_option, kModels = Default::of_model;

template <class T>
CLI::Option* add_value(CLI::App* app, const char* name, T& target, Default kind, const char* text, Group group) {
    CLI::Option* option = app->add_option(name, target, text)->group(group);
    return kind == kModels ? option->default_str("model's") : option->capture_default_str();
}

void add_number(CLI::App* app, const char* name, float& target, Default kind, const char* text, Group group) {
    add_value(app, name, target, kind, text, group)->check(is_number, "");
}

void add_count(CLI::App* app, const char* name, uint32_t& target, Default kind, const char* text, Group group,
               const Words& words = {}) {
    CLI::Option* option = add_value(app, name, target, kind, text, group);
    if (!words.empty()) option->transform(CLI::Transformer(words).description(""));
}

void add_enumeration(CLI::App* app, const char* name, int32_t& target, const std::vector<std::string>& words,
                     const char* text, Group group) {
    std::map<std::string, int32_t> choices;
    for (const std::string& word : words) choices.emplace(word, int32_t(choices.size()));
    app->add_option(name, target, text)
        ->transform(CLI::CheckedTransformer(choices).description("{" + names(choices) + "}"))
        ->type_name("NAME")
        ->default_str(words.front())
        ->group(group);
}

void add_text(CLI::App* app, const char* name, std::string& target, const char* text, Group group) {
    app->add_option(name, target, text)->group(group);
}

// It is read from a file.
void add_handle(CLI::App* app, const char* name, std::string& file, const char* text, Group group) {
    add_text(app, name, file, text, group);
}

void add_tokens(CLI::App* app, const char* name, std::vector<std::string>& target, const char* text, Group group) {
    app->add_option(name, target, text)->allow_extra_args(false)->group(group);
}

// Their tokens stand in one text.
void add_sequences(CLI::App* app, const char* name, std::vector<std::string>& target, const char* text, Group group) {
    add_tokens(app, name, target, text, group);
}

}  // namespace

std::string is_number(const std::string& said) {
    const bool number = !std::isnan(std::strtof(said.c_str(), nullptr));
    return number ? std::string() : "expected a number, got " + said;
}

std::string names(const std::map<std::string, int32_t>& choices) {
    std::string list;
    for (const auto& [name, value] : choices) list += (list.empty() ? "" : ",") + name;
    return list;
}

void add_option_flags(CLI::App* app, TranslateCommand& command, const std::string& group) {
    dragoman_translate_options& options = command.options;
    const bool translates = !command.continues;
#include "cli/option_flags.inc"
}

}  // namespace cli
