// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "serve/api/deepl/form.h"
#include "serve/api/google.h"
#include "serve/api/mtranserver/mtranserver.h"

namespace serve::api {
namespace {

// KISS Translator: {from, to, text} -> {text, src}, and {from, to, texts} -> {translations: [{text, src}]}
void answer_kiss(Services& services, Call& call) {
    const bool many = has(call.fields, "texts");
    const char* const field = many ? "texts" : "text";
    const Texts given = many ? needed_texts(call.fields, "texts") : Texts{{needed_text(call.fields, "text")}, false};
    translate_mtranserver(services, call, given, field, [many](Call& asked, const GroupedAnswer& answer) {
        Json all = Json::array();
        for (std::size_t i = 0; i < answer.size(); ++i)
            all.push_back({{"text", answer.text(i)}, {"src", answer.from(i)}});
        asked.exchange->send(json_response(many ? Json{{"translations", std::move(all)}} : std::move(all[0])));
    });
}

// As programs that know Google's page ask: [[[translation, text, null, null, 1]], null, "de", ...]
void answer_single(Services& services, Call& call) {
    const std::string given = needed_text(call.fields, "q");
    services.check_texts(call.account, {given}, "q");
    GroupedAsk ask{{given},
                   ways_of_texts(services, {given}, text(call.fields, "sl"), needed_text(call.fields, "tl"), false),
                   "q",
                   mtranserver_error};
    translate_groups(services, call, std::move(ask), [given](Call& asked, const GroupedAnswer& answer) {
        Json body = Json::array();
        body.push_back(Json::array({Json::array({answer.text(0), given, nullptr, nullptr, 1})}));
        body.push_back(nullptr);
        body.push_back(answer.from(0));
        for (int i = 0; i < 4; ++i) body.push_back(nullptr);
        body.push_back(Json::array());
        asked.exchange->send(json_response(body));
    });
}

}  // namespace

// As others have them, and told apart by their paths alone.
void mtranserver_add_plugins(Router& router, Services& services) {
    const auto add = [&](const char* method, const char* path, void (*handler)(Services&, Call&), ErrorForm error) {
        Route route = mtranserver_route(method, path, [&services, handler](Call& call) { handler(services, call); });
        route.error = error;
        route.key_headers.insert(route.key_headers.begin(), {"Authorization", "DeepL-Auth-Key "});
        route.key_fields.push_back("key");
        router.add(std::move(route));
    };
    add("POST", "/imme", answer_immersive, mtranserver_error);
    add("POST", "/kiss", answer_kiss, mtranserver_error);
    add("POST", "/deepl", deepl_translate, deepl_error);
    add("POST", "/deeplx", answer_deeplx, deeplx_error);
    add("POST", "/google/language/translate/v2", google_translate, google_error);
    add("GET", "/google/translate_a/single", answer_single, mtranserver_error);
}

}  // namespace serve::api
