// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <mutex>
#include <utility>
#include <variant>

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
    std::vector<OwnPlaces> places;             // in each of them
    OwnAsk asked;
    std::mutex mutex;
    bool done = false;                         // it has ended, perhaps before its ticket was there
    std::shared_ptr<work::Ticket> ticket;      // keeps it under way

    void event(const work::Event& event) {
        if (event.input >= places.size()) return;
        Json data{{"input", event.input},
                  {"sentence", event.sentence},
                  {"source", places[event.input].range(event.begin, event.end)},
                  {"text", std::string(event.text)}};
        if (!event.partial && asked.wanted.scores) data["score"] = own_number(double(event.score));
        if (!event.partial) {
            data["done"] = event.done;
            data["total"] = event.total;
        }
        stream->send(event.partial ? "partial" : "sentence", data);
    }
    void end(Services& services, std::variant<work::Answer, Problem> outcome) {
        try {
            if (const Problem* problem = std::get_if<Problem>(&outcome)) stream->fail(*problem);
            else stream->finish("result", own_answer_of(asked, std::get<work::Answer>(std::move(outcome)), texts));
        } catch (const std::exception& error) {
            services.log.write(watch::LogLevel::error, "an answer failed", {{"why", error.what()}});
            stream->fail(Problem(Problem::Kind::failed, "the service failed; its log says why"));
        }
        std::shared_ptr<work::Ticket> last;  // goes without the lock
        const std::lock_guard lock(mutex);
        done = true;
        last.swap(ticket);
    }
    void keep(std::shared_ptr<work::Ticket> given) {
        const std::lock_guard lock(mutex);
        if (!done) ticket = std::move(given);
    }
    void cancel() {
        std::shared_ptr<work::Ticket> now;
        {
            const std::lock_guard lock(mutex);
            now = ticket;
        }
        if (now) now->cancel();
    }
};

void own_stream(const OwnParts& parts, Call& call, OwnAsk asked) {
    Services& services = parts.services;
    own_charge(services, call.account, asked.ask.texts, "text");
    auto streamed = std::make_shared<OwnStreamed>();
    streamed->texts = asked.ask.texts;
    for (const std::string& text : streamed->texts) streamed->places.emplace_back(text, asked.wanted.unit);
    work::Ask ask = std::move(asked.ask);
    ask.partial = flag(call.fields, "partial", true);
    streamed->asked = std::move(asked);
    streamed->stream = parts.events->open(call.exchange);
    try {
        streamed->keep(services.translations.translate(
            std::move(ask),
            [&services, streamed](std::variant<work::Answer, Problem> outcome) {
                auto told = std::make_shared<std::variant<work::Answer, Problem>>(std::move(outcome));
                services.post([&services, streamed, told] { streamed->end(services, std::move(*told)); });
            },
            [streamed](const work::Event& event) { streamed->event(event); }));
    } catch (...) {
        streamed->stream->abandon();
        throw;
    }
    call.exchange->on_gone([weak = std::weak_ptr(streamed)] {
        if (const auto gone = weak.lock()) gone->cancel();
    });
}

void own_translate(const OwnParts& parts, Call& call) {
    OwnAsk asked = own_ask(parts.services, call.account, call.fields);
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
