// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "serve/http/memory.h"
#include "serve/http/server.h"
#include "serve/http/workers.h"

namespace serve::http {

using Clock = std::chrono::steady_clock;
class Connection;

// What all connections of a server share. Everything without a comment belongs to the I/O thread.
struct Hub {
    Hub(const ServerOptions& server_options, Application& server_application)
        : options(server_options), application(server_application), memory(server_options.max_memory_bytes),
          workers(server_options.workers), scratch(64 * 1024) {}

    boost::asio::io_context io{1};
    const ServerOptions options;
    Application& application;
    Memory memory;    // any thread
    Memory files{UINT64_MAX};  // bytes of bodies that lie in files, with a limit for each; any thread
    Workers workers;  // any thread
    std::vector<char> scratch;  // what is read from a socket, before it is looked at
    std::unordered_set<std::shared_ptr<Connection>> connections;
    std::map<std::string, std::size_t> per_address;
    bool draining = false;
    std::atomic<std::size_t> open_connections{0}, requests_in_flight{0};  // any thread
    std::atomic<std::uint64_t> refused_connections{0};                    // any thread

    // Runs `task` on the I/O thread; does nothing once the server is gone. Any thread.
    template <typename Task>
    void post(Task task) {
        const std::lock_guard lock(mutex_);
        if (!closed_) boost::asio::post(io, std::move(task));
    }
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }

    std::string next_id();      // of a request
    const std::string& date();  // as in the header Date

private:
    std::mutex mutex_;
    bool closed_ = false;
    std::string id_start_, date_;
    std::uint64_t id_count_ = 0;
    std::time_t date_second_ = 0;
};

}  // namespace serve::http
