// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "serve/api/api.h"
#include "serve/api/shapes/shapes.h"

namespace serve::api {
namespace {

struct HuggingfaceRequest {
    Texts texts;
    std::string model, from, to;
    Json options = Json::object();
};

// What Hugging Face calls the options of a search, and what the service does.
constexpr std::pair<std::string_view, const char*> kHuggingfaceOptions[] = {
    {"num_beams", "beam_size"},
    {"length_penalty", "length_penalty"},
    {"repetition_penalty", "repetition_penalty"},
    {"no_repeat_ngram_size", "no_repeat_ngram_size"},
    {"max_new_tokens", "max_decoding_length"},
    {"max_length", "max_decoding_length"},
    {"min_new_tokens", "min_decoding_length"},
    {"min_length", "min_decoding_length"},
    {"do_sample", "sampling"},
    {"temperature", "temperature"},
    {"top_k", "top_k"},
    {"top_p", "top_p"},
    {"seed", "seed"}};

// Those of `generate_parameters`; one that is not known is refused, since the translation would not be what it asks for.
Json huggingface_options(const Json& parameters) {
    Json options = Json::object();
    const Json* given = find(parameters, "generate_parameters");
    if (!given) return options;
    if (!given->is_object())
        throw Problem(Problem::Kind::bad_request, "generate_parameters is no object", "generate_parameters");
    for (const auto& [name, value] : given->items()) {
        if (value.is_null()) continue;
        const auto known = std::ranges::find(kHuggingfaceOptions, std::string_view(name),
                                             [](const auto& each) { return each.first; });
        if (known == std::end(kHuggingfaceOptions))
            throw Problem(Problem::Kind::unsupported, "generate_parameters: " + name + " is not supported", name);
        options[known->second] = value.is_boolean() ? Json(value.get<bool>() ? "on" : "off") : value;
    }
    return options;
}

// Languages are parameters; where they are not, the model's name has them: "Helsinki-NLP/opus-mt-de-en".
HuggingfaceRequest read_huggingface(const Services& services, const Call& call, const std::string& name) {
    HuggingfaceRequest request;
    request.texts = needed_texts(call.fields, "inputs");
    const Json* given = find(call.fields, "parameters");
    if (given && !given->is_object())
        throw Problem(Problem::Kind::bad_request, "parameters is no object", "parameters");
    const Json none = Json::object();
    const Json& parameters = given ? *given : none;
    request.from = text(parameters, "src_lang");
    request.to = text(parameters, "tgt_lang");
    request.options = huggingface_options(parameters);
    if (name.empty()) return request;
    const ShapeLanguages named = languages_of_name(services, name);
    if (services.models.find(name)) request.model = name;
    else if (named.to.empty() && request.to.empty())
        throw Problem(Problem::Kind::not_found, "Model " + name + " does not exist", name);
    if (request.from.empty()) request.from = named.from;
    if (request.to.empty()) request.to = named.to;
    return request;
}

void huggingface_translate(Services& services, Call& call, const std::string& name) {
    const HuggingfaceRequest request = read_huggingface(services, call, name);
    if (request.texts.values.empty()) return call.exchange->send(json_response(Json::array()));
    services.check_texts(call.account, request.texts.values, "inputs");
    const ShapeLanguages languages = shape_languages(services, request.texts.values, request.from, request.to);
    work::Ask ask = charged_ask(services, call, languages, request.texts.values, "inputs");
    ask.model = request.model;
    ask.options = request.options;
    services.translate(call, std::move(ask), nullptr, [](Call& asked, const work::Answer& answer) {
        Json all = Json::array();
        for (std::size_t i = 0; i < answer.size(); ++i) all.push_back({{"translation_text", answer.text(i)}});
        asked.exchange->send(json_response(all));
    });
}

}  // namespace

void answer_huggingface(Services& services, Call& call) { huggingface_translate(services, call, ""); }

void add_huggingface(Router& router, Services& services) {
    Route route;
    route.method = "POST";
    route.path = "/";
    route.handler = [&services](Call& call) { huggingface_translate(services, call, ""); };
    router.add(route);
    route.handler = [&services](Call& call) { huggingface_translate(services, call, call.parameters["name"]); };
    for (const char* path :
         {"/models/{name...}", "/pipeline/translation/{name...}", "/hf-inference/models/{name...}"}) {
        route.path = path;
        router.add(route);
    }
}

}  // namespace serve::api
