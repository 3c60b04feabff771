// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace dragoman::test {

// An answer as it lay on the wire.
struct Reply {
    int status = 0;  // 0: the connection ended before an answer
    std::string head, body;
    // The value of a header, named as it is written; empty: there is none.
    std::string header(std::string_view name) const;
};

// A socket whose bytes the test says itself. Reading waits some seconds and then throws std::runtime_error.
class SocketClient {
public:
    explicit SocketClient(std::uint16_t port);
    explicit SocketClient(const std::string& unix_path);
    ~SocketClient() { close(); }
    SocketClient(SocketClient&& other) noexcept
        : socket_(std::exchange(other.socket_, -1)), bytes_(std::move(other.bytes_)) {}
    SocketClient(const SocketClient&) = delete;
    SocketClient& operator=(const SocketClient&) = delete;

    void send(std::string_view bytes);
    bool try_send(std::string_view bytes);  // false: the server has ended the connection
    void end_sending();
    void close();
    void reset();  // closes with RST
    // The next answer; 1xx are skipped unless `interim`. `has_body`: false for HEAD.
    Reply read(bool has_body = true, bool interim = false);
    std::string read_to_end();
    bool is_ended();  // the server closes, and sends nothing before
    int handle() const { return socket_; }

private:
    bool fill();
    std::string take(std::size_t count);
    int socket_ = -1;
    std::string bytes_;
};

}  // namespace dragoman::test
