// SPDX-License-Identifier: Apache-2.0
#include "markup/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "markup/ascii.h"
#include "markup/entities.h"

namespace dragoman::markup {
namespace {

// Walks the marks as a tree, so that tags nest whatever the places are.
class EditWriter {
public:
    EditWriter(const Unit& unit, std::string_view target, std::span<const Range> places, std::span<const Unsure> unsure)
        : unit_(unit), target_(target), places_(places), unsure_(unsure), children_(unit.marks.size() + 1) {
        for (std::size_t m = 0; m < unit.marks.size(); ++m) {
            const std::size_t parent = unit.marks[m].parent;
            children_[parent == kNoMark ? unit.marks.size() : parent].push_back(m);
        }
        for (auto& siblings : children_)
            std::ranges::stable_sort(siblings, {}, [&](std::size_t m) { return places_[m].begin; });
        for (std::size_t m = 0; m < unit.marks.size(); ++m)
            if (unit.marks[m].kind == Mark::Kind::literal) literals_.push_back(places_[m]);
        std::ranges::sort(literals_, {}, &Range::begin);
    }

    Edit write() {
        edit_.bytes = unit_.bytes;
        const bool bare = unit_.attribute && unit_.quote == 0;
        if (bare) edit_.text += '"';
        std::vector<Level> levels{{unit_.marks.size(), 0, target_.size()}};
        while (!levels.empty()) {
            Level& level = levels.back();
            if (level.next < children_[level.mark].size()) {
                const std::size_t m = children_[level.mark][level.next++];
                put_until(std::min(places_[m].begin, level.end));
                if (unit_.marks[m].kind == Mark::Kind::literal) put_literal(m);
                else put_open(unit_.marks[m]);
                if (unit_.marks[m].kind == Mark::Kind::pair)
                    levels.push_back({m, 0, std::min(std::max(places_[m].end, at_), level.end)});
                continue;
            }
            put_until(level.end);
            if (level.mark < unit_.marks.size()) copy(unit_.marks[level.mark].close);
            levels.pop_back();
        }
        if (bare) edit_.text += '"';
        flush();
        return std::move(edit_);
    }

private:
    struct Level {
        std::size_t mark;
        std::size_t next;  // child
        std::size_t end;   // end of its part of the translation
    };

    void put_until(std::size_t end) {
        if (end <= at_) return;
        for (; next_literal_ < literals_.size() && literals_[next_literal_].begin < end; ++next_literal_) {
            put_text(literals_[next_literal_].begin);
            left_out_ = literals_[next_literal_].end > at_;
            at_ = std::max(at_, literals_[next_literal_].end);
        }
        put_text(end);
    }

    void put_text(std::size_t end) {
        if (at_ < end && std::exchange(left_out_, false) && blank_ && is_blank(target_[at_])) ++at_;
        if (end <= at_) return;
        put_owed();
        for (; !unsure_.empty() && unsure_.front().word.begin < end; unsure_ = unsure_.subspan(1)) {
            const auto& [word, score] = unsure_.front();
            put(std::max(word.begin, at_));
            edit_.text += fmt::format("<span class=\"dragoman-unsure\" data-score=\"{:.2f}\">", score);
            put(std::min(word.end, end));
            edit_.text += "</span>";
            if (word.end > end) break;  // it continues after a tag
        }
        put(end);
        blank_ = is_blank(target_[end - 1]);
    }

    void put(std::size_t end) {
        const char quote = !unit_.attribute ? '\0' : unit_.quote != 0 ? unit_.quote : '"';
        append_escaped(edit_.text, target_.substr(at_, end - at_), quote);
        at_ = end;
    }

    // Replaces its text by the literal; where the enclosing element cannot hold that, the literal follows as a word.
    void put_literal(std::size_t m) {
        put_owed();
        const bool at_home = places_[m].size() > 0 && at_ == places_[m].begin;
        if (!at_home && !blank_ && at_ > 0) put_blank();
        copy(unit_.marks[m].open);
        blank_ = false;
        owed_ = !at_home;
        if (at_home) at_ = places_[m].end;
    }

