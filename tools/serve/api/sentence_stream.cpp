// SPDX-License-Identifier: Apache-2.0
#include "serve/api/sentence_stream.h"

#include "serve/api/event_stream.h"

namespace serve::api {

void SentenceStream::event(const work::Event& event) {
    const std::lock_guard lock(mutex_);
    if (!form_.in_order || ended_) return;
    if (const std::string piece = order_.add(event); !piece.empty()) send(form_.piece(piece));
}

void SentenceStream::finish(const work::Answer& answer) {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> translations;
    if (form_.translations) translations = form_.translations(answer);
    else
        for (std::size_t i = 0; i < answer.size(); ++i) translations.push_back(answer.text(i));
    const std::string rest = order_.rest(translations);
    close((rest.empty() ? "" : form_.piece(rest)) + (form_.end ? form_.end(answer) : ""));
}

void SentenceStream::fail(const Problem& problem) {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    if (begun_) return close(form_.problem(problem));
    ended_ = true;
    send_problem(*exchange_, problem, error_);
}

void SentenceStream::add(std::string piece) {
    if (!begun_) {
        exchange_->begin(event_stream_head());
        begun_ = true;
        if (form_.begin) piece = form_.begin() + piece;
    }
    waiting_ += piece;
}

void SentenceStream::send(std::string piece) {
    add(std::move(piece));
    if (exchange_->write(waiting_)) waiting_.clear();
}

void SentenceStream::close(std::string piece) {
    add(std::move(piece));
    exchange_->end(std::exchange(waiting_, {}));
    ended_ = true;
}

void translate_streamed(Services& services, const Call& call, work::Ask ask, ErrorForm error, SentenceForm form) {
    const auto stream = std::make_shared<SentenceStream>(call.exchange, ask.texts, std::move(form), error);
    translate_events(services, call.exchange, std::move(ask),
                     {.on_event = [stream](const work::Event& event) { stream->event(event); },
                      .finish = [stream](const work::Answer& answer) { stream->finish(answer); },
                      .fail = [stream](const Problem& problem) { stream->fail(problem); }});
}

}  // namespace serve::api
