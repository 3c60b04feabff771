// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "serve/guard/guard.h"
#include "serve/http/exchange.h"

namespace serve {

// An exchange whose answers get the guard's headers, whoever writes them.
class GuardedExchange : public http::Exchange {
public:
    GuardedExchange(std::shared_ptr<http::Exchange> inner, const guard::Guard& guard)
        : inner_(std::move(inner)), guard_(guard) {}
    const http::Request& request() const override { return inner_->request(); }
    void send(http::Response response) override {
        guard_.finish(request(), response);
        inner_->send(std::move(response));
    }
    void begin(http::Response head) override {
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
};

}  // namespace serve
