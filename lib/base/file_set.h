// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_bytes.h"

namespace dragoman {

// The files of a model, wherever they lie: a directory, a zip archive (told by its content, whatever its suffix), or a
// single file, which then stands beside its neighbours in its directory and is `chosen`. NumPy's .npz files and
// PyTorch's checkpoints are zip archives too but count as single files. Names are relative, with '/'. In an archive
// whose files all lie under one folder, that folder is left out of the names. A file F that is only there as F.gz is
// offered as F and unpacked when read. Only files that are listed can be read, so no name leads out of the set.
// Immutable: any number of threads may use one.
class FileSet {
public:
    // Throws io_error (nothing there, not readable) and bad_model (a broken archive).
    static std::shared_ptr<const FileSet> open(const std::filesystem::path& path);
    // The files of a zip archive in memory; path() is its name.
    static std::shared_ptr<const FileSet> open_archive(FileBytes archive);
    virtual ~FileSet() = default;

    const std::filesystem::path& path() const { return path_; }  // as given to open
    std::filesystem::path folder_path() const;  // the archive, or the directory the files lie in
    const std::string& chosen() const { return chosen_; }        // empty unless a single file was given
    bool has(std::string_view name) const;
    const std::vector<std::string>& names() const { return names_; }  // sorted; directories: not their sub-folders
    // What messages call a file: "directory/name" or "archive.zip: folder/name".
    std::string label(std::string_view name) const;
    // Throws io_error (no such file, not readable), bad_model (broken archive or gzip data, checksum), out_of_memory
    // (unpacks to more than kMostUnpackedBytes), unsupported (encrypted, or packed neither stored nor deflated).
    FileBytes read(std::string_view name) const;
    // The files under a sub-folder, or null when there is none.
    virtual std::shared_ptr<const FileSet> folder(std::string_view name) const = 0;
    uint64_t bytes_on_disk() const { return bytes_on_disk_; }

protected:
    FileSet() = default;
    virtual FileBytes load(const std::string& stored_name) const = 0;
    // Fills names_ from the names as stored, which must not repeat.
    void list(std::vector<std::string> stored);

    std::filesystem::path path_;
    std::string chosen_;
    std::string label_begin_;  // "directory/" or "archive.zip: folder/"
    uint64_t bytes_on_disk_ = 0;

private:
    std::vector<std::string> names_;
    std::vector<std::string> packed_;  // of names_, those stored as NAME.gz
};

}  // namespace dragoman
