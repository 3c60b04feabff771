// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include "serve/http/chunked.h"
#include "serve/http/gate.h"
#include "serve/http/memory.h"

namespace serve::http {

enum class BodyPlace { memory, file, nowhere };

// How much a body may take: of itself, and of what all bodies in its place share.
struct BodyRoom {
    std::uint64_t max_bytes = 0;
    Memory& all;
    std::uint64_t max_all = 0;
    MemoryShare& share;
};

// Reads one request's body to where it belongs, within its limit.
class Body {
public:
    // `file` is made where the place is a file. Throws Refusal: too long, no room, or the file cannot be made.
    Body(Request& request, const Framing& framing, BodyPlace place, const BodyRoom& room,
         const std::filesystem::path& file);
    // Returns how many bytes from the front belong to it. Throws Refusal.
    std::size_t feed(std::string_view bytes);
    bool done() const;
    // What a client has to send at least in the time for bodies, from `received` on.
    std::uint64_t received() const { return received_; }
    std::uint64_t length() const { return framing_.length; }

private:
    void take(std::string_view data);
    void take_to_file(std::string_view data);
    void open_file(const std::filesystem::path& file);
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    Request& request_;
    Framing framing_;
    BodyPlace place_;
    BodyRoom room_;
    std::uint64_t received_ = 0;  // with the bytes around chunks
    ChunkedDecoder chunks_;
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace serve::http
