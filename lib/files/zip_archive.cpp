// SPDX-License-Identifier: Apache-2.0
#include "files/zip_archive.h"

#include <zip.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include "base/error.h"
#include "files/file_budget.h"
#include "files/file_map.h"
#include "files/zip_offsets.h"

namespace dragoman {
namespace {

constexpr uint64_t kDeflateSlackBytes = 1024;  // tiny members exceed the ratio

struct CloseMember {
    void operator()(zip_file_t* member) const { zip_fclose(member); }
};

uLong checksum(std::span<const std::byte> bytes) {
    constexpr std::size_t kAtOnce = std::size_t(1) << 20;
    std::vector<std::byte> some(std::min(kAtOnce, bytes.size()));
    uLong sum = 0;
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(kAtOnce, bytes.size()))) {
        const std::size_t size = std::min(kAtOnce, bytes.size());
        copy_bytes(bytes.first(size), some.data());
        sum = crc32_z(sum, reinterpret_cast<const Bytef*>(some.data()), size);
    }
    return sum;
}

std::string text_of(zip_error_t* error) {
    std::string text = zip_error_strerror(error);
    zip_error_fini(error);
    return text;
}

}  // namespace

// What libzip reads the archive with: its bytes may be in a file.
struct ZipArchive::Library {
    explicit Library(std::span<const std::byte> all) : bytes(all) {}
    const std::span<const std::byte> bytes;
    uint64_t at = 0;
    zip_error_t error{};
    std::exception_ptr thrown;  // by what reads the bytes

    zip_int64_t act(void* data, zip_uint64_t size, zip_source_cmd_t command);
    static zip_int64_t act(void* library, void* data, zip_uint64_t size, zip_source_cmd_t command) {
        return static_cast<Library*>(library)->act(data, size, command);
    }
    // What libzip says, or what was thrown while it read.
    std::string why(const char* said) {
        if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
        return said;
    }
    zip_t* archive = nullptr;
    std::mutex mutex;  // a zip_t must be used by one thread at a time
    ~Library() {
        if (archive) zip_discard(archive);
    }
};

zip_int64_t ZipArchive::Library::act(void* data, zip_uint64_t size, zip_source_cmd_t command) {
    switch (command) {
        case ZIP_SOURCE_SUPPORTS:
            return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                                  ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                                                  ZIP_SOURCE_SUPPORTS, -1);
        case ZIP_SOURCE_OPEN: at = 0; return 0;
        case ZIP_SOURCE_TELL: return zip_int64_t(at);
        case ZIP_SOURCE_ERROR: return zip_error_to_data(&error, data, size);
        case ZIP_SOURCE_STAT: {
            zip_stat_t& stat = *static_cast<zip_stat_t*>(data);
            zip_stat_init(&stat);
            stat.size = bytes.size();
            stat.valid |= ZIP_STAT_SIZE;
            return sizeof stat;
        }
        case ZIP_SOURCE_SEEK: {
            const zip_int64_t place = zip_source_seek_compute_offset(at, bytes.size(), data, size, &error);
            if (place < 0) return -1;
            at = uint64_t(place);
            return 0;
        }
        case ZIP_SOURCE_READ: {
            const auto some = std::size_t(std::min<uint64_t>(size, bytes.size() - at));
            try {
                copy_bytes(bytes.subspan(at, some), static_cast<std::byte*>(data));
            } catch (...) {
                thrown = std::current_exception();
                zip_error_set(&error, ZIP_ER_READ, 0);
                return -1;
            }
            at += some;
            return zip_int64_t(some);
        }
        default: return 0;
    }
}

bool ZipArchive::looks_like_one(std::span<const std::byte> bytes) {
    if (bytes.size() < 4) return false;
    std::byte begin[4];
    copy_bytes(bytes.first(4), begin);
    return std::memcmp(begin, "PK\3\4", 4) == 0 || std::memcmp(begin, "PK\5\6", 4) == 0;
}

ZipArchive::ZipArchive(FileBytes file) : file_(std::move(file)), library_(std::make_unique<Library>(file_.bytes)) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_function_create(Library::act, library_.get(), &error);
    if (!source) fail(Status::out_of_memory, "{}: {}", file_.name, text_of(&error));
    library_->archive = zip_open_from_source(source, ZIP_RDONLY, &error);
    if (!library_->archive) {
        zip_source_free(source);
        fail(Status::bad_model, "{}: broken zip archive ({})", file_.name, library_->why(text_of(&error).c_str()));
    }
    const auto count = static_cast<uint64_t>(std::max<zip_int64_t>(0, zip_get_num_entries(library_->archive, 0)));
    for (uint64_t i = 0; i < count; ++i) {
        const char* name = zip_get_name(library_->archive, i, ZIP_FL_ENC_GUESS);
        if (!name) {
            fail(Status::bad_model, "{}: member {}: {}", file_.name, i, zip_strerror(library_->archive));
        }
        const std::string_view member = name;
        if (member.empty() || member.ends_with('/')) continue;
        if (!members_.emplace(member, i).second) {
            fail(Status::bad_model, "{}: {}: expected once, archive has it twice", file_.name, member);
        }
    }
    data_offsets_ = zip_data_offsets(file_.bytes);
    if (data_offsets_.size() != count) data_offsets_.clear();
}

