// SPDX-License-Identifier: Apache-2.0
#include "serve/http/connection.h"

#include <utility>

#include "serve/problem.h"

namespace serve::http {
namespace {

bool waits_for_others(const Request& request) {
    return request.method == "PUT" || request.method == "PATCH" || request.method == "DELETE";
}

void run_handler(Application& application, const std::shared_ptr<Transaction>& transaction) {
    if (transaction->gone()) return;
    const auto fail = [&](int status, const std::string& message) {
        if (!transaction->has_answer()) transaction->send(application.problem(transaction->request, status, message));
    };
    std::shared_ptr<Handle>
        handle;  // it lives until the answer to an exception is there, which would count as forgotten
    try {
        handle = std::make_shared<Handle>(transaction);
        application.handle(handle);
    } catch (const Problem& problem) {
        fail(http_status(problem.kind), problem.what());
    } catch (const std::exception& error) {
        application.fault(&transaction->request, error.what());
        fail(500, "the service failed to answer");
    }
}

}  // namespace

Connection::Connection(std::shared_ptr<Hub> hub, std::unique_ptr<Transport> transport, std::string peer)
    : hub_(std::move(hub)), transport_(std::move(transport)), peer_(std::move(peer)),
      scanner_(hub_->options.max_head_bytes) {}

void Connection::start() {
    hub_->open_connections.fetch_add(1, std::memory_order_relaxed);
    hub_->connections.insert(shared_from_this());
    ++hub_->per_address[peer_];
    set_time_limit();
    wait_to_read();
}

std::shared_ptr<Transaction> Connection::add_transaction() {
    auto transaction = std::make_shared<Transaction>(hub_, weak_from_this());
    transaction->request.id = hub_->next_id();
    transaction->request.peer = peer_;
    transaction->request.secure = transport_->secure();
    queue_.push_back(transaction);
    return transaction;
}

void Connection::deliver() {
    for (const auto& transaction : queue_) {
        const bool alone = waits_for_others(transaction->request);
        if (!transaction->body_complete || (alone && transaction != queue_.front())) return;
        if (!std::exchange(transaction->delivered, true))
            hub_->workers.post([application = &hub_->application, transaction] {
                run_handler(*application, transaction);
            });
        if (alone) return;
    }
}

void Connection::answer(Transaction& transaction, int status, const std::string& message, int retry_after) {
    Response response = hub_->application.problem(transaction.request, status, message);
    if (retry_after != 0) response.headers.push_back({"Retry-After", std::to_string(retry_after)});
    transaction.send(std::move(response));
}

void Connection::refuse(const Refusal& refusal) {
    const auto transaction = current_ ? std::exchange(current_, nullptr) : add_transaction();
    body_.reset();
    transaction->delivered = transaction->body_complete = transaction->close_after = true;
    transaction->continue_wanted = false;
    if (input_ == Input::open) input_ = Input::closed;
    in_.clear();
    at_ = 0;
    set_time_limit();
    answer(*transaction, refusal.status, refusal.what(), refusal.retry_after);
    if (!parsing_) pump();
}

void Connection::wake() {
    guarded([this] {
        // An answer that nobody will give any more.
        for (const auto& transaction : queue_) {
            if (!transaction->is_dropped()) continue;
            if (transaction->answer() == Transaction::Answer::streamed && !transaction->is_ended()) {
                hub_->application.fault(&transaction->request, "a handler left its answer unfinished");
                return cut();
            }
            if (transaction->has_answer()) continue;
            hub_->application.fault(&transaction->request, "a handler gave no answer");
            answer(*transaction, 500, "the service failed to answer");
        }
        pump();
    });
}

void Connection::drain() {
    guarded([this] {
        if (queue_.empty() && input_ != Input::lingering) {
            if (in_.empty()) return cut();
            return refuse(Refusal(503, "the service ends", 1));
        }
        if (!current_ && input_ == Input::open) input_ = Input::closed;
    });
}

// The answer to the first request has been sent.
void Connection::finish_front() {
    const auto transaction = std::move(queue_.front());
    queue_.pop_front();
    transaction->set_done();
    hub_->application.finished(transaction->request, transaction->response().status, transaction->sent_bytes,
                               Clock::now() - transaction->began);
    output_ = Output::head;
    write_limit_ = Clock::time_point::max();
    const bool last = transaction->close_after || (queue_.empty() && (input_ != Input::open || hub_->draining));
    if (last) return end_after_answers();
    deliver();
    set_time_limit();
    if (input_ != Input::open || (reading_ && in_.empty())) return;
    boost::asio::post(hub_->io, [self = shared_from_this()] {
        self->guarded([&] { self->parse(); });
        if (!self->reading_) self->read();
    });
}

void Connection::cut() {
    if (std::exchange(closed_, true)) return;
    const auto self = shared_from_this();
    hub_->connections.erase(self);
    hub_->open_connections.fetch_sub(1, std::memory_order_relaxed);
    if (const auto found = hub_->per_address.find(peer_); found != hub_->per_address.end() && --found->second == 0)
        hub_->per_address.erase(found);
    boost::system::error_code ignored;  // it goes in any case
    transport_->socket().close(ignored);
    current_.reset();
    body_.reset();
    file_.reset();
    for (const auto& transaction : std::exchange(queue_, {})) {
        transaction->set_gone();
        hub_->application.finished(transaction->request, 499, transaction->sent_bytes,
                                   Clock::now() - transaction->began);
    }
}

}  // namespace serve::http
