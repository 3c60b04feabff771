// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace dragoman::download {

// The bytes of a file in order; those of a .gz file unpacked, with its checksums checked, which libarchive leaves out.
class PackedSource {
public:
    explicit PackedSource(const std::filesystem::path& file);  // throws io_error
    ~PackedSource();

    bool gzip() const { return inflate_ != nullptr; }
    uint64_t packed_bytes() const { return packed_bytes_; }  // read so far
    const std::string& name() const { return name_; }
    // The next bytes, valid until the next call; empty at the end. Throws bad_model.
    std::span<const std::byte> read();

private:
    struct Inflate;
    bool fill();
    const std::string name_;
    std::ifstream in_;
    std::vector<std::byte> packed_, unpacked_;
    std::size_t at_ = 0, end_ = 0;  // what is left of packed_
    uint64_t packed_bytes_ = 0;
    std::unique_ptr<Inflate> inflate_;
};

}  // namespace dragoman::download
