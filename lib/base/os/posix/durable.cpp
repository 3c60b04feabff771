// SPDX-License-Identifier: Apache-2.0
#include "base/os/durable.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace dragoman::os {
namespace fs = std::filesystem;
namespace {

std::error_code error_now() { return {errno, std::system_category()}; }

std::error_code sync_path(const fs::path& path, int flags) {
    const int file = ::open(path.c_str(), flags | O_RDONLY | O_CLOEXEC);
    if (file < 0) return error_now();
    std::error_code error;
    if (fsync(file) != 0 && errno != EINVAL && errno != EROFS) error = error_now();
    ::close(file);
    return error;
}

}  // namespace

std::error_code sync_file(const fs::path& file) { return sync_path(file, 0); }
std::error_code sync_folder(const fs::path& folder) { return sync_path(folder, O_DIRECTORY); }

bool on_one_volume(const fs::path& one, const fs::path& other) {
    struct stat a, b;
    return ::stat(one.c_str(), &a) == 0 && ::stat(other.c_str(), &b) == 0 && a.st_dev == b.st_dev;
}

std::error_code exchange_folders(const fs::path& one, const fs::path& other) {
#ifdef RENAME_EXCHANGE
    if (renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0) return {};
    if (errno != EINVAL && errno != ENOSYS) return error_now();
#else
    static_cast<void>(one), static_cast<void>(other);
#endif
    return std::make_error_code(std::errc::not_supported);
}

GrowingFile::~GrowingFile() { close(); }

void GrowingFile::close() {
    if (handle_ >= 0) ::close(static_cast<int>(handle_));
    handle_ = -1;
}

std::error_code GrowingFile::open(const fs::path& file, uint64_t bytes) {
    close();
    handle_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (handle_ < 0) return error_now();
    const int descriptor = static_cast<int>(handle_);
    if (ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) return error_now();
    return lseek(descriptor, 0, SEEK_END) < 0 ? error_now() : std::error_code();
}

std::error_code GrowingFile::write(std::span<const std::byte> bytes, std::size_t& written) {
    written = 0;
    while (written < bytes.size()) {
        const ssize_t count = ::write(static_cast<int>(handle_), bytes.data() + written, bytes.size() - written);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return error_now();
        written += static_cast<std::size_t>(count);
    }
    return {};
}

}  // namespace dragoman::os
