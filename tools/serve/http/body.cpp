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

}  // namespace

Body::Body(Request& request, const Framing& framing, BodyPlace place, std::uint64_t max_bytes,
           const std::filesystem::path& file, Memory& memory, MemoryShare& share)
    : request_(request), framing_(framing), place_(place), max_bytes_(max_bytes), memory_(memory), share_(share) {
    if (framing.length > max_bytes) refuse_length(max_bytes);
    if (place == BodyPlace::file) open_file(file);
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
    if (data.size() > max_bytes_ - request_.body_bytes) refuse_length(max_bytes_);
    request_.body_bytes += data.size();
    if (place_ == BodyPlace::file && std::fwrite(data.data(), 1, data.size(), file_.get()) != data.size())
        throw std::runtime_error(fmt::format("cannot write {}: {}", dragoman::text_of(request_.body_file),
                                             std::strerror(errno)));
    if (place_ != BodyPlace::memory) return;
    std::string& body = request_.body;
    if (const std::size_t needed = body.size() + data.size(); needed > body.capacity()) {
        const std::size_t known = framing_.chunked ? needed : static_cast<std::size_t>(framing_.length);
        const std::size_t doubled = std::max({kFirstReserve, needed, body.capacity() * 2});
        const std::size_t capacity = std::max(needed, std::min(doubled, known));
        if (memory_.used() + (capacity - body.capacity()) > memory_.most())
            throw Refusal(503, "the service has no memory for more requests", kRetrySeconds);
        const std::size_t before = body.capacity();
        body.reserve(capacity);
        share_.set(share_.bytes() + (body.capacity() - before));
    }
    body += data;
}

}  // namespace serve::http