    // A point that readers see gets blanks where it had them.
    void put_open(const Mark& mark) {
        put_owed();
        const bool seen = mark.blank_before || mark.blank_after;
        if (mark.blank_before && at_ > 0 && !blank_ && !spaceless(at_, true)) put_blank();
        copy(mark.open);
        if (seen) blank_ = false;
        owed_ = mark.blank_after;
    }

    // Writes the blank after a point, behind the tags that close there.
    void put_owed() {
        if (!owed_) return;
        owed_ = false;
        const char next = at_ < target_.size() ? target_[at_] : ' ';
        const bool stops = std::string_view(" .,;:!?)]").find(next) != std::string_view::npos;
        if (!stops && !spaceless(at_, false)) put_blank();
    }

    // Whether the character before or after a place is of a script without blanks.
    bool spaceless(std::size_t place, bool before) const {
        const int32_t c = before ? text::previous_character(target_, place) : text::next_character(target_, place);
        return text::is_spaceless(c);
    }

    void put_blank() {
        edit_.text += ' ';
        blank_ = true;
    }

    void copy(Range bytes) {
        if (bytes.size() == 0) return;
        flush();
        edit_.pieces.push_back({true, bytes});
    }

    void flush() {
        if (edit_.text.size() > flushed_) edit_.pieces.push_back({false, {flushed_, edit_.text.size()}});
        flushed_ = edit_.text.size();
    }

    const Unit& unit_;
    const std::string_view target_;
    const std::span<const Range> places_;
    std::span<const Unsure> unsure_;  // not put yet
    std::vector<std::vector<std::size_t>> children_;  // for each mark, and for no mark
    std::vector<Range> literals_;  // bytes of the translation that literals replace, in order
    std::size_t next_literal_ = 0;
    Edit edit_;
    std::size_t at_ = 0, flushed_ = 0;
    bool blank_ = false;  // whether the last character is a blank
    bool left_out_ = false;  // a literal's text that is elsewhere
    bool owed_ = false;  // a blank is due before the next text
};

// A stretch of the document, or the pieces of an edit, of which a part is written.
struct Frame {
    Range range{};
    const Edit* edit = nullptr;
    std::size_t piece = 0;
};

}  // namespace

Edit edit(const Unit& unit, std::string_view target, std::span<const Range> places, std::span<const Unsure> unsure) {
    const bool may = !unit.attribute && !unit.text_only;
    return EditWriter(unit, target, places, may ? unsure : std::span<const Unsure>()).write();
}

std::string splice(std::string_view source, std::vector<Edit> edits) {
    std::ranges::sort(edits, [](const Edit& a, const Edit& b) {
        return a.bytes.begin != b.bytes.begin ? a.bytes.begin < b.bytes.begin : a.bytes.end > b.bytes.end;
    });
    std::string result;
    result.reserve(source.size() + source.size() / 4);
    std::vector<Frame> frames{{{0, source.size()}}};
    while (!frames.empty()) {
        Frame& frame = frames.back();
        if (frame.edit) {
            if (frame.piece == frame.edit->pieces.size()) {
                frames.pop_back();
                continue;
            }
            const Edit& edit = *frame.edit;
            const Edit::Piece& piece = edit.pieces[frame.piece++];
            if (piece.copied) frames.push_back({piece.range});
            else result += text::part(edit.text, piece.range);
            continue;
        }
        auto next = std::ranges::lower_bound(edits, frame.range.begin, {}, [](const Edit& e) { return e.bytes.begin; });
        while (next != edits.end() && next->bytes.begin < frame.range.end && next->bytes.end > frame.range.end) ++next;
        if (next == edits.end() || next->bytes.begin >= frame.range.end) {
            result += text::part(source, frame.range);
            frames.pop_back();
            continue;
        }
        result += source.substr(frame.range.begin, next->bytes.begin - frame.range.begin);
        frame.range.begin = next->bytes.end;
        frames.push_back({.edit = &*next});
    }
    return result;
}

}  // namespace dragoman::markup
