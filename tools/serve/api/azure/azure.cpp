// SPDX-License-Identifier: Apache-2.0
#include "serve/api/azure/azure.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "serve/api/shapes/shapes.h"
#include "serve/ascii.h"
#include "serve/work/detection.h"

namespace serve::api {
namespace {

using Kind = Problem::Kind;

// Quotas are a matter of the subscription there, and a key that is wrong of who asks.
int azure_status(Kind kind) {
    if (kind == Kind::quota) return 403;
    return kind == Kind::forbidden ? 401 : http_status(kind);
}

// Its numbers are the status with three more digits, for faults that programs tell apart.
int azure_detail(const Problem& problem) {
    switch (problem.kind) {
        case Kind::quota: return 1;
        case Kind::too_many: return 1;
        case Kind::unsupported_pair: return 23;
        case Kind::missing:
        case Kind::bad_request:
        case Kind::unsupported_language: break;
        default: return 0;
    }
    static constexpr std::pair<const char*, int> kFields[] = {
        {"scope", 1}, {"category", 2},  {"text", 5},      {"api-version", 21}, {"from", 35},
        {"to", 36},   {"language", 36}, {"textType", 71}, {"body", 74},
    };
    for (const auto& [field, number] : kFields)
        if (same_in_any_case(problem.thing, field)) return number;
    return 0;
}

// "3.0", or a day: "2026-06-06", "2025-05-01-preview".
void check_version(const AzureQuery& query) {
    const std::string version = query.text("api-version");
    const auto is_digit = [&](std::size_t i) { return version[i] >= '0' && version[i] <= '9'; };
    bool dated = version.size() == 10 || version.substr(std::min<std::size_t>(version.size(), 10)) == "-preview";
    for (std::size_t i = 0; dated && i < 10; ++i) dated = i == 4 || i == 7 ? version[i] == '-' : is_digit(i);
    if (version != "3.0" && !dated)
        throw Problem(Kind::bad_request, "The API version is not known: " + version, "api-version");
}

bool is_right_to_left(const std::string& tag) {
    static constexpr std::array<std::string_view, 14> kLanguages{"ar", "arc", "ckb", "dv",  "fa", "he", "ks",
                                                                 "ps", "prs", "sd",  "syr", "ug", "ur", "yi"};
    return std::ranges::find(kLanguages, std::string_view(tag).substr(0, tag.find('-'))) != kLanguages.end();
}

// Only English names are known.
Json translation_languages(const Services& services, bool dated) {
    Json all = Json::object();
    for (const work::ServedLanguage& language : services.models.languages()) {
        Json one{{"name", language.name}, {"nativeName", language.name}};
        one["dir"] = is_right_to_left(language.tag) ? "rtl" : "ltr";
        if (dated) one["models"] = Json::array({"general"});
        all[language.tag] = std::move(one);
    }
    return all;
}

void azure_languages(const Services& services, Call& call) {
    const AzureQuery query(call.request());
    const bool dated = query.text("api-version") != "3.0";
    std::vector<std::string> scopes = query.list("scope");
    if (scopes.empty()) scopes = {"translation", "transliteration", dated ? "models" : "dictionary"};
    Json all = Json::object();
    for (const std::string& scope : scopes) {
        if (scope == "translation") all[scope] = translation_languages(services, dated);
        else if (scope == "transliteration" || scope == "dictionary") all[scope] = Json::object();
        else if (scope == "models") all[scope] = Json::array({"general"});
        else throw Problem(Kind::bad_request, "The scope is not known: " + scope, "scope");
    }
    call.exchange->send(json_response(all));
}

Json detected(const work::Guess& guess) {
    return {{"language", guess.tag},
            {"score", guess.confidence},
            {"isTranslationSupported", true},
            {"isTransliterationSupported", false}};
}

void azure_detect(Services& services, Call& call) {
    const std::vector<std::string> texts = azure_texts(call.fields);
    services.check_texts(call.account, texts, "text");
    Json all = Json::array();
    for (const std::string& text : texts) {
        const std::vector<work::Guess> guesses = work::detect(services.models, {text});
        Json one = detected(guesses.empty() ? work::Guess{"und", 0} : guesses.front());
        if (guesses.empty()) one["isTranslationSupported"] = false;
        for (std::size_t i = 1; i < guesses.size(); ++i) one["alternatives"].push_back(detected(guesses[i]));
        all.push_back(std::move(one));
    }
    call.exchange->send(json_response(all));
}

}  // namespace

// {"error": {"code": 400036, "message": "..."}}
http::Response azure_error(const Problem& problem) {
    const int status = azure_status(problem.kind);
    return json_response({{"error", {{"code", status * 1000 + azure_detail(problem)}, {"message", problem.what()}}}},
                         status);
}

// Told from others' requests for the same paths by their api-version, which each of them must have.
void add_azure(Router& router, Services& services) {
    Route route;
    route.query_name = "api-version";
    route.error = azure_error;
    route.key_headers = {{"Ocp-Apim-Subscription-Key"}};
    route.key_fields = {"Subscription-Key", "subscription-key"};
    const auto add = [&](const char* method, const char* path, auto handler) {
        route.method = method;
        route.path = path;
        route.handler = [&services, handler](Call& call) {
            check_version(AzureQuery(call.request()));
            handler(services, call);
        };
        router.add(route);
    };
    add("POST", "/translate", azure_translate);
    add("POST", "/detect", azure_detect);
    for (const char* path : {"/breaksentence", "/transliterate", "/dictionary/lookup", "/dictionary/examples"})
        add("POST", path, [path](Services&, Call&) {
            throw Problem(Kind::unsupported, std::string(path + 1) + " is not supported by this service", path + 1);
        });
    route.access = Access::open;
    route.body = Body::none;
    route.limited = false;
    add("GET", "/languages", azure_languages);
}

}  // namespace serve::api
