// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include "serve/api/own/own.h"
#include "serve/work/detection.h"

namespace serve::api {
namespace {

void own_detect(Services& services, Call& call) {
    const std::vector<std::string> texts = own_texts(call.fields, "text").values;
    services.charge(call, texts, "text");
    Json detections = Json::array();
    for (const std::string& text : texts) {
        Json guesses = Json::array();
        for (const work::Guess& guess : work::detect(services.models, {text}))
            guesses.push_back({{"language", guess.tag}, {"confidence", own_number(guess.confidence)}});
        detections.push_back(std::move(guesses));
    }
    call.exchange->send(json_response({{"detections", std::move(detections)}}));
}

void own_languages(Services& services, Call& call) {
    Json list = Json::array();
    for (const work::ServedLanguage& language : services.models.languages())
        list.push_back({{"tag", language.tag}, {"name", language.name}, {"targets", language.targets}});
    call.exchange->send(json_response({{"languages", std::move(list)}}));
}

}  // namespace

void add_own_languages(Router& router, const OwnParts& parts) {
    Services& services = parts.services;
    router.add(own_route("POST", "/v1/detect", [&services](Call& call) { own_detect(services, call); }));
    router.add(own_route(
        "GET", "/v1/languages", [&services](Call& call) { own_languages(services, call); }, Access::open, Body::none));
}

}  // namespace serve::api
