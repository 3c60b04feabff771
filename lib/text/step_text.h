// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// A text on its way through the steps of a tokenizer.json: its characters, and the bytes of the text that was given
// which each of them stands for.
struct StepText {
    std::vector<int32_t> characters;
    std::vector<Range> sources;  // one for each

    std::size_t size() const { return characters.size(); }
    bool empty() const { return characters.empty(); }
    void add(int32_t character, Range source) {
        characters.push_back(character);
        sources.push_back(source);
    }
    void append(const StepText& other, Range range) {
        for (std::size_t i = range.begin; i < range.end; ++i) add(other.characters[i], other.sources[i]);
    }
    // The bytes that characters stand for together.
    Range source(Range range) const {
        Range all = sources[range.begin];
        for (std::size_t i = range.begin; i < range.end; ++i) all.end = std::max(all.end, sources[i].end);
        return all;
    }
};

// UTF-8 of characters, and of a text the other way round.
void append_utf8(std::string& text, int32_t character);
std::string to_utf8(std::span<const int32_t> characters);
std::vector<int32_t> to_characters(std::string_view text);
// UTF-16, for ICU.
std::u16string to_utf16(std::span<const int32_t> characters);

}  // namespace dragoman::text
