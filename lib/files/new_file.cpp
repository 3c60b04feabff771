// SPDX-License-Identifier: Apache-2.0
#include "files/new_file.h"

#include "base/error.h"
#include "base/os/path_text.h"

namespace dragoman {
namespace fs = std::filesystem;
namespace {

void refuse_old(const fs::path& path, bool replace) {
    std::error_code error;
    if (fs::is_directory(path, error)) fail(Status::io_error, "cannot write {}: it is a directory", text_of(path));
    if (!replace && fs::exists(path, error))
        fail(Status::io_error, "cannot write {}: it exists, and replacing it was not asked for", text_of(path));
}

constexpr int kMostLinks = 40;  // as systems have it

// The file that a symbolic link leads to, be it there or not.
std::error_code follow(fs::path& path) {
    std::error_code error;
    for (int i = 0; fs::is_symlink(path, error); ++i) {
        if (i == kMostLinks) return std::make_error_code(std::errc::too_many_symbolic_link_levels);
        const fs::path target = fs::read_symlink(path, error);
        if (error) return error;
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return {};
}

}  // namespace

// What a link names is replaced, not the link. A device or a pipe stays what it is and gets the bytes; so does a file
// that a link reaches and its text does not, as in /proc/self/fd.
NewFile::NewFile(const fs::path& path, bool replace) : path_(path), replace_(replace) {
    refuse_old(path_, replace_);
    fs::path target = path_;
    if (replace_) check(follow(target));
    std::error_code none;
    const bool stays = replace_ && fs::exists(path_, none) &&
                       (fs::is_other(path_, none) || !fs::equivalent(path_, target, none));
    check(stays ? file_.open_in_place(path_) : file_.create(target));
}

void NewFile::write(std::span<const std::byte> bytes) { check(file_.write(bytes)); }

void NewFile::finish() { check(file_.publish(replace_)); }

void NewFile::check(std::error_code error) const {
    if (error) fail(Status::io_error, "cannot write {}: {}", text_of(path_), error.message());
}

}  // namespace dragoman
