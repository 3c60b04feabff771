// SPDX-License-Identifier: Apache-2.0
#include "serve/api/google.h"

#include <string>
#include <utility>
#include <vector>

#include "serve/api/shapes/groups.h"
#include "serve/ascii.h"
#include "serve/work/detection.h"

namespace serve::api {
namespace {

using Kind = Problem::Kind;

struct GoogleReason {
    const char* status;
    const char* reason;
};

GoogleReason google_reason(Kind kind) {
    switch (kind) {
        case Kind::unauthorized: return {"UNAUTHENTICATED", "authError"};
        case Kind::forbidden: return {"PERMISSION_DENIED", "forbidden"};
        case Kind::not_found: return {"NOT_FOUND", "notFound"};
        case Kind::too_many: return {"RESOURCE_EXHAUSTED", "rateLimitExceeded"};
        case Kind::quota: return {"RESOURCE_EXHAUSTED", "dailyLimitExceeded"};
        case Kind::failed: return {"INTERNAL", "backendError"};
        case Kind::unsupported: return {"UNIMPLEMENTED", "notImplemented"};
        case Kind::busy: return {"UNAVAILABLE", "backendError"};
        case Kind::missing: return {"INVALID_ARGUMENT", "required"};
        default: return {"INVALID_ARGUMENT", "invalid"};
    }
}

Texts google_texts(const Services& services, const Call& call) {
    Texts given = needed_texts(call.fields, "q");
    if (given.values.empty()) throw missing("q");
    services.check_texts(call.account, given.values, "q");
    return given;
}

bool google_html(const Json& fields) {
    const std::string format = text(fields, "format");
    if (format.empty() || format == "html") return true;
    if (format == "text") return false;
    throw Problem(Kind::bad_request, "Invalid Value: format " + format, "format");
}

void google_detect(Services& services, Call& call) {
    Json all = Json::array();
    for (const std::string& each : google_texts(services, call).values) {
        const std::vector<work::Guess> guesses = work::detect(services.models, {each});
        Json best{{"confidence", 0}, {"isReliable", false}, {"language", "und"}};
        if (!guesses.empty()) {
            best["confidence"] = guesses.front().confidence;
            best["language"] = guesses.front().tag;
        }
        all.push_back(Json::array({std::move(best)}));
    }
    call.exchange->send(json_response({{"data", {{"detections", std::move(all)}}}}));
}

// Names only where a language for them is asked for; ours are English.
void google_languages(const Services& services, Call& call) {
    const bool named = !text(call.fields, "target").empty();
    Json all = Json::array();
    for (const work::ServedLanguage& language : services.models.languages()) {
        Json one{{"language", language.tag}};
        if (named) one["name"] = language.name;
        all.push_back(std::move(one));
    }
    call.exchange->send(json_response({{"data", {{"languages", std::move(all)}}}}));
}

}  // namespace

// {"error": {"code": 400, "message": "...", "errors": [...], "status": "INVALID_ARGUMENT"}}
http::Response google_error(const Problem& problem) {
    const int status = http_status(problem.kind);
    const GoogleReason reason = google_reason(problem.kind);
    Json error{{"code", status}, {"message", problem.what()}};
    error["errors"] = Json::array({Json{{"message", problem.what()}, {"domain", "global"}, {"reason", reason.reason}}});
    error["status"] = reason.status;
    return json_response({{"error", std::move(error)}}, status);
}

void google_translate(Services& services, Call& call) {
    const Texts given = google_texts(services, call);
    const std::string target = needed_text(call.fields, "target");
    const bool html = google_html(call.fields);
    const std::string model = text(call.fields, "model");
    const std::string source = in_small_letters(text(call.fields, "source"));
    const bool detects = source.empty() || source == "auto";
    GroupedAsk ask{given.values,
                   ways_of_texts(services, given.values, source, target, html),
                   "q",
                   google_error,
                   [html](work::Ask& each) { each.markup = html ? DRAGOMAN_MARKUP_HTML : DRAGOMAN_MARKUP_NONE; },
                   html};
    translate_groups(services, call, std::move(ask), [detects, model](Call& asked, const GroupedAnswer& answer) {
        Json all = Json::array();
        for (std::size_t i = 0; i < answer.size(); ++i) {
            Json one{{"translatedText", answer.text(i)}};
            if (detects) one["detectedSourceLanguage"] = answer.from(i);
            if (!model.empty()) one["model"] = model;
            all.push_back(std::move(one));
        }
        asked.exchange->send(json_response({{"data", {{"translations", std::move(all)}}}}));
    });
}

void add_google(Router& router, Services& services) {
    Route route;
    route.error = google_error;
    route.key_headers = {{"X-goog-api-key"}};
    route.key_fields = {"key"};
    for (const char* method : {"GET", "POST"}) {
        route.method = method;
        route.path = "/language/translate/v2";
        route.handler = [&services](Call& call) { google_translate(services, call); };
        router.add(route);
        route.path = "/language/translate/v2/detect";
        route.handler = [&services](Call& call) { google_detect(services, call); };
        router.add(route);
        route.path = "/language/translate/v2/languages";
        route.handler = [&services](Call& call) { google_languages(services, call); };
        router.add(route);
    }
}

}  // namespace serve::api
