// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "commands.h"
#include "shells.h"

namespace cli {
namespace {

std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    return names;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

std::vector<const CLI::Option*> flags(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) {
        return option->nonpositional() && !option->get_group().empty();
    });
}

std::string all_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : flags(app))
        for (const std::string& name : names_of(*option)) names.push_back(name);
    return joined(names, " ");
}

// In single quotes, with what a shell's own syntax needs escaped.
std::string in_quotes(const std::string& text, std::string_view special = {}) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'') result += "'\\'";
        else if (special.find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result + "'";
}

std::string summary(const CLI::App& command) { return one_line(command.get_description()); }

// A word that follows an option with choices is one of them; other values and arguments are files.
std::string bash(const CLI::App& app) {
    std::ostringstream out;
    std::vector<std::string> names;
    for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
    out << "# Completion of dragoman for bash.\n"
           "_dragoman() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= i\n"
           "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
           "        if [[ ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]}; break; fi\n"
           "    done\n"
           "    COMPREPLY=()\n"
           "    case $command in\n"
           "    '') COMPREPLY=($(compgen -W '"
        << joined(names, " ") << " " << all_names(app)
        << "' -- \"$word\")); return ;;\n"
           "    help) COMPREPLY=($(compgen -W '"
        << joined(names, " ") << "' -- \"$word\")); return ;;\n";
    for (const CLI::App* command : commands_of(app)) {
        if (command->get_name() == "help") continue;
        out << "    " << command->get_name() << ")\n";
        std::ostringstream cases;
        for (const CLI::Option* option : flags(*command))
            if (const auto words = choices(*option); !words.empty())
                cases << "        " << joined(names_of(*option), "|") << ") COMPREPLY=($(compgen -W '"
                      << joined(words, " ") << "' -- \"$word\")); return ;;\n";
        if (!cases.str().empty()) out << "        case $before in\n" << cases.str() << "        esac\n";
        out << "        if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '" << all_names(*command)
            << "' -- \"$word\")); return; fi ;;\n";
    }
    out << "    esac\n"
           "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
           "}\n"
           "complete -o filenames -o bashdefault -F _dragoman dragoman\n";
    return out.str();
}

std::string zsh(const CLI::App& app) {
    std::ostringstream out;
    out << "#compdef dragoman\n# Completion of dragoman for zsh.\n_dragoman() {\n    local -a commands\n    commands=(\n";
    for (const CLI::App* command : commands_of(app))
        out << "        " << in_quotes(command->get_name() + ":" + summary(*command)) << "\n";
    out << "    )\n"
           "    if (( CURRENT == 2 )) || [[ ${words[2]} == help ]]; then _describe command commands; return; fi\n"
           "    case ${words[2]} in\n";
    for (const CLI::App* command : commands_of(app)) {
        out << "    " << command->get_name() << ") shift words; (( CURRENT-- )); _arguments -s";
        for (const CLI::Option* option : flags(*command))
            for (const std::string& name : names_of(*option)) {
                std::string spec = "*" + name + "[";
                for (const char c : one_line(option->get_description()))
                    spec += c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
                spec += "]";
                const auto words = choices(*option);
                if (takes_value(*option))
                    spec += words.empty() ? ":value:_files" : ":value:(" + joined(words, " ") + ")";
                out << " \\\n        " << in_quotes(spec);
            }
        out << " \\\n        '*:file:_files' ;;\n";
    }
    out << "    esac\n}\n_dragoman \"$@\"\n";
    return out.str();
}

std::string fish(const CLI::App& app) {
    std::ostringstream out;
    out << "# Completion of dragoman for fish.\n";
    for (const CLI::App* command : commands_of(app))
        out << "complete -c dragoman -n __fish_use_subcommand -f -a " << command->get_name() << " -d "
            << in_quotes(summary(*command), "\\") << "\n";
    for (const CLI::App* command : commands_of(app))
        for (const CLI::Option* option : flags(*command)) {
            out << "complete -c dragoman -n '__fish_seen_subcommand_from " << command->get_name() << "'";
            for (const std::string& name : option->get_snames()) out << " -s " << name;
            for (const std::string& name : option->get_lnames()) out << " -l " << name;
            if (takes_value(*option)) out << " -r";
            if (const auto words = choices(*option); !words.empty()) out << " -f -a " << in_quotes(joined(words, " "));
            out << " -d " << in_quotes(one_line(option->get_description()), "\\") << "\n";
        }
    return out.str();
}

}  // namespace

std::string completion(const CLI::App& app, std::string_view shell) {
    if (shell == "bash") return bash(app);
    if (shell == "zsh") return zsh(app);
    if (shell == "fish") return fish(app);
    throw Failure("completion: expected bash, zsh or fish, got " + std::string(shell));
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// Checks describe themselves in the name of the type: "NAME:{off,on}".
std::vector<std::string> choices(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::size_t begin = type.find('{'), end = type.find('}');
    std::vector<std::string> words;
    if (begin == std::string::npos || end == std::string::npos) return words;
    std::istringstream list(type.substr(begin + 1, end - begin - 1));
    for (std::string word; std::getline(list, word, ',');) words.push_back(word.substr(word.find_first_not_of(' ')));
    return words;
}

std::string one_line(std::string_view text) {
    std::string line(text);
    for (char& c : line)
        if (c == '\n') c = ' ';
    return line;
}

}  // namespace cli
