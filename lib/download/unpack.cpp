// SPDX-License-Identifier: Apache-2.0
#include "download/unpack.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/os/durable.h"
#include "base/os/path_text.h"
#include "download/archive_reader.h"
#include "download/sha256.h"
#include "download/space.h"
#include "download/unpack_bounds.h"
#include "files/new_file.h"

namespace dragoman::download {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kUnpackBlock = 1 << 18;

void make_folders(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) fail(Status::io_error, "cannot make the folder {}: {}", text_of(folder), error.message());
}

void ask(const std::function<bool()>& go_on) {
    if (go_on && !go_on()) fail(Status::cancelled, "unpacking was stopped");
}

// The member that the reader is at.
Unpacked write_member(ArchiveReader& reader, const std::string& name, const fs::path& target, UnpackBounds& bounds,
                      const std::function<bool()>& go_on) {
    Unpacked member{.name = name, .sha256 = ""};
    Sha256 sum;
    NewFile file(target, false);
    std::vector<std::byte> block(kUnpackBlock);
    while (const std::size_t some = reader.read(block)) {
        ask(go_on);
        bounds.add_bytes(some, reader.packed_bytes());
        const std::span bytes = std::span(block).first(some);
        file.write(bytes);
        sum.add(bytes);
        member.bytes += some;
    }
    file.finish();
    member.sha256 = sum.hex();
    return member;
}

// The folder that all members are under; "" if there is none.
std::string common_folder(const std::vector<Unpacked>& members) {
    if (members.empty()) return {};
    const std::string first = members.front().name.substr(0, members.front().name.find('/') + 1);
    const bool common = std::ranges::all_of(members, [&](const Unpacked& one) { return one.name.starts_with(first); });
    return common && !first.empty() ? first : std::string();
}

// What is in the only folder moves up.
void leave_out(const std::string& only, const fs::path& folder, std::vector<Unpacked>& members) {
    const fs::path aside = folder / path_of(".only-folder");
    std::error_code error;
    fs::rename(folder / path_of(only.substr(0, only.size() - 1)), aside, error);
    std::vector<fs::path> inside;
    if (!error)
        for (fs::directory_iterator at(aside, error), end; !error && at != end; at.increment(error))
            inside.push_back(at->path());
    for (const fs::path& path : inside)
        if (!error) fs::rename(path, folder / path.filename(), error);
    if (!error) fs::remove(aside, error);
    if (error) fail(Status::io_error, "cannot move the files of {}: {}", text_of(aside), error.message());
    for (Unpacked& member : members) member.name = member.name.substr(only.size());
}

}  // namespace

std::vector<Unpacked> unpack_archive(const fs::path& archive, const fs::path& folder, const UnpackLimits& limits,
                                     const std::function<bool()>& go_on) {
    UnpackBounds bounds(text_of(archive), limits);
    ArchiveReader reader(archive, ArchiveReader::Kind::archive);
    std::vector<Unpacked> members;
    make_folders(folder);
    while (reader.next()) {
        ask(go_on);
        bounds.count_member();
        const std::string name = bounds.checked_name(reader.name());
        if (const std::string kind = reader.foreign_kind(); !kind.empty())
            fail(Status::bad_model, "{}: the member \"{}\" is {}, expected files and folders", text_of(archive), name,
                 kind);
        if (reader.is_folder() || name.empty()) continue;
        bounds.add_name(name);
        if (const auto size = reader.size()) {
            bounds.announce(name, *size);
            need_space(folder, *size);
        }
        const fs::path target = folder / path_of(name);
        make_folders(target.parent_path());
        members.push_back(write_member(reader, name, target, bounds, go_on));
    }
    if (members.empty()) fail(Status::bad_model, "{}: has no files", text_of(archive));
    if (const std::string only = common_folder(members); !only.empty()) leave_out(only, folder, members);
    return members;
}

Unpacked unpack_file(const fs::path& packed, const fs::path& target, const UnpackLimits& limits,
                     const std::function<bool()>& go_on) {
    UnpackBounds bounds(text_of(packed), limits);
    ArchiveReader reader(packed, ArchiveReader::Kind::one_file);
    if (!reader.next() || !reader.packed())
        fail(Status::bad_model, "{}: expected a .gz or .zst file, it begins like neither", text_of(packed));
    make_folders(target.parent_path());
    Unpacked file = write_member(reader, text_of(target.filename()), target, bounds, go_on);
    if (reader.next()) fail(Status::internal, "{}: expected one file", text_of(packed));
    return file;
}

}  // namespace dragoman::download
