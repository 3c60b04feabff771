// SPDX-License-Identifier: Apache-2.0
#include "serve/http/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/os/path_text.h"
#include "serve/http/refusal.h"

namespace serve::http {
namespace {

// Bodies grow from here by doubling: a client that only announces a long one holds no memory for it.
constexpr std::size_t kFirstReserve = 16 * 1024;
constexpr int kRetrySeconds = 2;

[[noreturn]] void refuse_length(std::uint64_t max_bytes) {
    throw Refusal(413, fmt::format("the body has more than {} bytes", max_bytes));
}

// What is announced only takes nothing, but is not begun where it would not fit.
void check_files(const BodyRoom& room, std::uint64_t more) {
    const std::uint64_t used = room.all.used();
    if (used > room.max_all || more > room.max_all - used)
        throw Refusal(503, "the service has no room for more files", kRetrySeconds);
}

}  // namespace

Body::Body(Request& request, const Framing& framing, BodyPlace place, const BodyRoom& room,
           const std::filesystem::path& file)
    : request_(request), framing_(framing), place_(place), room_(room) {
    if (framing.length > room.max_bytes) refuse_length(room.max_bytes);
    if (place == BodyPlace::file) {
        check_files(room, framing.length);
        open_file(file);
    }
    if (place == BodyPlace::file && done()) file_.reset();
}

void Body::open_file(const std::filesystem::path& file) {
    request_.body_file = file;
    const std::string name = dragoman::text_of(request_.body_file);
    file_.reset(std::fopen(name.c_str(), "wbx"));  // x: never a file that is there, nor where a link leads
    if (file_) return;
    const int error = errno;
    request_.body_file.clear();
    throw std::runtime_error(fmt::format("cannot make the file {}: {}", name, std::strerror(error)));
}

bool Body::done() const { return framing_.chunked ? chunks_.done() : request_.body_bytes == framing_.length; }

std::size_t Body::feed(std::string_view bytes) {
    std::size_t used = 0;
    if (framing_.chunked) {
        used = chunks_.feed(bytes, [this](std::string_view data) { take(data); });
    } else {
        used = static_cast<std::size_t>(std::min<std::uint64_t>(framing_.length - request_.body_bytes, bytes.size()));
        if (used != 0) take(bytes.substr(0, used));
    }
    received_ += used;
    if (!done() || !file_) return used;
    if (std::FILE* file = file_.release(); std::fclose(file) != 0)
        throw std::runtime_error(fmt::format("cannot write {}: {}", dragoman::text_of(request_.body_file),
                                             std::strerror(errno)));
    return used;
}

void Body::take(std::string_view data) {
    if (data.size() > room_.max_bytes - request_.body_bytes) refuse_length(room_.max_bytes);
    request_.body_bytes += data.size();
    if (place_ == BodyPlace::file) take_to_file(data);
    if (place_ != BodyPlace::memory) return;
    std::string& body = request_.body;
    if (const std::size_t needed = body.size() + data.size(); needed > body.capacity()) {
        const std::size_t known = framing_.chunked ? needed : static_cast<std::size_t>(framing_.length);
        const std::size_t doubled = std::max({kFirstReserve, needed, body.capacity() * 2});
        const std::size_t capacity = std::max(needed, std::min(doubled, known));
        if (room_.all.used() + (capacity - body.capacity()) > room_.max_all)
            throw Refusal(503, "the service has no memory for more requests", kRetrySeconds);
        const std::size_t before = body.capacity();
        body.reserve(capacity);
        room_.share.set(room_.share.bytes() + (body.capacity() - before));
    }
    body += data;
}

void Body::take_to_file(std::string_view data) {
    check_files(room_, data.size());
    room_.share.set(room_.share.bytes() + data.size());
    if (std::fwrite(data.data(), 1, data.size(), file_.get()) != data.size())
        throw std::runtime_error(fmt::format("cannot write {}: {}", dragoman::text_of(request_.body_file),
                                             std::strerror(errno)));
}

}  // namespace serve::http
