// SPDX-License-Identifier: Apache-2.0
#include "serve/api/own/own.h"

namespace serve::api {
namespace {

// Null: there is no limit.
Json own_limit(std::int64_t limit) { return limit <= 0 ? Json(nullptr) : Json(limit); }

void own_info(Services& services, Call& call) {
    const work::Models::DeviceState device = services.models.device();
    const work::TranslationsOptions& limits = services.translations.options();
    Json info{{"name", "dragoman"}, {"version", dragoman_version_string()}, {"ready", services.models.ready()}};
    info["device"] = {{"name", device.name},
                      {"driver", device.driver},
                      {"held_bytes", device.held_bytes},
                      {"limit_bytes", own_limit(std::int64_t(device.limit_bytes))}};
    info["limits"] = {{"characters", own_limit(std::int64_t(call.account.max_characters))},
                      {"texts", own_limit(services.max_texts)},
                      {"alternatives", limits.most_alternatives},
                      {"body_bytes", services.max_body_bytes},
                      {"file_bytes", services.max_file_bytes},
                      {"waiting", limits.most_waiting}};
    info["documents"] = services.documents_allowed;
    info["key_required"] = services.guard.keys_needed();
    info["admin"] = call.account.admin;
    call.exchange->send(json_response(info));
}

void own_formats(Services& services, Call& call) {
    call.exchange->send(json_response({{"documents", services.documents_allowed ? work::Documents::endings()
                                                                                : std::vector<std::string>()},
                                       {"markup", {"none", "html", "xml"}}}));
}

}  // namespace

void add_own_info(Router& router, const OwnParts& parts) {
    Services& services = parts.services;
    router.add(
        own_route("GET", "/v1/info", [&services](Call& call) { own_info(services, call); }, Access::open, Body::none));
    router.add(own_route(
        "GET", "/v1/formats", [&services](Call& call) { own_formats(services, call); }, Access::open, Body::none));
}

}  // namespace serve::api
