// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman {

// The content of one file, mapped or unpacked. Copies share it; views live as long as one of them.
struct FileBytes {
    std::string name;  // for messages: "models/deen.zip: opus/source.spm"
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
    std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

// The files of a model, wherever they lie: a directory, a zip archive (told by its content, whatever its suffix), or a
// single file, which then stands beside its neighbours in its directory and is `chosen`. Names are relative, with '/'.
// In an archive whose files all lie under one folder, that folder is left out of the names. A file F that is only there
// as F.gz is offered as F and unpacked when read. Immutable: any number of threads may use one.
class FileSet {
public:
    // Throws io_error (nothing there, not readable) and bad_model (a broken archive).
    static std::shared_ptr<const FileSet> open(const std::filesystem::path& path);
    virtual ~FileSet() = default;

    const std::filesystem::path& path() const { return path_; }  // as given to open
    const std::string& chosen() const { return chosen_; }        // empty unless a single file was given
    bool has(std::string_view name) const;
    const std::vector<std::string>& names() const { return names_; }  // sorted; directories: not their sub-folders
    // What messages call a file: "path/name".
    std::string label(std::string_view name) const;
    // Throws io_error (no such file, not readable), bad_model (broken archive or gzip data, checksum), out_of_memory
    // (unpacks to more than kMostUnpackedBytes).
    FileBytes read(std::string_view name) const;
    uint64_t bytes_on_disk() const { return bytes_on_disk_; }

    static constexpr uint64_t kMostUnpackedBytes = uint64_t(1) << 36;

protected:
    FileSet() = default;
    virtual FileBytes load(std::string_view stored_name) const = 0;
    std::filesystem::path path_;
    std::string chosen_;
    std::vector<std::string> names_;
    uint64_t bytes_on_disk_ = 0;
};

}  // namespace dragoman
