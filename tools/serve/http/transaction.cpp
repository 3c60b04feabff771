// SPDX-License-Identifier: Apache-2.0
#include "serve/http/transaction.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "serve/http/connection.h"

namespace serve::http {
namespace {

constexpr std::size_t kMaxUnsent = 256 * 1024;

void remove_file_of(const Response& response) {
    std::error_code ignored;
    if (response.remove_file && !response.file.empty()) std::filesystem::remove(response.file, ignored);
}

}  // namespace

Transaction::Transaction(std::shared_ptr<Hub> hub, std::weak_ptr<Connection> connection)
    : hub_(std::move(hub)), body_share(hub_->memory), file_share(hub_->files), connection_(std::move(connection)),
      answer_share_(hub_->memory) {
    hub_->requests_in_flight.fetch_add(1, std::memory_order_relaxed);
}

Transaction::~Transaction() { remove_file_of(response_); }

void Transaction::wake() {
    {
        const std::lock_guard lock(mutex_);
        if (woken_ || gone_ || done_) return;
        woken_ = true;
    }
    hub_->post([self = shared_from_this()] {
        {
            const std::lock_guard lock(self->mutex_);
            self->woken_ = false;
        }
        if (const auto connection = self->connection_.lock()) connection->wake();
    });
}

bool Transaction::send(Response response) {
    std::function<void()> forgotten;
    {
        const std::lock_guard lock(mutex_);
        if (gone_ || answer_ != Answer::none) {
            remove_file_of(response);
            return false;
        }
        answer_ = Answer::whole;
        response_ = std::move(response);
        answer_share_.set(response_.body.size());
        forgotten = std::move(callback_);
        callback_ = nullptr;
    }
    wake();
    return true;
}

bool Transaction::begin(Response head) {
    {
        const std::lock_guard lock(mutex_);
        if (gone_ || answer_ != Answer::none) return false;
        answer_ = Answer::streamed;
        response_ = std::move(head);
    }
    wake();
    return true;
}

bool Transaction::write(std::string piece) {
    {
        const std::lock_guard lock(mutex_);
        if (gone_ || done_ || ended_ || answer_ != Answer::streamed) return false;
        if (piece.empty()) return true;
        const bool too_much = unsent_ + piece.size() > kMaxUnsent || hub_->memory.is_full();
        if (unsent_ != 0 && too_much) return false;
        unsent_ += piece.size();
        answer_share_.set(unsent_);
        pieces_.push_back(std::move(piece));
    }
    wake();
    return true;
}

void Transaction::end(std::string last) {
    std::function<void()> forgotten;
    {
        const std::lock_guard lock(mutex_);
        if (gone_ || ended_ || answer_ != Answer::streamed) return;
        ended_ = true;
        if (!last.empty() && !done_) {
            unsent_ += last.size();
            answer_share_.set(unsent_);
            pieces_.push_back(std::move(last));
        }
        forgotten = std::move(callback_);
        callback_ = nullptr;
    }
    wake();
}

void Transaction::drop() {
    {
        const std::lock_guard lock(mutex_);
        if (gone_ || answer_ == Answer::whole || ended_) return;
        dropped_ = true;
    }
    wake();
}

void Transaction::on_gone(std::function<void()> callback) {
    std::function<void()> replaced;  // destroyed without the lock
    {
        const std::lock_guard lock(mutex_);
        if (!gone_) {
            replaced = std::exchange(callback_, answer_ == Answer::whole || ended_ ? nullptr : std::move(callback));
            return;
        }
    }
    if (callback) callback();
}

bool Transaction::gone() const {
    const std::lock_guard lock(mutex_);
    return gone_;
}

bool Transaction::has_answer() const { return answer() != Answer::none; }

Transaction::Answer Transaction::answer() const {
    const std::lock_guard lock(mutex_);
    return answer_;
}

std::string Transaction::take_body() {
    const std::lock_guard lock(mutex_);
    return std::exchange(response_.body, {});
}

std::optional<std::string> Transaction::take_piece() {
    const std::lock_guard lock(mutex_);
    if (pieces_.empty()) return std::nullopt;
    std::string piece = std::move(pieces_.front());
    pieces_.pop_front();
    return piece;
}

void Transaction::piece_sent(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    unsent_ -= bytes;
    answer_share_.set(unsent_);
}

bool Transaction::is_ended() const {
    const std::lock_guard lock(mutex_);
    return ended_ && pieces_.empty();
}

bool Transaction::is_dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
}

void Transaction::replace(Response response) {
    const std::lock_guard lock(mutex_);
    remove_file_of(response_);
    response_ = std::move(response);
}

void Transaction::set_gone() {
    std::function<void()> callback;
    {
        const std::lock_guard lock(mutex_);
        if (gone_ || done_) return;
        gone_ = true;
        callback = std::exchange(callback_, nullptr);
        pieces_.clear();
        answer_share_.set(0);
    }
    hub_->requests_in_flight.fetch_sub(1, std::memory_order_relaxed);
    if (!callback) return;
    try {
        callback();
    } catch (const std::exception& error) {
        hub_->application.fault(&request, error.what());
    }
}

void Transaction::set_done() {
    std::function<void()> forgotten;
    {
        const std::lock_guard lock(mutex_);
        if (gone_ || done_) return;
        done_ = true;
        answer_share_.set(0);
        forgotten = std::exchange(callback_, nullptr);
    }
    hub_->requests_in_flight.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace serve::http
