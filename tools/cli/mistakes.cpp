// SPDX-License-Identifier: Apache-2.0
#include "mistakes.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "nearest.h"
#include "shells.h"

namespace cli {
namespace {

constexpr std::pair<std::string_view, std::string_view> kFlags[] = {
#include "cli/option_names.inc"
    {"average_probabilities", "--average-probabilities"},
    {"memory_limit_bytes", "--memory-limit"},
    {"quality_pairs", "--calibrate"},
    {"alignment_text", "--alignment-text"},
};

std::string_view flag_of(std::string_view name) {
    for (const auto& [option, flag] : kFlags)
        if (option == name) return flag;
    return {};
}

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Where the name of an option begins a message: behind the place of the input, and behind the struct's name.
std::size_t beginning(const std::string& message) {
    std::size_t at = 0;
    for (const std::string_view counted : {"request ", "text ", "pair "})
        if (message.starts_with(counted)) at = std::min(message.find(": "), message.size() - 2) + 2;
    constexpr std::string_view kStruct = "options.";
    return std::string_view(message).substr(at).starts_with(kStruct) ? at + kStruct.size() : at;
}

// What other tools call an option.
constexpr std::pair<std::string_view, std::string_view> kOtherwise[] = {
    {"--target", "--to"},      {"--target-lang", "--to"},       {"--target-language", "--to"},
    {"--tgt-lang", "--to"},    {"--source", "--from"},          {"--source-lang", "--from"},
    {"--src-lang", "--from"},  {"--source-language", "--from"}, {"--from-lang", "--from"},
    {"--to-lang", "--to"},     {"--beam-size", "--beam"},       {"--num-beams", "--beam"},
    {"--file", "--input"},     {"--models", "--model"},         {"--gpu", "--device"},
    {"--devices", "--device"},
};

// The option that a name is the beginning of, if it is that of one alone; or that of another tool's name.
std::string meant(std::string name, const std::vector<std::string>& flags) {
    std::ranges::replace(name, '_', '-');
    std::string found;
    for (const auto& [other, flag] : kOtherwise)
        if (other == name) found = flag;
    if (found.empty())
        for (const std::string& flag : flags)
            if (name.size() > 4 && flag.starts_with(name) && (found.empty() || flag.size() < found.size()))
                found = flag;
    return std::ranges::find(flags, found) == flags.end() ? "" : found;
}

std::string guess(const std::string& text, const std::vector<std::string>& names) {
    const std::string found = nearest(text, names);
    return found.empty() ? found : "; did you mean " + found + "?";
}

std::vector<std::string> flags_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* at = &app; at; at = at->get_parent())
        for (const CLI::Option* option : at->get_options())
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

std::string no_such_option(const CLI::App& command, const std::string& argument) {
    const std::string name = argument.substr(0, argument.find('='));
    std::string message = name + ": no such option of " +
                          (command.get_parent() ? "dragoman " + command.get_name() : std::string("dragoman"));
    const auto flags = flags_of(command);
    const std::string other = meant(name, flags);
    if (name.starts_with("--")) message += other.empty() ? guess(name, flags) : "; did you mean " + other + "?";
    const bool is_text = name.find(' ') != std::string::npos;
    return is_text ? message + "; a text that begins with - goes behind --" : message;
}

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return text;
}

// What lies between two parts of a text; nullopt: it lacks one of them.
std::optional<std::string> between(const std::string& text, const std::string& before, const std::string& behind) {
    const std::size_t begin = text.find(before), from = begin + before.size();
    const std::size_t end = begin == std::string::npos ? begin : text.find(behind, from);
    return end == std::string::npos ? std::nullopt : std::optional(text.substr(from, end - from));
}

std::string expected_number(const std::string& type, const std::string& given) {
    const bool digits = !given.empty() && given.find_first_not_of("0123456789") == std::string::npos;
    if (digits) return "expected a smaller number";
    if (type.find("FLOAT") != std::string::npos) return "expected a number";
    return type.find("UINT") != std::string::npos ? "expected a whole number from 0 on" : "expected a whole number";
}

