// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "serve/api/api.h"
#include "serve/api/openai/placeholders.h"
#include "serve/api/openai/request.h"
#include "serve/api/sentence_stream.h"

namespace serve::api {
namespace {

using Kind = Problem::Kind;

constexpr std::size_t kMostPairNames = 1000;

struct OpenaiCode {
    const char *type, *code;  // code: null for none
};

OpenaiCode openai_code(Kind kind) {
    switch (kind) {
        case Kind::unauthorized:
        case Kind::forbidden: return {"invalid_request_error", "invalid_api_key"};
        case Kind::not_found: return {"invalid_request_error", "model_not_found"};
        case Kind::too_many: return {"requests", "rate_limit_exceeded"};
        case Kind::quota: return {"insufficient_quota", "insufficient_quota"};
        case Kind::failed:
        case Kind::busy: return {"server_error", nullptr};
        default: return {"invalid_request_error", nullptr};
    }
}

Json openai_problem(const Problem& problem) {
    const OpenaiCode code = openai_code(problem.kind);
    Json error{{"message", problem.what()}, {"type", code.type}};
    error["param"] = problem.kind == Kind::missing ? Json(problem.thing) : Json();
    error["code"] = code.code ? Json(code.code) : Json();
    return {{"error", std::move(error)}};
}

http::Response openai_error(const Problem& problem) {
    return json_response(openai_problem(problem), http_status(problem.kind));
}

std::int64_t seconds_since_epoch() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

// Text of a text in the answer, without what carried its placeholders.
std::string openai_text(const OpenaiRequest& request, std::string text) {
    return request.placeholders ? with_placeholders(text) : text;
}

// What a choice says, as the client joined its texts.
std::string openai_content_of(const OpenaiRequest& request, const std::vector<std::string>& texts) {
    if (request.form == OpenaiRequest::Form::list)
        return Json(texts).dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string all;
    for (std::size_t i = 0; i < texts.size(); ++i) all += (i ? kOpenaiSeparator : "") + texts[i];
    return all;
}

std::vector<std::string> openai_best(const OpenaiRequest& request, const work::Answer& answer) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < request.texts.values.size(); ++i) all.push_back(openai_text(request, answer.text(i)));
    if (request.form == OpenaiRequest::Form::rephrased)
        for (std::string& other : answer.alternatives(0)) all.push_back(openai_text(request, std::move(other)));
    return all;
}

// The best translation, then the others of a single text.
std::vector<std::string> openai_choices(const OpenaiRequest& request, const work::Answer& answer) {
    std::vector<std::string> choices{openai_content_of(request, openai_best(request, answer))};
    if (request.form == OpenaiRequest::Form::text && request.texts.values.size() == 1)
        for (std::string& other : answer.alternatives(0))
            if (choices.size() < request.choices) choices.push_back(openai_text(request, std::move(other)));
    return choices;
}

Json openai_usage(const work::Answer& answer) {
    std::size_t sources = 0, targets = 0;
    for (std::size_t i = 0; answer.result && i < answer.size(); ++i) {
        sources += answer.result->source_tokens(i).size();
        if (answer.result->hypotheses(i) > 0) targets += answer.result->tokens(i).size();
    }
    return {{"prompt_tokens", sources}, {"completion_tokens", targets}, {"total_tokens", sources + targets}};
}

Json openai_head(const Call& call, const OpenaiRequest& request, const char* object) {
    return {{"id", "chatcmpl-" + call.request().id},
            {"object", object},
            {"created", seconds_since_epoch()},
            {"model", request.called}};
}

work::Ask openai_ask(const OpenaiRequest& request) {
    work::Ask ask = shape_ask(request.languages, request.texts.values);
    ask.model = request.model;
    ask.tokens = true;
    ask.alternatives = request.texts.values.size() == 1 ? request.choices - 1 : 0;
    if (!request.terms.empty())
        ask.terms = work::Glossaries::terms_of(request.terms, request.languages.from, request.languages.to);
    if (!request.placeholders) return ask;
    ask.markup = DRAGOMAN_MARKUP_XML;
    for (std::string& text : ask.texts) text = with_elements(text);
    return ask;
}

std::string openai_chunk(Json chunk, Json delta, const Json& finish_reason) {
    chunk["choices"] = Json::array({Json{{"index", 0}, {"delta", std::move(delta)}, {"finish_reason", finish_reason}}});
    return "data: " + chunk.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n\n";
}

