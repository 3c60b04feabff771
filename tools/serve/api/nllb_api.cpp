// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "serve/api/api.h"
#include "serve/api/event_stream.h"
#include "serve/api/nllb_codes.h"
#include "serve/api/sentence_stream.h"
#include "serve/api/shapes/shapes.h"
#include "serve/work/detection.h"

namespace serve::api {
namespace {

http::Response nllb_error(const Problem& problem) {
    const int status = http_status(problem.kind);
    return json_response({{"status_code", status}, {"detail", problem.what()}}, status);
}

work::Ask nllb_ask(Services& services, const Call& call) {
    const Texts given{{needed_text(call.fields, "text")}, false};
    services.check_texts(call.account, given.values, "text");
    const std::string source = needed_text(call.fields, "source"), target = needed_text(call.fields, "target");
    return charged_ask(services, call, shape_languages(services, given.values, source, target), given.values, "text");
}

void nllb_translate(Services& services, Call& call) {
    services.translate(call, nllb_ask(services, call), nllb_error, [](Call& asked, const work::Answer& answer) {
        asked.exchange->send(json_response({{"result", answer.text(0)}}));
    });
}

void nllb_stream(Services& services, Call& call) {
    const std::string name = text(call.fields, "event_type");
    if (name.find_first_of("\r\n") != std::string::npos)
        throw Problem(Problem::Kind::bad_request, "event_type has a line end", "event_type");
    SentenceForm form;
    form.piece = [name](std::string_view piece) { return event_text(name, piece); };
    form.problem = [](const Problem& problem) { return event_text("error", problem.what()); };
    translate_streamed(services, call, nllb_ask(services, call), nllb_error, std::move(form));
}

// Number of tokens for the first model that can translate the text; loads it where it has to be.
void nllb_tokens(Services& services, Call& call) {
    const std::string given = needed_text(call.fields, "text");
    services.check_texts(call.account, {given}, "text");
    std::string from, to;
    for (const work::ServedLanguage& language : services.models.languages())
        for (const std::string& target : language.targets)
            if (from.empty() && target != language.tag) from = language.tag, to = target;
    if (from.empty()) throw Problem(Problem::Kind::not_found, "no model translates anything");
    services.models.way(from, to, "", [&services, given, exchange = call.exchange](auto found) {
        auto way = std::make_shared<decltype(found)>(std::move(found));
        services.post([given, exchange, way] {
            try {
                if (const Problem* problem = std::get_if<Problem>(way.get())) throw *problem;
                const auto& loaded = std::get<std::shared_ptr<work::Way>>(*way)->loaded;
                exchange->send(json_response({{"length", loaded.front()->tokenize(given).size()}}));
            } catch (const Problem& problem) {
                send_problem(*exchange, problem, nllb_error);
            } catch (const dragoman::Error& error) {
                send_problem(*exchange, Problem(Problem::Kind::unsupported, error.what()), nllb_error);
            }
        });
    });
}

void nllb_language(const Services& services, Call& call) {
    const std::string given = needed_text(call.fields, "text");
    count_characters(given, "text");
    const std::vector<work::Guess> guesses = work::detect(services.models, {given});
    if (guesses.empty()) throw Problem(Problem::Kind::bad_request, "nothing in the text tells its language", "text");
    call.exchange->send(json_response({{"language", flores_code(services.models, guesses.front().tag)},
                                       {"confidence", guesses.front().confidence}}));
}

}  // namespace

void add_nllb_api(Router& router, Services& services) {
    Route route;
    route.error = nllb_error;
    const auto add = [&](const char* method, const std::string& path, void (*answer)(Services&, Call&)) {
        route.method = method;
        route.path = path;
        route.handler = [&services, answer](Call& call) { answer(services, call); };
        router.add(route);
    };
    for (const std::string version : {"/api/v4", "/api/v3", "/api/v2"}) {  // Subtitle Edit still asks the older ones
        add("GET", version + "/translator", nllb_translate);
        add("POST", version + "/translator", nllb_translate);
        add("GET", version + "/translator/stream", nllb_stream);
        add("GET", version + "/translator/tokens", nllb_tokens);
        add("GET", version + "/language", [](Services& all, Call& call) { nllb_language(all, call); });
    }
}

}  // namespace serve::api
