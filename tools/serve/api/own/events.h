// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/http/exchange.h"
#include "serve/json.h"
#include "serve/problem.h"

namespace serve::api {

// Server-sent events to one client. Any thread. The head goes out with the first event, or with the first ping: a
// problem that comes before is an ordinary answer with its status.
class OwnStream {
public:
    explicit OwnStream(std::shared_ptr<http::Exchange> exchange) : exchange_(std::move(exchange)) {}
    // False: the client has gone, or reads too slowly and does not get this one.
    bool send(const char* event, const Json& data);
    // The last event, which a slow reader gets, too; the answer ends behind it.
    void finish(const char* event, const Json& data);
    void fail(const Problem& problem);
    void abandon();  // somebody else answers; only before anything was sent
    // A comment, where nothing was sent for so long. False: it has ended.
    bool tick(std::chrono::steady_clock::time_point now, std::chrono::milliseconds ping);

private:
    // With the lock.
    void begin();
    bool write(std::string piece);
    void close(std::string piece);
    std::shared_ptr<http::Exchange> exchange_;
    std::mutex mutex_;
    bool begun_ = false, ended_ = false;
    std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

// Whether a client wants events: a field says so, or its Accept header.
bool own_wants_events(const http::Request& request, const Json& fields);

// All streams of the service, which it keeps until they have ended; a thread of its own sends their pings.
class OwnEvents {
public:
    explicit OwnEvents(std::chrono::milliseconds ping = std::chrono::seconds(15));
    ~OwnEvents();
    std::shared_ptr<OwnStream> open(std::shared_ptr<http::Exchange> exchange);

private:
    void run();
    const std::chrono::milliseconds ping_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::shared_ptr<OwnStream>> streams_;
    bool ends_ = false;
    std::thread thread_;
};

}  // namespace serve::api
