// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "serve/work/catalog.h"
#include "serve/work/models.h"
#include "serve/work/published.h"

namespace serve::work {

// The models of a service, as their files describe them, in the order in which they were named.
struct ModelList {
    std::vector<std::shared_ptr<const CatalogModel>> models;
    std::map<std::string, PublishedModel> published;  // what registries say of some
    std::vector<std::string> notes;                   // what was left out, and why

    // Adds a model, or reads again the one of that name. Throws Problem.
    void put(const std::string& name, const std::optional<PublishedModel>& given);
    void remove(const std::string& name);
    // All of them; one whose files are no model any more stays as it was, with the error.
    void read_again();
    std::string free_name(const std::string& wanted) const;
};

// Those that the options name, otherwise what this machine has. Throws std::runtime_error where one that was named
// cannot be described, and where there is none.
ModelList read_models(const ModelsOptions& options);

}  // namespace serve::work
