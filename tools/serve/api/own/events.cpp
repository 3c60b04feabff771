// SPDX-License-Identifier: Apache-2.0
#include "serve/api/own/events.h"

#include <algorithm>
#include <utility>

#include "serve/api/event_stream.h"
#include "serve/api/own/own.h"

namespace serve::api {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kOwnTick{250};

}  // namespace

bool own_wants_events(const http::Request& request, const Json& fields) {
    return flag(fields, "stream", request.header("Accept").find("text/event-stream") != std::string_view::npos);
}

void OwnStream::begin() {
    if (!begun_) exchange_->begin(event_stream_head());
    begun_ = true;
}

bool OwnStream::write(std::string piece) {
    begin();
    if (!exchange_->write(std::move(piece))) return false;
    written_ = Clock::now();
    return true;
}

void OwnStream::close(std::string piece) {
    begin();
    exchange_->end(std::move(piece));
    ended_ = true;
}

bool OwnStream::send(const char* event, const Json& data) {
    const std::lock_guard lock(mutex_);
    return !ended_ && write(event_text(event, json_text(data)));
}

void OwnStream::finish(const char* event, const Json& data) {
    const std::lock_guard lock(mutex_);
    if (!ended_) close(event_text(event, json_text(data)));
}

void OwnStream::fail(const Problem& problem) {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    if (begun_) return close(event_text("error", json_text(own_error_json(problem))));
    send_problem(*exchange_, problem, own_error);
    ended_ = true;
}

void OwnStream::abandon() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
}

bool OwnStream::tick(Clock::time_point now, std::chrono::milliseconds ping) {
    const std::lock_guard lock(mutex_);
    if (!ended_ && now - written_ >= ping) write(": ping\n\n");
    return !ended_ && !exchange_->gone();
}

OwnEvents::OwnEvents(std::chrono::milliseconds ping) : ping_(ping), thread_([this] { run(); }) {}

OwnEvents::~OwnEvents() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

std::shared_ptr<OwnStream> OwnEvents::open(std::shared_ptr<http::Exchange> exchange) {
    auto stream = std::make_shared<OwnStream>(std::move(exchange));
    {
        const std::lock_guard lock(mutex_);
        streams_.push_back(stream);
    }
    changed_.notify_one();
    return stream;
}

void OwnEvents::run() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
        if (streams_.empty()) changed_.wait(lock, [this] { return ends_ || !streams_.empty(); });
        else changed_.wait_for(lock, std::min(kOwnTick, ping_), [this] { return ends_; });
        const std::vector<std::shared_ptr<OwnStream>> open = streams_;
        lock.unlock();  // a stream may wait for its client's connection
        std::vector<std::shared_ptr<OwnStream>> ended;
        for (const auto& stream : open)
            if (!stream->tick(Clock::now(), ping_)) ended.push_back(stream);
        lock.lock();
        std::erase_if(streams_, [&](const auto& one) { return std::ranges::find(ended, one) != ended.end(); });
    }
}

}  // namespace serve::api
