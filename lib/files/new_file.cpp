// SPDX-License-Identifier: Apache-2.0
#include "files/new_file.h"

#include <random>

#include "base/error.h"

#ifdef _WIN32
#include <cerrno>
#include <cstdio>
#include <cstring>
#else
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#endif

namespace dragoman {
namespace fs = std::filesystem;
namespace {

void refuse_old(const fs::path& path, bool replace) {
    std::error_code error;
    if (fs::is_directory(path, error)) fail(Status::io_error, "cannot write {}: it is a directory", path.string());
    if (!replace && fs::exists(path, error))
        fail(Status::io_error, "cannot write {}: it is there already, and replacing it was not asked for",
             path.string());
}

fs::path temporary_name(const fs::path& path) {
    std::random_device random;
    return path.string() + fmt::format(".{:08x}.part", random());
}

}  // namespace

void NewFile::cannot(const char* verb) const {
    fail(Status::io_error, "cannot {} {}: {}", verb, path_.string(), std::strerror(errno));
}

#ifdef _WIN32

NewFile::NewFile(const fs::path& path, bool replace) : path_(path), replace_(replace) {
    refuse_old(path_, replace_);
    temporary_ = temporary_name(path_);
    file_ = _wfopen(temporary_.c_str(), L"wbx");
    if (!file_) cannot("write");
}

void NewFile::write(std::span<const std::byte> bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), static_cast<FILE*>(file_)) != bytes.size()) cannot("write");
}

void NewFile::finish() {
    if (std::fflush(static_cast<FILE*>(file_)) != 0) cannot("write");
    close();
    refuse_old(path_, replace_);
    fs::rename(temporary_, path_);
    temporary_.clear();
}

void NewFile::close() {
    if (file_) std::fclose(static_cast<FILE*>(file_));
    file_ = nullptr;
}

#else

NewFile::NewFile(const fs::path& path, bool replace) : path_(path), replace_(replace) {
    refuse_old(path_, replace_);
#ifdef O_TMPFILE
    const fs::path folder = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
    file_ = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (file_ >= 0) return;
#endif
    temporary_ = temporary_name(path_);
    file_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ < 0) {
        temporary_.clear();
        cannot("write");
    }
}

void NewFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) cannot("write");
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void NewFile::finish() {
    if (fsync(file_) != 0 && errno != EINVAL && errno != EROFS) cannot("write");
    if (temporary_.empty()) {
        const std::string descriptor = fmt::format("/proc/self/fd/{}", file_);
        const fs::path name = replace_ ? temporary_name(path_) : path_;
        if (linkat(AT_FDCWD, descriptor.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) cannot("write");
        if (replace_) temporary_ = name;
    } else if (!replace_) {
        // link() refuses where there is a file by now, rename() would replace it.
        if (link(temporary_.c_str(), path_.c_str()) == 0) {
            unlink(temporary_.c_str());
            temporary_.clear();
        } else if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOTSUP || errno == ENOSYS) {
            refuse_old(path_, false);  // FAT and its like have no links
        } else {
            cannot("write");
        }
    }
    if (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) cannot("write");
    temporary_.clear();
    close();
}

void NewFile::close() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
}

#endif

NewFile::~NewFile() {
    close();
    std::error_code error;
    if (!temporary_.empty()) fs::remove(temporary_, error);
}

}  // namespace dragoman