const CLI::Option* option_named(const CLI::App& app, const std::string& name) {
    for (const CLI::Option* option : app.get_options())
        if (option->get_name() == name) return option;
    for (const CLI::App* command : app.get_subcommands())
        if (const CLI::Option* found = option_named(*command, name)) return found;
    return nullptr;
}

}  // namespace

std::string explain_value(const CLI::Option& option, const CLI::ParseError& error) {
    const std::string what = error.what(), name = option.get_name(), type = option.get_type_name();
    const auto told = [&](const std::string& expected, const std::string& given) {
        return name + ": " + expected + ", got " + (given.empty() ? "nothing" : given);
    };
    if (const auto given = between(what + "\n", "Could not convert: " + name + " = ", "\n"))
        return told(expected_number(type, *given), *given);
    for (const auto& [before, behind] : {std::pair(name + ": ", std::string(" not in {")),
                                         std::pair(std::string("Check "), std::string(" value in {"))})
        if (const auto given = between(what, before, behind))
            if (const auto words = choices(option); !words.empty())
                return told("expected " + listed(words), *given) + guess(*given, words);
    if (const auto given = between(what, ": Value ", " not in range ")) {
        if (type.find("NONNEGATIVE") != std::string::npos) return told("expected 0 or more", *given);
        if (type.find("POSITIVE") != std::string::npos) return told("expected more than 0", *given);
        return told("expected " + what.substr(what.find(" not in range ") + 14), *given);
    }
    return what;
}

std::string no_such_command(const CLI::App& app, const std::string& name) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!command->get_group().empty()) names.push_back(command->get_name());
    return name + ": no such command" + guess(name, names);
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
    const std::vector<std::string> unknown = app.remaining(true);
    const auto commands = app.get_subcommands();
    const auto option = std::ranges::find_if(unknown, [](const auto& text) { return text.starts_with("-"); });
    const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
    const bool extras = code == CLI::ExitCodes::ExtrasError;
    // The value of an unknown option is taken for a text, which then excludes --input.
    const bool by_extras = extras || code == CLI::ExitCodes::ExcludesError || code == CLI::ExitCodes::RequiresError;
    if (commands.empty() && !unknown.empty() && option != unknown.begin()) return no_such_command(app, unknown.front());
    if ((by_extras || commands.empty()) && option != unknown.end())
        return no_such_option(commands.empty() ? app : *commands.front(), *option);
    if (extras && !unknown.empty() && !commands.empty())
        return unknown.front() + ": is an argument too many for dragoman " + commands.front()->get_name();
    const std::string what = error.what();
    const std::string conversion = "Could not convert: ";
    const std::string named = what.starts_with(conversion) ? what.substr(conversion.size()) : what;
    for (const char* behind : {": ", " = "})
        if (const CLI::Option* value = option_named(app, named.substr(0, named.find(behind))))
            return explain_value(*value, error);
    return what;
}

std::string in_flags(const std::string& message) {
    const std::size_t begin = beginning(message);
    std::size_t end = begin;
    while (end < message.size() && in_name(message[end])) ++end;
    const bool names_option = end < message.size() && (message[end] == ':' || message[end] == ' ') &&
                              !flag_of(message.substr(begin, end - begin)).empty();
    if (!names_option) return message;
    // The others in the message are told from words by their underscores, and what is in quotes is the user's.
    constexpr std::string_view kStruct = "options.";
    const bool of_struct = std::string_view(message).substr(0, begin).ends_with(kStruct);
    std::string told = message.substr(0, of_struct ? begin - kStruct.size() : begin);
    bool quoted = false;
    for (std::size_t at = begin; at < message.size();) {
        end = at;
        while (end < message.size() && in_name(message[end])) ++end;
        if (end == at) {
            quoted ^= message[at] == '"';
            told += message[at++];
            continue;
        }
        const std::string word = message.substr(at, end - at);
        const bool whole = at == begin || (word.find('_') != std::string::npos && !quoted && message[at - 1] != '/');
        const std::string_view flag = whole ? flag_of(word) : std::string_view();
        told += flag.empty() ? std::string_view(word) : flag;
        at = end;
    }
    return told;
}

}  // namespace cli