ZipArchive::~ZipArchive() = default;

// The bytes of a stored member; empty where it is not stored or its place is not certain. unpacked_bytes() has checked
// the member before.
std::span<const std::byte> ZipArchive::stored_bytes(uint64_t index) const {
    zip_stat_t info;
    {
        const std::lock_guard lock(library_->mutex);
        if (zip_stat_index(library_->archive, index, 0, &info) != 0 || !(info.valid & ZIP_STAT_CRC)) return {};
    }
    if (info.comp_method != ZIP_CM_STORE || index >= data_offsets_.size()) return {};
    const uint64_t at = data_offsets_[index];
    if (at > file_.bytes.size() || info.size > file_.bytes.size() - at) return {};
    const auto bytes = file_.bytes.subspan(at, info.size);
    return checksum(bytes) == info.crc ? bytes : std::span<const std::byte>();
}

std::vector<std::string> ZipArchive::names() const {
    std::vector<std::string> names;
    for (const auto& [name, index] : members_) names.push_back(name);
    return names;
}

uint64_t ZipArchive::index_of(std::string_view name) const {
    const auto found = members_.find(name);
    if (found == members_.end()) fail(Status::io_error, "{}: {}: no such file in the archive", file_.name, name);
    return found->second;
}

uint64_t ZipArchive::unpacked_bytes(std::string_view name) const {
    const uint64_t index = index_of(name);
    const std::lock_guard lock(library_->mutex);
    zip_stat_t info;
    if (zip_stat_index(library_->archive, index, 0, &info) != 0 ||
        (info.valid & (ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD)) !=
            (ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD)) {
        fail(Status::bad_model, "{}: {}: {}", file_.name, name, zip_strerror(library_->archive));
    }
    if (info.encryption_method != ZIP_EM_NONE) {
        fail(Status::unsupported, "{}: {}: encrypted; unpack the archive with its password first", file_.name, name);
    }
    if (info.comp_method != ZIP_CM_STORE && info.comp_method != ZIP_CM_DEFLATE) {
        fail(Status::unsupported, "{}: {}: expected a member that is stored or deflated, file has method {}",
             file_.name, name, info.comp_method);
    }
    const bool stored = info.comp_method == ZIP_CM_STORE;
    const uint64_t packed = std::min<uint64_t>(info.comp_size, file_.bytes.size());
    const uint64_t most = stored ? packed : packed * kMaxDeflateRatio + kDeflateSlackBytes;
    if (info.comp_size > file_.bytes.size() || info.size > most || (stored && info.size != packed)) {
        fail(Status::bad_model, "{}: {}: {} bytes packed as {} in an archive of {} are impossible", file_.name, name,
             info.size, info.comp_size, file_.bytes.size());
    }
    const std::string label = file_.name + ": " + std::string(name);
    if (stored) check_file_bytes(label, name, info.size);
    else check_unpacked(label, name, packed, info.size);
    return info.size;
}

FileBytes ZipArchive::read(std::string_view name) const {
    const uint64_t index = index_of(name), size = unpacked_bytes(name);
    std::string label = file_.name + ": " + std::string(name);
    if (const auto stored = stored_bytes(index); !stored.empty())
        return {.name = std::move(label), .bytes = stored, .owner = file_.owner, .mapped = file_.mapped};
    std::shared_ptr<std::byte[]> data;
    try {
        data = std::shared_ptr<std::byte[]>(new std::byte[size]);  // not zeroed: forged sizes cost no memory
    } catch (const std::bad_alloc&) {
        fail(Status::out_of_memory, "{}: {}: no memory for {} bytes", file_.name, name, size);
    }
    const std::lock_guard lock(library_->mutex);
    const std::unique_ptr<zip_file_t, CloseMember> member(zip_fopen_index(library_->archive, index, 0));
    if (!member)
        fail(Status::bad_model, "{}: {}: {}", file_.name, name, library_->why(zip_strerror(library_->archive)));
    // Asks for one byte more than there should be: the library compares the checksum at the end only.
    std::byte beyond;
    for (uint64_t got = 0;;) {
        const bool at_end = got == size;
        const zip_int64_t count = zip_fread(member.get(), at_end ? &beyond : data.get() + got, at_end ? 1 : size - got);
        if (count < 0) {
            const char* reason = zip_error_strerror(zip_file_get_error(member.get()));
            fail(Status::bad_model, "{}: {}: {}", file_.name, name, library_->why(reason));
        }
        if (count == 0 && at_end) break;
        if (count == 0 || at_end) {
            fail(Status::bad_model, "{}: {}: expected {} bytes, file has {}", file_.name, name, size,
                 at_end ? "more" : std::to_string(got));
        }
        got += static_cast<uint64_t>(count);
    }
    return {.name = std::move(label), .bytes = {data.get(), size}, .owner = data};
}

}  // namespace dragoman
