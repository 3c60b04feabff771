// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "serve/api/own/own.h"

#ifndef DRAGOMAN_WITHOUT_MODELS

#include <dragoman/models.hpp>

namespace serve::api {
namespace {

Json own_published_json(const dragoman_published_model& model) {
    Json json{{"name", model.name},
              {"title", model.title},
              {"from", model.from},
              {"to", model.to},
              {"installed", model.installed != 0},
              {"bytes", model.bytes}};
    const auto add = [&](const char* name, const char* value) {
        if (*value) json[name] = value;
    };
    add("publisher", model.publisher);
    add("license", model.license);
    add("version", model.version);
    add("architecture", model.architecture);
    add("notice", model.notice);
    add("gate", model.gate);
    if (*model.metric && model.quality != 0) json["quality"] = {{"metric", model.metric}, {"value", model.quality}};
    return json;
}

// Offline: what lists on this machine have, and `problems` names the publishers whose lists are not here.
Json own_search(const work::Models& served, const std::string& from, const std::string& to, bool offline) {
    dragoman::ModelsOptions options;
    options.offline = offline;
    const dragoman::ModelList found = dragoman::search_models(from, to, options);
    Json models = Json::array();
    for (std::size_t i = 0; i < found.size(); ++i) {
        models.push_back(own_published_json(found[i]));
        models.back()["served"] = served.find(found[i].name).has_value();
    }
    Json answer{{"models", std::move(models)}};
    if (const std::string problems = found.problems(); !problems.empty()) answer["problems"] = problems;
    return answer;
}

}  // namespace

void add_own_registry(Router& router, const OwnParts& parts) {
    router.add(own_route(
        "GET", "/v1/registry",
        [parts](Call& call) {
            parts.worker->post([&services = parts.services, exchange = call.exchange, from = text(call.fields, "from"),
                                to = text(call.fields, "to"),
                                offline = parts.services.offline || flag(call.fields, "offline", false)] {
                services.answered(*exchange, own_error, [&] {
                    try {
                        exchange->send(json_response(own_search(services.models, from, to, offline)));
                    } catch (const dragoman::Error& error) {
                        throw own_problem(error);
                    }
                });
            });
        },
        Access::admin, Body::none));
}

}  // namespace serve::api

#else

namespace serve::api {

void add_own_registry(Router& router, const OwnParts&) {
    router.add(own_route(
        "GET", "/v1/registry",
        [](Call&) { throw Problem(Problem::Kind::unsupported, "this service was built without registries of models"); },
        Access::admin, Body::none));
}

}  // namespace serve::api

#endif
