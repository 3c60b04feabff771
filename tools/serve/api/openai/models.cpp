// SPDX-License-Identifier: Apache-2.0
#include "serve/api/openai/models.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "serve/work/kept_files.h"

namespace serve::api {
namespace {

constexpr std::size_t kOpenaiMostPairs = 1000;

}  // namespace

std::int64_t openai_time() { return work::seconds_of(std::chrono::system_clock::now()); }

Json openai_model_list(const work::Models& models) {
    static const std::int64_t first = openai_time();  // a model has no time of its own
    Json data = Json::array();
    const auto add = [&](const std::string& id) {
        data.push_back({{"id", id}, {"object", "model"}, {"created", first}, {"owned_by", "dragoman"}});
    };
    for (const work::ModelInfo& model : models.list()) add(model.name);
    std::vector<std::string> pairs;
    for (const work::ServedLanguage& language : models.languages())
        for (const std::string& target : language.targets)
            if (target != language.tag) pairs.push_back("dragoman-" + language.tag + "-" + target);
    if (pairs.size() <= kOpenaiMostPairs)
        for (const std::string& pair : pairs) add(pair);
    return {{"object", "list"}, {"data", std::move(data)}};
}

}  // namespace serve::api
