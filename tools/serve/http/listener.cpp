// SPDX-License-Identifier: Apache-2.0
#include "serve/http/listener.h"

#include <boost/asio/connect.hpp>
#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <utility>

#include "base/os/path_text.h"

namespace serve::http {
namespace {

namespace asio = boost::asio;
constexpr std::string_view kUnix = "unix:";
constexpr std::chrono::milliseconds kPause{100};

std::string peer_of(const asio::ip::tcp::endpoint& endpoint) {
    const asio::ip::address address = endpoint.address();
    if (address.is_v6() && address.to_v6().is_v4_mapped())
        return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
    return address.to_string();
}

std::string peer_of(const asio::local::stream_protocol::endpoint&) { return "unix"; }

std::string shown_host(const asio::ip::address& address) {
    // No client can connect to "any address"; one on this machine can connect to the loopback.
    if (address.is_unspecified()) return address.is_v6() ? "[::1]" : "127.0.0.1";
    return address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
}

void prepare(asio::ip::tcp::socket& socket) {
    boost::system::error_code ignored;
    socket.set_option(asio::ip::tcp::no_delay(true), ignored);
}

void prepare(asio::local::stream_protocol::socket&) {}

}  // namespace

Listener::Listener(std::shared_ptr<Hub> hub, OnConnection on_connection)
    : hub_(std::move(hub)), on_connection_(std::move(on_connection)) {
    const std::string& host = hub_->options.host;
    if (host.compare(0, kUnix.size(), kUnix) == 0) listen_unix(dragoman::path_of(host.substr(kUnix.size())));
    else listen_tcp();
}

void Listener::listen_tcp() {
    const ServerOptions& options = hub_->options;
    boost::system::error_code error;
    const auto flags = Tcp::resolver::passive | Tcp::resolver::numeric_service;
    const auto found = Tcp::resolver(hub_->io).resolve(options.host, std::to_string(options.port), flags, error);
    if (error) throw std::runtime_error(fmt::format("cannot find the host {}: {}", options.host, error.message()));
    port_ = options.port;
    for (const auto& entry : found) {
        const Tcp::endpoint endpoint(entry.endpoint().address(), port_);
        auto acceptor = std::make_shared<Tcp::acceptor>(hub_->io);
        acceptor->open(endpoint.protocol(), error);
        if (!error) acceptor->set_option(Tcp::acceptor::reuse_address(true), error);
        if (!error) acceptor->bind(endpoint, error);
        if (!error) acceptor->listen(asio::socket_base::max_listen_connections, error);
        if (!error) acceptor->non_blocking(true, error);
        if (error) {
            // A name may have an address that this machine does not, such as ::1 where there is no IPv6.
            const bool not_here = error == asio::error::address_family_not_supported ||
                                  error == std::errc::address_not_available;
            if (not_here && found.size() > 1) continue;
            throw std::runtime_error(fmt::format("cannot listen on {}:{}: {}", shown_host(endpoint.address()), port_,
                                                 error.message()));
        }
        port_ = acceptor->local_endpoint().port();
        if (host_.empty() || endpoint.address().is_v4()) host_ = shown_host(endpoint.address());
        tcp_.push_back(std::move(acceptor));
    }
    if (tcp_.empty()) throw std::runtime_error(fmt::format("this machine has no address of {}", options.host));
}

void Listener::listen_unix(const std::filesystem::path& path) {
    const std::string name = dragoman::text_of(path);
    boost::system::error_code error;
    std::error_code file_error;
    if (std::filesystem::exists(path, file_error)) {
        // One that was left behind is removed, one that somebody listens on is not, nor is anything else.
        if (!std::filesystem::is_socket(path))
            throw std::runtime_error(fmt::format("{} is there, and is no socket", name));
        Unix::socket(hub_->io).connect(Unix::endpoint(name), error);
        if (!error) throw std::runtime_error(fmt::format("somebody listens on {} already", name));
        std::filesystem::remove(path);
    }
    try {
        unix_ = std::make_shared<Unix::acceptor>(hub_->io);
        unix_->open();
        unix_->bind(Unix::endpoint(name));
        // Nobody can connect before it listens.
        if (const std::string& mode = hub_->options.unix_mode; !mode.empty())
            std::filesystem::permissions(path, std::filesystem::perms(std::stoul(mode, nullptr, 8)));
        unix_->listen();
        unix_->non_blocking(true);
    } catch (const boost::system::system_error& problem) {
        throw std::runtime_error(fmt::format("cannot listen on {}: {}", name, problem.code().message()));
    }
    path_ = path;
    host_ = std::string(kUnix) + name;
}

void Listener::start() {
    for (const auto& acceptor : tcp_) accept(acceptor);
    if (unix_) accept(unix_);
}

template <typename Acceptor>
void Listener::accept(const std::shared_ptr<Acceptor>& acceptor) {
    using Protocol = typename Acceptor::protocol_type;
    acceptor->async_accept([this, acceptor](const boost::system::error_code& error, typename Protocol::socket socket) {
        if (error == asio::error::operation_aborted || !acceptor->is_open()) return;
        if (error) {  // no file descriptors left, most likely: it is tried again when some connections may have ended
            auto timer = std::make_shared<asio::steady_timer>(hub_->io, kPause);
            timer->async_wait([this, acceptor, timer](const boost::system::error_code&) {
                if (acceptor->is_open()) accept(acceptor);
            });
            return;
        }
        // One connection that fails, for want of memory, say, must not be the last one.
        try {
            boost::system::error_code ignored;
            const auto peer = socket.remote_endpoint(ignored);
            if (!ignored) {
                prepare(socket);
                socket.non_blocking(true, ignored);
                on_connection_(Socket(std::move(socket)), peer_of(peer));
            }
        } catch (const std::exception& problem) {
            hub_->application.fault(nullptr, problem.what());
        }
        accept(acceptor);
    });
}

void Listener::close() {
    boost::system::error_code ignored;
    for (const auto& acceptor : tcp_) acceptor->close(ignored);
    if (unix_ && unix_->is_open()) {
        unix_->close(ignored);
        std::error_code removed;
        std::filesystem::remove(path_, removed);
    }
}

}  // namespace serve::http
