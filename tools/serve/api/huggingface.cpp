// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "serve/api/api.h"
#include "serve/api/shapes/shapes.h"

namespace serve::api {
namespace {

struct HuggingfaceRequest {
    Texts texts;
    std::string model, from, to;
};

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
