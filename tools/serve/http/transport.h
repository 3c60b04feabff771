// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>

#include <cstddef>
#include <memory>

namespace serve::http {

using Socket = boost::asio::generic::stream_protocol::socket;

enum class Io { done, wait_read, wait_write, end, failed };
struct IoResult {
    Io state = Io::done;
    std::size_t bytes = 0;
};

// A connection's bytes, never waiting. Connections wait for their socket to be ready instead of giving it a buffer, so that an
// idle one holds none.
class Transport {
public:
    explicit Transport(Socket socket) : socket_(std::move(socket)) {}
    virtual ~Transport() = default;
    virtual IoResult read(char* bytes, std::size_t size) = 0;
    virtual IoResult write(const char* bytes, std::size_t size) = 0;
    virtual void end_sending() = 0;
    virtual bool secure() const { return false; }
    virtual bool ready() const { return true; }  // false: the handshake is under way
    Socket& socket() { return socket_; }

protected:
    Socket socket_;
};

std::unique_ptr<Transport> plain_transport(Socket socket);
// What a failed call of a socket that does not wait means.
Io io_state(const boost::system::error_code& error, Io when_it_would_wait);

}  // namespace serve::http
