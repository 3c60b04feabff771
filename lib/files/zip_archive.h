// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_bytes.h"

namespace dragoman {

// The members of a zip archive in memory or in a file that is mapped; it may be a 64-bit archive, with stored and deflated members.
// Immutable: any number of threads may use one.
class ZipArchive {
public:
    // Whether bytes begin as an archive does. The test is cheap, and does not promise that the archive can be read.
    static bool looks_like_one(std::span<const std::byte> bytes);

    // Throws bad_model, naming the file, for a broken directory and for names that repeat.
    explicit ZipArchive(FileBytes file);
    ~ZipArchive();
    ZipArchive(const ZipArchive&) = delete;
    ZipArchive& operator=(const ZipArchive&) = delete;

    const std::string& file() const { return file_.name; }
    uint64_t size_bytes() const { return file_.bytes.size(); }
    std::vector<std::string> names() const;  // sorted, without folders
    bool has(std::string_view name) const { return members_.contains(name); }
    // The size that a member claims; nothing is unpacked. Throws what read() throws.
    uint64_t unpacked_bytes(std::string_view name) const;
    // A member that is stored is a view of the archive (mapped where that is), any other one is unpacked to memory. The member's name in
    // messages is "archive: member". Throws io_error (no such member), bad_model (broken data,
    // checksum), unsupported (encrypted, or packed neither stored nor deflated), out_of_memory.
    FileBytes read(std::string_view name) const;

private:
    struct Library;
    uint64_t index_of(std::string_view name) const;
    std::span<const std::byte> stored_bytes(uint64_t index) const;

    FileBytes file_;
    std::unique_ptr<Library> library_;
    std::map<std::string, uint64_t, std::less<>> members_;
    std::vector<uint64_t> data_offsets_;  // by index; empty: unknown
};

}  // namespace dragoman
