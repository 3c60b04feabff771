// SPDX-License-Identifier: Apache-2.0
#include "download/archive_reader.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/error.h"
#include "base/os/path_text.h"

namespace dragoman::download {
namespace {

constexpr std::size_t kArchiveBlock = 1 << 17;
constexpr std::size_t kTarEnd = 1024;  // two blocks of zeros

}  // namespace

void ArchiveReader::Free::operator()(archive* reader) const { archive_read_free(reader); }

ArchiveReader::ArchiveReader(const std::filesystem::path& file, Kind kind)
    : file_(file), shown_(text_of(file)), reader_(archive_read_new()) {
    archive* const reader = reader_.get();
    if (!reader) fail(Status::out_of_memory, "no memory to unpack {}", shown_);
    archive_read_support_filter_zstd(reader);
    archive_read_support_filter_xz(reader);
    archive_read_support_filter_bzip2(reader);
    if (kind == Kind::archive) {
        archive_read_support_format_tar(reader);
        archive_read_support_format_zip_seekable(reader);  // which looks for the end of the archive first
    } else {
        archive_read_support_format_raw(reader);
    }
    source_.emplace(file);
    int result = ARCHIVE_OK;
    if (source_->gzip()) {
        result = archive_read_open(reader, this, nullptr, &ArchiveReader::on_read, nullptr);
    } else {
        source_.reset();
#ifdef _MSC_VER
        result = archive_read_open_filename_w(reader, file.wstring().c_str(), kArchiveBlock);
#else
        result = archive_read_open_filename(reader, shown_.c_str(), kArchiveBlock);
#endif
    }
    if (failure_) std::rethrow_exception(failure_);
    if (result != ARCHIVE_OK) broken();
}

ArchiveReader::~ArchiveReader() = default;

std::ptrdiff_t ArchiveReader::on_read(archive* reader, void* self, const void** bytes) {
    auto& own = *static_cast<ArchiveReader*>(self);
    try {
        const std::span<const std::byte> some = own.source_->read();
        *bytes = some.data();
        return static_cast<std::ptrdiff_t>(some.size());
    } catch (...) {
        own.failure_ = std::current_exception();
        archive_set_error(reader, EIO, "its packed data is broken");
        return -1;
    }
}

void ArchiveReader::broken() const {
    if (failure_) std::rethrow_exception(failure_);
    const char* const reason = archive_error_string(reader_.get());
    fail(Status::bad_model, "{}: broken, cut off, or no archive of a known kind: {}", shown_,
         reason ? reason : "no reason given");
}

// An archive that ends between two members looks whole to libarchive.
void ArchiveReader::check_end() {
    if (source_) {
        while (!source_->read().empty()) continue;  // to the checksum
        return;
    }
    if ((archive_format(reader_.get()) & ARCHIVE_FORMAT_BASE_MASK) != ARCHIVE_FORMAT_TAR || packed()) return;
    std::ifstream in(file_, std::ios::binary);
    std::array<char, kTarEnd> end{};
    in.seekg(-std::streamoff(kTarEnd), std::ios::end);
    in.read(end.data(), kTarEnd);
    if (!in || !std::ranges::all_of(end, [](char c) { return c == 0; }))
        fail(Status::bad_model, "{}: the tar archive is cut off", shown_);
}

bool ArchiveReader::next() {
    const int result = archive_read_next_header(reader_.get(), &entry_);
    if (failure_) std::rethrow_exception(failure_);
    if (result == ARCHIVE_EOF) {
        check_end();
        return false;
    }
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) broken();  // it warns of names that are not in UTF-8
    if (archive_entry_is_encrypted(entry_) > 0) fail(Status::bad_model, "{}: it is encrypted", shown_);
    return true;
}

std::string ArchiveReader::name() const {
    if (const char* utf8 = archive_entry_pathname_utf8(entry_)) return utf8;
    const char* const bytes = archive_entry_pathname(entry_);
    return bytes ? bytes : "";
}

bool ArchiveReader::is_folder() const { return archive_entry_filetype(entry_) == AE_IFDIR; }

std::string ArchiveReader::foreign_kind() const {
    if (archive_entry_hardlink(entry_) || archive_entry_filetype(entry_) == AE_IFLNK) return "a link";
    if (archive_entry_filetype(entry_) == AE_IFREG || is_folder()) return {};
    return "a device, pipe or the like";
}

std::optional<uint64_t> ArchiveReader::size() const {
    if (!archive_entry_size_is_set(entry_) || archive_entry_size(entry_) < 0) return std::nullopt;
    return static_cast<uint64_t>(archive_entry_size(entry_));
}

std::size_t ArchiveReader::read(std::span<std::byte> bytes) {
    const la_ssize_t count = archive_read_data(reader_.get(), bytes.data(), bytes.size());
    if (count < 0) broken();
    return static_cast<std::size_t>(count);
}

uint64_t ArchiveReader::packed_bytes() const {
    if (source_) return source_->packed_bytes();
    return static_cast<uint64_t>(std::max<la_int64_t>(0, archive_filter_bytes(reader_.get(), -1)));
}

bool ArchiveReader::packed() const { return source_ || archive_filter_code(reader_.get(), 0) != ARCHIVE_FILTER_NONE; }

}  // namespace dragoman::download
