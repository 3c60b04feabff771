// SPDX-License-Identifier: Apache-2.0
#include "serve/http/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "serve/http/characters.h"

namespace serve::http {
namespace {

constexpr int kReadsAtATime = 4;
constexpr std::uint64_t kMaxForgotten = 1024 * 1024;  // behind the last request, while it is at work
constexpr std::chrono::milliseconds kProbeTime{150};  // most answers are there before

// An id that came with a request goes on, where it is one that logs may show.
bool is_request_id(std::string_view text) {
    return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
        return is_digit(c) || is_letter(c) || c == '-' || c == '_' || c == '.';
    });
}

}  // namespace

void Connection::wait_to_read() {
    if (reading_ || closed_) return;
    reading_ = true;
    transport_->socket().async_wait(Socket::wait_read,
                                    [self = shared_from_this()](const boost::system::error_code& error) {
                                        self->reading_ = false;
                                        if (error) return;
                                        if (std::exchange(self->read_before_write_, false))
                                            self->guarded([&] { self->pump(); });
                                        self->read();
                                    });
}

void Connection::wait_for_error() {
    if (erring_ || closed_) return;
    erring_ = true;
    transport_->socket().async_wait(Socket::wait_error,
                                    [self = shared_from_this()](const boost::system::error_code& error) {
                                        self->erring_ = false;
                                        if (!error && !self->closed_) self->cut();
                                    });
}

void Connection::read() {
    guarded([this] {
        for (int i = 0; i < kReadsAtATime && !closed_; ++i) {
            const bool has_room = current_ || queue_.size() < hub_->options.max_pipelined;
            const bool forgets = input_ == Input::lingering || (input_ == Input::closed && forgotten_ < kMaxForgotten);
            if (forgets || (input_ == Input::open && has_room)) {
                const IoResult result = transport_->read(hub_->scratch.data(), hub_->scratch.size());
                switch (result.state) {
                    case Io::done: received({hub_->scratch.data(), result.bytes}); continue;
                    case Io::wait_read: return wait_to_read();
                    case Io::wait_write: write_before_read_ = true; return wait_to_write();
                    case Io::end: return end_of_input();
                    case Io::failed: return cut();
                }
            }
            return wait_for_error();
        }
        if (!closed_) boost::asio::post(hub_->io, [self = shared_from_this()] { self->read(); });
    });
}

void Connection::received(std::string_view bytes) {
    if (input_ != Input::open) {
        forgotten_ += bytes.size();
        if (input_ == Input::lingering) linger_on();
        return;
    }
    in_.append(bytes);
    parse();
}

void Connection::parse() {
    if (parsing_) return;
    parsing_ = true;
    try {
        while (input_ == Input::open && !closed_) {
            if (current_) parse_body();
            else if (!parse_head()) break;
            if (current_ && at_ == in_.size()) break;
        }
    } catch (const Refusal& refusal) {
        refuse(refusal);
    } catch (const std::exception& error) {
        hub_->application.fault(current_ ? &current_->request : nullptr, error.what());
        refuse(Refusal(500, "the service failed to read the request"));
    }
    parsing_ = false;
    if (closed_) return;
    in_.erase(0, at_);
    at_ = 0;
    if (in_.empty() && in_.capacity() > 1024) std::string().swap(in_);
    set_time_limit();
    deliver();
    pump();
}

bool Connection::parse_head() {
    if (at_ == in_.size() || queue_.size() >= hub_->options.max_pipelined) return false;
    const std::string_view rest = std::string_view(in_).substr(at_);
    if (!scanner_.scan(rest)) return false;
    const std::size_t begin = scanner_.begin(), end = scanner_.end();
    scanner_.reset();
    at_ += end;
    open_request(rest.substr(begin, end - begin));
    return true;
}

void Connection::open_request(std::string_view head) {
    const auto transaction = add_transaction();
    current_ = transaction;
    limit_ = Limit::none;
    Request& request = transaction->request;
    transaction->body_share.set(head.size());
    transaction->framing = read_head(head, request);
    if (const std::string_view id = request.header("X-Request-Id"); is_request_id(id)) request.id = id;
    if (hub_->draining) throw Refusal(503, "the service ends", 1);
    const Framing& framing = transaction->framing;
    // A short request without a body is answered beyond the limit, too: it may ask how the service is.
    const bool small = !framing.has_body() && head.size() <= 4096;
    if (hub_->memory.is_full() && !small) throw Refusal(503, "the service has no memory for more requests", 2);
    transaction->close_after = !framing.keep_alive;
    admit();
    if (!framing.keep_alive && !current_) input_ = Input::closed;
}

void Connection::admit() {
    Transaction& transaction = *current_;
    Request& request = transaction.request;
    const Framing& framing = transaction.framing;
    const std::string& prefix = hub_->options.api_prefix;
    Admission admission;
    bool known = request.path == "*" || prefix.empty();
    if (!known && request.path.compare(0, prefix.size(), prefix) == 0) {
        known = request.path.size() == prefix.size() || request.path[prefix.size()] == '/';
        if (known) request.path.erase(0, prefix.size());
        if (known && request.path.empty()) request.path = "/";
    }
    if (known) admission = hub_->application.admit(request);
    else admission.refusal = hub_->application.problem(request, 404, "there is nothing at this address");
    if (!request.path_fault.empty() && !admission.text_in_path) throw Refusal(400, request.path_fault);
    if (admission.refusal) {
        transaction.delivered = transaction.body_complete = true;
        transaction.close_after = transaction.close_after || framing.has_body();
        if (framing.has_body()) input_ = Input::closed;
        transaction.send(std::move(*admission.refusal));
        current_.reset();
        return;
    }
    const bool wanted = admission.max_body_bytes != 0;
    const BodyPlace place = !wanted                                   ? BodyPlace::nowhere
                            : admission.to_file && framing.has_body() ? BodyPlace::file
                                                                      : BodyPlace::memory;
    static constexpr std::uint64_t kForgotten = 64 * 1024;
    const std::uint64_t most = wanted ? admission.max_body_bytes : kForgotten;
    const BodyRoom room = place == BodyPlace::file
                              ? BodyRoom{most, hub_->files, admission.max_files_bytes, transaction.file_share}
                              : BodyRoom{most, hub_->memory, hub_->memory.most(), transaction.body_share};
    body_.emplace(request, framing, place, room, hub_->options.uploads / ("body-" + hub_->next_id()));
    body_mark_ = 0;
    transaction.continue_wanted = framing.expects_continue && framing.has_body() && at_ == in_.size();
    if (body_->done()) parse_body();
}

void Connection::parse_body() {
    at_ += body_->feed(std::string_view(in_).substr(at_));
    if (!body_->done()) return;
    body_.reset();
    current_->body_complete = true;
    current_->continue_wanted = false;
    if (current_->close_after) input_ = Input::closed;
    current_.reset();
}

// The client sends nothing more; see the class on what that may mean.
void Connection::end_of_input() {
    if (input_ == Input::lingering || queue_.empty()) {
        if (input_ == Input::open && !in_.empty()) {
            input_ = Input::ended;
            return refuse(Refusal(400, "the request ends within its head"));
        }
        return cut();
    }
    input_ = Input::ended;
    if (current_)
        return refuse(Refusal(400, fmt::format("the request ends after {} bytes of its body",
                                               current_->request.body_bytes)));
    if (!in_.empty()) return refuse(Refusal(400, "the request ends within its head"));
    set_time_limit();
    probe_time_ = Clock::now() + kProbeTime;
    wait_for_error();
}

}  // namespace serve::http
