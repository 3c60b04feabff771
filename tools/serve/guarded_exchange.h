// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "serve/charge.h"
#include "serve/guard/guard.h"
#include "serve/http/exchange.h"

namespace serve {

// An exchange whose answers get the guard's headers, whoever writes them, and settle what the request was charged.
class GuardedExchange : public http::Exchange {
public:
    GuardedExchange(std::shared_ptr<http::Exchange> inner, guard::Guard& guard)
        : inner_(std::move(inner)), guard_(guard), charge_(std::make_shared<Charge>(guard)) {}
    // Without an answer the server says that it failed. A client that went has had the work done.
    ~GuardedExchange() override { charge_->settle(!inner_->gone()); }
    GuardedExchange(const GuardedExchange&) = delete;
    GuardedExchange& operator=(const GuardedExchange&) = delete;
    const std::shared_ptr<Charge>& charge() const { return charge_; }
    const http::Request& request() const override { return inner_->request(); }
    void send(http::Response response) override {
        charge_->settle(response.status >= 400);
        guard_.finish(request(), response);
        inner_->send(std::move(response));
    }
    void begin(http::Response head) override {
        charge_->settle(head.status >= 400);
        guard_.finish(request(), head);
        inner_->begin(std::move(head));
    }
    bool write(std::string piece) override { return inner_->write(std::move(piece)); }
    void end(std::string last) override { inner_->end(std::move(last)); }
    void on_gone(std::function<void()> callback) override { inner_->on_gone(std::move(callback)); }
    bool gone() const override { return inner_->gone(); }

private:
    std::shared_ptr<http::Exchange> inner_;
    const guard::Guard& guard_;
    const std::shared_ptr<Charge> charge_;
};

}  // namespace serve
