// SPDX-License-Identifier: Apache-2.0
#include "inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/os/file.h"
#include "base/os/path_text.h"
#include "commands.h"

namespace cli {
namespace {

// A zero byte separates words, as people who list names by find -print0 mean it; models would see one word.
void part_at_zeros(std::string& text) { std::ranges::replace(text, '\0', ' '); }

// Half of the bytes are zero in most languages' UTF-16, which may have no byte order mark.
bool seems_utf16(std::string_view text) {
    return text.size() > 3 && 2 * std::size_t(std::ranges::count(text, '\0')) + 1 >= text.size();
}

// Files of some editors are in UTF-16; all else is told by its first wrong byte.
std::string invalid(std::string_view text, std::size_t valid, bool first) {
    const bool utf16 = first && (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"));
    if (!utf16 && seems_utf16(text)) return "expected UTF-8, got UTF-16, as its zero bytes say; convert the text";
    if (utf16)
        return "expected UTF-8, got UTF-16, as the byte order mark says; convert the text, or translate the file as a "
               "document (--document), which may be UTF-16";
    return fmt::format("invalid UTF-8 at byte {}", valid);
}

}  // namespace

bool stands_for_input(const std::vector<std::string>& texts) {
    return texts.empty() || (texts.size() == 1 && texts.front() == "-");
}

void check_input_stays(const std::string& input, const std::string& output) {
    if (output.empty()) return;
    const auto source = dragoman::path_of(input), target = dragoman::path_of(output);
    const bool read = input == "-", printed = output == "-";
    std::error_code none;
    const bool same = read && printed ? dragoman::os::have_one_file(stdin, stdout)
                      : read          ? dragoman::os::is_open_as(stdin, target)
                      : printed       ? dragoman::os::is_open_as(stdout, source)
                                      : std::filesystem::is_regular_file(source, none) &&
                                      std::filesystem::equivalent(source, target, none);
    if (same) throw Failure((printed ? "standard output" : output) + ": is the input file");
}

void note_files(const std::vector<std::string>& texts) {
    std::error_code none;
    for (const std::string& text : texts)
        if (std::filesystem::is_regular_file(dragoman::path_of(text), none))
            fmt::print(stderr, "dragoman: {0}: is a file, and taken as a text; --input {0} reads it\n", text);
}

Inputs::Inputs(std::vector<std::string> texts) : texts_(std::move(texts)), name_("argument") {}

Inputs::Inputs(const std::string& path, Unit unit) : unit_(unit) {
    if (path == "-") {
        name_ = "line";
        stream_ = &std::cin;
        return;
    }
    name_ = path + ": line";
    const std::filesystem::path file = dragoman::path_of(path);
    file_.open(file, std::ios::binary);
    if (!file_) throw Failure(fmt::format("{}: {}", path, std::strerror(errno)));
    std::error_code no_size;
    if (std::filesystem::is_directory(file, no_size)) throw Failure(path + ": is a folder; expected a file");
    regular_ = std::filesystem::is_regular_file(file, no_size);
    size_bytes_ = std::filesystem::file_size(file, no_size);
    if (no_size) size_bytes_ = 0;
    stream_ = &file_;
}

bool Inputs::next(std::string& input) {
    if (unit_ == Unit::whole) return next_whole(input);
    if (unit_ == Unit::paragraph) return next_paragraph(input);
    first_ = count_ + 1;
    return next_line(input);
}

std::string Inputs::place() const { return fmt::format("{} {}", name_, first_); }

// Also the empty one of an empty file.
bool Inputs::next_whole(std::string& text) {
    if (count_ > 0) return false;
    text.assign(std::istreambuf_iterator<char>(*stream_), {});
    if (stream_->bad()) throw Failure(fmt::format("{} 1: cannot be read", name_));
    first_ = count_ = 1;
    bytes_ = text.size();
    const std::size_t valid = dragoman_utf8_prefix(text.data(), text.size());
    if (valid == text.size()) return true;
    const auto lines = std::count(text.begin(), text.begin() + std::ptrdiff_t(valid), '\n');
    const std::string why = fmt::format("{} {}: {}", name_, 1 + lines, invalid(text, valid, true));
    throw BadInput(why, std::move(text));
}

bool Inputs::next_paragraph(std::string& paragraph) {
    first_ = count_ + 1;
    if (failure_) {
        first_ = count_;
        std::rethrow_exception(std::exchange(failure_, nullptr));
    }
    paragraph.clear();
    if (blank_) {
        first_ = count_;
        paragraph = *std::exchange(blank_, {});
        return true;
    }
    try {
        for (std::string line; next_line(line);) {
            const bool blank = line.find_first_not_of(" \t\v\f") == std::string::npos;
            if (!blank) {
                paragraph += (paragraph.empty() ? "" : "\n") + line;
            } else if (paragraph.empty()) {
                paragraph = std::move(line);
                return true;
            } else {
                blank_ = std::move(line);
                return true;
            }
        }
    } catch (const BadInput&) {  // what came before is not lost
        if (paragraph.empty()) throw;
        failure_ = std::current_exception();
    }
    return !paragraph.empty();
}

bool Inputs::next_line(std::string& line) {
    if (stream_) {
        if (!std::getline(*stream_, line)) {
            if (stream_->bad()) throw Failure(fmt::format("{} {}: cannot be read", name_, count_ + 1));
            return false;
        }
        bytes_ += line.size() + 1;
        if (line.ends_with('\r')) {
            line.pop_back();
            if (count_ == 0) *carriage_returns_ = true;
        }
    } else {
        if (count_ == texts_.size()) return false;
        line = texts_[count_];
    }
    ++count_;
    const std::size_t valid = dragoman_utf8_prefix(line.data(), line.size());
    if (valid == line.size() && !seems_utf16(line)) {
        part_at_zeros(line);
        return true;
    }
    const std::string why = fmt::format("{} {}: {}", name_, count_, invalid(line, valid, stream_ && count_ == 1));
    throw BadInput(why, std::move(line));
}

}  // namespace cli