void openai_stream(Services& services, Call& call, const OpenaiRequest& request) {
    const Json head = openai_head(call, request, "chat.completion.chunk");
    const Json* options = find(call.fields, "stream_options");
    const bool usage = options && flag(*options, "include_usage", false);
    SentenceForm form;
    form.separator = kOpenaiSeparator;
    form.in_order = request.form == OpenaiRequest::Form::text && !request.placeholders;
    form.begin = [head] { return openai_chunk(head, {{"role", "assistant"}, {"content", ""}}, nullptr); };
    form.piece = [head](std::string_view text) { return openai_chunk(head, {{"content", text}}, nullptr); };
    if (!form.in_order)
        form.translations = [request](const work::Answer& answer) {
            return std::vector<std::string>{openai_content_of(request, openai_best(request, answer))};
        };
    form.end = [head, usage](const work::Answer& answer) {
        std::string last = openai_chunk(head, Json::object(), "stop");
        Json chunk = head;
        chunk["choices"] = Json::array();
        chunk["usage"] = openai_usage(answer);
        if (usage) last += "data: " + chunk.dump() + "\n\n";
        return last + "data: [DONE]\n\n";
    };
    form.problem = [](const Problem& problem) { return "data: " + openai_problem(problem).dump() + "\n\n"; };
    translate_streamed(services, call, openai_ask(request), openai_error, std::move(form));
}

void openai_chat(Services& services, Call& call) {
    const OpenaiRequest request = read_openai_chat(services, call.fields);
    check_limits(services, call.account, request.texts);
    if (flag(call.fields, "stream", false)) return openai_stream(services, call, request);
    Json body = openai_head(call, request, "chat.completion");
    services.translate(call, openai_ask(request), openai_error, [=](Call& asked, const work::Answer& answer) mutable {
        body["choices"] = Json::array();
        for (const std::string& content : openai_choices(request, answer))
            body["choices"].push_back({{"index", body["choices"].size()},
                                       {"message", {{"role", "assistant"}, {"content", content}}},
                                       {"logprobs", nullptr},
                                       {"finish_reason", "stop"}});
        body["usage"] = openai_usage(answer);
        asked.exchange->send(json_response(body));
    });
}

void openai_completion(Services& services, Call& call) {
    const OpenaiRequest request = read_openai_completion(services, call.fields);
    if (flag(call.fields, "stream", false))
        throw Problem(Kind::unsupported, "stream is supported by chat completions only", "stream");
    check_limits(services, call.account, request.texts);
    Json body = openai_head(call, request, "text_completion");
    services.translate(call, openai_ask(request), openai_error, [=](Call& asked, const work::Answer& answer) mutable {
        body["choices"] = Json::array();
        for (std::size_t i = 0; i < answer.size(); ++i)
            body["choices"].push_back(
                {{"index", i}, {"text", answer.text(i)}, {"logprobs", nullptr}, {"finish_reason", "stop"}});
        body["usage"] = openai_usage(answer);
        asked.exchange->send(json_response(body));
    });
}

// Models by their names, and one for each two languages.
void openai_models(const Services& services, Call& call, std::int64_t started) {
    Json all = Json::array();
    const auto add = [&](const std::string& id) {
        all.push_back({{"id", id}, {"object", "model"}, {"created", started}, {"owned_by", "dragoman"}});
    };
    for (const work::ModelInfo& model : services.models.list()) add(model.name);
    std::vector<std::string> pairs;
    for (const work::ServedLanguage& language : services.models.languages())
        for (const std::string& target : language.targets)
            if (target != language.tag) pairs.push_back("dragoman-" + language.tag + "-" + target);
    if (pairs.size() <= kMostPairNames)
        for (const std::string& pair : pairs) add(pair);
    call.exchange->send(json_response({{"object", "list"}, {"data", std::move(all)}}));
}

}  // namespace

void add_openai(Router& router, Services& services) {
    Route route;
    route.error = openai_error;
    const auto add = [&](const char* method, const std::string& path, std::function<void(Call&)> handler) {
        route.method = method;
        route.path = path;
        route.handler = std::move(handler);
        router.add(route);
    };
    for (const std::string root : {"", "/v1"}) {
        add("POST", root + "/chat/completions", [&services](Call& call) { openai_chat(services, call); });
        add("POST", root + "/completions", [&services](Call& call) { openai_completion(services, call); });
        add("GET", root + "/models",
            [&services, started = seconds_since_epoch()](Call& call) { openai_models(services, call, started); });
    }
}

}  // namespace serve::api
