// SPDX-License-Identifier: Apache-2.0
#include "base/os/whole_file.h"

#include "base/os/path_text.h"

namespace dragoman::os {
namespace fs = std::filesystem;
namespace {

constexpr int kMostLinks = 40;  // as systems have it

std::string text_of_error(std::error_code error) { return error ? error.message() : std::string(); }

// Makes `path` that of the file that a symbolic link leads to, be it there or not.
std::string follow(fs::path& path) {
    std::error_code error;
    for (int i = 0; fs::is_symlink(path, error); ++i) {
        if (i == kMostLinks) return std::make_error_code(std::errc::too_many_symbolic_link_levels).message();
        if (is_foreign_link(path))
            return "the symbolic link " + text_of(path) +
                   " is another user's, in a folder where everybody may make one";
        const fs::path target = fs::read_symlink(path, error);
        if (error) return error.message();
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return {};
}

}  // namespace

// A file that a link reaches and its text does not, as in /proc/self/fd, is written in place, too.
std::string WholeFile::open(const fs::path& path, bool replace) {
    replace_ = replace;
    std::error_code none;
    if (fs::is_directory(path, none)) return "it is a directory";
    const bool exists = fs::exists(path, none);
    if (!replace && exists) return "it exists, and replacing it was not asked for";
    fs::path target = path;
    if (replace) {
        if (std::string why = follow(target); !why.empty()) return why;
        if (exists && (fs::is_other(path, none) || !fs::equivalent(path, target, none)))
            return text_of_error(file_.open_in_place(path));
    }
    return text_of_error(file_.create(target));
}

std::string WholeFile::make_executable() { return text_of_error(file_.make_executable()); }

std::string WholeFile::write(std::span<const std::byte> bytes) { return text_of_error(file_.write(bytes)); }

std::string WholeFile::finish() { return text_of_error(file_.publish(replace_)); }

std::string foreign_link(const fs::path& path) {
    fs::path target = path;
    return follow(target);
}

std::string why_not_writable(const fs::path& path) {
    std::error_code none;
    if (fs::is_other(path, none)) return {};
    WholeFile probe;
    std::string why = probe.open(path);
    return why.empty() ? probe.write("0") : why;  // a full disk may take a name, and no byte
}

}  // namespace dragoman::os
