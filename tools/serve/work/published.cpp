// SPDX-License-Identifier: Apache-2.0
#include "serve/work/published.h"

#include <algorithm>
#include <ranges>

#include "serve/problem.h"

#ifndef DRAGOMAN_WITHOUT_MODELS

#include <dragoman/models.hpp>

namespace serve::work {
namespace {

std::vector<std::string> codes_of(const char* list) {
    std::vector<std::string> codes;
    for (const auto code : std::string_view(list) | std::views::split(','))
        if (!code.empty()) codes.emplace_back(code.begin(), code.end());
    return codes;
}

PublishedModel described(const dragoman_published_model& model) {
    return {model.name, model.path, codes_of(model.from), codes_of(model.to), model.license};
}

// What a client may be told; where files lie is for the log.
Problem not_brought(const std::string& name, const dragoman::Error& error) {
    switch (error.status()) {
        case DRAGOMAN_CANCELLED: return {Problem::Kind::cancelled, name + ": the download was stopped", name};
        case DRAGOMAN_INVALID_ARGUMENT: return {Problem::Kind::not_found, name + ": " + error.what(), name};
        default: return {Problem::Kind::failed, name + ": " + error.what(), name};
    }
}

}  // namespace

std::vector<PublishedModel> published_models() {
    std::vector<PublishedModel> models;
    const dragoman::ModelList list = dragoman::installed_models();
    for (std::size_t i = 0; i < list.size(); ++i) models.push_back(described(list[i]));
    return models;
}

bool is_published_name(const std::string& name) {
    const std::size_t colon = name.find(':');
    if (colon == name.npos || colon == 0 || colon + 1 == name.size()) return false;
    const std::string registry = name.substr(0, colon);
    if (registry == "url") return false;
    dragoman_registry_list* list = nullptr;
    if (dragoman_registries(&list) != DRAGOMAN_OK) return false;
    bool found = false;
    for (std::size_t i = 0; i < dragoman_registry_list_count(list); ++i)
        found |= registry == dragoman_registry_list_get(list, i)->id;
    dragoman_registry_list_destroy(list);
    return found;
}

PublishedModel bring_model(const std::string& name, bool offline,
                           const std::function<bool(std::uint64_t done, std::uint64_t total)>& progress) {
    dragoman::ModelsOptions options;
    options.offline = offline;
    if (progress)
        options.progress = [&](const dragoman_download& at) { return progress(at.done_bytes, at.total_bytes); };
    try {
        const dragoman::ModelList shown = dragoman::show_model(name, options);
        if (!shown.empty() && shown[0].installed) return described(shown[0]);
        const dragoman::ModelList brought = dragoman::download_model(name, options);
        if (brought.empty()) throw Problem(Problem::Kind::not_found, name + ": no such model", name);
        return described(brought[0]);
    } catch (const dragoman::Error& error) {
        throw not_brought(name, error);
    }
}

}  // namespace serve::work

#else

namespace serve::work {

std::vector<PublishedModel> published_models() { return {}; }
bool is_published_name(const std::string&) { return false; }
PublishedModel bring_model(const std::string& name, bool,
                           const std::function<bool(std::uint64_t done, std::uint64_t total)>&) {
    throw Problem(Problem::Kind::unsupported, name + ": this build has no registries of models", name);
}

}  // namespace serve::work

#endif
