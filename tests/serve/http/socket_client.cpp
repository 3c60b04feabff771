// SPDX-License-Identifier: Apache-2.0
#include "socket_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace dragoman::test {
namespace {

constexpr time_t kPatience = 20;

[[noreturn]] void fail(const char* what) { throw std::runtime_error(std::string(what) + ": " + std::strerror(errno)); }

int connected(int family, const void* address, socklen_t size) {
    const int handle = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (handle < 0) fail("socket");
    const timeval patience{kPatience, 0};
    ::setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(handle, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (::connect(handle, static_cast<const sockaddr*>(address), size) != 0) {
        const int error = errno;
        ::close(handle);
        errno = error;
        fail("connect");
    }
    return handle;
}

}  // namespace

std::string Reply::header(std::string_view name) const {
    const std::size_t at = head.find("\r\n" + std::string(name) + ": ");
    if (at == std::string::npos) return "";
    const std::size_t begin = at + 2 + name.size() + 2;
    return head.substr(begin, head.find("\r\n", begin) - begin);
}

SocketClient::SocketClient(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socket_ = connected(AF_INET, &address, sizeof address);
}

SocketClient::SocketClient(const std::string& unix_path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (unix_path.size() >= sizeof address.sun_path) throw std::runtime_error("the path is too long: " + unix_path);
    std::memcpy(address.sun_path, unix_path.c_str(), unix_path.size());
    socket_ = connected(AF_UNIX, &address, sizeof address);
}

bool SocketClient::try_send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

void SocketClient::send(std::string_view bytes) {
    if (!try_send(bytes)) fail("send");
}

void SocketClient::end_sending() { ::shutdown(socket_, SHUT_WR); }

void SocketClient::close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

void SocketClient::reset() {
    const linger now{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
}

bool SocketClient::fill() {
    char bytes[65'536];
    const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) throw std::runtime_error("the server says nothing");
    if (count > 0) bytes_.append(bytes, static_cast<std::size_t>(count));
    return count > 0;
}

std::string SocketClient::take(std::size_t count) {
    while (bytes_.size() < count)
        if (!fill()) throw std::runtime_error("the answer ends early");
    std::string taken = bytes_.substr(0, count);
    bytes_.erase(0, count);
    return taken;
}

Reply SocketClient::read(bool has_body, bool interim) {
    Reply reply;
    std::size_t end = 0;
    while ((end = bytes_.find("\r\n\r\n")) == std::string::npos)
        if (!fill()) return reply;
    reply.head = take(end + 4);
    if (reply.head.compare(0, 9, "HTTP/1.1 ") != 0) throw std::runtime_error("no HTTP: " + reply.head);
    reply.status = std::stoi(reply.head.substr(9));
    if (reply.status < 200) return interim ? reply : read(has_body, interim);
    if (!has_body || reply.status == 204 || reply.status == 304) return reply;
    if (reply.header("Transfer-Encoding") == "chunked") {
        while (true) {
            while ((end = bytes_.find("\r\n")) == std::string::npos)
                if (!fill()) throw std::runtime_error("a chunk's size ends early");
            const std::size_t size = std::stoul(take(end + 2), nullptr, 16);
            reply.body += take(size);
            if (take(2) != "\r\n") throw std::runtime_error("a chunk does not end");
            if (size == 0) return reply;
        }
    }
    const std::string length = reply.header("Content-Length");
    reply.body = length.empty() ? read_to_end() : take(std::stoul(length));
    return reply;
}

std::string SocketClient::read_to_end() {
    while (fill()) {}
    return std::exchange(bytes_, {});
}

bool SocketClient::is_ended() { return bytes_.empty() && !fill(); }

}  // namespace dragoman::test
