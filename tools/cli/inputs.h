// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cli {

// An input that cannot be translated; the others can.
struct BadInput : std::runtime_error {
    BadInput(const std::string& message, std::string bytes) : std::runtime_error(message), input(std::move(bytes)) {}
    std::string input;
};

// Whether arguments leave the texts to the input: there are none, or "-" alone.
bool stands_for_input(const std::vector<std::string>& texts);

// Refuses an output that is the file that inputs are read from; "-": standard input and output. What is read is needed
// until the end. Throws Failure.
void check_input_stays(const std::string& input, const std::string& output);

// Says of texts that are the names of files that they are taken as texts.
void note_files(const std::vector<std::string>& texts);

// Inputs one after the other: the texts of the command line, or the lines of a file or of standard input without their
// line ends.
class Inputs {
public:
    explicit Inputs(std::vector<std::string> texts);
    // An input of a stream: a line, the lines up to a blank one, or all of it.
    enum class Unit { line, paragraph, whole };
    // "-": standard input. Throws Failure.
    Inputs(const std::string& path, Unit unit);
    Inputs(const Inputs&) = delete;  // the stream may be its own file

    // Throws BadInput for invalid UTF-8, naming the line, after which the next one can be read, and Failure for errors
    // of reading.
    bool next(std::string& input);
    std::string place() const;  // of the input that was read last: "file: line 3", its first one
    bool is_file() const { return regular_; }  // complete from the start, unlike a named pipe
    bool may_be_slow() const { return stream_ && !is_file(); }
    uint64_t size() const { return size_bytes_; }  // of a file; 0: not known
    uint64_t read() const { return bytes_; }  // of it so far
    // Whether the first line of a stream ended with a carriage return, as soon as it is read; from any thread.
    std::shared_ptr<const std::atomic<bool>> carriage_returns() const { return carriage_returns_; }

private:
    bool next_line(std::string& line);
    bool next_paragraph(std::string& paragraph);
    bool next_whole(std::string& text);

    std::vector<std::string> texts_;
    std::string name_;
    std::ifstream file_;
    bool regular_ = false;
    Unit unit_ = Unit::line;
    std::istream* stream_ = nullptr;
    std::optional<std::string> blank_{};  // the blank line after a paragraph, an input of its own
    std::exception_ptr failure_;  // what went wrong after a paragraph
    std::size_t count_ = 0, first_ = 0;  // lines so far; the first one of the input
    std::uintmax_t bytes_ = 0, size_bytes_ = 0;
    const std::shared_ptr<std::atomic<bool>> carriage_returns_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace cli
