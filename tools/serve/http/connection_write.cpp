// SPDX-License-Identifier: Apache-2.0
#include "serve/ascii.h"
#include "serve/http/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/os/path_text.h"
#include "serve/http/characters.h"
#include "serve/http/response_head.h"

namespace serve::http {
namespace {

constexpr std::size_t kFilePiece = 64 * 1024;
constexpr std::size_t kJoined = 16 * 1024;      // bodies up to here go with their head
constexpr std::size_t kAtATime = 1024 * 1024;   // then other connections have their turn
constexpr const char* kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

void Connection::wait_to_write() {
    if (writing_ || closed_) return;
    writing_ = true;
    transport_->socket().async_wait(Socket::wait_write,
                                    [self = shared_from_this()](const boost::system::error_code& error) {
                                        self->writing_ = false;
                                        if (error) return;
                                        if (std::exchange(self->write_before_read_, false)) self->read();
                                        self->guarded([&] { self->pump(); });
                                    });
}

void Connection::pump() {
    if (closed_ || std::exchange(pumping_, true)) return;
    const auto self = shared_from_this();
    const std::uint64_t start = queue_.empty() ? 0 : queue_.front()->sent_bytes;
    bool goes_on = true;
    while (goes_on && flush()) {
        if (!queue_.empty() && queue_.front()->sent_bytes > start + kAtATime) {
            boost::asio::post(hub_->io, [self] { self->guarded([&] { self->pump(); }); });
            break;
        }
        goes_on = refill();
    }
    pumping_ = false;
}

bool Connection::flush() {
    while (!closed_ && out_at_ < out_.size()) {
        if (write_limit_ == Clock::time_point::max()) write_limit_ = Clock::now() + hub_->options.send_time;
        const IoResult result = transport_->write(out_.data() + out_at_, out_.size() - out_at_);
        switch (result.state) {
            case Io::done:
                out_at_ += result.bytes;
                if (!queue_.empty()) queue_.front()->sent_bytes += result.bytes;
                write_limit_ = Clock::now() + hub_->options.send_time;
                continue;
            case Io::wait_write: wait_to_write(); return false;
            case Io::wait_read:
                read_before_write_ = true;
                wait_to_read();
                return false;
            case Io::end:
            case Io::failed: cut(); return false;
        }
    }
    if (closed_) return false;
    write_limit_ = Clock::time_point::max();
    if (out_.capacity() > kJoined) std::string().swap(out_);
    out_.clear();
    out_at_ = 0;
    if (piece_bytes_ != 0 && !queue_.empty()) queue_.front()->piece_sent(std::exchange(piece_bytes_, 0));
    return true;
}

bool Connection::refill() {
    if (queue_.empty()) return false;
    Transaction& transaction = *queue_.front();
    switch (output_) {
        case Output::head: {
            if (transaction.has_answer()) {
                start_answer(transaction);
                return true;
            }
            const bool probe = std::exchange(transaction.probe_wanted, false);
            const bool wanted = std::exchange(transaction.continue_wanted, false);
            if (probe || wanted) out_ = kContinue;
            return probe || wanted;
        }
        case Output::memory:
            out_ = transaction.take_body();
            output_ = Output::done;
            return true;
        case Output::file: refill_file(); return !closed_;
        case Output::pieces: {
            refill_pieces(transaction);
            return !out_.empty() || output_ == Output::done;
        }
        case Output::done: finish_front(); return !closed_;
    }
    return false;
}

void Connection::start_answer(Transaction& transaction) {
    const Response& response = transaction.response();
    const bool streamed = transaction.answer() == Transaction::Answer::streamed;
    const bool is_head = transaction.request.method == "HEAD";
    const bool has_body = may_have_body(response.status) && !is_head;
    HeadFacts facts;
    facts.date = hub_->date();
    facts.id = transaction.request.id;
    facts.minor = transaction.framing.minor;
    output_ = Output::done;
    output_to_end_ = false;
    if (streamed) {
        facts.chunked = may_have_body(response.status) && facts.minor == 1;
        if (has_body) output_ = Output::pieces;
        output_to_end_ = has_body && !facts.chunked;
        output_chunked_ = facts.chunked;
    } else if (!response.file.empty()) {
        std::error_code error;
        file_left_ = std::filesystem::file_size(response.file, error);
        if (!error) file_.reset(std::fopen(dragoman::text_of(response.file).c_str(), "rb"));
        if (!file_) {
            hub_->application.fault(&transaction.request,
                                    "cannot read the file of an answer: " + dragoman::text_of(response.file));
            transaction.replace(hub_->application.problem(transaction.request, 500, "the service failed to answer"));
            return start_answer(transaction);
        }
        facts.length = file_left_;
        if (has_body) output_ = Output::file;
    } else {
        facts.length = response.body.size();
        if (has_body && !response.body.empty()) output_ = Output::memory;
    }
    // The last answer says that it is the last one.
    for (const Header& header : response.headers)
        if (same_in_any_case(header.name, "Connection") && list_has(header.value, "close"))
            transaction.close_after = true;
    const bool no_more = queue_.size() == 1 && (input_ != Input::open || hub_->draining);
    if (output_to_end_ || no_more) transaction.close_after = true;
    if (transaction.close_after && input_ == Input::open && !current_) input_ = Input::closed;
    facts.keep_alive = !transaction.close_after;
    out_ = response_head(response, facts);
    if (output_ != Output::memory || response.body.size() > kJoined) return;
    out_ += response.body;
    output_ = Output::done;
}

void Connection::refill_file() {
    out_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(file_left_, kFilePiece)));
    const std::size_t count = out_.empty() ? 0 : std::fread(out_.data(), 1, out_.size(), file_.get());
    if (count != out_.size()) throw std::runtime_error("the file of an answer became shorter while it was sent");
    file_left_ -= count;
    if (file_left_ != 0) return;
    file_.reset();
    output_ = Output::done;
}

void Connection::refill_pieces(Transaction& transaction) {
    while (out_.size() < kFilePiece) {
        std::optional<std::string> piece = transaction.take_piece();
        if (!piece) break;
        piece_bytes_ += piece->size();
        if (output_chunked_) out_ += fmt::format("{:x}\r\n", piece->size());
        out_ += *piece;
        if (output_chunked_) out_ += "\r\n";
    }
    if (!out_.empty() || !transaction.is_ended()) return;
    if (output_chunked_) out_ = "0\r\n\r\n";
    output_ = Output::done;
}

// Nothing more is answered. What the client still sends is read for a moment: a socket that is closed with bytes unread is
// reset, and the client may lose the answer.
void Connection::end_after_answers() {
    if (input_ == Input::ended) return cut();
    for (const auto& transaction : std::exchange(queue_, {})) {
        transaction->set_gone();
        hub_->application.finished(transaction->request, 499, 0, Clock::now() - transaction->began);
    }
    current_.reset();
    body_.reset();
    in_.clear();
    at_ = 0;
    input_ = Input::lingering;
    transport_->end_sending();
    set_time_limit();
    if (!reading_) boost::asio::post(hub_->io, [self = shared_from_this()] { self->read(); });
}

}  // namespace serve::http
