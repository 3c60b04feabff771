// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

namespace dragoman {

// A file of records that only grows. Each goes to the system at once, with its size and a checksum in front, so that the
// end of the program loses none. Opening the file again gives its records in their order; one that was not written
// whole, and what follows it, is cut off. Throws io_error naming the file.
class RecordLog {
public:
    RecordLog(const std::filesystem::path& path, const std::function<void(std::string_view)>& each);
    RecordLog(const RecordLog&) = delete;

    void add(std::string_view record);
    void clear();
    uint64_t bytes() const { return bytes_; }  // of the file

private:
    void begin(std::ios::openmode mode);
    void check() const;

    const std::filesystem::path path_;
    std::ofstream file_;
    uint64_t bytes_ = 0;
};

}  // namespace dragoman
