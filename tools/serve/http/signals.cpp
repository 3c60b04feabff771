// SPDX-License-Identifier: Apache-2.0
#include "serve/http/signals.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <thread>
#include <utility>

namespace serve::http {

struct Signals::Impl {
    explicit Impl(Actions given) : actions(std::move(given)), set(context, SIGINT, SIGTERM) {
#ifdef SIGHUP
        set.add(SIGHUP);
#endif
        wait();
        thread = std::thread([this] { context.run(); });
    }
    ~Impl() {
        context.stop();
        thread.join();
    }
    void wait() {
        set.async_wait([this](const boost::system::error_code& error, int number) {
            if (error) return;
            if (number == SIGINT || number == SIGTERM) actions.end(std::exchange(ended, true));
            else actions.reload();
            wait();
        });
    }

    Actions actions;
    bool ended = false;
    boost::asio::io_context context;
    boost::asio::signal_set set;
    std::thread thread;
};

Signals::Signals(Actions actions) : impl_(std::make_unique<Impl>(std::move(actions))) {}
Signals::~Signals() = default;

}  // namespace serve::http
