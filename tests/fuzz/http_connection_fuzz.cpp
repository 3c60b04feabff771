// SPDX-License-Identifier: Apache-2.0
// What a client sends on a connection: heads and bodies, one request after the other. Whole or in pieces, they are the
// same requests.
#include "fuzz/fuzz.h"
#include "serve/http/characters.h"
#include "serve/http/chunked.h"
#include "serve/http/gate.h"
#include "serve/http/head_scanner.h"
#include "serve/http/parameters.h"
#include "serve/http/refusal.h"

namespace dragoman::test::http_connection_fuzz {

using namespace serve::http;

namespace {

constexpr std::size_t kMaxHead = 16384;

// The head's end, found in pieces of so many bytes; 0: it has none, SIZE_MAX: it is refused.
std::size_t head_end(std::string_view bytes, std::size_t piece) {
    HeadScanner scanner(kMaxHead);
    try {
        for (std::size_t had = std::min(piece, bytes.size());; had = std::min(had + piece, bytes.size())) {
            if (scanner.scan(bytes.substr(0, had))) return scanner.end();
            if (had == bytes.size()) return 0;
        }
    } catch (const Refusal& refusal) {
        DRAGOMAN_ASSERT(refusal.status >= 400 && refusal.status < 600);
        return SIZE_MAX;
    }
}

struct Chunks {
    std::string data;
    std::size_t used = 0;
    bool done = false, refused = false;
    bool operator==(const Chunks&) const = default;
};

Chunks read_chunks(std::string_view bytes, std::size_t piece) {
    Chunks chunks;
    ChunkedDecoder decoder;
    try {
        while (!decoder.done() && chunks.used < bytes.size()) {
            const std::string_view given = bytes.substr(chunks.used, piece);
            const std::size_t used = decoder.feed(given, [&](std::string_view data) { chunks.data += data; });
            DRAGOMAN_ASSERT(used <= given.size() && (used == given.size() || decoder.done()));
            chunks.used += used;
        }
        chunks.done = decoder.done();
    } catch (const Refusal&) {
        chunks.refused = true;
        chunks.used = 0;  // where it is noticed is a matter of pieces
        chunks.data.clear();
    }
    return chunks;
}

void check_request(const Request& request) {
    DRAGOMAN_ASSERT(is_token(request.method));
    DRAGOMAN_ASSERT(request.path.find('\0') == std::string::npos && is_utf8(request.path));
    DRAGOMAN_ASSERT(request.path == "*" || request.path.starts_with('/'));
    DRAGOMAN_ASSERT(request.path.find("/../") == std::string::npos && !request.path.ends_with("/.."));
    for (const Header& header : request.headers) {
        DRAGOMAN_ASSERT(is_token(header.name));
        DRAGOMAN_ASSERT(header.value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
        parameter(header.value, "boundary");
        shown(header.value);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (int requests = 0; requests < 8 && !bytes.empty(); ++requests) {
        const std::size_t end = head_end(bytes, bytes.size());
        DRAGOMAN_ASSERT(head_end(bytes, 1) == end && head_end(bytes, 7) == end);
        if (end == 0 || end == SIZE_MAX) return 0;
        HeadScanner scanner(kMaxHead);
        scanner.scan(bytes);
        Request request;
        Framing framing;
        try {
            framing = read_head(bytes.substr(scanner.begin(), end - scanner.begin()), request);
        } catch (const Refusal&) {
            return 0;
        }
        check_request(request);
        bytes.remove_prefix(end);
        if (framing.chunked) {
            const Chunks whole = read_chunks(bytes, bytes.size());
            DRAGOMAN_ASSERT(read_chunks(bytes, 1) == whole && read_chunks(bytes, 5) == whole);
            if (!whole.done) return 0;
            bytes.remove_prefix(whole.used);
        } else {
            bytes.remove_prefix(std::min<std::uint64_t>(framing.length, bytes.size()));
        }
        if (!framing.keep_alive) return 0;
    }
    return 0;
}

}  // namespace dragoman::test::http_connection_fuzz
