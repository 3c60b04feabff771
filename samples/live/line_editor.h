// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// One line that is being typed; bytes as the terminal sends them.
class LineEditor {
public:
    enum class Event { none, changed, enter, end };

    Event feed(unsigned char byte);
    const std::string& text() const { return text_; }
    bool whole() const { return missing_ == 0; }  // not in the middle of a character
    void clear() { text_.clear(); }

private:
    enum class Escape { no, begun, sequence };
    std::string text_;
    std::size_t missing_ = 0;  // bytes of the last character
    Escape escape_ = Escape::no;
};

// The end of a text that fits into `columns`.
std::string tail(std::string_view text, std::size_t columns);
// Lines of at most `columns`, broken at spaces where there are any.
std::vector<std::string> fold(std::string_view text, std::size_t columns);
std::size_t columns_of(std::string_view text);
