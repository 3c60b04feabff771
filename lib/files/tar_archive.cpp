// SPDX-License-Identifier: Apache-2.0
#include "files/tar_archive.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "files/file_map.h"
#include "files/gzip.h"
#include "files/zstd.h"

namespace dragoman {
namespace {

constexpr std::size_t kBlock = 512, kMaxNames = std::size_t(1) << 20;
constexpr std::size_t kSizeAt = 124, kSizeBytes = 12, kKindAt = 156, kMagicAt = 257, kPrefixAt = 345;
constexpr std::size_t kNameBytes = 100, kPrefixBytes = 155;

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> ends) {
    return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

FileBytes unpacked_tar(FileBytes file) {
    const bool gzip = ends_with_any(file.name, {".tar.gz", ".tgz"});
    const bool zstd = ends_with_any(file.name, {".tar.zst", ".tzst"});
    if (gzip || zstd) fetch(file);
    return gzip ? gunzip(file, file.name) : zstd ? unzstd(file, file.name) : file;
}

// A field of text ends at NUL or with its room.
std::string_view field(std::string_view header, std::size_t at, std::size_t size) {
    const std::string_view room = header.substr(at, size);
    return room.substr(0, room.find('\0'));
}

// "./folder//name" as "folder/name"; empty for what leads out of the archive.
std::string plain_name(std::string_view stored) {
    std::string name;
    while (!stored.empty()) {
        const std::string_view part = stored.substr(0, stored.find('/'));
        stored.remove_prefix(std::min(part.size() + 1, stored.size()));
        if (part == "..") return {};
        if (part.empty() || part == ".") continue;
        name += (name.empty() ? "" : "/") + std::string(part);
    }
    return name;
}

// "path" among pax's records, each of which is "LENGTH KEY=VALUE\n".
std::string pax_path(std::string_view records) {
    std::string path;
    while (!records.empty()) {
        std::size_t length = 0;
        const auto [end, error] = std::from_chars(records.data(), records.data() + records.size(), length);
        const auto digits = std::size_t(end - records.data());
        if (error != std::errc{} || length <= digits + 1 || length > records.size()) break;
        const std::string_view record = records.substr(digits + 1, length - digits - 2);
        constexpr std::string_view kPath = "path=";
        if (record.starts_with(kPath)) path = record.substr(kPath.size());
        records.remove_prefix(length);
    }
    return path;
}

}  // namespace

bool TarArchive::has_name_of_one(std::string_view name) {
    return ends_with_any(name, {".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst"});
}

TarArchive::TarArchive(FileBytes file) : file_(unpacked_tar(std::move(file))) {
    const std::string_view all = file_.text();
    std::string long_name;
    for (std::size_t at = 0; at + kBlock <= all.size();) {
        const std::string_view header = all.substr(at, kBlock);
        fetch(file_.bytes.subspan(at, kBlock));
        if (header.find_first_not_of('\0') == header.npos) break;
        std::string_view digits = field(header, kSizeAt, kSizeBytes);
        digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
        uint64_t size = 0;
        const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), size, 8);
        const std::size_t begin = at + kBlock;
        if (parsed.ec != std::errc{} || header.substr(kMagicAt, 5) != "ustar")
            fail(Status::bad_model, "{}: byte {}: expected a header of a tar archive, file has none", file_.name, at);
        if (size > all.size() - begin)
            fail(Status::bad_model, "{}: byte {}: expected {} bytes, file has {}", file_.name, begin, size,
                 all.size() - begin);
        const std::string_view content = all.substr(begin, size);
        const char kind = header[kKindAt];
        if (kind == 'x' || kind == 'L') {
            if (size > kMaxNames)
                fail(Status::bad_model, "{}: byte {}: expected at most {} bytes of names, file has {}", file_.name,
                     begin, kMaxNames, size);
            fetch(file_.bytes.subspan(begin, size));
        }
        if (kind == 'x') {
            long_name = pax_path(content);
        } else if (kind == 'L') {
            long_name = std::string(content.substr(0, content.find('\0')));
        } else if (kind != 'g') {
            std::string stored = std::move(long_name);
            long_name.clear();
            if (stored.empty()) {
                const std::string_view prefix = field(header, kPrefixAt, kPrefixBytes);
                const bool ustar = header[kMagicAt + 5] == '\0';
                if (ustar && !prefix.empty()) stored = std::string(prefix) + "/";
                stored += field(header, 0, kNameBytes);
            }
            const std::string name = plain_name(stored);
            if ((kind == '0' || kind == '\0') && !name.empty() && !stored.ends_with('/'))
                members_.insert_or_assign(name, file_.bytes.subspan(begin, size));
        }
        at = begin + (size + kBlock - 1) / kBlock * kBlock;
    }
    if (members_.empty()) fail(Status::bad_model, "{}: expected files in the archive, there are none", file_.name);
}

std::vector<std::string> TarArchive::names() const {
    std::vector<std::string> names;
    for (const auto& [name, bytes] : members_) names.push_back(name);
    return names;
}

FileBytes TarArchive::read(std::string_view name) const {
    const auto found = members_.find(name);
    DRAGOMAN_ASSERT(found != members_.end());
    return {
        .name = file_.name + ": " + found->first, .bytes = found->second, .owner = file_.owner, .mapped = file_.mapped};
}

}  // namespace dragoman
