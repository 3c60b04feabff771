// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "serve/work/language_codes.h"
#include "serve/work/models.h"
#include "serve/work/published.h"

namespace serve::work {

// A model as its files describe it. Never changes.
struct CatalogModel {
    struct Language {
        LanguageCode code;
        std::string tag, spelling, name;  // spelling: as the model's options take it
    };
    std::string name, path;
    std::vector<Language> from, to;
    bool tells_languages = false;  // its files name them, so that options take them
    std::string family, license;
    std::uint64_t bytes = 0, parameters = 0;

    const Language* source(const LanguageCode& wanted) const;
    const Language* target(const LanguageCode& wanted) const;
};

// Reads a model's files; `given` adds what its registry says. Throws std::runtime_error: no model of translations of
// texts, or one whose languages nothing tells.
CatalogModel describe(const std::string& name, const std::string& path, const PublishedModel* given);

// "models/en-de/" is "en-de".
std::string name_of_path(const std::string& path);

// The models of a service and where they lead. Never changes: a service replaces it.
class Catalog {
public:
    explicit Catalog(std::vector<std::shared_ptr<const CatalogModel>> models);
    const std::vector<std::shared_ptr<const CatalogModel>>& models() const { return models_; }
    std::shared_ptr<const CatalogModel> find(const std::string& name) const;
    const std::vector<ServedLanguage>& languages() const { return languages_; }
    std::string language(const std::string& given) const;
    bool translates(const std::string& from, const std::string& to) const;

    // Models to go through, one after the other; empty: none leads there.
    std::vector<std::shared_ptr<const CatalogModel>> path(const std::string& from, const std::string& to) const;

private:
    std::vector<std::string> reached_from(const std::string& tag) const;

    std::vector<std::shared_ptr<const CatalogModel>> models_;
    std::vector<ServedLanguage> languages_;
    std::vector<LanguageCode> codes_;  // of languages_
    std::map<std::string, std::size_t> by_tag_;  // and by every spelling of models, in small letters
};

}  // namespace serve::work
