// SPDX-License-Identifier: Apache-2.0
#include "serve/api/mtranserver/mtranserver.h"

#include <dragoman/dragoman.h>

#include <string>
#include <utility>

#include "serve/work/detection.h"

namespace serve::api {
namespace {

// {from, to, texts, html} -> {results}
void answer_batch(Services& services, Call& call) {
    translate_mtranserver(services, call, needed_texts(call.fields, "texts"), "texts",
                          [](Call& asked, const GroupedAnswer& answer) {
                              Json all = Json::array();
                              for (std::size_t i = 0; i < answer.size(); ++i) all.push_back(answer.text(i));
                              asked.exchange->send(json_response({{"results", std::move(all)}}));
                          });
}

void list_languages(const Services& services, Call& call) {
    Json tags = Json::array(), pairs = Json::array();
    for (const work::ServedLanguage& language : services.models.languages()) {
        tags.push_back(language.tag);
        for (const std::string& target : language.targets)
            if (target != language.tag) pairs.push_back({{"from", language.tag}, {"to", target}});
    }
    call.exchange->send(json_response({{"languages", std::move(tags)}, {"pairs", std::move(pairs)}}));
}

Route open_route(const std::string& path, std::function<void(Call&)> handler) {
    Route route = mtranserver_route("GET", path, std::move(handler));
    route.access = Access::open;
    route.body = Body::none;
    route.limited = false;
    return route;
}

void tell_ready(Call& call) {
    http::Response response;
    response.content_type = "text/plain; charset=utf-8";
    response.body = "Ready";
    call.exchange->send(std::move(response));
}

}  // namespace

// {"error": "..."}; a token that is missing or wrong is 401 there.
http::Response mtranserver_error(const Problem& problem) {
    http::Response response = plain_error(problem);
    if (problem.kind == Problem::Kind::forbidden) response.status = 401;
    return response;
}

Route mtranserver_route(const char* method, const std::string& path, std::function<void(Call&)> handler) {
    Route route;
    route.method = method;
    route.path = path;
    route.handler = std::move(handler);
    route.error = mtranserver_error;
    route.key_headers = {{"Authorization"}, {"X-API-Token"}};
    route.key_fields = {"token", "api_token"};
    return route;
}

void translate_mtranserver(Services& services, Call& call, const Texts& texts, const char* field, GroupsDone done) {
    if (texts.values.empty()) return done(call, GroupedAnswer({}));
    services.check_texts(call.account, texts.values, field);
    const bool html = flag(call.fields, "html", false);
    GroupedAsk ask{texts.values,
                   ways_of_texts(services, texts.values, text(call.fields, "from"), needed_text(call.fields, "to"),
                                 html),
                   field,
                   mtranserver_error,
                   [html](work::Ask& each) { each.markup = html ? DRAGOMAN_MARKUP_HTML : DRAGOMAN_MARKUP_NONE; },
                   html};
    translate_groups(services, call, std::move(ask), std::move(done));
}

// {from, to, text, html} -> {result}
void answer_mtranserver(Services& services, Call& call) {
    translate_mtranserver(services, call, {{text(call.fields, "text")}, false}, "text",
                          [](Call& asked, const GroupedAnswer& answer) {
                              asked.exchange->send(json_response({{"result", answer.text(0)}}));
                          });
}

// {text, minConfidence} -> {language}, with its confidence where one is asked for
void detect_mtranserver(Services& services, Call& call) {
    const std::string given = needed_text(call.fields, "text");
    services.check_texts(call.account, {given}, "text");
    const std::vector<work::Guess> guesses = work::detect(services.models, {given});
    Json body{{"language", guesses.empty() ? "" : guesses.front().tag}};
    if (const Json* least = find(call.fields, "minConfidence")) {
        if (!least->is_number())
            throw Problem(Problem::Kind::bad_request, "Invalid request: minConfidence is no number", "minConfidence");
        const double confidence = guesses.empty() ? 0 : guesses.front().confidence;
        if (confidence < least->get<double>()) body["language"] = "";
        body["confidence"] = confidence;
    }
    call.exchange->send(json_response(body));
}

// /languages is LibreTranslate's, who answers a list of objects: MTranServer's stands below a path of its own, as does
// all that programs ask of it, so that they need one address only.
void add_mtranserver(Router& router, Services& services) {
    static const std::string own = "/mtranserver";
    for (const std::string& before : {std::string(), own}) {
        router.add(mtranserver_route("POST", before + "/translate/batch",
                                     [&services](Call& call) { answer_batch(services, call); }));
        router.add(open_route(before + "/version", [](Call& call) {
            call.exchange->send(json_response({{"version", dragoman_version_string()}}));
        }));
        for (const char* path : {"/__heartbeat__", "/__lbheartbeat__"})
            router.add(open_route(before + path, tell_ready));
    }
    router.add(mtranserver_route("POST", own + "/translate",
                                 [&services](Call& call) { answer_mtranserver(services, call); }));
    router.add(mtranserver_route("POST", own + "/detect",
                                 [&services](Call& call) { detect_mtranserver(services, call); }));
    router.add(open_route(own + "/languages", [&services](Call& call) { list_languages(services, call); }));
    router.add(open_route(own + "/health", [](Call& call) { call.exchange->send(json_response({{"status", "ok"}})); }));
    mtranserver_add_plugins(router, services);
    mtranserver_add_hcfy(router, services);
}

}  // namespace serve::api
