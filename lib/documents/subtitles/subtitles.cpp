// SPDX-License-Identifier: Apache-2.0
// Timing, numbers and styling stay; a sentence that goes on in the next cue is translated as a whole and divided among
// its cues again.
#include <algorithm>
#include <map>

#include "documents/readers.h"
#include "documents/subtitles/file.h"
#include "documents/subtitles/layout.h"
#include "documents/subtitles/marked.h"

namespace dragoman::documents {
namespace {

constexpr uint64_t kGap = 2000;  // milliseconds: a sentence does not continue in a cue that begins later than this
constexpr std::size_t kMaxCues = 4;  // with more cues it is not a sentence but a text without full stops

// The words of one speaker in one cue: all lines of the cue, or one line of a dialogue.
struct Piece {
    std::size_t cue;
    Marked marked;
    bool alone;  // the only piece of its cue
};

// Joins lines that continue in the same style: "<i>one</i>" "<i>two</i>" becomes "<i>one two</i>".
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
           drop("«") || drop(" ")) {}
    return drop(".") || drop("!") || drop("?") || drop("…") || drop("。") || drop("！") || drop("？");
}

// Groups pieces that are translated as one text.
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
        if (i > 0 && groups.back().size() < kMaxCues && goes_on(pieces[i - 1], pieces[i])) groups.back().end = i + 1;
        else groups.push_back({i, i + 1});
    }
    return groups;
}

// Replaces what would end a cue, which its text must not contain.
std::string in_one_line(std::string text) {
    for (char& c : text) c = c == '\n' || c == '\r' ? ' ' : c;
    for (std::size_t at; (at = text.find("-->")) != std::string::npos;) text.replace(at, 3, "→");
    return text;
}

class Subtitles final : public Part {
public:
    explicit Subtitles(std::string source)
        : source_(std::move(source)), file_(parse_subtitles(source_)), pieces_(pieces_of(file_)),
          groups_(group(file_, pieces_)) {
        for (const Range& group : groups_) {
            std::string text;
            std::vector<markup::Mark> marks;
            std::vector<TagPair>& tags = tags_.emplace_back();
            for (std::size_t i = group.begin; i < group.end; ++i) {
                if (!text.empty()) text += ' ';
                add_marks(pieces_[i].marked, text.size(), marks, tags);
                text += pieces_[i].marked.text;
            }
            if (is_said(group)) add_unit(units_, {}, text);
            own_.push_back({std::move(text), {}});
            for (const markup::Mark& mark : marks) own_.back().places.push_back(mark.plain);
            if (!is_said(group)) continue;
            Unit& unit = units_.units.back();
            unit.in_order = std::ranges::any_of(marks, [](const markup::Mark& mark) {
                return mark.kind == markup::Mark::Kind::point;  // times, and tags that do not nest
            });
            unit.marks = std::move(marks);
        }
    }

    const Units& units() const override { return units_; }

    std::string write(std::span<const Translation> translations) const override {
        std::map<std::size_t, bool> changed;  // by cue: those whose text has changed
        std::vector<Text> texts = own_;
        for (std::size_t unit = 0, g = 0; g < groups_.size(); ++g) {
            if (!is_said(groups_[g])) continue;
            const Translation& translation = translations[unit];
            const Unit& source = units_.units[unit++];
            std::string target = in_one_line(translation.text);
            if (target == own_[g].text || text::trim(target, {0, target.size()}).size() == 0) continue;
            texts[g].places = markup::project(source, own_[g].text, target, translation.sentences);
            texts[g].text = std::move(target);
            for (std::size_t i = groups_[g].begin; i < groups_[g].end; ++i) changed[pieces_[i].cue] = true;
        }
        if (changed.empty()) return source_;
        SubtitleFile file = file_;
        for (const auto& [cue, one] : changed) file.cues[cue].text.clear();
        for (std::size_t g = 0; g < groups_.size(); ++g)
            if (changed.contains(pieces_[groups_[g].begin].cue)) put(g, texts[g], file);
        return print_subtitles(file);
    }

private:
    bool is_said(Range group) const { return has_words(pieces_[group.begin].marked.text); }

    // The text of a group, and the places of its tags.
    struct Text {
        std::string text;
        std::vector<Range> places;
    };

    void put(std::size_t g, const Text& text, SubtitleFile& file) const {
        const Range group = groups_[g];
        std::vector<std::size_t> shares;
        for (std::size_t i = group.begin; i < group.end; ++i) shares.push_back(visible_length(pieces_[i].marked.text));
        const std::vector<Range> parts = distribute(text.text, shares);
        const std::vector<std::string> tagged = put_tags(text.text, parts, tags_[g], text.places, file.format);
        for (std::size_t i = group.begin; i < group.end; ++i) {
            const Marked& frame = pieces_[i].marked;
            for (std::string& line : wrap(frame.prefix + tagged[i - group.begin] + frame.suffix))
                file.cues[pieces_[i].cue].text.push_back(std::move(line));
        }
    }

    const std::string source_;
    const SubtitleFile file_;
    const std::vector<Piece> pieces_;
    const std::vector<Range> groups_;
    std::vector<std::vector<TagPair>> tags_;  // for each group
    std::vector<Text> own_;
    Units units_;
};

}  // namespace

PartPtr read_subtitles(std::string source) { return std::make_unique<Subtitles>(std::move(source)); }

}  // namespace dragoman::documents
