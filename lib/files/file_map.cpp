// SPDX-License-Identifier: Apache-2.0
#include "files/file_map.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/os/file.h"
#include "base/os/path_text.h"
#include "base/per_process.h"

namespace dragoman {
namespace {

std::size_t page_size() {
    static const std::size_t bytes = os::page_bytes();
    return bytes;
}

}  // namespace

class MappedFile {
public:
    explicit MappedFile(const std::filesystem::path& path) : name_(text_of(path)) {
        const std::error_code error = file_.open(path);
        if (error == std::errc::not_supported) fail(Status::io_error, "cannot read {}: not a regular file", name_);
        check(error);
        size_ = std::size_t(file_.size());
        if (size_ != file_.size()) fail(Status::out_of_memory, "{}: no addresses for {} bytes", name_, file_.size());
        if (size_ == 0) return;
        reserved_ = (size_ + page_size() - 1) / page_size() * page_size();
        check(os::reserve_addresses(reserved_, begin_));
        fetched_.resize(reserved_ / page_size());
    }
    ~MappedFile() {
        if (begin_) os::release_addresses(begin_, reserved_);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {begin_, size_}; }

    void fetch(std::size_t offset, std::size_t size) {
        const std::lock_guard lock(mutex_);
        const std::size_t end = (offset + size + page_size() - 1) / page_size();
        for (std::size_t at = offset / page_size(); at < end;) {
            std::size_t next = at;
            while (next < end && fetched_[next] == fetched_[at]) ++next;
            if (!fetched_[at]) fetch_parts(at, next);
            at = next;
        }
    }

    void read(std::size_t offset, std::span<std::byte> room) const {
        std::size_t got = 0;
        check(file_.read(offset, room, got));
        if (got < room.size())
            fail(Status::io_error, "{}: expected {} bytes, file has {}: it was cut after it was opened", name_, size_,
                 offset + got);
    }

private:
    void check(std::error_code error) const {
        if (error) fail(Status::io_error, "cannot read {}: {}", name_, error.message());
    }
    void fetch_parts(std::size_t first, std::size_t end) {
        const std::size_t begin = first * page_size(), last = std::min(end * page_size(), size_);
        if (const std::error_code error = os::put_memory(begin_ + begin, (end - first) * page_size()))
            fail(Status::out_of_memory, "{}: no memory for {} bytes: {}", name_, last - begin, error.message());
        read(begin, {begin_ + begin, last - begin});
        std::fill(fetched_.begin() + std::ptrdiff_t(first), fetched_.begin() + std::ptrdiff_t(end), true);
    }

    const std::string name_;
    os::ReadFile file_;
    std::byte* begin_ = nullptr;
    std::size_t size_ = 0, reserved_ = 0;
    std::mutex mutex_;
    std::vector<bool> fetched_;
};

namespace {

// The maps of the process by their last address.
class AllMaps {
public:
    static AllMaps& get() {
        static auto& all = *new PerProcess<AllMaps>;  // outlives every other object
        return all.get();
    }
    void add(MappedFile* file) {
        const std::unique_lock lock(mutex_);
        if (const auto bytes = file->bytes(); !bytes.empty()) files_.emplace(&bytes.back(), file);
    }
    void remove(const MappedFile* file) {
        const std::unique_lock lock(mutex_);
        if (const auto bytes = file->bytes(); !bytes.empty()) files_.erase(&bytes.back());
    }
    // Null: these bytes are no map's. Who has bytes of a map keeps it, too.
    MappedFile* find(std::span<const std::byte> bytes) const {
        const std::shared_lock lock(mutex_);
        const auto at = files_.lower_bound(bytes.data());
        return at != files_.end() && at->second->bytes().data() <= bytes.data() ? at->second : nullptr;
    }

private:
    mutable std::shared_mutex mutex_;
    std::map<const std::byte*, MappedFile*, std::less<>> files_;
};

std::size_t offset_in(const MappedFile& file, std::span<const std::byte> bytes) {
    const auto offset = std::size_t(bytes.data() - file.bytes().data());
    DRAGOMAN_ASSERT(bytes.size() <= file.bytes().size() - offset);
    return offset;
}

}  // namespace

FileMap::FileMap(const std::filesystem::path& path) : path_(path) {
    file_ = std::shared_ptr<MappedFile>(new MappedFile(path), [](MappedFile* file) {
        AllMaps::get().remove(file);
        delete file;
    });
    AllMaps::get().add(file_.get());
}

FileMap::~FileMap() = default;
FileMap::FileMap(FileMap&& other) noexcept = default;
FileMap& FileMap::operator=(FileMap&& other) noexcept = default;

std::span<const std::byte> FileMap::bytes() const noexcept {
    return file_ ? file_->bytes() : std::span<const std::byte>();
}

FileBytes map_file(const std::filesystem::path& path) {
    const auto map = std::make_shared<const FileMap>(path);
    return {.name = text_of(path), .bytes = map->bytes(), .owner = map, .mapped = true};
}

FileBytes read_whole(const std::filesystem::path& path) {
    FileBytes file = map_file(path);
    fetch(file);
    return file;
}

void fetch(std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    if (MappedFile* const file = AllMaps::get().find(bytes)) file->fetch(offset_in(*file, bytes), bytes.size());
}

void fetch(FileBytes& file) {
    if (file.mapped) fetch(file.bytes);
    file.mapped = false;
}

void copy_bytes(std::span<const std::byte> bytes, std::byte* room) {
    if (bytes.empty()) return;
    if (const MappedFile* const file = AllMaps::get().find(bytes))
        file->read(offset_in(*file, bytes), {room, bytes.size()});
    else std::memcpy(room, bytes.data(), bytes.size());
}

}  // namespace dragoman
