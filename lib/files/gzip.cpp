// SPDX-License-Identifier: Apache-2.0
#include "files/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

#include "base/error.h"
#include "files/file_budget.h"

namespace dragoman {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, with gzip framing only
constexpr std::size_t kFirstBytes = 1 << 16;
constexpr std::size_t kLengthBytes = 4;

// The length given at the end of the data (of its last member, modulo 2^32), if that can be true; otherwise 0.
uint64_t claimed_bytes(std::span<const std::byte> packed) {
    uint32_t size = 0;
    if (packed.size() < kLengthBytes) return 0;
    std::memcpy(&size, packed.data() + packed.size() - kLengthBytes, sizeof size);
    return size <= packed.size() * kMaxDeflateRatio ? size : 0;
}

struct Inflater {
    z_stream stream{};
    Inflater() {
        if (inflateInit2(&stream, kGzipWindow) != Z_OK) fail(Status::out_of_memory, "gzip: no memory to unpack");
    }
    ~Inflater() { inflateEnd(&stream); }
};

uInt portion(std::size_t size) { return static_cast<uInt>(std::min<std::size_t>(size, 1u << 30)); }

}  // namespace

FileBytes gunzip(const FileBytes& packed, std::string name) {
    auto data = std::make_shared<std::vector<std::byte>>();
    const uint64_t most = most_unpacked(name, packed.bytes.size());
    try {
        Inflater inflater;
        z_stream& stream = inflater.stream;
        std::size_t read = 0, written = 0;
        const uint64_t claimed = claimed_bytes(packed.bytes);
        check_unpacked(packed.name, name, packed.bytes.size(), claimed);
        for (;;) {
            if (written == data->size()) {
                check_unpacked(packed.name, name, packed.bytes.size(), written);
                // one byte more than is allowed, to see that there is more
                const uint64_t first = claimed > 0 ? claimed + 1 : kFirstBytes;  // growing takes twice the memory
                const uint64_t next = written == 0 ? first : std::max<uint64_t>(kFirstBytes, written * 2);
                data->resize(std::size_t(std::min(next, most + 1)));
            }
            const uInt in = portion(packed.bytes.size() - read), out = portion(data->size() - written);
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.bytes.data() + read));
            stream.avail_in = in;
            stream.next_out = reinterpret_cast<Bytef*>(data->data() + written);
            stream.avail_out = out;
            const int result = inflate(&stream, Z_NO_FLUSH);
            read += in - stream.avail_in;
            written += out - stream.avail_out;
            if (result == Z_STREAM_END) {
                if (read == packed.bytes.size()) break;
                if (inflateReset(&stream) != Z_OK) fail(Status::internal, "{}: zlib cannot go on", packed.name);
            } else if (result == Z_MEM_ERROR) {
                throw std::bad_alloc();
            } else if (result == Z_BUF_ERROR || (result == Z_OK && read == packed.bytes.size() && stream.avail_out)) {
                fail(Status::bad_model, "{}: gzip data is cut off after {} bytes", packed.name, packed.bytes.size());
            } else if (result != Z_OK) {
                fail(Status::bad_model, "{}: broken gzip data near byte {} ({})", packed.name, read,
                     stream.msg ? stream.msg : "damaged");
            }
        }
        data->resize(written);
    } catch (const std::bad_alloc&) {
        fail(Status::out_of_memory, "{}: no memory to unpack it", packed.name);
    }
    return {.name = std::move(name), .bytes = *data, .owner = data};
}

}  // namespace dragoman
