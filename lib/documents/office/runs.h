// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "documents/part.h"

namespace dragoman::documents {

// A run of a paragraph: a stretch with the same properties, in bytes of the part.
struct Run {
    Range begin{}, properties{}, end{};  // <w:r>, <w:rPr>...</w:rPr>, </w:r>; empty where there is none
    std::string meaning{};               // the properties that readers see
    std::string text_tag{};              // "w:t"
};

inline constexpr std::size_t kNoRun = SIZE_MAX;

// A piece of a paragraph, in order.
struct RunItem {
    enum class Kind { text, open, close, point };
    Kind kind = Kind::point;
    Range bytes{};
    std::size_t run = kNoRun;    // the run that contains it
    std::size_t other = 0;       // open, close: its other end
    std::string text{};          // decoded; of a point: a tab that is a character of its run
    std::string field{};         // point: begin, separate or end of a field
    std::string instruction{};   // point: of a field
    bool seen = false;           // point: readers see a thing there
    bool gap = false;            // point: a tab or a line break
    bool tab = false;            // point: a tab
    bool word = false;           // point: stands for a word of its sentence
};

struct RunParagraph {
    std::vector<Run> runs{};
    std::vector<RunItem> items{};
};

// A part of an Office document: paragraphs of runs.
class RunPart final : public SplicedPart {
public:
    // preserve: texts declare that their blanks count. lines: texts have line ends and tabs.
    RunPart(std::string source, bool preserve, bool lines)
        : SplicedPart(std::move(source), {}), preserve_(preserve), lines_(lines) {}
    // Makes a unit of the paragraph, if its text is translated and not in `kept`.
    void add(RunParagraph paragraph, const std::set<std::string>& kept);
    // Makes units of the lines and fields of a text without runs. quote: of an attribute; 0: it is a cell's.
    void add_lines(Range content, char quote);

private:
    // How a unit's translation is put into runs again.
    struct Wrapping {
        std::vector<Run> runs;
        std::size_t base = 0;                                // run of the text outside marks
        std::map<std::size_t, std::size_t> opens, points;    // the run, by the place of a pair's tag or of a point
        std::map<std::size_t, std::string> made;  // what is written for a point, where it is no stretch of the part
        std::set<std::size_t> closes, gaps;  // places of the ends of pairs, and of tabs and line breaks
        std::string before{}, after{};  // blanks around the text
    };
    markup::Edit edit(std::size_t unit, std::string_view target, std::span<const Range> places) const override;
    std::string begin_of(const Run& run) const;
    std::string written(const Run& run, std::string_view text) const;
    bool add_fields(const std::vector<RunItem>& items);

    const bool preserve_, lines_;
    std::vector<Wrapping> wrappings_;  // one for each unit
};

}  // namespace dragoman::documents
