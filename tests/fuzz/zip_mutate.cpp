// SPDX-License-Identifier: Apache-2.0
#include "fuzz/zip_mutate.h"

#include <zlib.h>

#include "support/zip_file.h"

namespace dragoman::test {
namespace {

constexpr std::size_t kMostUnpacked = 1 << 18, kMostMembers = 64;

bool unpack(std::string_view packed, std::string& content) {
    z_stream stream{};
    if (inflateInit2(&stream, -15) != Z_OK) return false;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(content.data());
    stream.avail_out = static_cast<uInt>(content.size());
    const int result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return result == Z_STREAM_END && stream.avail_out == 0;
}

std::string archive_of(const std::vector<Member>& members) {
    ZipFile zip;
    for (const Member& member : members) zip.add(member.name, member.content, member.packed);
    return zip.bytes();
}

}  // namespace

std::vector<Member> read_members(std::string_view bytes) {
    const std::size_t end = bytes.rfind("PK\5\6");
    if (end == bytes.npos || end + 22 > bytes.size()) return {};
    const auto count = read_le<uint16_t>(bytes, end + 10);
    std::size_t at = read_le<uint32_t>(bytes, end + 16);
    std::vector<Member> members;
    for (std::size_t i = 0; i < count && i < kMostMembers; ++i) {
        if (at + 46 > bytes.size() || bytes.substr(at, 4) != "PK\1\2") return {};
        const auto method = read_le<uint16_t>(bytes, at + 10);
        const auto packed = read_le<uint32_t>(bytes, at + 20), size = read_le<uint32_t>(bytes, at + 24);
        const auto name = read_le<uint16_t>(bytes, at + 28);
        const std::size_t local = read_le<uint32_t>(bytes, at + 42);
        if (at + 46 + name > bytes.size() || local + 30 > bytes.size()) return {};
        const std::size_t begin = local + 30 + read_le<uint16_t>(bytes, local + 26) +
                                  read_le<uint16_t>(bytes, local + 28);
        if (begin > bytes.size() || packed > bytes.size() - begin || size > kMostUnpacked) return {};
        Member member{std::string(bytes.substr(at + 46, name)), std::string(size, '\0'), method == 8};
        if (method == 0 && packed == size) member.content = bytes.substr(begin, size);
        else if (method != 8 || !unpack(bytes.substr(begin, packed), member.content)) return {};
        members.push_back(std::move(member));
        at += 46u + name + read_le<uint16_t>(bytes, at + 30) + read_le<uint16_t>(bytes, at + 32);
    }
    return members;
}

std::size_t change_zip(uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed,
                       const std::function<void(Member&, Chance&)>& change) {
    Chance chance(seed);
    std::vector<Member> members = read_members(view(data, size));
    if (members.empty() || chance.one_in(8)) return LLVMFuzzerMutate(data, size, max_size);
    const std::size_t which = chance.below(members.size());
    switch (chance.below(10)) {
        case 0: members.erase(members.begin() + static_cast<long>(which)); break;
        case 1: members.push_back(members[which]); break;
        case 2: members[which].name = changed(members[which].name, members[which].name.size() + 8); break;
        case 3: members[which].packed = !members[which].packed; break;
        default: change(members[which], chance);
    }
    const std::string made = archive_of(members);
    if (made.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    return give(made, data, max_size);
}

}  // namespace dragoman::test
