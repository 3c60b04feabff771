// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "serve/api/api.h"
#include "serve/api/shapes/shapes.h"

namespace serve::api {
namespace {

void lingva_translate(Services& services, Call& call) {
    const Texts given{{call.parameters["text"]}, false};
    services.check_texts(call.account, given.values, "text");
    const ShapeLanguages languages = shape_languages(services, given.values, call.parameters["source"],
                                                     call.parameters["target"]);
    services.translate(call, charged_ask(services, call, languages, given.values, "text"), nullptr,
                       [languages](Call& asked, const work::Answer& answer) {
                           Json body{{"translation", answer.text(0)}};
                           if (languages.detected) body["info"] = {{"detectedSource", languages.from}};
                           asked.exchange->send(json_response(body));
                       });
}

void lingva_languages(const Services& services, Call& call, bool sources) {
    Json all = Json::array();
    if (sources) all.push_back({{"code", "auto"}, {"name", "Detect"}});
    for (const work::ServedLanguage& language : services.models.languages())
        all.push_back({{"code", language.tag}, {"name", language.name}});
    call.exchange->send(json_response({{"languages", std::move(all)}}));
}

}  // namespace

// Lingva: GET /api/v1/SOURCE/TARGET/TEXT
void add_lingva(Router& router, Services& services) {
    Route route;
    route.method = "GET";
    route.path = "/api/v1/{source}/{target}/{text...}";
    route.body = Body::none;
    route.handler = [&services](Call& call) { lingva_translate(services, call); };
    route.text_in_path = true;
    router.add(route);
    route.text_in_path = false;
    route.access = Access::open;
    route.limited = false;
    for (const char* side : {"", "/source", "/target"}) {
        route.path = std::string("/api/v1/languages") + side;
        route.handler = [&services, sources = route.path != "/api/v1/languages/target"](Call& call) {
            lingva_languages(services, call, sources);
        };
        router.add(route);
    }
}

}  // namespace serve::api
