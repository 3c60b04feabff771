// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
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

// A command, or one below it: "serve", "serve keys".
struct Entry {
    std::string name;
    const CLI::App* app;
};

std::vector<Entry> entries_of(const CLI::App& app) {
    std::vector<Entry> entries;
    for (const CLI::App* command : commands_of(app)) {
        entries.push_back({command->get_name(), command});
        for (const CLI::App* below : commands_of(*command))
            entries.push_back({command->get_name() + " " + below->get_name(), below});
    }
    return entries;
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
    return names;
}

// What the first word of a command is one of: commands below it, or the choices of its first argument.
std::vector<std::string> first_words(const CLI::App& app) {
    std::vector<std::string> words = names_of_commands(app);
    const auto arguments = app.get_options([](const CLI::Option* option) { return option->get_positional(); });
    if (!arguments.empty()) std::ranges::copy(choices(*arguments.front()), std::back_inserter(words));
    return words;
}

// Branches of a shell's `case`, by the command so far, "/" and the next word: which command they are together.
std::string branches(const CLI::App& app, const char* indent) {
    std::string text = std::string(indent) + "/*) command=$next AT ;;\n";
    for (const Entry& entry : entries_of(app))
        if (const std::size_t space = entry.name.find(' '); space != std::string::npos)
            text += indent + entry.name.substr(0, space) + "/" + entry.name.substr(space + 1) + ") command='" +
                    entry.name + "' AT ;;\n";
    return text;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

// A word that follows an option with choices is one of them; other values and arguments are files.
std::string bash(const CLI::App& app) {
    std::ostringstream out;
    const std::string names = joined(names_of_commands(app), " ");
    const auto offer = [](const std::string& words) {
        return "COMPREPLY=($(compgen -W '" + words + "' -- \"$word\"))";
    };
    out << "# Completion of dragoman for bash.\n"
           "_dragoman() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= given= next i\n"
           "    # In --name=value the equals sign is a word of its own.\n"
           "    if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
           "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
           "        next=${COMP_WORDS[i]}\n"
           "        case $next in -*|=) continue ;; esac\n"
           "        case $command/$next in\n"
        << replaced(branches(app, "        "), " AT", "")
        << "        *) given+=\" $next \" ;;\n"
           "        esac\n"
           "    done\n"
           "    COMPREPLY=()\n"
           "    case $command in\n"
           "    '') "
        << offer(names + " " + all_names(app)) << "; return ;;\n    help) " << offer(names) << "; return ;;\n";
    for (const Entry& entry : entries_of(app)) {
        if (entry.name == "help") continue;
        out << "    " << in_quotes(entry.name) << ")\n";
        std::ostringstream cases;
        for (const CLI::Option* option : flags(*entry.app))
            if (const auto words = choices(*option); !words.empty())
                cases << "        " << joined(names_of(*option), "|") << ") " << offer(joined(words, " "))
                      << "; return ;;\n";
        if (!cases.str().empty()) out << "        case $before in\n" << cases.str() << "        esac\n";
        out << "        if [[ $word == -* ]]; then " << offer(all_names(*entry.app)) << "; return; fi\n";
        if (const auto words = first_words(*entry.app); !words.empty())
            out << "        case $given in *' " << joined(words, " '*|*' ") << " '*) ;; *) "
                << offer(joined(words, " ")) << "; return ;; esac\n";
        out << "        ;;\n";
    }
    out << "    esac\n"
           "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
           "}\n"
           "complete -o filenames -o bashdefault -F _dragoman dragoman\n";
    return out.str();
}

std::string zsh_arguments(const CLI::App& app) {
    std::ostringstream out;
    out << "_arguments -s";
    for (const CLI::Option* option : flags(app))
        for (const std::string& name : names_of(*option)) {
            const bool has_value = takes_value(*option);
            std::string spec = "*" + name;
            if (has_value) spec += name.starts_with("--") ? "=" : "+";  // the value may stand in the same word
            spec += "[";
            for (const char c : one_line(option->get_description()))
                spec += c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
            spec += "]";
            const auto words = choices(*option);
            if (has_value) spec += words.empty() ? ":value:_files" : ":value:(" + joined(words, " ") + ")";
            out << " \\\n        " << in_quotes(spec);
        }
    if (const auto words = first_words(app); !words.empty())
        out << " \\\n        " << in_quotes("1:word:(" + joined(words, " ") + ")");
    out << " \\\n        '*:file:_files'";
    return out.str();
}

std::string zsh(const CLI::App& app) {
    std::ostringstream out;
    out << "#compdef dragoman\n# Completion of dragoman for zsh.\n_dragoman() {\n    local -a commands\n    commands=(\n";
    for (const CLI::App* command : commands_of(app))
        out << "        " << in_quotes(command->get_name() + ":" + summary(*command)) << "\n";
    out << "    )\n"
           "    local command= next\n"
           "    integer i at=1\n"
           "    for ((i = 2; i < CURRENT; ++i)); do\n"
           "        next=${words[i]}\n"
           "        [[ $next == -* ]] && continue\n"
           "        case $command/$next in\n"
        << replaced(branches(app, "        "), " AT", "; at=$i")
        << "        esac\n"
           "    done\n"
           "    if [[ $command == help || -z $command && ${words[CURRENT]} != -* ]]; then\n"
           "        _describe command commands; return\n"
           "    fi\n"
           "    shift $((at - 1)) words; (( CURRENT -= at - 1 ))\n"
           "    case $command in\n"
           "    '') "
        << zsh_arguments(app) << " ;;\n";
    for (const Entry& entry : entries_of(app))
        out << "    " << in_quotes(entry.name) << ") " << zsh_arguments(*entry.app) << " ;;\n";
    out << "    esac\n}\n_dragoman \"$@\"\n";
    return out.str();
}

void fish_options(std::ostringstream& out, const CLI::App& app, const std::string& condition) {
    for (const CLI::Option* option : flags(app)) {
        out << "complete -c dragoman -n " << condition;
        for (const std::string& name : option->get_snames()) out << " -s " << name;
        for (const std::string& name : option->get_lnames()) out << " -l " << name;
        if (takes_value(*option)) out << " -r";
        if (const auto words = choices(*option); !words.empty()) out << " -f -a " << in_quotes(joined(words, " "));
        out << " -d " << in_quotes(one_line(option->get_description()), "\\") << "\n";
    }
}

std::string fish(const CLI::App& app) {
    std::ostringstream out;
    out << "# Completion of dragoman for fish.\n"
           "function __dragoman_is\n"
           "    set -l words (commandline -opc)\n"
           "    set -e words[1]\n"
           "    set -l command ''\n"
           "    for next in $words\n"
           "        string match -q -- '-*' $next; and continue\n"
           "        switch $command/$next\n";
    for (const Entry& entry : entries_of(app))
        if (const std::size_t space = entry.name.find(' '); space != std::string::npos)
            out << "            case " << entry.name.substr(0, space) << "/" << entry.name.substr(space + 1)
                << "\n                set command " << in_quotes(entry.name) << "\n";
    out << "            case '/*'\n"
           "                set command $next\n"
           "        end\n"
           "    end\n"
           "    test \"$command\" = \"$argv[1]\"\n"
           "end\n";
    for (const CLI::App* command : commands_of(app))
        for (const char* before : {"\"\"", "help"})
            out << "complete -c dragoman -n '__dragoman_is " << before << "' -f -a " << command->get_name() << " -d "
                << in_quotes(summary(*command), "\\") << "\n";
    fish_options(out, app, "'__dragoman_is \"\"'");
    for (const Entry& entry : entries_of(app)) {
        const std::string here = "__dragoman_is \"" + entry.name + "\"";
        if (const std::string words = joined(first_words(*entry.app), " "); !words.empty())
            out << "complete -c dragoman -n '" << here << "; and not __fish_seen_subcommand_from " << words
                << "' -f -a " << in_quotes(words) << "\n";
        fish_options(out, *entry.app, "'" + here + "'");
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
