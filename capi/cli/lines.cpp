// SPDX-License-Identifier: Apache-2.0
#include "lines.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "commands.h"

namespace cli {

Lines::Lines(std::vector<std::string> texts) : texts_(std::move(texts)), name_("argument") {}

Lines::Lines(const std::string& path) {
    if (path == "-") {
        name_ = "line";
        stream_ = &std::cin;
        return;
    }
    name_ = path + ": line";
    file_.open(path, std::ios::binary);
    if (!file_) throw Failure(fmt::format("{}: {}", path, std::strerror(errno)));
    std::error_code no_size;
    regular_ = std::filesystem::is_regular_file(path, no_size);
    size_bytes_ = std::filesystem::file_size(path, no_size);
    if (no_size) size_bytes_ = 0;
    stream_ = &file_;
}

bool Lines::next(std::string& line) {
    if (stream_) {
        if (!std::getline(*stream_, line)) {
            if (stream_->bad()) throw BadLine(fmt::format("{} {}: cannot be read", name_, count_ + 1));
            return false;
        }
        bytes_ += line.size() + 1;
        if (line.ends_with('\r')) line.pop_back();
    } else {
        if (count_ == texts_.size()) return false;
        line = texts_[count_];
    }
    ++count_;
    const std::size_t valid = dragoman_utf8_prefix(line.data(), line.size());
    if (valid != line.size()) throw BadLine(fmt::format("{} {}: invalid UTF-8 at byte {}", name_, count_, valid));
    return true;
}

double Lines::fraction() const {
    return size_bytes_ ? std::min(1.0, static_cast<double>(bytes_) / static_cast<double>(size_bytes_)) : 0.0;
}

}  // namespace cli
