// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "serve/http/hub.h"
#include "serve/http/transport.h"

namespace serve::http {

// The sockets on which a server listens: one for each address of its host, or a UNIX socket.
class Listener {
public:
    using OnConnection = std::function<void(Socket socket, const std::string& peer)>;
    // Listens when it returns. Throws std::runtime_error.
    Listener(std::shared_ptr<Hub> hub, OnConnection on_connection);
    ~Listener() { close(); }
    void start();  // accepting; on the I/O thread from here on
    void close();
    std::uint16_t port() const { return port_; }
    std::string host() const { return host_; }  // as an address has it: "127.0.0.1", "[::1]", "unix:/path"

private:
    using Tcp = boost::asio::ip::tcp;
    using Unix = boost::asio::local::stream_protocol;
    void listen_tcp();
    void listen_unix(const std::filesystem::path& path);
    template <typename Acceptor>
    void accept(const std::shared_ptr<Acceptor>& acceptor);
    std::shared_ptr<Hub> hub_;
    OnConnection on_connection_;
    std::vector<std::shared_ptr<Tcp::acceptor>> tcp_;
    std::shared_ptr<Unix::acceptor> unix_;
    std::filesystem::path path_;
    std::uint16_t port_ = 0;
    std::string host_;
};

}  // namespace serve::http
