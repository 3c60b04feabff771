// SPDX-License-Identifier: Apache-2.0
#include "documents/base_style.h"

#include <algorithm>
#include <map>
#include <vector>

#include "markup/ascii.h"

namespace dragoman::documents {
namespace {

using markup::Edit;
using markup::Mark;

constexpr std::string_view kSpan = "<text:span";

class Spans {
public:
    Spans(std::string_view source, const markup::Unit& unit) : source_(source), unit_(unit) {}

    bool is_span(std::size_t m) const {
        const Mark& mark = unit_.marks[m];
        return mark.kind == Mark::Kind::pair && mark.close.size() > 0 && tag(m).starts_with(kSpan);
    }
    std::string_view tag(std::size_t m) const { return text::part(source_, unit_.marks[m].open); }
    // Whether no other mark is around it.
    bool is_outermost(std::size_t m) const {
        if (!is_span(m)) return false;
        for (m = unit_.marks[m].parent; m != markup::kNoMark; m = unit_.marks[m].parent)
            if (is_span(m)) return false;
        return true;
    }
    // The tag around most letters; empty where some text has none.
    std::string_view base(std::string_view plain) const {
        std::map<std::string_view, std::size_t> letters;
        std::vector<bool> covered(plain.size());
        for (std::size_t m = 0; m < unit_.marks.size(); ++m) {
            if (!is_outermost(m)) continue;
            const text::Range range = unit_.marks[m].plain;
            letters[tag(m)] += range.size();
            std::fill(covered.begin() + std::ptrdiff_t(range.begin), covered.begin() + std::ptrdiff_t(range.end), true);
        }
        for (std::size_t at = 0; at < plain.size(); ++at)
            if (!covered[at] && !markup::is_blank(plain[at])) return {};
        const auto most = std::ranges::max_element(letters, {}, [](const auto& one) { return one.second; });
        return most == letters.end() ? std::string_view() : most->first;
    }

private:
    const std::string_view source_;
    const markup::Unit& unit_;
};

}  // namespace

BaseStyle::BaseStyle(std::string_view source, std::string_view plain, markup::Unit& unit) {
    const Spans spans(source, unit);
    const std::string_view base = spans.base(plain);
    if (base.empty()) return;
    open_ = base;
    std::vector<Mark> kept;
    std::vector<std::size_t> places(unit.marks.size(), markup::kNoMark);  // indices of kept marks
    for (std::size_t m = 0; m < unit.marks.size(); ++m) {
        Mark mark = unit.marks[m];
        if (mark.parent != markup::kNoMark) mark.parent = places[mark.parent];
        if (spans.is_outermost(m) && spans.tag(m) == base) {
            close_ = text::part(source, mark.close);
            places[m] = mark.parent;
            continue;
        }
        if (spans.is_span(m)) {
            opens_.insert(mark.open.begin);
            closes_.insert(mark.close.begin);
        } else if (mark.kind == Mark::Kind::pair) {
            links_.insert({mark.open.begin, mark.close.begin});
        }
        places[m] = kept.size();
        kept.push_back(mark);
    }
    unit.marks = std::move(kept);
}

Edit BaseStyle::put(const Edit& edit) const {
    if (open_.empty()) return edit;
    Edit result{.bytes = edit.bytes};
    std::size_t depth = 0, flushed = 0;
    bool inside = false;
    const auto turn = [&](bool on) {
        if (inside != on) result.text += on ? open_ : close_;
        inside = on;
    };
    const auto flush = [&] {
        if (result.text.size() > flushed) result.pieces.push_back({false, {flushed, result.text.size()}});
        flushed = result.text.size();
    };
    for (const Edit::Piece& piece : edit.pieces) {
        if (!piece.copied) {
            if (depth == 0) turn(true);
            result.text += text::part(edit.text, piece.range);
            continue;
        }
        const bool opens = opens_.contains(piece.range.begin), closes = closes_.contains(piece.range.begin);
        if (opens || closes || links_.contains(piece.range.begin)) turn(false);
        depth += opens;
        depth -= closes;
        flush();
        result.pieces.push_back(piece);
    }
    turn(false);
    flush();
    return result;
}

}  // namespace dragoman::documents
