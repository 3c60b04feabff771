// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "commands.h"

namespace cli {

// Writes translations as a command wants them.
class Output {
public:
    Output(const TranslateCommand& command, std::ostream& out) : command_(command), out_(out) {}
    void write(const std::vector<std::string>& inputs, const dragoman::Result& result);  // throws Failure
    std::size_t count() const { return count_; }  // inputs so far

private:
    std::string text(const dragoman::Result& result, std::size_t input, std::size_t hypothesis) const;
    void write_plain(const dragoman::Result& result, std::size_t i);
    void write_table(std::span<const dragoman_string> source, std::span<const dragoman_string> target,
                     const dragoman_matrix& attention);
    void write_json(const std::string& source, const dragoman::Result& result, std::size_t i);
    Json sentences(const dragoman::Result& result, std::size_t i, std::size_t h) const;

    const TranslateCommand& command_;
    std::ostream& out_;
    std::size_t count_ = 0;
};

}  // namespace cli
