// SPDX-License-Identifier: Apache-2.0
#include "serve/api/event_stream.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <mutex>
#include <utility>
#include <variant>

namespace serve::api {
namespace {

// Keeps a translation under way until it is over, which may be before its ticket is there.
class TicketHolder {
public:
    void keep(std::shared_ptr<work::Ticket> ticket) {
        const std::lock_guard lock(mutex_);
        if (!over_) ticket_ = std::move(ticket);
    }
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
    std::mutex mutex_;
    bool over_ = false;
    std::shared_ptr<work::Ticket> ticket_;
};

void end_stream(const Services& services, const std::string& request, const StreamedTranslation& stream,
                std::variant<work::Answer, Problem> outcome) {
    try {
        if (const Problem* problem = std::get_if<Problem>(&outcome)) stream.fail(*problem);
        else stream.finish(std::get<work::Answer>(std::move(outcome)));
    } catch (const Problem& problem) {
        stream.fail(problem);
    } catch (const std::exception& error) {
        stream.fail(services.failure(request, error));
    }
}

}  // namespace

http::Response event_stream_head() {
    http::Response head;
    head.content_type = "text/event-stream; charset=utf-8";
    head.headers = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}};
    return head;
}

std::string event_text(std::string_view name, std::string_view data) {
    std::string event;
    if (!name.empty()) event = "event: " + std::string(name) + "\n";
    for (;;) {
        const std::size_t end = std::min(data.find('\n'), data.size());
        std::string_view line = data.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        event += "data: " + std::string(line) + "\n";
        if (end == data.size()) return event + "\n";
        data.remove_prefix(end + 1);
    }
}

void translate_events(Services& services, const std::shared_ptr<http::Exchange>& exchange, work::Ask ask,
                      StreamedTranslation stream) {
    const auto holder = std::make_shared<TicketHolder>();
    work::Translations::OnEvent on_event = std::move(stream.on_event);
    const auto shared = std::make_shared<const StreamedTranslation>(std::move(stream));
    holder->keep(services.translations.translate(
        std::move(ask),
        [&services, holder, shared, request = exchange->request().id](std::variant<work::Answer, Problem> outcome) {
            auto told = std::make_shared<std::variant<work::Answer, Problem>>(std::move(outcome));
            services.post([&services, holder, shared, request, told] {
                end_stream(services, request, *shared, std::move(*told));
                holder->release();
            });
        },
        std::move(on_event)));
    exchange->on_gone([weak = std::weak_ptr(holder)] {
        if (const auto gone = weak.lock()) gone->cancel();
    });
}

}  // namespace serve::api
