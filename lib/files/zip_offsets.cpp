// SPDX-License-Identifier: Apache-2.0
#include "files/zip_offsets.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "files/file_map.h"

namespace dragoman {
namespace {

constexpr uint64_t kEndBytes = 22, kEnd64Bytes = 56, kLocatorBytes = 20, kEntryBytes = 46, kLocalBytes = 30;
constexpr uint64_t kMaxCommentBytes = 0xffff;
constexpr uint64_t kInExtra = 0xffffffff;  // marks a size or offset that is in the 64-bit extra field

// Reads little-endian numbers anywhere; nullopt for places outside.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    bool has(uint64_t at, uint64_t size) const { return at <= bytes_.size() && size <= bytes_.size() - at; }

    template <class T>
    uint64_t get(uint64_t at) const {
        T value = 0;
        if (has(at, sizeof value)) copy_bytes(bytes_.subspan(at, sizeof value), reinterpret_cast<std::byte*>(&value));
        return value;
    }

    bool signature(uint64_t at, const char* letters) const {
        uint32_t wanted;
        std::memcpy(&wanted, letters, sizeof wanted);
        return has(at, sizeof wanted) && get<uint32_t>(at) == wanted;
    }

    uint64_t size() const { return bytes_.size(); }

    std::vector<std::byte> last(uint64_t size) const {
        std::vector<std::byte> bytes(size);
        copy_bytes(bytes_.last(size), bytes.data());
        return bytes;
    }

private:
    std::span<const std::byte> bytes_;
};

struct CentralDirectory {
    uint64_t at = 0, entries = 0;
};

std::optional<CentralDirectory> find_directory(const Reader& in) {
    const uint64_t farthest = std::min(in.size(), kEndBytes + kMaxCommentBytes);
    const std::vector<std::byte> last = in.last(farthest);
    for (uint64_t back = kEndBytes; back <= farthest; ++back) {
        const uint64_t end = in.size() - back;
        if (std::memcmp(&last[farthest - back], "PK\5\6", 4) != 0) continue;
        const CentralDirectory directory{.at = in.get<uint32_t>(end + 16), .entries = in.get<uint16_t>(end + 10)};
        if (end < kLocatorBytes || !in.signature(end - kLocatorBytes, "PK\6\7")) return directory;
        const uint64_t end64 = in.get<uint64_t>(end - kLocatorBytes + 8);
        if (!in.has(end64, kEnd64Bytes) || !in.signature(end64, "PK\6\6")) return std::nullopt;
        return CentralDirectory{.at = in.get<uint64_t>(end64 + 48), .entries = in.get<uint64_t>(end64 + 32)};
    }
    return std::nullopt;
}

// The local header's offset, which comes after the sizes that are in the extra field too.
std::optional<uint64_t> local_header(const Reader& in, uint64_t entry, uint64_t extra, uint64_t extra_bytes) {
    const uint64_t offset = in.get<uint32_t>(entry + 42);
    if (offset != kInExtra) return offset;
    for (uint64_t at = extra; at + 4 <= extra + extra_bytes; at += 4 + in.get<uint16_t>(at + 2)) {
        if (in.get<uint16_t>(at) != 1) continue;
        uint64_t field = at + 4;
        for (const uint64_t size_at : {entry + 24, entry + 20})
            if (in.get<uint32_t>(size_at) == kInExtra) field += 8;
        if (field + 8 > extra + extra_bytes) return std::nullopt;
        return in.get<uint64_t>(field);
    }
    return std::nullopt;
}

}  // namespace

std::vector<uint64_t> zip_data_offsets(std::span<const std::byte> archive) {
    const Reader in(archive);
    const auto directory = find_directory(in);
    if (!directory || directory->entries > in.size() / kEntryBytes) return {};
    std::vector<uint64_t> offsets;
    uint64_t at = directory->at;
    for (uint64_t i = 0; i < directory->entries; ++i) {
        if (!in.has(at, kEntryBytes) || !in.signature(at, "PK\1\2")) return {};
        const uint64_t extra = at + kEntryBytes + in.get<uint16_t>(at + 28), extra_bytes = in.get<uint16_t>(at + 30);
        const uint64_t next = extra + extra_bytes + in.get<uint16_t>(at + 32);
        if (!in.has(at, next - at)) return {};
        const auto local = local_header(in, at, extra, extra_bytes);
        if (!local || !in.has(*local, kLocalBytes) || !in.signature(*local, "PK\3\4")) return {};
        offsets.push_back(*local + kLocalBytes + in.get<uint16_t>(*local + 26) + in.get<uint16_t>(*local + 28));
        at = next;
    }
    return offsets;
}

}  // namespace dragoman
