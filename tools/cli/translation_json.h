// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "commands.h"

namespace cli {

// Writes the JSON line of `translate --json` for one input. The members are written as they come: as values of JSON, the
// tokens and ranges of a long text take many times its bytes.
void write_json(std::ostream& to, const TranslateCommand& command, const std::string& source,
                const dragoman::Result& result, std::size_t i);

}  // namespace cli
