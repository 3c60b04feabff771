// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "serve/api/own/own.h"

namespace serve::api {

// What glossaries and memories have alike: GET of all that belong to who asks and of one of them, DELETE of one. `kept`
// lives as long as the router; `to_json` gets one of its things, and whether all of it is wanted.
template <class Kept, class ToJson>
void own_add_kept(Router& router, const std::string& name, Kept& kept, ToJson to_json) {
    const std::string path = "/v1/" + name;
    router.add(own_route(
        "GET", path,
        [&kept, name, to_json](Call& call) {
            Json list = Json::array();
            for (const auto& one : kept.list(call.account.owner)) list.push_back(to_json(one, false));
            call.exchange->send(json_response({{name, std::move(list)}}));
        },
        Access::key, Body::none));
    router.add(own_route(
        "GET", path + "/{id}",
        [&kept, to_json](Call& call) {
            call.exchange->send(json_response(to_json(kept.get(call.account.owner, call.parameters.at("id")), true)));
        },
        Access::key, Body::none));
    router.add(own_route(
        "DELETE", path + "/{id}",
        [&kept](Call& call) {
            kept.remove(call.account.owner, call.parameters.at("id"));
            call.exchange->send(no_content());
        },
        Access::key, Body::none));
}

}  // namespace serve::api
