// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "serve/api/shapes/groups.h"

namespace serve::api {

// Immersive Translate's custom service: {source_lang, target_lang, text_list} -> {translations: [{...}]}
void answer_immersive(Services& services, Call& call) {
    const Texts given = needed_texts(call.fields, "text_list");
    if (given.values.empty()) {
        call.exchange->send(json_response({{"translations", Json::array()}}));
        return;
    }
    services.check_texts(call.account, given.values, "text_list");
    GroupedAsk ask{given.values,
                   ways_of_texts(services, given.values, text(call.fields, "source_lang"),
                                 needed_text(call.fields, "target_lang"), false),
                   "text_list", nullptr};
    translate_groups(services, call, std::move(ask), [](Call& asked, const GroupedAnswer& answer) {
        Json all = Json::array();
        for (std::size_t i = 0; i < answer.size(); ++i)
            all.push_back({{"detected_source_lang", answer.from(i)}, {"text", answer.text(i)}});
        asked.exchange->send(json_response({{"translations", std::move(all)}}));
    });
}

}  // namespace serve::api
