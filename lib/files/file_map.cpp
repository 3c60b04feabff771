// SPDX-License-Identifier: Apache-2.0
#include "files/file_map.h"

#include <utility>

#include "base/error.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#endif

namespace dragoman {
namespace {

struct Mapping {
    const std::byte* data = nullptr;
    std::size_t size = 0;
};

#ifdef _WIN32

struct Handle {
    HANDLE value;
    ~Handle() {
        if (value && value != INVALID_HANDLE_VALUE) CloseHandle(value);
    }
};

[[noreturn]] void cannot(const char* verb, const std::filesystem::path& path) {
    fail(Status::io_error, "cannot {} {}: Windows error {}", verb, path.string(), GetLastError());
}

Mapping make_mapping(const std::filesystem::path& path) {
    const Handle file{CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING, 0, nullptr)};
    if (file.value == INVALID_HANDLE_VALUE) cannot("open", path);
    LARGE_INTEGER size;
    if (!GetFileSizeEx(file.value, &size)) cannot("read the size of", path);
    if (size.QuadPart == 0) return {};
    const Handle mapping{CreateFileMappingW(file.value, nullptr, PAGE_READONLY, 0, 0, nullptr)};
    if (!mapping.value) cannot("map", path);
    const void* data = MapViewOfFile(mapping.value, FILE_MAP_READ, 0, 0, 0);
    if (!data) cannot("map", path);
    return {static_cast<const std::byte*>(data), static_cast<std::size_t>(size.QuadPart)};
}

void unmap(const std::byte* data, std::size_t) { UnmapViewOfFile(data); }

#else

struct Descriptor {
    int value;
    ~Descriptor() {
        if (value >= 0) close(value);
    }
};

[[noreturn]] void cannot(const char* verb, const std::filesystem::path& path, int error) {
    fail(Status::io_error, "cannot {} {}: {}", verb, path.string(), std::strerror(error));
}

Mapping make_mapping(const std::filesystem::path& path) {
    // O_NONBLOCK: a named pipe without a writer is refused below instead of waited for.
    const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.value < 0) cannot("open", path, errno);
    struct stat info;
    if (fstat(file.value, &info) != 0) cannot("read the size of", path, errno);
    if (S_ISDIR(info.st_mode)) cannot("map", path, EISDIR);
    if (!S_ISREG(info.st_mode)) fail(Status::io_error, "cannot map {}: not a regular file", path.string());
    if (info.st_size == 0) return {};
    const auto size = static_cast<std::size_t>(info.st_size);
    void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value, 0);
    if (data == MAP_FAILED) cannot("map", path, errno);
    return {static_cast<const std::byte*>(data), size};
}

void unmap(const std::byte* data, std::size_t size) { munmap(const_cast<std::byte*>(data), size); }

#endif

}  // namespace

FileMap::FileMap(const std::filesystem::path& path) : path_(path) {
    const Mapping mapping = make_mapping(path);
    data_ = mapping.data;
    size_ = mapping.size;
}

FileMap::~FileMap() {
    if (data_) unmap(data_, size_);
}

FileMap::FileMap(FileMap&& other) noexcept
    : path_(std::move(other.path_)), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

FileMap& FileMap::operator=(FileMap&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

FileBytes map_file(const std::filesystem::path& path) {
    const auto map = std::make_shared<const FileMap>(path);
    return {.name = path.string(), .bytes = map->bytes(), .owner = map, .mapped = true};
}

#ifdef _WIN32

void forget_pages(std::span<const std::byte>) {}

#else

void forget_pages(std::span<const std::byte> bytes) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    // Whole pages only; those at the ends may hold others' bytes.
    const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
    const std::uintptr_t begin = (address + page - 1) / page * page, end = (address + bytes.size()) / page * page;
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

#endif

}  // namespace dragoman
