// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "registry/catalog.h"
#include "store/installed.h"

namespace dragoman::registry {

// The rule by which one of several models of a pair is taken, written down in docs/registries.md: one that is not
// measured to be poor (chrF below 35) before one that is; one whose files are not larger than the memory of the device that
// is to hold them; a model for this very pair before one of many languages; one for the very languages before one for
// their relatives; a licence that allows commercial use before one that does not or is not stated; files that all have a hash of the
// registry before some, and some before none; one whose quality is measured before one without, by comet22 before chrf
// before bleu, and the higher of the same metric; fewer bytes; then the name. It is an order: what goes before two goes
// before whatever these go before.
bool better(const Entry& left, const Entry& right, const std::string& from, const std::string& to);

// By the words of a licence: "cc-by-nc-4.0" does not, "" and "unknown" are not stated.
bool allows_commercial_use(std::string_view license);

// One or two models on the way between two languages.
struct Route {
    std::vector<Entry> models;  // in order; empty: none
    std::string pivot;  // "en"; "": direct
    uint64_t bytes = 0;  // to transfer; 0: not known
};

// The best model that translates directly, otherwise two over a language that both have, English before others; poor and
// too large ones only where there is no other way.
Route find_route(Catalog& catalog, const std::string& from, const std::string& to);
// The route over models on this machine: one, or two; empty: none.
std::vector<store::Installed> find_installed_route(const std::vector<store::Installed>& models, const std::string& from,
                                                   const std::string& to, uint64_t memory = 0);

}  // namespace dragoman::registry
