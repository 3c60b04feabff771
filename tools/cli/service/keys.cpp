// SPDX-License-Identifier: Apache-2.0
#include "keys.h"

#include "../commands.h"
#include "base/os/path_text.h"

namespace cli {
namespace {

using Action = ::serve::KeysCommand::Action;

Action action_of(const std::string& name) {
    if (name == "add") return Action::add;
    if (name == "remove") return Action::remove;
    if (name == "import") return Action::import;
    return Action::list;
}

}  // namespace

CLI::App* add_keys(CLI::App& serve, KeysCommand& command) {
    CLI::App* keys = serve.add_subcommand("keys", "API keys of a service, which may be running meanwhile");
    auto& key = command.how.key;
    keys->add_option("action", command.action,
                     "list; add: makes a key and prints it, once; remove ID;\n"
                     "import FILE: a key a line, or LibreTranslate's api_keys.db; -: standard input")
        ->check(CLI::IsMember({"list", "add", "remove", "import"}))
        ->required();
    keys->add_option("what", command.word, "ID of the key to remove, or file to import");
    keys->add_option("--keys-file", command.keys_file,
                     "SQLite file with the keys; none: keys.sqlite in the state folder");
    keys->add_option("--state", command.state, "Folder of the service's state");
    keys->add_option("--note", key.note, "Whose key it is, for you");
    keys->add_flag("--admin", key.admin, "It may load, download and remove models");
    keys->add_option("--requests-per-minute", key.requests_per_minute, "-1: as for all");
    keys->add_option("--max-characters", key.max_characters, "Of one text; -1: as for all");
    keys->add_option("--characters-per-month", key.characters_per_month,
                     "Of all texts and documents; -1: no limit, 0: nothing is translated");
    keys->add_flag("--json", command.how.json, "JSON, one object per line");
    return keys;
}

void keys(KeysCommand& command) {
    command.how.action = action_of(command.action);
    const bool takes_word = command.how.action == Action::remove || command.how.action == Action::import;
    if (!takes_word && !command.word.empty())
        throw dragoman::Error(DRAGOMAN_INVALID_ARGUMENT,
                              command.word + ": is an argument too many for serve keys " + command.action);
    if (command.how.action == Action::remove) {
        if (command.word.empty())
            throw dragoman::Error(DRAGOMAN_INVALID_ARGUMENT,
                                  "serve keys remove: expected the ID of a key, see dragoman serve keys list");
        command.how.id = command.word;
    }
    if (command.how.action == Action::import && !command.word.empty()) command.how.source = command.word;
    command.how.keys_file = dragoman::path_of(command.keys_file);
    command.how.state = dragoman::path_of(command.state);
    ::serve::keys_command(command.how);
}

}  // namespace cli
