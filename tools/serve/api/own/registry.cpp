// SPDX-License-Identifier: Apache-2.0
#include "serve/api/own/own.h"
#include "serve/api/own/worker.h"

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
            parts.worker->post([&models = parts.services.models, exchange = call.exchange,
                                from = text(call.fields, "from"), to = text(call.fields, "to"),
                                offline = flag(call.fields, "offline", false)] {
                try {
                    exchange->send(json_response(own_search(models, from, to, offline)));
                } catch (const dragoman::Error& error) {
                    send_problem(*exchange, own_problem(error), own_error);
                } catch (const std::exception& error) {
                    send_problem(*exchange, Problem(Problem::Kind::failed, error.what()), own_error);
                }
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
