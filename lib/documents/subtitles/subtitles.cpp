// SPDX-License-Identifier: Apache-2.0
// Timing, numbers and styling stay; a sentence that goes on in the next cue is translated as a whole and divided among
// its cues again.
#include <map>

#include "documents/readers.h"
#include "documents/subtitles/file.h"
#include "documents/subtitles/layout.h"
#include "documents/subtitles/marked.h"

namespace dragoman::documents {
namespace {

constexpr uint64_t kGap = 2000;      // milliseconds: a sentence does not go on in a cue that begins later than this
constexpr std::size_t kMostCues = 4; // with more it is not a sentence but a text without full stops

// What one speaker says in one cue: all lines of the cue, or one line of a dialogue.
struct Piece {
    std::size_t cue;
    Marked marked;
    bool alone;  // the only piece of its cue
};

// Lines that go on with the same style: "<i>one</i>" "<i>two</i>" is "<i>one two</i>".
std::string join_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : " ") + line;
    for (const std::string seam : {"</i> <i>", "</b> <b>", "</u> <u>"}) {
        for (std::size_t at; (at = text.find(seam)) != std::string::npos;) text.replace(at, seam.size(), " ");
    }
    return text;
}

bool starts_with_dash(const Marked& marked) {
    return marked.before.find('-') != std::string::npos || marked.before.find("–") != std::string::npos ||
           marked.before.find("—") != std::string::npos;
}

std::vector<Piece> pieces_of(const SubtitleFile& file) {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < file.cues.size(); ++i) {
        std::vector<Marked> lines;
        bool dialogue = file.cues[i].text.size() > 1;
        for (const std::string& line : file.cues[i].text) {
            lines.push_back(take_markup(line, file.format));
            dialogue = dialogue && starts_with_dash(lines.back());
        }
        if (!dialogue) lines = {take_markup(join_lines(file.cues[i].text), file.format)};
        for (Marked& line : lines) pieces.push_back({i, std::move(line), !dialogue});
    }
    return pieces;
}

bool ends_sentence(std::string_view text) {
    const auto drop = [&](std::string_view mark) {
        const bool found = text.ends_with(mark);
        if (found) text.remove_suffix(mark.size());
        return found;
    };
    while (drop("\"") || drop("'") || drop(")") || drop("]") || drop("”") || drop("’") || drop("“") || drop("»") ||
           drop("«") || drop(" ")) {
    }
    return drop(".") || drop("!") || drop("?") || drop("…") || drop("。") || drop("！") || drop("？");
}

// Pieces that are translated as one text.
std::vector<Range> group(const SubtitleFile& file, const std::vector<Piece>& pieces) {
    const auto goes_on = [&](const Piece& a, const Piece& b) {
        const Cue& first = file.cues[a.cue];
        const Cue& second = file.cues[b.cue];
        return a.alone && b.alone && a.marked.after.empty() && b.marked.before.empty() && has_words(a.marked.text) &&
               has_words(b.marked.text) && second.begin_ms >= first.begin_ms &&
               second.begin_ms <= first.end_ms + kGap && !ends_sentence(a.marked.text);
    };
    std::vector<Range> groups;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i > 0 && groups.back().size() < kMostCues && goes_on(pieces[i - 1], pieces[i])) groups.back().end = i + 1;
        else groups.push_back({i, i + 1});
    }
    return groups;
}

// What would end a cue must not stand in its text.
std::string in_one_line(std::string text) {
    for (char& c : text) c = c == '\n' || c == '\r' ? ' ' : c;
    for (std::size_t at; (at = text.find("-->")) != std::string::npos;) text.replace(at, 3, "→");
    return text;
}

class Subtitles final : public Part {
public:
    explicit Subtitles(std::string source)
        : source_(std::move(source)), file_(parse_subtitles(source_)), pieces_(pieces_of(file_)), groups_(group(file_, pieces_)) {
        for (const Range& group : groups_) {
            std::string text;
            for (std::size_t i = group.begin; i < group.end; ++i) text += (text.empty() ? "" : " ") + pieces_[i].marked.text;
            if (is_said(group)) add_unit(units_, {}, text);
        }
    }

    const Units& units() const override { return units_; }

    std::string write(std::span<const Translation> translations) const override {
        std::map<std::size_t, bool> changed;  // by cue: those whose text is another one now
        std::vector<std::string> texts;
        for (std::size_t unit = 0, g = 0; g < groups_.size(); ++g) {
            if (!is_said(groups_[g])) {
                texts.push_back(pieces_[groups_[g].begin].marked.text);
                continue;
            }
            texts.push_back(in_one_line(translations[unit].text));
            if (texts.back() != text::part(units_.text, units_.units[unit].plain))
                for (std::size_t i = groups_[g].begin; i < groups_[g].end; ++i) changed[pieces_[i].cue] = true;
            ++unit;
        }
        if (changed.empty()) return source_;
        SubtitleFile file = file_;
        for (const auto& [cue, one] : changed) file.cues[cue].text.clear();
        for (std::size_t g = 0; g < groups_.size(); ++g)
            if (changed.contains(pieces_[groups_[g].begin].cue)) put(groups_[g], texts[g], file);
        return print_subtitles(file);
    }

private:
    bool is_said(Range group) const { return has_words(pieces_[group.begin].marked.text); }

    void put(Range group, std::string_view text, SubtitleFile& file) const {
        std::vector<std::size_t> shares;
        for (std::size_t i = group.begin; i < group.end; ++i) shares.push_back(visible_length(pieces_[i].marked.text));
        const std::vector<std::string> parts = distribute(text, shares);
        for (std::size_t i = group.begin; i < group.end; ++i) {
            const std::string marked = put_markup(pieces_[i].marked, parts[i - group.begin], file.format);
            for (std::string& line : wrap(marked)) file.cues[pieces_[i].cue].text.push_back(std::move(line));
        }
    }

    const std::string source_;
    const SubtitleFile file_;
    const std::vector<Piece> pieces_;
    const std::vector<Range> groups_;
    Units units_;
};

}  // namespace

PartPtr read_subtitles(std::string source) { return std::make_unique<Subtitles>(std::move(source)); }

}  // namespace dragoman::documents
