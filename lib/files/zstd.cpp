// SPDX-License-Identifier: Apache-2.0
#include "files/zstd.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "base/error.h"
#include "files/file_budget.h"

#ifdef DRAGOMAN_ZSTD
#include <zstd.h>
#endif

namespace dragoman {

#ifdef DRAGOMAN_ZSTD
namespace {

constexpr std::size_t kFirstZstdBytes = 1 << 16;
constexpr uint64_t kMaxFirstBytes = uint64_t(1) << 28;  // a larger claim may be forged

struct ZstdDeleter {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

// What the first frame claims, and one byte to see the end.
std::size_t zstd_room(std::span<const std::byte> packed) {
    const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    const bool known = size != ZSTD_CONTENTSIZE_UNKNOWN && size != ZSTD_CONTENTSIZE_ERROR && size < kMaxFirstBytes;
    return known ? std::size_t(size) + 1 : kFirstZstdBytes;
}

}  // namespace

FileBytes unzstd(const FileBytes& packed, std::string name) {
    auto data = std::make_shared<std::vector<std::byte>>();
    const uint64_t most = most_unpacked(name, packed.bytes.size());
    try {
        const std::unique_ptr<ZSTD_DStream, ZstdDeleter> stream(ZSTD_createDStream());
        if (!stream) throw std::bad_alloc();
        data->resize(std::size_t(std::min<uint64_t>(zstd_room(packed.bytes), most + 1)));
        ZSTD_inBuffer in{packed.bytes.data(), packed.bytes.size(), 0};
        ZSTD_outBuffer out{data->data(), data->size(), 0};
        for (std::size_t left = 1; left > 0 || in.pos < in.size;) {
            if (out.pos == out.size) {
                check_unpacked(packed.name, name, packed.bytes.size(), out.size);
                data->resize(std::size_t(std::min<uint64_t>(out.size * 2, most + 1)));
                out.dst = data->data();
                out.size = data->size();
            }
            const std::size_t read = in.pos, written = out.pos;
            left = ZSTD_decompressStream(stream.get(), &out, &in);
            if (ZSTD_isError(left))
                fail(Status::bad_model, "{}: broken Zstandard data near byte {} ({})", packed.name, in.pos,
                     ZSTD_getErrorName(left));
            if (left > 0 && in.pos == read && out.pos == written)
                fail(Status::bad_model, "{}: Zstandard data is cut off after {} bytes", packed.name, in.size);
        }
        data->resize(out.pos);
    } catch (const std::bad_alloc&) {
        fail(Status::out_of_memory, "{}: no memory to unpack it", packed.name);
    }
    return {.name = std::move(name), .bytes = *data, .owner = data};
}
#else
FileBytes unzstd(const FileBytes& packed, std::string) {
    fail(Status::unsupported, "{}: expected a library with zstd, this one was built without it; unpack the file first",
         packed.name);
}
#endif

}  // namespace dragoman
