// SPDX-License-Identifier: Apache-2.0
#include "serve/http/server.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "base/os/path_text.h"
#include "serve/http/connection.h"
#include "serve/http/hub.h"
#include "serve/http/listener.h"
#include "serve/http/tls.h"

namespace serve::http {
namespace {

constexpr std::chrono::milliseconds kTick{100};
constexpr std::size_t kMaxRefused = 64;  // connections beyond the limit that are told so at a time

void check_options(const ServerOptions& options) {
    const std::string& prefix = options.api_prefix;
    if (!prefix.empty() && (prefix[0] != '/' || prefix.back() == '/'))
        throw std::runtime_error(fmt::format("the prefix of the API is \"{}\"; it has to look like \"/name\"", prefix));
    if (options.uploads.empty()) return;
    std::error_code error;
    const bool made = std::filesystem::create_directories(options.uploads, error);
    if (made) std::filesystem::permissions(options.uploads, std::filesystem::perms::owner_all, error);
    if (error)
        throw std::runtime_error(fmt::format("cannot make the folder {}: {}", dragoman::text_of(options.uploads),
                                             error.message()));
}

}  // namespace

void Application::fault(const Request* request, const std::string& what) {
    const std::string line = fmt::format("dragoman: error: {}{}{}\n", request ? request->id : "", request ? ": " : "",
                                         what);
    std::fputs(line.c_str(), stderr);
}

struct Server::Impl {
    Impl(const ServerOptions& options, Application& application)
        : hub(std::make_shared<Hub>(options, application)), timer(hub->io), grace_timer(hub->io),
          listener(hub, [this](Socket socket, const std::string& peer) { connected(std::move(socket), peer); }) {
        if (!options.certificate.empty()) tls.emplace(options.certificate, options.private_key);
    }

    void connected(Socket socket, const std::string& peer) {
        const ServerOptions& options = hub->options;
        const std::size_t open = hub->open_connections.load(std::memory_order_relaxed);
        const auto of_peer = hub->per_address.find(peer);
        const bool limited = options.max_connections_per_address != 0 && peer != "unix" &&
                             of_peer != hub->per_address.end();
        const bool too_many_of_peer = limited && of_peer->second >= options.max_connections_per_address;
        const bool too_many = open >= options.max_connections || too_many_of_peer;
        if (too_many) hub->refused_connections.fetch_add(1, std::memory_order_relaxed);
        // TLS has no answer before its handshake, which is not worth it.
        if (too_many && (tls || open >= options.max_connections + kMaxRefused)) return;
        try {
            const std::lock_guard lock(tls_mutex);
            auto transport = tls ? tls->transport(std::move(socket)) : plain_transport(std::move(socket));
            const auto connection = std::make_shared<Connection>(hub, std::move(transport), peer);
            connection->start();
            if (!ticking) tick();
            if (too_many) connection->refuse(Refusal(503, "the service has too many connections", 1));
        } catch (const std::exception& error) {
            hub->application.fault(nullptr, error.what());
        }
    }

    std::vector<std::shared_ptr<Connection>> all() const { return {hub->connections.begin(), hub->connections.end()}; }

    // One timer for all connections: their limits are long, and most are set again before they come. Without connections
    // it rests.
    void tick() {
        ticking = !hub->connections.empty();
        if (!ticking) return;
        timer.expires_after(kTick);
        timer.async_wait([this](const boost::system::error_code& error) {
            if (error) return;
            try {
                const Clock::time_point now = Clock::now();
                for (const auto& connection : all()) connection->check_time(now);
            } catch (const std::exception& problem) {  // there is a next time
                hub->application.fault(nullptr, problem.what());
            }
            end_if_drained();
            tick();
        });
    }

    void end_if_drained() {
        if (hub->draining && hub->connections.empty()) hub->io.stop();
    }

    void drain(std::chrono::milliseconds grace) {
        if (std::exchange(hub->draining, true)) grace_timer.cancel();
        listener.close();
        for (const auto& connection : all()) connection->drain();
        grace_timer.expires_after(grace);
        grace_timer.async_wait([this](const boost::system::error_code& error) {
            if (error) return;
            for (const auto& connection : all()) connection->cut();
            hub->io.stop();
        });
        end_if_drained();
    }

    std::shared_ptr<Hub> hub;
    boost::asio::steady_timer timer, grace_timer;
    Listener listener;
    std::mutex tls_mutex;
    std::optional<TlsContext> tls;
    bool ticking = false;
};

Server::Server(const ServerOptions& options, Application& application) {
    check_options(options);
    impl_ = std::make_unique<Impl>(options, application);
}

Server::~Server() {
    const auto& hub = impl_->hub;
    impl_->listener.close();
    for (const auto& connection : impl_->all()) connection->cut();
    hub->workers.stop();
    hub->close();
    // What waits holds the hub, and the hub holds it.
    impl_->timer.cancel();
    impl_->grace_timer.cancel();
    hub->io.restart();
    hub->io.poll();
}

std::uint16_t Server::port() const { return impl_->listener.port(); }

std::string Server::address() const {
    const std::string host = impl_->listener.host();
    if (port() == 0) return host;
    return fmt::format("{}://{}:{}", impl_->hub->options.certificate.empty() ? "http" : "https", host, port());
}

void Server::run() {
    impl_->listener.start();
    const auto work = boost::asio::make_work_guard(impl_->hub->io);
    while (true) {
        try {
            impl_->hub->io.run();
            return;
        } catch (const std::exception& error) {
            impl_->hub->application.fault(nullptr, error.what());
        }
    }
}

void Server::stop(std::chrono::milliseconds grace) {
    impl_->hub->post([impl = impl_.get(), grace] { impl->drain(grace); });
}

void Server::reload_certificate() {
    const ServerOptions& options = impl_->hub->options;
    if (options.certificate.empty()) return;
    TlsContext fresh(options.certificate, options.private_key);
    const std::lock_guard lock(impl_->tls_mutex);
    impl_->tls = std::move(fresh);
}

ServerCounts Server::counts() const {
    const Hub& hub = *impl_->hub;
    ServerCounts counts;
    counts.connections = hub.open_connections.load(std::memory_order_relaxed);
    counts.requests_in_flight = hub.requests_in_flight.load(std::memory_order_relaxed);
    counts.memory_bytes = hub.memory.used();
    counts.file_bytes = hub.files.used();
    counts.refused_connections = hub.refused_connections.load(std::memory_order_relaxed);
    return counts;
}

void Server::post(std::function<void()> task) {
    impl_->hub->workers.post([task = std::move(task), application = &impl_->hub->application] {
        try {
            task();
        } catch (const std::exception& error) {
            application->fault(nullptr, error.what());
        }
    });
}

}  // namespace serve::http
