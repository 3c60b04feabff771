// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/models.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "download.h"
#include "models.h"

// What the actions of `dragoman models` share.
namespace cli {

inline dragoman::ModelsOptions options_of(const ModelsCommand& command) {
    dragoman::ModelsOptions options;
    options.offline = command.offline;
    options.refresh = command.refresh;
    options.again = command.again;
    options.parallel = command.parallel;
    options.registries = command.registries;
    return options;
}

inline DownloadProgress::Way way_of(const ModelsCommand& command) {
    if (!command.progress) return DownloadProgress::Way::none;
    return command.json ? DownloadProgress::Way::json : DownloadProgress::Way::line;
}

inline void tell(std::string_view problem) { fmt::print(stderr, "dragoman: {}\n", problem); }

// Newer versions of what was downloaded, converted where it was. A model that fails is told, and the others go on.
// False: one failed.
bool update(const ModelsCommand& command);

}  // namespace cli
