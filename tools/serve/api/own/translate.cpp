// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "serve/api/event_stream.h"
#include "serve/api/own/own.h"
#include "serve/api/own/ask.h"
#include "serve/api/own/events.h"

namespace serve::api {
namespace {

Json own_answer_of(const OwnAsk& asked, work::Answer answer, const std::vector<std::string>& texts) {
    if (asked.detected) {
        answer.detected = true;
        answer.confidence = asked.confidence;
    }
    return own_answer(answer, texts, asked.wanted);
}

// A translation whose parts are sent while it is under way.
struct OwnStreamed {
    std::shared_ptr<OwnStream> stream;
    std::vector<std::string> texts;
    std::vector<OwnPlaces> places;  // in each of them; none with markup
    OwnAsk asked;

    void event(const work::Event& event) const {
        if (event.input >= texts.size()) return;
        Json data{{"input", event.input}, {"sentence", event.sentence}};
        // With markup, places are in the text without tags, which nobody here has before the end: bytes are all that
        // is known.
        if (!asked.wanted.markup) data["source"] = places[event.input].range(event.begin, event.end);
        else if (asked.wanted.unit == OwnUnit::bytes) data["source"] = Json::array({event.begin, event.end});
        data["text"] = std::string(event.text);
        if (!event.partial && asked.wanted.scores) data["score"] = own_number(double(event.score));
        if (!event.partial) {
            data["done"] = event.done;
            data["total"] = event.total;
        }
        stream->send(event.partial ? "partial" : "sentence", data);
    }
};

void own_stream(const OwnParts& parts, Call& call, OwnAsk asked) {
    const auto streamed = std::make_shared<OwnStreamed>();
    streamed->texts = asked.ask.texts;
    if (!asked.wanted.markup)
        for (const std::string& text : streamed->texts) streamed->places.emplace_back(text, asked.wanted.unit);
    work::Ask ask = std::move(asked.ask);
    ask.partial = flag(call.fields, "partial", true);
    streamed->asked = std::move(asked);
    streamed->stream = parts.events->open(call.exchange);
    try {
        translate_events(parts.services, call.exchange, std::move(ask),
                         {.on_event = [streamed](const work::Event& event) { streamed->event(event); },
                          .finish =
                              [streamed](work::Answer answer) {
                                  streamed->stream->finish("result", own_answer_of(streamed->asked, std::move(answer),
                                                                                   streamed->texts));
                              },
                          .fail = [streamed](const Problem& problem) { streamed->stream->fail(problem); }});
    } catch (...) {
        streamed->stream->abandon();
        throw;
    }
}

void own_translate(const OwnParts& parts, Call& call) {
    OwnAsk asked = own_ask(parts.services, call.account, call.fields);
    parts.services.charge(call, asked.ask.texts, "text");
    if (own_wants_events(call.request(), call.fields)) return own_stream(parts, call, std::move(asked));
    auto texts = std::make_shared<std::vector<std::string>>(asked.ask.texts);
    work::Ask ask = std::move(asked.ask);
    parts.services.translate(call, std::move(ask), own_error,
                             [texts, asked = std::move(asked)](Call& answered, const work::Answer& answer) {
                                 answered.exchange->send(json_response(own_answer_of(asked, answer, *texts)));
                             });
}

}  // namespace

void add_own_translate(Router& router, const OwnParts& parts) {
    router.add(own_route("POST", "/v1/translate", [parts](Call& call) { own_translate(parts, call); }));
}

}  // namespace serve::api
