// SPDX-License-Identifier: Apache-2.0
#include "files/zip_archive.h"

#include <zip.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>

#include "base/error.h"
#include "files/zip_offsets.h"

namespace dragoman {
namespace {

constexpr uint64_t kDeflateSlackBytes = 1024;  // tiny members exceed the ratio

struct CloseMember {
    void operator()(zip_file_t* member) const { zip_fclose(member); }
};

std::string text_of(zip_error_t* error) {
    std::string text = zip_error_strerror(error);
    zip_error_fini(error);
    return text;
}

}  // namespace

struct ZipArchive::Library {
    zip_t* archive = nullptr;
    std::mutex mutex;  // a zip_t must be used by one thread at a time
    ~Library() {
        if (archive) zip_discard(archive);
    }
};

bool ZipArchive::looks_like_one(std::span<const std::byte> bytes) {
    return bytes.size() >= 4 &&
           (std::memcmp(bytes.data(), "PK\3\4", 4) == 0 || std::memcmp(bytes.data(), "PK\5\6", 4) == 0);
}

ZipArchive::ZipArchive(FileBytes file) : file_(std::move(file)), library_(std::make_unique<Library>()) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(file_.bytes.data(), file_.bytes.size(), /*freep=*/0, &error);
    if (!source) fail(Status::out_of_memory, "{}: {}", file_.name, text_of(&error));
    library_->archive = zip_open_from_source(source, ZIP_RDONLY, &error);
    if (!library_->archive) {
        zip_source_free(source);
        fail(Status::bad_model, "{}: broken zip archive ({})", file_.name, text_of(&error));
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
    return crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) == info.crc
               ? bytes
               : std::span<const std::byte>();
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
    if (info.size > kMaxUnpackedBytes) {
        fail(Status::out_of_memory, "{}: {}: expected at most {} bytes unpacked, file has {}", file_.name, name,
             kMaxUnpackedBytes, info.size);
    }
    const bool stored = info.comp_method == ZIP_CM_STORE;
    const uint64_t packed = std::min<uint64_t>(info.comp_size, file_.bytes.size());
    const uint64_t most = stored ? packed : packed * kMaxDeflateRatio + kDeflateSlackBytes;
    if (info.comp_size > file_.bytes.size() || info.size > most || (stored && info.size != packed)) {
        fail(Status::bad_model, "{}: {}: {} bytes packed as {} in an archive of {} are impossible", file_.name, name,
             info.size, info.comp_size, file_.bytes.size());
    }
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
    if (!member) fail(Status::bad_model, "{}: {}: {}", file_.name, name, zip_strerror(library_->archive));
    // Asks for one byte more than there should be: the library compares the checksum at the end only.
    std::byte beyond;
    for (uint64_t got = 0;;) {
        const bool at_end = got == size;
        const zip_int64_t count = zip_fread(member.get(), at_end ? &beyond : data.get() + got, at_end ? 1 : size - got);
        if (count < 0) {
            const char* reason = zip_error_strerror(zip_file_get_error(member.get()));
            fail(Status::bad_model, "{}: {}: {}", file_.name, name, reason);
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
