// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.hpp>

#include <string>
#include <vector>

#include "serve/json.h"
#include "serve/problem.h"

namespace serve::work {

// Sets options of a translation by the names of docs/options.md. What would take much memory or time is bounded more
// narrowly than in the library. Throws Problem (bad_request) naming an option that is unknown, not for clients, of
// another type or out of range.
void set_options(const Json& named, dragoman::TranslateOptions& options, std::uint32_t most_hypotheses);

// Names that set_options() takes, and those that the service sets itself.
std::vector<std::string> options_of_clients();
std::vector<std::string> options_of_the_service();

}  // namespace serve::work
