// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "serve/api/openai/models.h"
#include "serve/api/own/events.h"
#include "serve/api/own/job_json.h"
#include "serve/work/published.h"

namespace serve::api {
namespace {

Json own_languages_json(const std::vector<dragoman::Language>& languages) {
    Json list = Json::array();
    for (const dragoman::Language& language : languages)
        list.push_back({{"tag", language.tag}, {"name", language.name}});
    return list;
}

Json own_model_json(const work::ModelInfo& model, bool admin) {
    Json json{{"name", model.name}, {"state", model.state}};
    if (!model.error.empty() && admin) json["error"] = model.error;  // it may have paths
    json["from"] = own_languages_json(model.from);
    json["to"] = own_languages_json(model.to);
    if (!model.family.empty()) json["family"] = model.family;
    if (!model.license.empty()) json["license"] = model.license;
    json["bytes"] = model.bytes;
    json["requests"] = model.requests;
    if (admin) json["path"] = model.path;
    return json;
}

// With "object" and "data", which clients of OpenAI's interface read under the same path.
void own_list(Services& services, Call& call) {
    Json body{{"models", Json::array()}};
    for (const work::ModelInfo& model : services.models.list())
        body["models"].push_back(own_model_json(model, call.account.admin));
    body.update(openai_model_list(services.models));
    call.exchange->send(json_response(body));
}

// As OpenAI's clients read it, too, who may also ask for two languages by a name of their list.
void own_one(Services& services, Call& call) {
    const std::string& name = call.parameters.at("name");
    std::optional<Json> listed = openai_find_model(services.models, name);
    if (!listed) throw Problem(Problem::Kind::not_found, "there is no model " + name, "name");
    const std::optional<work::ModelInfo> model = services.models.find(name);
    Json body = model ? own_model_json(*model, call.account.admin) : Json::object();
    body.update(*listed);
    call.exchange->send(json_response(body));
}

work::ModelInfo own_model(Services& services, const std::string& name) {
    const auto found = services.models.find(name);
    if (!found) throw Problem(Problem::Kind::not_found, "there is no model " + name, "name");
    return *found;
}

// Loading takes seconds, and waits for the device.
void own_change(const OwnParts& parts, Call& call, std::string name, void (work::Models::*change)(const std::string&)) {
    own_model(parts.services, name);
    Services& services = parts.services;
    parts.worker->post([&services, exchange = call.exchange, name = std::move(name), change] {
        try {
            (services.models.*change)(name);
            exchange->send(json_response(own_model_json(own_model(services, name), true)));
        } catch (const Problem& problem) {
            send_problem(*exchange, problem, own_error);
        } catch (const std::exception& error) {
            send_problem(*exchange, Problem(Problem::Kind::failed, error.what()), own_error);
        }
    });
}

// The path ends with what to do: names may have slashes themselves.
void own_act(const OwnParts& parts, Call& call) {
    const std::string& path = call.parameters.at("name");
    const std::size_t slash = path.rfind('/');
    const std::string action = slash == std::string::npos ? "" : path.substr(slash + 1);
    if (action == "load") return own_change(parts, call, path.substr(0, slash), &work::Models::load);
    if (action == "unload") return own_change(parts, call, path.substr(0, slash), &work::Models::unload);
    throw Problem(Problem::Kind::not_found, "a path that ends with /load or /unload is expected", "name");
}

// Only what a registry calls so: no path or address of a client is ever opened.
void own_add(const OwnParts& parts, Call& call) {
    const std::string name = own_needed(call.fields, "name");
    if (!work::is_published_name(name))
        throw Problem(Problem::Kind::bad_request,
                      "name is \"" + name + "\", one of a registry is expected, such as \"firefox:de-en\"", "name");
    const OwnJob job = parts.downloads->add(name);
    if (own_wants_events(call.request(), call.fields)) own_follow_download(parts, call, job.id);
    else call.exchange->send(json_response(own_download_json(job), 202));
}

void own_remove(Services& services, Call& call) {
    const std::string& name = call.parameters.at("name");
    own_model(services, name);
    services.models.remove(name);
    call.exchange->send(no_content());
}

void own_reload(const OwnParts& parts, Call& call) {
    Services& services = parts.services;
    parts.worker->post([&services, exchange = call.exchange] {
        try {
            services.models.reload();
            exchange->send(json_response({{"reloaded", true}}));
        } catch (const std::exception& error) {
            send_problem(*exchange, Problem(Problem::Kind::failed, error.what()), own_error);
        }
    });
}

}  // namespace

void add_own_models(Router& router, const OwnParts& parts) {
    Services& services = parts.services;
    router.add(
        own_route("GET", "/v1/models", [&services](Call& call) { own_list(services, call); }, Access::key, Body::none));
    router.add(own_route(
        "GET", "/v1/models/{name...}", [&services](Call& call) { own_one(services, call); }, Access::key, Body::none));
    router.add(own_route("POST", "/v1/models", [parts](Call& call) { own_add(parts, call); }, Access::admin));
    router.add(own_route("POST", "/v1/models/{name...}", [parts](Call& call) { own_act(parts, call); }, Access::admin));
    router.add(own_route(
        "DELETE", "/v1/models/{name...}", [&services](Call& call) { own_remove(services, call); }, Access::admin,
        Body::none));
    router.add(own_route("POST", "/v1/reload", [parts](Call& call) { own_reload(parts, call); }, Access::admin));
}

}  // namespace serve::api
