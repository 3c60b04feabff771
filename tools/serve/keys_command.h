// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "serve/guard/keys.h"

namespace serve {

// `dragoman serve keys`: API keys of a service, which may be running meanwhile.
struct KeysCommand {
    enum class Action { list, add, remove, import };
    Action action = Action::list;
    std::filesystem::path keys_file, state;  // empty: keys.sqlite in the folder for state; the user's own folder
    guard::Key key;            // of what is added: note, admin, limits
    std::string id;            // to remove
    std::string source =
        "-";  // to import: a file with a key a line, LibreTranslate's api_keys.db, or "-": standard input
    bool json = false;
};

// Prints a table, or JSON, an object a line, to standard output. 0; throws std::runtime_error, as `remove` does for an
// id that is not there.
int keys_command(const KeysCommand& command);

}  // namespace serve
