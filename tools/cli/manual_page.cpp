// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <sstream>

#include "commands.h"
#include "help.h"
#include "shells.h"

namespace cli {
namespace {

// As roff has it: a hyphen is a minus sign, and no line begins with a command.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '\\') result += "\\e";
        else if (c == '-') result += "\\-";
        else result += c;
    }
    if (result.starts_with('.') || result.starts_with('\'')) result.insert(0, "\\&");
    return result;
}

std::string escaped_line(std::string_view text) { return escaped(one_line(text)); }

void heading(std::ostream& out, std::string name) {
    for (char& c : name) c = char(std::toupper(static_cast<unsigned char>(c)));
    out << ".SH " << escaped(name) << "\n";
}

void add_option(std::ostream& out, const CLI::Option& option) {
    std::string names;
    for (const std::string& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
    for (const std::string& name : option.get_lnames()) names += (names.empty() ? "--" : ", --") + name;
    out << ".TP\n\\fB" << escaped(names) << "\\fR";
    if (takes_value(option)) {
        const std::string type = option.get_type_name();
        const std::size_t end = type.find(':');
        const bool only_choices = end == std::string::npos && type.starts_with('{');
        out << " \\fI" << (only_choices ? "NAME" : escaped(type.substr(0, end))) << "\\fR";
    }
    out << "\n" << escaped_line(option.get_description());
    std::string words;
    for (const std::string& word : choices(option)) words += (words.empty() ? "" : ", ") + word;
    if (!words.empty()) out << "; one of " << escaped(words);
    if (const std::string value = option.get_default_str(); takes_value(option) && !value.empty())
        out << " (default: " << escaped(value) << ")";
    out << "\n";
}

void add_examples(std::ostream& out, const CLI::App& app) {
    std::istringstream footer(app.get_footer());
    std::string line;
    if (!std::getline(footer, line) || line != "Examples:") return;
    heading(out, "examples");
    out << ".nf\n";
    while (std::getline(footer, line)) out << escaped(line) << "\n";
    out << ".fi\n";
}

void add_files(std::ostream& out) {
    heading(out, "files");
    out << ".TP\n\\fI$XDG_CONFIG_HOME/dragoman/config.toml\\fR\n"
        << escaped(
               "Defaults for the options of dragoman translate; $HOME/.config stands for an unset "
               "XDG_CONFIG_HOME.")
        << "\n";
    heading(out, "environment");
    out << ".TP\n\\fBDRAGOMAN_MODEL\\fR\nThe model where none is named.\n"
           ".TP\n\\fBDRAGOMAN_DEVICE\\fR\nThe device where none is named.\n"
           ".TP\n\\fBDRAGOMAN_CACHE_DIR\\fR\nThe folder for compiled pipelines.\n";
    heading(out, "exit status");
    out << "0: all went well; 1: it did not, or config.toml is wrong; 2: the command line is wrong, or an option's value,\n"
           "wherever it stands.\n";
}

}  // namespace

std::string manual_page(const CLI::App& app) {
    std::ostringstream out;
    const CLI::App* parent = app.get_parent();
    const std::string name = parent ? "dragoman-" + app.get_name() : "dragoman";
    std::string title = name;
    for (char& c : title) c = char(std::toupper(static_cast<unsigned char>(c)));
    std::string description = app.get_description();
    out << ".TH " << title << " 1 \"\" \"dragoman " << dragoman_version_string() << "\" \"User Commands\"\n";
    heading(out, "name");
    out << escaped(name) << " \\- " << escaped_line(description.substr(0, description.find(';'))) << "\n";
    heading(out, "synopsis");
    out << "\\fB" << (parent ? "dragoman " + escaped(app.get_name()) : "dragoman") << "\\fR [\\fIOPTION\\fR...]";
    const auto arguments = app.get_options([](const CLI::Option* option) { return option->get_positional(); });
    for (const CLI::Option* argument : arguments) out << " [\\fI" << escaped(argument->get_name(true)) << "\\fR...]";
    if (!parent) out << " \\fICOMMAND\\fR";
    out << "\n";
    heading(out, "description");
    out << escaped_line(description) << "\n";
    for (const CLI::Option* argument : arguments)
        out << ".TP\n\\fI" << escaped(argument->get_name(true)) << "\\fR\n"
            << escaped_line(argument->get_description()) << "\n";
    if (!parent) {
        heading(out, "commands");
        for (const CLI::App* command : commands_of(app))
            out << ".TP\n\\fB" << escaped(command->get_name()) << "\\fR\n"
                << escaped_line(command->get_description()) << "\n";
    }
    for (const OptionGroup& group : option_groups(app)) {
        heading(out, group.name);
        for (const CLI::Option* option : group.options) add_option(out, *option);
    }
    add_examples(out, parent ? app : *app.get_subcommand("translate"));
    if (!parent) add_files(out);
    heading(out, "see also");
    if (parent) {
        out << "\\fBdragoman\\fR(1)\n";
    } else {
        std::string others;
        for (const CLI::App* command : commands_of(app))
            others += (others.empty() ? "\\fBdragoman\\-" : ", \\fBdragoman\\-") + escaped(command->get_name()) +
                      "\\fR(1)";
        out << others << "\n";
    }
    return out.str();
}

}  // namespace cli
