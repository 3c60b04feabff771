// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/os/utf8_locale.h"
#include "download/packed_source.h"

struct archive;
struct archive_entry;

namespace dragoman::download {

// libarchive's reader of one file. Throws bad_model with its reason.
class ArchiveReader {
public:
    enum class Kind { archive, one_file };
    ArchiveReader(const std::filesystem::path& file, Kind kind);
    ~ArchiveReader();
    ArchiveReader(const ArchiveReader&) = delete;
    ArchiveReader& operator=(const ArchiveReader&) = delete;

    bool next();  // to the next member; false: there are no more, and the archive is whole
    std::string name() const;
    bool is_folder() const;
    std::string foreign_kind() const;     // "a link", "a device": what is neither file nor folder; "" else
    std::optional<uint64_t> size() const;  // as the archive states it
    std::size_t read(std::span<std::byte> bytes);  // of the member; 0: its end
    uint64_t packed_bytes() const;  // read so far
    bool packed() const;            // the file is packed by something

private:
    [[noreturn]] void broken() const;
    void check_end();
    static std::ptrdiff_t on_read(archive*, void* self, const void** bytes);

    const os::Utf8Locale locale_;  // of the members' names
    const std::filesystem::path file_;
    const std::string shown_;
    std::optional<PackedSource> source_;  // of .gz files
    std::exception_ptr failure_;
    struct Free {
        void operator()(archive* reader) const;
    };
    std::unique_ptr<archive, Free> reader_;
    archive_entry* entry_ = nullptr;
};

}  // namespace dragoman::download
