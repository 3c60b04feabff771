// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/http/server.h"
#include "socket_client.h"

namespace dragoman::test {

// Answers by path: "/echo" says what came; tests put in what else they need. Below "/text/" paths are texts. Remembers
// what it was told.
class TestApplication : public serve::http::Application {
public:
    using Handler = std::function<void(const std::shared_ptr<serve::http::Exchange>&)>;
    std::map<std::string, Handler> handlers;
    std::uint64_t max_body_bytes = 1 << 20;
    bool to_file = false;
    std::uint64_t max_files_bytes = UINT64_MAX;

    serve::http::Admission admit(const serve::http::Request& head) override;
    void handle(std::shared_ptr<serve::http::Exchange> exchange) override;
    serve::http::Response problem(const serve::http::Request& head, int status, const std::string& message) override;
    void finished(const serve::http::Request& request, int status, std::uint64_t sent_bytes,
                  std::chrono::nanoseconds taken) override;
    void fault(const serve::http::Request* request, const std::string& what) override;

    std::vector<int> statuses() const;
    std::vector<std::string> faults() const;
    // Waits until `count` requests have ended; false: they have not, in some seconds.
    bool wait_for(std::size_t count);

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<int> statuses_;
    std::vector<std::string> faults_;
};

// A server on a thread of its own.
class RunningServer {
public:
    explicit RunningServer(TestApplication& application, serve::http::ServerOptions options = {});
    ~RunningServer();
    SocketClient connect() const { return SocketClient(server->port()); }
    void stop(std::chrono::milliseconds grace = std::chrono::milliseconds(0));  // and waits until it has ended
    std::unique_ptr<serve::http::Server> server;

private:
    std::thread thread_;
};

// "GET /echo HTTP/1.1" with a Host.
std::string get(const std::string& target, const std::string& more = "");
std::string post(const std::string& target, const std::string& body, const std::string& more = "");
// Asks again until it is so; false: it is not, after some seconds.
bool soon(const std::function<bool()>& condition);

}  // namespace dragoman::test
