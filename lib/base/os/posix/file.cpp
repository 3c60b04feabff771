// SPDX-License-Identifier: Apache-2.0
#include "base/os/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <string_view>

namespace dragoman::os {
namespace fs = std::filesystem;
namespace {

std::error_code last_error() { return {errno, std::system_category()}; }
std::error_code error_of(std::errc code) { return {static_cast<int>(code), std::system_category()}; }

fs::path temporary_name(const fs::path& path) {
    fs::path name = path;
    return name += "." + std::to_string(std::random_device{}()) + ".part";
}

// Calls `each` with an open folder and the name of an entry. Not with a directory_iterator, whose own allocations end
// the process where they fail.
template <class Each>
std::error_code for_entries(const fs::path& folder, Each&& each) {
    const std::unique_ptr<DIR, decltype([](DIR* open) { closedir(open); })> open(opendir(folder.c_str()));
    if (!open) return last_error();
    for (;;) {
        errno = 0;
        const dirent* const entry = readdir(open.get());
        if (!entry) return errno ? last_error() : std::error_code();
        each(dirfd(open.get()), static_cast<const char*>(entry->d_name));
    }
}

// Gives a new file the owner and the permissions of the one that it replaces; some file systems have none.
void keep_access(int file, const fs::path& old_file) {
    struct stat old;
    if (stat(old_file.c_str(), &old) != 0 || !S_ISREG(old.st_mode)) return;
    // Another's file stays its owner's where this is the administrator, and its group's where that is one's own.
    bool kept = fchown(file, old.st_uid, old.st_gid) == 0;
    kept = kept || fchown(file, uid_t(-1), old.st_gid) == 0;
    const mode_t access = old.st_mode & (kept ? 0777 : 0707);  // another group was not meant
    static_cast<void>(fchmod(file, access));
}

bool have_one_file(const struct stat& a, const struct stat& b) {
    return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool has_no_links(int error) {  // FAT and similar file systems
#ifdef __ANDROID__
    if (error == EACCES) return true;  // Android apps may not create links
#endif
    return error == EPERM || error == EOPNOTSUPP || error == ENOTSUP || error == ENOSYS;
}

}  // namespace

std::filesystem::path long_path(const std::filesystem::path& path) { return path; }

bool is_open_as(std::FILE* stream, const fs::path& file) {
    struct stat a, b;
    return fstat(fileno(stream), &a) == 0 && stat(file.c_str(), &b) == 0 && have_one_file(a, b);
}

bool have_one_file(std::FILE* one, std::FILE* other) {
    struct stat a, b;
    return fstat(fileno(one), &a) == 0 && fstat(fileno(other), &b) == 0 && have_one_file(a, b);
}

bool is_foreign_link(const fs::path& link) {
    struct stat own, folder;
    if (lstat(link.c_str(), &own) != 0 || !S_ISLNK(own.st_mode)) return false;
    const fs::path parent = link.has_parent_path() ? link.parent_path() : fs::path(".");
    if (stat(parent.c_str(), &folder) != 0) return false;
    constexpr mode_t kShared = S_ISVTX | S_IWOTH;
    return (folder.st_mode & kShared) == kShared && own.st_uid != geteuid() && own.st_uid != folder.st_uid;
}

std::error_code list_files(const fs::path& folder, std::vector<FileEntry>& files) {
    return for_entries(folder, [&](int open, const char* name) {
        struct stat info;  // a dangling link is no file
        if (fstatat(open, name, &info, 0) == 0 && S_ISREG(info.st_mode))
            files.push_back({name, uint64_t(info.st_size)});
    });
}

std::error_code list_names(const fs::path& folder, std::vector<fs::path>& names) {
    return for_entries(folder, [&](int, std::string_view name) {
        if (name != "." && name != "..") names.emplace_back(name);
    });
}

ReadFile::~ReadFile() {
    if (handle_ >= 0) ::close(static_cast<int>(handle_));
}

std::error_code ReadFile::open(const fs::path& path) {
    int file = -1;
    // O_NONBLOCK: a named pipe without a writer is refused below instead of waited for.
    do file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    while (file < 0 && errno == EINTR);
    if (file < 0) return last_error();
    handle_ = file;
    struct stat info;
    if (fstat(file, &info) != 0) return last_error();
    if (S_ISDIR(info.st_mode)) return error_of(std::errc::is_a_directory);
    if (!S_ISREG(info.st_mode)) return error_of(std::errc::not_supported);
    size_ = static_cast<uint64_t>(info.st_size);
    return {};
}

std::error_code ReadFile::read(uint64_t offset, std::span<std::byte> room, std::size_t& got) const {
    for (got = 0; got < room.size();) {
        const ssize_t some = pread(static_cast<int>(handle_), room.data() + got, room.size() - got,
                                   static_cast<off_t>(offset + got));
        if (some < 0 && errno == EINTR) continue;
        if (some < 0) return last_error();
        if (some == 0) break;
        got += static_cast<std::size_t>(some);
    }
    return {};
}

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::error_code reserve_addresses(std::size_t size, std::byte*& address) {
    void* data = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) return last_error();
    address = static_cast<std::byte*>(data);
    return {};
}

std::error_code put_memory(std::byte* address, std::size_t size) {
    return mprotect(address, size, PROT_READ | PROT_WRITE) == 0 ? std::error_code() : last_error();
}

void release_addresses(std::byte* address, std::size_t size) { munmap(address, size); }

HiddenFile::~HiddenFile() {
    close();
    if (!temporary_.empty()) unlink(temporary_.c_str());
}

void HiddenFile::close() {
    if (handle_ >= 0) ::close(static_cast<int>(handle_));
    handle_ = -1;
}

std::error_code HiddenFile::create(const fs::path& path) {
    path_ = path;
#if defined(O_TMPFILE) && !defined(__ANDROID__)  // it gets its name by a link
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    handle_ = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (handle_ >= 0) {
        keep_access(static_cast<int>(handle_), path);
        return {};
    }
#endif
    const fs::path name = temporary_name(path);
    handle_ = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (handle_ < 0) return last_error();
    temporary_ = name;
    keep_access(static_cast<int>(handle_), path);
    return {};
}

std::error_code HiddenFile::open_in_place(const fs::path& path) {
    path_ = path;
    in_place_ = true;
    do handle_ = open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    while (handle_ < 0 && errno == EINTR);
    return handle_ < 0 ? last_error() : std::error_code();
}

std::error_code HiddenFile::make_executable() {
    struct stat now;
    const int file = static_cast<int>(handle_);
    if (in_place_) return {};
    return fstat(file, &now) == 0 && fchmod(file, (now.st_mode & 0777) | S_IXUSR) == 0 ? std::error_code()
                                                                                       : last_error();
}

std::error_code HiddenFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(static_cast<int>(handle_), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return last_error();
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

std::error_code HiddenFile::publish(bool replace) {
    if (fsync(static_cast<int>(handle_)) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP)
        return last_error();
    if (in_place_) {
        close();
        return {};
    }
    if (temporary_.empty()) {
        const std::string descriptor = "/proc/self/fd/" + std::to_string(handle_);
        const fs::path name = replace ? temporary_name(path_) : path_;
        if (linkat(AT_FDCWD, descriptor.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) return last_error();
        if (replace) temporary_ = name;
    } else if (!replace) {
        // link() refuses to replace a file that has appeared meanwhile, rename() would replace it.
        if (link(temporary_.c_str(), path_.c_str()) == 0) {
            unlink(temporary_.c_str());
            temporary_.clear();
        } else if (!has_no_links(errno)) {
            return last_error();
        } else if (std::error_code unknown; fs::exists(path_, unknown)) {
            return error_of(std::errc::file_exists);
        }
    }
    if (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) return last_error();
    temporary_.clear();
    close();
    return {};
}

}  // namespace dragoman::os
