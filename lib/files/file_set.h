// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_bytes.h"

namespace dragoman {

// A file outside the file system: bytes in memory, or a function that reads them.
struct GivenFile {
    std::string name;  // with '/' between folders
    uint64_t size = 0;
    std::span<const std::byte> bytes{};  // either these bytes or `read`
    // throws io_error; is asked for each byte at most once
    std::function<void(uint64_t offset, std::span<std::byte> target)> read{};
};

// The files of a model, wherever they are: a directory, a zip archive (known by its content, whatever its suffix), a
// tar archive (known by its name, and unpacked to memory), or a single file, which is then `chosen` and listed with its
// neighbours in its directory. NumPy's .npz files and PyTorch's checkpoints are zip archives too but count as single
// files. Names are relative, with '/'. In an archive whose files are all under one folder, that folder is left out of
// the names. A file F that exists only as F.gz or F.zst is offered as F and unpacked when read; where F is there too,
// the packed one is left out. Only files that are listed can be read, so no name leads out of the set.
// Immutable: any number of threads may use one.
class FileSet {
public:
    // Throws io_error (nothing there, not readable) and bad_model (a broken archive).
    static std::shared_ptr<const FileSet> open(const std::filesystem::path& path);
    // The files of a zip archive in memory, whose name is path().
    static std::shared_ptr<const FileSet> open_archive(FileBytes archive);
    // Files given by the caller, which must stay valid as long as the set and everything read from it; for a single zip
    // archive, the files in it. A file's function is called when the file is first read. Throws invalid_argument (no
    // file, names that repeat).
    static std::shared_ptr<const FileSet> given(std::vector<GivenFile> files);
    virtual ~FileSet() = default;

    const std::filesystem::path& path() const { return path_; }  // as given to open()
    std::filesystem::path folder_path() const;  // the archive, or the directory the files lie in
    const std::string& chosen() const { return chosen_; }  // empty unless a single file was given
    bool has(std::string_view name) const;
    // A file whose name differs from this one in small and capital letters alone; "" for none.
    std::string in_other_letters(std::string_view name) const;
    // sorted; for directories without their sub-folders' files
    const std::vector<std::string>& names() const { return names_; }
    // What messages call a file: "directory/name" or "archive.zip: folder/name".
    std::string label(std::string_view name) const;
    // The whole file in memory. Throws io_error (no such file, not readable), bad_model (broken archive or gzip data,
    // checksum, more bytes than budget_of() has, a pointer of Git LFS in place of the file), out_of_memory, unsupported
    // (encrypted, or packed by neither deflate nor, for single files, zstd).
    FileBytes read(std::string_view name) const;
    // The same for files of weights, which stay in their file where they are not packed: see file_map.h.
    FileBytes map(std::string_view name) const;
    // The first bytes of a file in memory, at most so many.
    FileBytes beginning(std::string_view name, std::size_t most = 4096) const;
    bool is_lfs_pointer(std::string_view name) const;  // what read() refuses; false where there is no such file
    // The files under a sub-folder, or null when there is none, also for a name that leads out of the set.
    virtual std::shared_ptr<const FileSet> folder(std::string_view name) const = 0;
    // Size of the archive, or of the files in the directory; nullopt for a folder in an archive, which counts as a
    // whole.
    uint64_t bytes_on_disk() const { return bytes_on_disk_; }

protected:
    FileSet() = default;
    virtual FileBytes load(const std::string& stored_name) const = 0;
    // The files in a zip archive; null where the file is no archive, or counts as a single file.
    static std::shared_ptr<const FileSet> archive_in(const FileBytes& file, const std::filesystem::path& path);
    // "opus/" when all of the sorted names lie under that folder, else "".
    static std::string common_folder(const std::vector<std::string>& names);
    static std::string_view packed_end(std::string_view name);  // ".gz", ".zst" or nothing
    // Fills names_ from the stored names, which must not repeat.
    void list(std::vector<std::string> stored);

    std::filesystem::path path_;
    std::string chosen_;
    std::string label_begin_;  // "directory/" or "archive.zip: folder/"
    uint64_t bytes_on_disk_ = 0;

private:
    FileBytes unpacked(std::string_view name) const;

    std::vector<std::string> names_;
    std::map<std::string, std::string, std::less<>> packed_;  // names that are stored as NAME.gz or NAME.zst: their end
};

}  // namespace dragoman
