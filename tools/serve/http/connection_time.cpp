// SPDX-License-Identifier: Apache-2.0
#include "serve/http/connection.h"

#include <algorithm>

namespace serve::http {
namespace {

constexpr std::uint64_t kBodyStep = 16 * 1024;  // of a body, in the time for bodies
constexpr std::chrono::milliseconds kLingerTime{2000};

bool is_from_proxy(const Request& request) {
    for (const char* name : {"X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"})
        if (!request.header(name).empty()) return true;
    return false;
}

}  // namespace

void Connection::set_time_limit() {
    const auto set = [this](Limit limit, std::chrono::milliseconds time, bool again = false) {
        if (limit_ == limit && !again) return;
        limit_ = limit;
        read_limit_ = Clock::now() + time;
    };
    const ServerOptions& options = hub_->options;
    if (input_ == Input::lingering) {
        linger_end_ = Clock::now() + options.body_time;
        return set(Limit::linger, kLingerTime);
    }
    if (input_ == Input::open && current_ && body_) {
        const bool step = body_->received() - body_mark_ >= kBodyStep;
        if (step || limit_ != Limit::body) body_mark_ = body_->received();
        return set(Limit::body, options.body_time, step);
    }
    const bool paused = queue_.size() >= options.max_pipelined;
    if (input_ == Input::open && !in_.empty() && !paused) return set(Limit::head, options.head_time);
    if (input_ == Input::open && queue_.empty())
        return set(Limit::idle, transport_->ready() ? options.idle_time : options.head_time);
    limit_ = Limit::none;
    read_limit_ = Clock::time_point::max();
}

// A client that is sending a body that was refused reads the refusal when it has sent all of it, if it can.
void Connection::linger_on() { read_limit_ = std::min(Clock::now() + kLingerTime, linger_end_); }

void Connection::find_out_whether_gone() {
    if (queue_.empty()) return;
    Transaction& transaction = *queue_.front();
    if (transaction.framing.minor == 0 && is_from_proxy(transaction.request)) return cut();
    transaction.probe_wanted = transaction.framing.minor == 1;
    pump();
}

void Connection::check_time(Clock::time_point now) {
    guarded([this, now] {
        if (now >= write_limit_) return cut();
        if (now >= probe_time_) {
            probe_time_ = Clock::time_point::max();
            return find_out_whether_gone();
        }
        if (now < read_limit_) return;
        read_limit_ = Clock::time_point::max();
        switch (limit_) {
            case Limit::head: return refuse(Refusal(408, "the request's head did not come in time"));
            case Limit::body: return refuse(Refusal(408, "the request's body did not come in time"));
            case Limit::idle:
            case Limit::linger: return cut();
            case Limit::none: return;
        }
    });
}

}  // namespace serve::http
