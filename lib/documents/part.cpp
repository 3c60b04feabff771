// SPDX-License-Identifier: Apache-2.0
#include "documents/part.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "markup/ascii.h"
#include "markup/glued_marks.h"
#include "text/amount.h"

namespace dragoman::documents {

std::string SplicedPart::write(std::span<const Translation> translations) const {
    std::vector<markup::Edit> all = edits(translations);
    if (all.empty()) return source_;
    all.insert(all.end(), replaced_.begin(), replaced_.end());
    return markup::splice(source_, std::move(all));
}

void SplicedPart::add_edit(std::size_t unit, const Translation& translation, std::vector<markup::Edit>& edits) const {
    const std::string_view target = translation.text;
    const bool said = text::trim(target, {0, target.size()}).size() > 0;
    if (!said || target == plain(unit)) return;
    edits.push_back(edit(unit, target, places_of(units_.units[unit], plain(unit), translation)));
}

namespace {

std::vector<std::size_t> all_of(std::string_view text, char c) {
    std::vector<std::size_t> found;
    for (std::size_t at = text.find(c); at != std::string_view::npos; at = text.find(c, at + 1)) found.push_back(at);
    return found;
}

// A line's end and a tab are where the translation has them.
void put_at_dividers(const Unit& unit, std::string_view plain, std::string_view target, std::vector<Range>& places) {
    for (const char divider : {'\n', '\t'}) {
        const std::vector<std::size_t> from = all_of(plain, divider), to = all_of(target, divider);
        if (from.size() != to.size()) continue;
        for (std::size_t i = 0; i < from.size(); ++i)
            for (std::size_t m = 0; m < unit.marks.size(); ++m)
                if (unit.marks[m].kind == markup::Mark::Kind::point && unit.marks[m].plain.begin == from[i] + 1)
                    places[m] = {to[i] + 1, to[i] + 1};
    }
}

// The places of names that literals have (UnitBuilder::kept).
std::map<std::string_view, std::size_t> names_in(std::string_view text) {
    std::map<std::string_view, std::size_t> names;
    for (std::size_t at = text.find('_'); at != std::string_view::npos; at = text.find('_', at + 1)) {
        const char open = at > 0 ? text[at - 1] : ' ';
        std::size_t end = at + 1;
        while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
        const bool closed = end < text.size() &&
                            ((open == '{' && text[end] == '}') || (open == '`' && text[end] == '`'));
        if (closed && end > at + 1) names.emplace(text.substr(at - 1, end + 2 - at), at - 1);
    }
    return names;
}

}  // namespace

void leave_out_names(Units& units) {
    std::string all;
    for (Unit& unit : units.units) {
        std::string text(text::part(units.text, unit.plain));
        markup::leave_out_literals(unit.marks, text);
        unit.plain = {all.size(), all.size() + text.size()};
        all += text + "\n\n";
    }
    units.text = std::move(all);
}

std::vector<Range> places_of(const Unit& unit, std::string_view plain, const Translation& translation) {
    const std::string_view target = translation.text;
    std::vector<markup::AlignedSentence> sentences = translation.sentences;
    if (sentences.empty()) sentences.push_back({{0, plain.size()}, {0, target.size()}, {}});
    Unit placed = unit;
    const auto names = names_in(target);
    for (markup::Mark& mark : placed.marks) {
        if (mark.kind != markup::Mark::Kind::literal) continue;
        const auto name = names.find(text::part(plain, mark.plain));
        const std::size_t at = name == names.end() ? target.size() : name->second;
        const auto next = std::ranges::upper_bound(sentences, at, {}, [](const auto& one) { return one.target.begin; });
        const bool found = name != names.end() && next != sentences.begin() &&
                           at + mark.plain.size() <= std::prev(next)->target.end;
        if (found) std::prev(next)->literals.push_back({mark.plain, {at, at + mark.plain.size()}});
        else mark.kind = markup::Mark::Kind::point;
    }
    std::vector<Range> places = markup::project(placed, plain, target, sentences);
    put_at_dividers(placed, plain, target, places);
    return places;
}

void strip_beside(markup::Edit& edit, const std::set<std::size_t>& gaps) {
    for (std::size_t p = 0; p < edit.pieces.size(); ++p) {
        if (!edit.pieces[p].copied || !gaps.contains(edit.pieces[p].range.begin)) continue;
        if (p > 0 && !edit.pieces[p - 1].copied) {
            Range& before = edit.pieces[p - 1].range;
            while (before.size() > 0 && markup::is_blank(edit.text[before.end - 1])) --before.end;
        }
        if (p + 1 < edit.pieces.size() && !edit.pieces[p + 1].copied) {
            Range& after = edit.pieces[p + 1].range;
            while (after.size() > 0 && markup::is_blank(edit.text[after.begin])) ++after.begin;
        }
    }
}

void add_unit(Units& units, Range bytes, std::string_view plain) {
    Unit unit{.bytes = bytes, .plain = {units.text.size(), units.text.size() + plain.size()}};
    units.text += plain;
    units.text += "\n\n";
    units.units.push_back(std::move(unit));
}

bool has_letter(std::string_view text) {
    for (std::size_t at = 0; at < text.size();)
        if (text::is_letter(text::next_character(text, at))) return true;
    return false;
}

bool is_translated(std::string_view text) { return has_letter(text) || text::is_amount(text); }

}  // namespace dragoman::documents
