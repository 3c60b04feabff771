// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "serve/api/shapes/shapes.h"

namespace serve::api {

// Immersive Translate's custom service: {source_lang, target_lang, text_list} -> {translations: [{...}]}
void answer_immersive(Services& services, Call& call) {
    const Texts given = needed_texts(call.fields, "text_list");
    if (given.values.empty()) {
        call.exchange->send(json_response({{"translations", Json::array()}}));
        return;
    }
    services.check_texts(call.account, given.values, "text_list");
    const ShapeLanguages languages = shape_languages(services, given.values, text(call.fields, "source_lang"),
                                                     needed_text(call.fields, "target_lang"));
    services.translate(call, charged_ask(services, call, languages, given.values, "text_list"), nullptr,
                       [languages](Call& asked, const work::Answer& answer) {
                           Json all = Json::array();
                           for (std::size_t i = 0; i < answer.size(); ++i)
                               all.push_back({{"detected_source_lang", languages.from}, {"text", answer.text(i)}});
                           asked.exchange->send(json_response({{"translations", std::move(all)}}));
                       });
}

}  // namespace serve::api
