// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/api/api.h"
#include "serve/api/event_stream.h"
#include "serve/api/openai/models.h"
#include "serve/api/openai/placeholders.h"
#include "serve/api/openai/request.h"
#include "serve/api/sentence_stream.h"

namespace serve::api {
namespace {

using Kind = Problem::Kind;

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

// Text of a text in the answer, without what carried its placeholders.
std::string openai_text(const OpenaiRequest& request, std::string text) {
    return request.placeholders ? with_placeholders(text) : text;
}

// What a choice says, as the client joined its texts.
std::string openai_content_of(const OpenaiRequest& request, const std::vector<std::string>& texts) {
    if (request.form == OpenaiRequest::Form::list) return json_text(texts);
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

Json openai_usage(std::span<const work::Answer> answers) {
    std::size_t sources = 0, targets = 0;
    for (const work::Answer& answer : answers)
        for (std::size_t i = 0; answer.result && i < answer.size(); ++i) {
            sources += answer.result->source_tokens(i).size();
            if (answer.result->hypotheses(i) > 0) targets += answer.result->tokens(i).size();
        }
    return {{"prompt_tokens", sources}, {"completion_tokens", targets}, {"total_tokens", sources + targets}};
}

Json openai_head(const Call& call, const OpenaiRequest& request, const char* object) {
    return {{"id", "chatcmpl-" + call.request().id},
            {"object", object},
            {"created", openai_time()},
            {"model", request.called}};
}

work::Ask openai_ask(Services& services, const Call& call, const OpenaiRequest& request) {
    work::Ask ask = charged_ask(services, call, request.languages, request.texts.values, "messages");
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
    return event_text("", json_text(chunk));
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
        chunk["usage"] = openai_usage({&answer, 1});
        if (usage) last += event_text("", json_text(chunk));
        return last + event_text("", "[DONE]");
    };
    form.problem = [](const Problem& problem) { return event_text("", json_text(openai_problem(problem))); };
    translate_streamed(services, call, openai_ask(services, call, request), openai_error, std::move(form));
}

void openai_chat(Services& services, Call& call) {
    const OpenaiRequest request = read_openai_chat(services, call.fields);
    services.check_texts(call.account, request.texts.values, "messages");
    if (flag(call.fields, "stream", false)) return openai_stream(services, call, request);
    Json body = openai_head(call, request, "chat.completion");
    services.translate(call, openai_ask(services, call, request), openai_error,
                       [=](Call& asked, const work::Answer& answer) mutable {
                           body["choices"] = Json::array();
                           for (const std::string& content : openai_choices(request, answer))
                               body["choices"].push_back({{"index", body["choices"].size()},
                                                          {"message", {{"role", "assistant"}, {"content", content}}},
                                                          {"logprobs", nullptr},
                                                          {"finish_reason", "stop"}});
                           body["usage"] = openai_usage({&answer, 1});
                           asked.exchange->send(json_response(body));
                       });
}

void openai_completion(Services& services, Call& call) {
    OpenaiCompletion completion = read_openai_completion(services, call.fields);
    if (flag(call.fields, "stream", false))
        throw Problem(Kind::unsupported, "stream is supported by chat completions only", "stream");
    services.check_texts(call.account, completion.request.texts.values, "prompt");
    Json body = openai_head(call, completion.request, "text_completion");
    GroupedAsk ask{std::move(completion.request.texts.values), std::move(completion.ways), "prompt", openai_error,
                   [](work::Ask& each) { each.tokens = true; }};
    translate_groups(services, call, std::move(ask), [body](Call& asked, const GroupedAnswer& answer) mutable {
        body["choices"] = Json::array();
        for (std::size_t i = 0; i < answer.size(); ++i)
            body["choices"].push_back(
                {{"index", i}, {"text", answer.text(i)}, {"logprobs", nullptr}, {"finish_reason", "stop"}});
        body["usage"] = openai_usage(answer.answers());
        asked.exchange->send(json_response(body));
    });
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
    }
    // The own interface answers /v1/models, with what OpenAI's clients read there.
    add("GET", "/models",
        [&services](Call& call) { call.exchange->send(json_response(openai_model_list(services.models))); });
    add("GET", "/models/{name...}", [&services](Call& call) {
        const std::string& id = call.parameters.at("name");
        const std::optional<Json> model = openai_find_model(services.models, id);
        if (!model) throw Problem(Kind::not_found, "The model '" + id + "' does not exist", "model");
        call.exchange->send(json_response(*model));
    });
}

}  // namespace serve::api
