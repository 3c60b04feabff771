// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace cli {

// A line that cannot be translated; the ones before it can.
struct BadLine : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Inputs one after the other: the command line's, or the lines of a file or of standard input without their line ends.
class Lines {
public:
    explicit Lines(std::vector<std::string> texts);
    explicit Lines(const std::string& path);  // "-": standard input; throws Failure

    bool next(std::string& line);  // throws BadLine for invalid UTF-8 and for errors of reading, naming the line
    bool is_file() const { return regular_; }  // all there already, unlike a pipe with a name
    bool may_be_slow() const { return stream_ && !is_file(); }
    double fraction() const;  // read so far, of a file

private:
    std::vector<std::string> texts_;
    std::string name_;
    std::ifstream file_;
    bool regular_ = false;
    std::istream* stream_ = nullptr;
    std::size_t count_ = 0;
    std::uintmax_t bytes_ = 0, size_bytes_ = 0;
};

}  // namespace cli
