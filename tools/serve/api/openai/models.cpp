// SPDX-License-Identifier: Apache-2.0
#include "serve/api/openai/models.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/work/kept_files.h"

namespace serve::api {
namespace {

constexpr std::size_t kOpenaiMostPairs = 1000;
const std::string kOpenaiPair = "dragoman-";  // then two languages

Json openai_model(const std::string& id) {
    static const std::int64_t first = openai_time();  // a model has no time of its own
    return {{"id", id}, {"object", "model"}, {"created", first}, {"owned_by", "dragoman"}};
}

}  // namespace

std::int64_t openai_time() { return work::seconds_of(std::chrono::system_clock::now()); }

Json openai_model_list(const work::Models& models) {
    Json data = Json::array();
    for (const work::ModelInfo& model : models.list()) data.push_back(openai_model(model.name));
    std::vector<std::string> pairs;
    for (const work::ServedLanguage& language : models.languages())
        for (const std::string& target : language.targets)
            if (target != language.tag) pairs.push_back(kOpenaiPair + language.tag + "-" + target);
    if (pairs.size() <= kOpenaiMostPairs)
        for (const std::string& pair : pairs) data.push_back(openai_model(pair));
    return {{"object", "list"}, {"data", std::move(data)}};
}

std::optional<Json> openai_find_model(const work::Models& models, const std::string& id) {
    if (models.find(id)) return openai_model(id);
    if (!id.starts_with(kOpenaiPair)) return {};
    const std::string_view pair = std::string_view(id).substr(kOpenaiPair.size());
    for (const work::ServedLanguage& language : models.languages()) {
        if (!pair.starts_with(language.tag + "-")) continue;
        const std::string_view target = pair.substr(language.tag.size() + 1);
        if (target != language.tag && std::ranges::find(language.targets, target) != language.targets.end())
            return openai_model(id);
    }
    return {};
}

}  // namespace serve::api
