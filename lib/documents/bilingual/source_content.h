// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "documents/bilingual/part.h"
#include "markup/token.h"
#include "markup/unit_builder.h"

namespace dragoman::documents {

// Whether an element is a segment of XLIFF 1.2.
bool is_segment(std::string_view source, const markup::Token& token);

// Reads the contents of elements that hold a source.
class SourceContent {
public:
    bool reads() const { return depth_ > 0; }
    // preserve: line ends are the text's own.
    void begin(const markup::Token& token, bool preserve = false);
    // Returns true when the element has ended.
    bool take(std::string_view source, const markup::Token& token);
    Range bytes() const { return content_; }
    // Adds the units of the last source: those of its segments where it is cut into some, or of all of it.
    // messages: a segment may be a message of ICU, each form of which is a unit. wanted: none means all.
    std::vector<BilingualSegment> finish(std::string_view source, Units& units, bool messages,
                                         const std::function<bool(const std::string& id)>& wanted = {});

    std::map<std::string, std::string, std::less<>> data;  // XLIFF 2: what inline codes stand for, by its name
    std::set<std::size_t> gaps;

private:
    struct Segment {
        Range bytes{};
        std::string id{};
        markup::UnitBuilder builder{};
    };
    void begin_segment(std::string_view source, const markup::Token& token);
    void end_segment(const markup::Token& token);
    void begin_kept(std::string_view source, const markup::Token& token, bool held);
    void end_kept(std::string_view source, Range whole);
    std::string_view data_of(std::string_view source, const markup::Token& token) const;
    void gap(Range bytes, char divider = '\n');
    void add_text(std::string_view source, const markup::Token& token);
    void add_lines(std::string_view source, markup::Token part);

    markup::UnitBuilder builder_, around_;  // of all, or of the open segment; of what is around that
    std::vector<Segment> segments_;
    std::size_t segment_depth_ = 0;  // 0: none is open
    Range content_{};
    bool preserve_ = false;
    bool word_ = false;   // the kept element stands for a word
    bool break_ = false;  // or for a line break
    std::size_t depth_ = 0, kept_ = 0, kept_begin_ = 0, last_ = 0;
    std::vector<std::size_t> open_;
};

}  // namespace dragoman::documents
