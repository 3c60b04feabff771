// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "serve/http/exchange.h"

namespace serve::http {

struct ServerOptions {
    std::string host = "127.0.0.1";   // a name or a numeric address; "unix:/path": a UNIX socket
    std::string unix_mode;  // who may connect to a UNIX socket: "600", "660", "666"; empty: as the umask says
    std::uint16_t port = 5000;        // 0: any free one, see Server::port()
    std::string api_prefix;           // "/lt": is taken off paths; what does not begin with it is 404
    std::filesystem::path certificate, private_key;  // PEM; empty: no TLS
    std::filesystem::path uploads;    // folder for bodies that go to files
    std::size_t max_connections = 4096;
    std::size_t max_connections_per_address = 0;  // 0: no limit of its own; UNIX sockets have none
    std::size_t max_head_bytes = 16 * 1024;
    std::uint64_t max_memory_bytes = std::uint64_t(256) << 20;  // of bodies and unsent answers of all clients together
    std::size_t max_pipelined = 16;  // requests of one connection that wait for their answers
    std::chrono::milliseconds head_time{10'000};  // from a request's first byte to its head's last one
    std::chrono::milliseconds body_time{30'000};  // in which at least 16 KiB of a body, or its rest, come
    std::chrono::milliseconds idle_time{75'000};  // between requests
    std::chrono::milliseconds send_time{60'000};  // in which a client reads something of its answer
    std::size_t workers = 4;  // threads that run handlers
};

// What the application says of a head, before the body is read.
struct Admission {
    std::optional<Response> refusal;  // sent at once; the connection ends if a body follows
    std::uint64_t max_body_bytes = 0;  // 0: a body is read and forgotten, up to 64 KiB
    bool to_file = false;  // bodies go to a file
    // Of all bodies that lie in files at a time, whoever sent them; beyond it this one is refused (503).
    std::uint64_t max_files_bytes = UINT64_MAX;
    bool text_in_path = false;  // a request with a `path_fault` is taken: the handler reads the text from its target
};

class Application {
public:
    virtual ~Application() = default;
    // On the I/O thread; must not wait.
    virtual Admission admit(const Request& head) = 0;
    // On a worker thread, when the body is there. The exchange may be answered later, by any thread.
    virtual void handle(std::shared_ptr<Exchange> exchange) = 0;
    // Form of an error that the server itself finds (400, 408, 413, 414, 431, 503 ...), in plain words. `head`: what is known;
    // method and path may be empty. Any thread.
    virtual Response problem(const Request& head, int status, const std::string& message) = 0;
    // After the last byte of an answer, or when the client has gone (status 499). On the I/O thread.
    virtual void finished(const Request& request, int status, std::uint64_t sent_bytes,
                          std::chrono::nanoseconds taken) = 0;
    // For the operator, not for clients: an exception of a handler or of the server itself. `request` may be null. Any thread;
    // goes to standard error where it is not overridden.
    virtual void fault(const Request* request, const std::string& what);
};

struct ServerCounts {
    std::size_t connections = 0, requests_in_flight = 0;
    std::uint64_t memory_bytes = 0;  // of bodies and unsent answers
    std::uint64_t file_bytes = 0;  // of bodies that lie in files
    std::uint64_t refused_connections = 0;  // beyond max_connections
};

// One thread for all connections, some for handlers.
class Server {
public:
    // Listens when it returns. Throws std::runtime_error naming address, file and reason. `application` must outlive it.
    Server(const ServerOptions& options, Application& application);
    ~Server();
    std::uint16_t port() const;
    std::string address() const;  // "http://127.0.0.1:5000", "unix:/path"
    // Serves until stop() has drained. On the calling thread. Several requests of a connection (pipelining) are handled at the
    // same time, except PUT, PATCH and DELETE, which wait for those before and hold those behind.
    void run();
    // No new connections and requests; those at work are finished, then run() returns; after `grace` they are cut off.
    // Any thread; also in a signal's handler thread.
    void stop(std::chrono::milliseconds grace);
    // Reads certificate and key again for new connections. Throws where they are broken; the old ones stay.
    void reload_certificate();
    ServerCounts counts() const;
    // Runs `task` on a worker thread.
    void post(std::function<void()> task);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace serve::http
