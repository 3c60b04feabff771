// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "serve/http/gate.h"
#include "serve/http/hub.h"

namespace serve::http {

// A request and its answer, between the I/O thread and whoever answers. An answer lies here until its turn comes.
class Transaction : public std::enable_shared_from_this<Transaction> {
    std::shared_ptr<Hub> hub_;  // before what counts in it: an exchange may outlive the server

public:
    Transaction(std::shared_ptr<Hub> hub, std::weak_ptr<Connection> connection);
    ~Transaction();  // removes the file of an answer, if it was to be removed

    // The I/O thread's; `request` is read by all once the handler has it.
    Request request;
    Framing framing;
    Clock::time_point began = Clock::now();
    MemoryShare body_share, file_share;
    bool body_complete = false, delivered = false;
    bool close_after = false;      // the connection ends behind the answer
    bool continue_wanted = false;  // 100 Continue is to be sent
    bool probe_wanted = false;     // the same, to find out whether the client is there
    std::uint64_t sent_bytes = 0;

    // Any thread: what an Exchange does.
    bool send(Response response);  // false: there is an answer already
    bool begin(Response head);
    bool write(std::string piece);
    void end(std::string last);
    void drop();  // nobody is left who could answer
    void on_gone(std::function<void()> callback);
    bool gone() const;
    bool has_answer() const;

    // The I/O thread's ends.
    enum class Answer { none, whole, streamed };
    Answer answer() const;
    const Response& response() const { return response_; }  // once there is one
    std::string take_body();
    std::optional<std::string> take_piece();  // none: there is none now
    void piece_sent(std::size_t bytes);
    bool is_ended() const;
    bool is_dropped() const;
    void replace(Response response);  // of an answer that cannot be sent
    void set_gone();   // calls the callback
    void set_done();   // the answer has been sent

private:
    void wake();
    std::weak_ptr<Connection> connection_;
    mutable std::mutex mutex_;
    Answer answer_ = Answer::none;
    Response response_;
    MemoryShare answer_share_;
    std::deque<std::string> pieces_;
    std::size_t unsent_ = 0;
    bool ended_ = false, gone_ = false, dropped_ = false, done_ = false, woken_ = false;
    std::function<void()> callback_;
};

// What handlers hold.
class Handle final : public Exchange {
public:
    explicit Handle(std::shared_ptr<Transaction> transaction) : transaction_(std::move(transaction)) {}
    ~Handle() override { transaction_->drop(); }
    const Request& request() const override { return transaction_->request; }
    void send(Response response) override { transaction_->send(std::move(response)); }
    void begin(Response head) override { transaction_->begin(std::move(head)); }
    bool write(std::string piece) override { return transaction_->write(std::move(piece)); }
    void end(std::string last) override { transaction_->end(std::move(last)); }
    void on_gone(std::function<void()> callback) override { transaction_->on_gone(std::move(callback)); }
    bool gone() const override { return transaction_->gone(); }

private:
    std::shared_ptr<Transaction> transaction_;
};

}  // namespace serve::http
