// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "serve/http/exchange.h"

namespace slow_client_test {

// A client that takes so many pieces, and then no more until it is told to.
class SlowClient : public serve::http::Exchange {
public:
    explicit SlowClient(int room = 1000) : room_(room) {}
    const serve::http::Request& request() const override { return request_; }
    void send(serve::http::Response response) override {
        const std::lock_guard lock(mutex_);
        status_ = response.status;
        text_ = response.body;
    }
    void begin(serve::http::Response head) override {
        const std::lock_guard lock(mutex_);
        status_ = head.status;
        type_ = head.content_type;
    }
    bool write(std::string piece) override {
        const std::lock_guard lock(mutex_);
        if (gone_ || room_ == 0) return false;
        --room_;
        text_ += piece;
        return true;
    }
    void end(std::string last) override {
        const std::lock_guard lock(mutex_);
        text_ += last;
        ended_ = true;
    }
    void on_gone(std::function<void()>) override {}
    bool gone() const override {
        const std::lock_guard lock(mutex_);
        return gone_;
    }
    void read(int pieces) {
        const std::lock_guard lock(mutex_);
        room_ += pieces;
    }
    void go() {
        const std::lock_guard lock(mutex_);
        gone_ = true;
    }
    std::string text() const {
        const std::lock_guard lock(mutex_);
        return text_;
    }
    bool ended() const {
        const std::lock_guard lock(mutex_);
        return ended_;
    }
    int status() const {
        const std::lock_guard lock(mutex_);
        return status_;
    }
    std::string type() const {
        const std::lock_guard lock(mutex_);
        return type_;
    }

private:
    mutable std::mutex mutex_;
    serve::http::Request request_;
    int room_, status_ = 0;
    bool gone_ = false, ended_ = false;
    std::string text_, type_;
};

}  // namespace slow_client_test
