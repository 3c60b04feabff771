// SPDX-License-Identifier: Apache-2.0
#include "serve/api/libretranslate/libretranslate.h"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/api/api.h"
#include "serve/api/shapes/shapes.h"
#include "serve/work/detection.h"

namespace serve::api {
namespace {

constexpr int kFrontendTimeout = 500;  // milliseconds that its page waits after a key was pressed

Json libre_languages(const Services& services) {
    Json all = Json::array();
    for (const work::ServedLanguage& language : services.models.languages())
        all.push_back({{"code", language.tag}, {"name", language.name}, {"targets", language.targets}});
    return all;
}

// Clients read the confidence as an integer, and one of them wants exactly one language.
void libre_detect(const Services& services, Call& call) {
    const Texts given = needed_texts(call.fields, "q");
    if (given.values.empty() || (!given.list && given.values.front().empty())) throw missing("q");
    for (const std::string& each : given.values) count_characters(each, "q");
    const std::vector<work::Guess> guesses = work::detect(services.models, given.values);
    Json best{{"confidence", 0}, {"language", "en"}};
    if (!guesses.empty())
        best = {{"confidence", std::lround(guesses.front().confidence * 100)}, {"language", guesses.front().tag}};
    call.exchange->send(json_response(Json::array({std::move(best)})));
}

// The first language of an Accept-Language that is served; otherwise the first that is.
Json libre_target(const Services& services, std::string_view accepted) {
    std::string tag;
    while (tag.empty() && !accepted.empty()) {
        const std::string_view one = accepted.substr(0, accepted.find(','));
        accepted.remove_prefix(std::min(accepted.size(), one.size() + 1));
        const std::size_t begin = one.find_first_not_of(' ');
        if (begin != std::string_view::npos)
            tag = services.models.language(std::string(one.substr(begin, one.find_first_of("; ", begin) - begin)));
    }
    const std::vector<work::ServedLanguage> served = services.models.languages();
    for (const work::ServedLanguage& language : served)
        if (language.tag == tag) return {{"code", tag}, {"name", language.name}};
    if (served.empty()) return {{"code", "en"}, {"name", "English"}};
    return {{"code", served.front().tag}, {"name", served.front().name}};
}

Json libre_settings(const Services& services, std::string_view accepted) {
    Json body;
    body["apiKeys"] = services.guard.keys_needed() || (services.guard.keys() && !services.guard.keys()->empty());
    body["charLimit"] = services.guard.max_characters();
    body["filesTranslation"] = services.documents_allowed;
    body["frontendTimeout"] = kFrontendTimeout;
    body["keyRequired"] = services.guard.keys_needed();
    body["language"] = {{"source", {{"code", "auto"}, {"name", "Auto Detect"}}},
                        {"target", libre_target(services, accepted)}};
    body["suggestions"] = services.suggestions_allowed;
    body["supportedFilesFormat"] = services.documents_allowed ? work::Documents::endings() : std::vector<std::string>();
    return body;
}

// Without a key, and what a client sends as a body is not looked at.
Route libre_open(const char* method, const char* path, std::function<void(Call&)> handler) {
    Route route = libretranslate_route(method, path, std::move(handler));
    route.access = Access::open;
    route.body = Body::none;
    route.limited = false;
    return route;
}

}  // namespace

Route libretranslate_route(const char* method, const char* path, std::function<void(Call&)> handler) {
    Route route;
    route.method = method;
    route.path = path;
    route.handler = std::move(handler);
    route.error = libretranslate_error;
    route.key_fields = {"api_key"};
    return route;
}

void add_libretranslate(Router& router, Services& services) {
    const auto languages = [&services](Call& call) { call.exchange->send(json_response(libre_languages(services))); };
    router.add(libre_open("GET", "/languages", languages));
    router.add(libre_open("POST", "/languages", languages));  // argostranslate's remote mode
    router.add(libre_open("GET", "/frontend/settings", [&services](Call& call) {
        call.exchange->send(json_response(libre_settings(services, call.request().header("Accept-Language"))));
    }));
    Route detect = libretranslate_route("POST", "/detect", [&services](Call& call) {
        const bool other = has(call.fields, "text") && !has(call.fields, "q");
        if (other) detect_mtranserver(services, call);
        else libre_detect(services, call);
    });
    detect.key_headers = {{"Authorization"}, {"X-API-Token"}};  // MTranServer's
    detect.key_fields = {"api_key", "token", "api_token"};
    router.add(std::move(detect));
    add_libretranslate_files(router, services);
    add_libretranslate_suggestions(router, services);
}

}  // namespace serve::api
