// SPDX-License-Identifier: Apache-2.0
#include "serve/api/sentence_stream.h"

#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <variant>

#include "serve/fields.h"

namespace serve::api {
namespace {

class SentenceStream {
public:
    SentenceStream(std::shared_ptr<http::Exchange> exchange, const std::vector<std::string>& texts, SentenceForm form,
                   ErrorForm error)
        : exchange_(std::move(exchange)), order_(texts, form.separator), form_(std::move(form)), error_(error) {}

    void event(const work::Event& event) {
        const std::lock_guard lock(mutex_);
        if (!form_.in_order || ended_) return;
        if (const std::string piece = order_.add(event); !piece.empty()) send(form_.piece(piece));
    }
    void finish(const work::Answer& answer) {
        const std::lock_guard lock(mutex_);
        std::vector<std::string> translations;
        if (form_.translations) translations = form_.translations(answer);
        else
            for (std::size_t i = 0; i < answer.size(); ++i) translations.push_back(answer.text(i));
        const std::string rest = order_.rest(translations);
        close((rest.empty() ? "" : form_.piece(rest)) + form_.end(answer));
    }
    void fail(const Problem& problem) {
        const std::lock_guard lock(mutex_);
        if (ended_) return;
        if (begun_) return close(form_.problem(problem));
        ended_ = true;
        send_problem(*exchange_, problem, error_);
    }
    void keep(std::shared_ptr<work::Ticket> ticket) {
        const std::lock_guard lock(mutex_);
        if (!over_) ticket_ = std::move(ticket);
    }
    // The translation is over; its ticket goes.
    void release() {
        std::shared_ptr<work::Ticket> last;  // goes without the lock
        const std::lock_guard lock(mutex_);
        over_ = true;
        last.swap(ticket_);
    }
    void cancel() {
        std::shared_ptr<work::Ticket> now;
        {
            const std::lock_guard lock(mutex_);
            now = ticket_;
        }
        if (now) now->cancel();
    }

private:
    bool send(std::string piece) {
        if (!begun_) {
            http::Response head;
            head.content_type = "text/event-stream; charset=utf-8";
            head.headers = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}};
            exchange_->begin(std::move(head));
            begun_ = true;
            piece = form_.begin() + piece;
        }
        waiting_ += piece;
        if (!exchange_->write(waiting_)) return false;
        waiting_.clear();
        return true;
    }
    void close(std::string piece) {
        ended_ = true;
        if (send(std::move(piece))) exchange_->end();
        else exchange_.reset();  // cut off rather than ended as if it were whole
    }

    std::shared_ptr<http::Exchange> exchange_;
    std::mutex mutex_;
    SentenceOrder order_;
    SentenceForm form_;
    ErrorForm error_;
    std::string waiting_;  // what the client had no room for
    bool begun_ = false, ended_ = false, over_ = false;
    std::shared_ptr<work::Ticket> ticket_;
};

void end_stream(Services& services, SentenceStream& stream, const std::variant<work::Answer, Problem>& outcome) {
    try {
        if (const Problem* problem = std::get_if<Problem>(&outcome)) stream.fail(*problem);
        else stream.finish(std::get<work::Answer>(outcome));
    } catch (const Problem& problem) {
        stream.fail(problem);
    } catch (const std::exception& error) {
        services.log.write(watch::LogLevel::error, "a stream failed", {{"why", error.what()}});
        stream.fail(Problem(Problem::Kind::failed, "the service failed; its log says why"));
    }
    stream.release();
}

}  // namespace

void translate_streamed(Services& services, const Call& call, work::Ask ask, ErrorForm error, SentenceForm form) {
    std::uint64_t characters = 0;
    for (const std::string& text : ask.texts) characters += count_characters(text, "text");
    services.guard.charge(call.account, characters);
    auto stream = std::make_shared<SentenceStream>(call.exchange, ask.texts, std::move(form), error);
    stream->keep(services.translations.translate(
        std::move(ask),
        [&services, stream](std::variant<work::Answer, Problem> outcome) {
            auto told = std::make_shared<std::variant<work::Answer, Problem>>(std::move(outcome));
            services.post([&services, stream, told] { end_stream(services, *stream, *told); });
        },
        [stream](const work::Event& event) { stream->event(event); }));
    call.exchange->on_gone([weak = std::weak_ptr(stream)] {
        if (const auto gone = weak.lock()) gone->cancel();
    });
}

}  // namespace serve::api
