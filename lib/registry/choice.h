// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "registry/catalog.h"
#include "store/installed.h"

namespace dragoman::registry {

// The rule by which one of several models of a pair is taken, written down in docs/models.md: a model for this very pair
// before one of many languages; a licence that allows commercial use before one that does not or is not stated; a higher
// quality where both registries state the same metric; a registry whose files are hashed before one without; fewer bytes;
// then the name.
bool better(const Entry& left, const Entry& right, const std::string& from, const std::string& to);

// One or two models on the way between two languages.
struct Route {
    std::vector<Entry> models;                    // in order; empty: none
    std::string pivot;                            // "en"; "": direct
    uint64_t bytes = 0;                           // to transfer; 0: not known
};

// The best model that translates directly, otherwise two over a language that both have, English before others.
Route find_route(Catalog& catalog, const std::string& from, const std::string& to);
// Likewise over models on this machine: one, or two; empty: none.
std::vector<store::Installed> find_installed_route(const std::vector<store::Installed>& models, const std::string& from,
                                                   const std::string& to);

}  // namespace dragoman::registry
