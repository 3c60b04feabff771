// SPDX-License-Identifier: Apache-2.0
#include "store/installed.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "spec/language_pairs.h"
#include "store/elsewhere/elsewhere.h"
#include "store/folders.h"
#include "store/model_name.h"
#include "store/places.h"

namespace dragoman::store {
namespace fs = std::filesystem;
namespace {

struct Elsewhere {
    std::string_view registry;  // of the names
    void (*add)(std::vector<Installed>& models);
};

constexpr Elsewhere kElsewhere[] = {{"hf", add_hub_cache},
                                    {"firefox", add_fxtranslate},
                                    {"argos", add_argos},
                                    {"translatelocally", add_translatelocally},
                                    {"ollama", add_ollama}};

// The model in a folder of the store; throws where it is none.
Installed read_own(const fs::path& folder, const std::string& registry) {
    Installed model = read_metadata(folder);
    const auto name = ModelName{registry, model.name.substr(std::min(registry.size() + 1, model.name.size()))};
    if (model.name != name.str() || name.folder() != text_of(folder.filename()))
        fail(Status::bad_model, "{}: name: the file has \"{}\", which belongs in another folder",
             text_of(folder / kMetadataFile), model.name);
    return model;
}

bool by_name(const Installed& left, const Installed& right) { return left.name < right.name; }

std::vector<Installed> own_models(std::vector<std::string>* problems) {
    std::vector<Installed> models;
    const auto note = [&](std::string problem) {
        if (problems && !problem.empty()) problems->push_back(std::move(problem));
    };
    for (const fs::path& registry : folders_in(models_folder())) {
        for (const fs::path& folder : folders_in(registry)) {
            std::error_code error;
            if (!fs::exists(folder / kMetadataFile, error)) {
                note(fmt::format("{}: no model: there is no {}", text_of(folder), kMetadataFile));
                continue;
            }
            try {
                models.push_back(read_own(folder, text_of(registry.filename())));
                note(what_is_missing(models.back()));
            } catch (const Error& problem) {
                note(problem.what());
            }
        }
    }
    std::ranges::stable_sort(models, by_name);
    return models;
}

std::vector<Installed> others_models(std::string_view registry) {
    std::vector<Installed> models;
    for (const Elsewhere& place : kElsewhere)
        if (registry.empty() || place.registry == registry) place.add(models);
    std::ranges::stable_sort(models, by_name);
    return models;
}

fs::path own_folder(const ModelName& name) { return models_folder() / path_of(name.registry) / path_of(name.folder()); }

// Nullopt where there is none.
std::optional<Installed> find_own(const ModelName& name) {
    if (models_folder().empty()) return std::nullopt;
    const fs::path folder = own_folder(name);
    std::error_code error;
    if (!fs::exists(folder / kMetadataFile, error)) return std::nullopt;
    try {
        return read_own(folder, name.registry);
    } catch (const Error& problem) {
        if (problem.status() == Status::unsupported) throw;
        log(LogLevel::warning, "{}: {}", name.str(), problem.what());
    }
    return std::nullopt;
}

// As ollama's own commands do, which take "gemma3" for "gemma3:latest".
std::string name_elsewhere(const ModelName& name) {
    const bool short_form = name.registry == "ollama" &&
                            name.model.find(':', name.model.rfind('/') + 1) == std::string::npos;
    return name.str() + (short_form ? ":latest" : "");
}

bool spells(std::string_view model, const spec::LanguageTag& from, const spec::LanguageTag& to) {
    return std::ranges::any_of(spec::language_pairs_in(model), [&](const auto& pair) {
        return spec::same_language(pair.first, from) && spec::same_language(pair.second, to);
    });
}

// "firefox:de_en" is firefox:de-en: a model whose own name is two languages has it in any spelling.
std::optional<Installed> find_by_languages(const ModelName& name) {
    const auto pairs = spec::language_pairs_in(name.model);
    if (pairs.empty() || name.model.find('@') != name.model.npos) return std::nullopt;  // a version is just that one
    std::vector<Installed> models = own_models(nullptr);
    std::ranges::move(others_models(name.registry), std::back_inserter(models));
    for (const auto& [from, to] : pairs) {
        for (Installed& model : models) {
            const auto own_name = ModelName::find(model.name);
            if (own_name && own_name->registry == name.registry && spells(own_name->model, from, to))
                return std::move(model);
        }
    }
    return std::nullopt;
}

}  // namespace

std::string what_is_missing(const Installed& model) {
    if (!model.own()) return {};
    const auto colon = std::min(model.name.find(':'), model.name.size() - 1);
    const fs::path folder = own_folder({model.name.substr(0, colon), model.name.substr(colon + 1)});
    std::error_code error;
    for (const StoredFile& file : model.files) {
        const uint64_t bytes = fs::file_size(folder / path_of(file.name), error);
        if (error) return fmt::format("{}: {}: {}", model.name, file.name, error.message());
        if (bytes != file.bytes)
            return fmt::format("{}: {}: expected {} bytes, it has {}", model.name, file.name, file.bytes, bytes);
    }
    return {};
}

std::vector<Installed> installed(std::vector<std::string>* problems) {
    std::vector<Installed> models = own_models(problems);
    std::ranges::move(others_models({}), std::back_inserter(models));
    return models;
}

std::optional<Installed> find_installed(std::string_view text) {
    const auto name = ModelName::find(text);
    if (!name) return std::nullopt;
    if (auto own = find_own(*name)) return own;
    std::vector<Installed> others = others_models(name->registry);
    const auto found = std::ranges::find(others, name_elsewhere(*name), &Installed::name);
    if (found != others.end()) return std::move(*found);
    return find_by_languages(*name);
}

}  // namespace dragoman::store
