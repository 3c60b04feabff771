// SPDX-License-Identifier: Apache-2.0
#include <string_view>
#include <utility>

#include "serve/api/shapes/shapes.h"

namespace serve::api {
namespace {

std::string joined(std::span<const dragoman_string> tokens) {
    std::string all;
    for (const dragoman_string& token : tokens) {
        if (!all.empty()) all += ' ';
        all += dragoman::view(token);
    }
    return all;
}

// Words of all sentences, as the alignment counts them.
template <class Words>
std::string joined_words(const dragoman::Result& result, std::string_view text, Words&& words) {
    std::string all;
    for (std::size_t sentence = 0; sentence < result.sentences(0); ++sentence)
        for (const dragoman_range& word : words(sentence)) {
            if (!all.empty()) all += ' ';
            all += text.substr(word.begin, word.end - word.begin);
        }
    return all;
}

Json mtuoc_answer(const Json& id, const std::string& source, const work::Answer& answer) {
    Json body;
    body["id"] = id;
    body["src"] = source;
    body["system_name"] = answer.models.empty() ? std::string("dragoman") : answer.models.front();
    body["tgt"] = answer.text(0);
    if (!answer.result) return body;  // a copy has no tokens
    const dragoman::Result& result = *answer.result;
    body["src_tokens"] = joined_words(result, source, [&](std::size_t s) { return result.source_words(0, 0, s); });
    body["tgt_tokens"] = joined_words(result, result.text(0),
                                      [&](std::size_t s) { return result.target_words(0, 0, s); });
    body["src_subwords"] = joined(result.source_tokens(0));
    body["tgt_subwords"] = joined(result.tokens(0));
    body["alignment"] = result.pharaoh(0);
    Json others = Json::array();
    for (std::string& other : answer.alternatives(0)) others.push_back({{"tgt", std::move(other)}});
    body["alternate_translations"] = std::move(others);
    return body;
}

}  // namespace

// MTUOC-server: {id, src} -> {id, src, tgt, ...}. Its request names no languages.
void answer_mtuoc(Services& services, Call& call) {
    const std::string source = needed_text(call.fields, "src");
    services.check_texts(call.account, {source}, "src");
    const ShapeLanguages languages = shape_languages(services, {source},
                                                     first_text(call.fields, {"src_lang", "source_lang"}),
                                                     first_text(call.fields, {"tgt_lang", "target_lang"}));
    const Json* given = find(call.fields, "id");
    const Json id = given ? *given : Json();
    work::Ask ask = charged_ask(services, call, languages, {source}, "src");
    ask.alignment = ask.tokens = true;
    services.translate(call, std::move(ask), nullptr, [id, source](Call& asked, const work::Answer& answer) {
        asked.exchange->send(json_response(mtuoc_answer(id, source, answer)));
    });
}

}  // namespace serve::api
