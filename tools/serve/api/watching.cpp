// SPDX-License-Identifier: Apache-2.0
#include "serve/api/api.h"
#include "serve/fields.h"

namespace serve::api {

// Health: 503 until the first model has been loaded, so that a balancer waits; LibreTranslate's answer afterwards.
void add_watching(Router& router, Services& services) {
    Route route;
    route.method = "GET";
    route.path = "/health";
    route.access = Access::open;
    route.body = Body::none;
    route.limited = false;
    route.handler = [&services](Call& call) {
        if (services.models.ready()) return call.exchange->send(json_response({{"status", "ok"}}));
        http::Response response = json_response({{"status", "loading"}}, 503);
        response.headers.push_back({"Retry-After", "1"});
        call.exchange->send(std::move(response));
    };
    router.add(std::move(route));
}

}  // namespace serve::api
