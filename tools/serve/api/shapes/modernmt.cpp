// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "serve/api/shapes/shapes.h"

namespace serve::api {

http::Response modernmt_error(const Problem& problem) {
    const int status = http_status(problem.kind);
    return json_response({{"status", status}, {"error", {{"type", "Error"}, {"message", problem.what()}}}}, status);
}

// ModernMT: GET ?q=&source=&target= -> {status: 200, data: {translation}}; MTUOC's clients send only q.
void answer_modernmt(Services& services, Call& call) {
    const Texts given = needed_texts(call.fields, "q");
    if (given.values.empty()) throw missing("q");
    services.check_texts(call.account, given.values, "q");
    const ShapeLanguages languages = shape_languages(services, given.values, text(call.fields, "source"),
                                                     text(call.fields, "target"));
    services.translate(call, charged_ask(services, call, languages, given.values, "q"), modernmt_error,
                       [languages, list = given.list](Call& asked, const work::Answer& answer) {
                           Json all = Json::array();
                           for (std::size_t i = 0; i < answer.size(); ++i) {
                               Json one{{"translation", answer.text(i)}};
                               if (languages.detected) one["detectedLanguage"] = languages.from;
                               all.push_back(std::move(one));
                           }
                           asked.exchange->send(json_response({{"status", 200}, {"data", list ? all : all.front()}}));
                       });
}

}  // namespace serve::api
