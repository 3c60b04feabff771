// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/os/durable.h"
#include "download/answer.h"
#include "download/background_hash.h"

namespace dragoman::download {

// What is known of a file that is partly there, kept beside it.
struct PartialState {
    std::string url, etag, modified;  // of the answer that its bytes came with
    std::string sha256;               // that was expected
    uint64_t bytes = 0;               // of the whole file; 0: not known

    static PartialState read(const std::filesystem::path& file);  // an empty one where it is not there or broken
    void write(const std::filesystem::path& file) const;
};

// The bytes of a file that are there, with their hashes as they come.
class PartialFile {
public:
    PartialFile(const FileRequest& request, std::function<void()> moved);
    ~PartialFile();  // keeps what has come

    uint64_t have() const { return have_ + block_.size(); }
    uint64_t total() const;  // 0: not known
    // Whether all of it is there, by its size.
    bool whole() const { return total() > 0 && have() == total(); }

    // "Range" and "If-Range" for what is missing; empty: all of it.
    std::vector<std::string> range();
    // The file's bytes follow, from the beginning or from have() on.
    void begin_anew(const Answer& answer);
    void go_on(const Answer& answer);
    void drop();  // all that is there

    bool has_room() { return !hash_ || !hash_->full(); }
    void add(std::span<const std::byte> bytes);  // throws io_error: a full disk, more bytes than expected
    void flush_if_old();                         // what came long ago

    void end();                       // no more bytes come
    bool hashed() { return hash_->ended(); }
    FileResult result();              // once hashed; checks, and drops what is wrong

private:
    std::filesystem::path state_file() const;
    void flush();
    void start_hash();
    void check_length(const Answer& answer, uint64_t before) const;
    void check_encoding(const Answer& answer) const;
    void keep_state(const Answer& answer, uint64_t bytes);
    [[noreturn]] void wrong(const std::string& what);

    const FileRequest& request_;
    const Url url_;
    const std::function<void()> moved_;
    PartialState state_;
    uint64_t have_ = 0;  // written
    os::GrowingFile file_;
    bool open_ = false;
    std::vector<std::byte> block_;  // not yet written
    std::chrono::steady_clock::time_point flushed_;
    std::unique_ptr<BackgroundHash> hash_;
};

}  // namespace dragoman::download
