// SPDX-License-Identifier: Apache-2.0
#include "test_application.h"

#include <utility>

namespace dragoman::test {

using namespace serve::http;

namespace {

constexpr std::chrono::seconds kPatience{20};

void echo(const std::shared_ptr<Exchange>& exchange) {
    const Request& request = exchange->request();
    Response response;
    response.content_type = "text/plain";
    response.body = request.method + " " + request.path + " " + request.query + " " + request.body;
    exchange->send(std::move(response));
}

}  // namespace

Admission TestApplication::admit(const Request& head) {
    Admission admission;
    if (head.path == "/closed") admission.refusal = problem(head, 403, "closed");
    admission.max_body_bytes = head.path == "/nothing" ? 0 : max_body_bytes;
    admission.to_file = to_file;
    admission.max_files_bytes = max_files_bytes;
    admission.text_in_path = head.path.starts_with("/text/");
    return admission;
}

void TestApplication::handle(std::shared_ptr<Exchange> exchange) {
    const auto found = handlers.find(exchange->request().path);
    found == handlers.end() ? echo(exchange) : found->second(exchange);
}

Response TestApplication::problem(const Request&, int status, const std::string& message) {
    Response response;
    response.status = status;
    response.content_type = "text/plain";
    response.body = message;
    return response;
}

void TestApplication::finished(const Request&, int status, std::uint64_t, std::chrono::nanoseconds) {
    const std::lock_guard lock(mutex_);
    statuses_.push_back(status);
    changed_.notify_all();
}

void TestApplication::fault(const Request*, const std::string& what) {
    const std::lock_guard lock(mutex_);
    faults_.push_back(what);
}

std::vector<int> TestApplication::statuses() const {
    const std::lock_guard lock(mutex_);
    return statuses_;
}

std::vector<std::string> TestApplication::faults() const {
    const std::lock_guard lock(mutex_);
    return faults_;
}

bool TestApplication::wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [&] { return statuses_.size() >= count; });
}

RunningServer::RunningServer(TestApplication& application, ServerOptions options) {
    if (options.host == "127.0.0.1") options.port = 0;
    server = std::make_unique<Server>(options, application);
    thread_ = std::thread([this] { server->run(); });
}

RunningServer::~RunningServer() { stop(); }

void RunningServer::stop(std::chrono::milliseconds grace) {
    if (!thread_.joinable()) return;
    server->stop(grace);
    thread_.join();
}

std::string get(const std::string& target, const std::string& more) {
    return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n";
}

std::string post(const std::string& target, const std::string& body, const std::string& more) {
    return "POST " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n" + more + "\r\n" + body;
}

bool soon(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

}  // namespace dragoman::test
