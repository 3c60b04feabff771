// SPDX-License-Identifier: Apache-2.0
#include "support/os/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace os {
namespace fs = std::filesystem;
namespace {

std::error_code error_if(bool wrong) { return {wrong ? errno : 0, std::system_category()}; }

std::error_code write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return error_if(true);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

}  // namespace

LockedFile::~LockedFile() {
    if (handle_ >= 0) close(static_cast<int>(handle_));
}

std::error_code LockedFile::open(const fs::path& path, bool create) {
    const std::error_code taken = std::make_error_code(std::errc::resource_unavailable_try_again);
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | (create ? O_CREAT | O_EXCL : 0), 0666);
    if (file < 0 && errno == EEXIST) return taken;
    if (file < 0) return error_if(true);
    handle_ = file;
    // Who had the lock before may have finished and renamed the file.
    struct stat locked = {}, named = {};
    if (flock(file, LOCK_EX | LOCK_NB) != 0 || fstat(file, &locked) != 0 || stat(path.c_str(), &named) != 0 ||
        locked.st_ino != named.st_ino || locked.st_dev != named.st_dev)
        return taken;
    return {};
}

std::error_code LockedFile::size(uint64_t& bytes) const {
    struct stat info = {};
    const bool wrong = fstat(static_cast<int>(handle_), &info) != 0;
    bytes = static_cast<uint64_t>(info.st_size);
    return error_if(wrong);
}

std::error_code LockedFile::cut(uint64_t bytes) {
    const int file = static_cast<int>(handle_);
    const auto end = static_cast<off_t>(bytes);
    return error_if(ftruncate(file, end) != 0 || lseek(file, end, SEEK_SET) != end);
}

std::error_code LockedFile::write(std::string_view bytes) { return write_all(static_cast<int>(handle_), bytes); }

std::error_code LockedFile::sync() { return error_if(fsync(static_cast<int>(handle_)) != 0); }

std::error_code write_file(const fs::path& path, std::string_view bytes) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return error_if(true);
    std::error_code error = write_all(file, bytes);
    if (!error) error = error_if(fsync(file) != 0);
    close(file);
    return error;
}

std::error_code replace_file(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::rename(from, to, error);
    return error;
}

void sync_folder_of(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file);
    close(file);
}

}  // namespace os
