// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "serve/api/shapes/shapes.h"

namespace serve::api {

// {texts, src_lang, tgt_lang} -> {translations}
void answer_nemo_curator(Services& services, Call& call) {
    const Texts given = needed_texts(call.fields, "texts");
    if (given.values.empty()) {
        call.exchange->send(json_response({{"translations", Json::array()}}));
        return;
    }
    services.check_texts(call.account, given.values, "texts");
    const ShapeLanguages languages = shape_languages(services, given.values, first_text(call.fields, {"src_lang"}),
                                                     first_text(call.fields, {"tgt_lang"}));
    services.translate(call, charged_ask(services, call, languages, given.values, "texts"), nullptr,
                       [](Call& asked, const work::Answer& answer) {
                           Json all = Json::array();
                           for (std::size_t i = 0; i < answer.size(); ++i) all.push_back(answer.text(i));
                           asked.exchange->send(json_response({{"translations", std::move(all)}}));
                       });
}

}  // namespace serve::api
