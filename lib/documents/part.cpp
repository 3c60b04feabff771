// SPDX-License-Identifier: Apache-2.0
#include "documents/part.h"

namespace dragoman::documents {

std::string SplicedPart::write(std::span<const Translation> translations) const {
    std::vector<markup::Edit> edits;
    for (std::size_t i = 0; i < units_.units.size(); ++i) {
        const std::string_view target = translations[i].text;
        const bool said = text::trim(target, {0, target.size()}).size() > 0;
        if (!said || target == plain(i)) continue;
        edits.push_back(edit(i, target, markup::project(units_.units[i], plain(i), target, translations[i].sentences)));
    }
    if (edits.empty()) return source_;
    edits.insert(edits.end(), replaced_.begin(), replaced_.end());
    return markup::splice(source_, std::move(edits));
}

void strip_beside(markup::Edit& edit, const std::set<std::size_t>& gaps) {
    for (std::size_t p = 0; p < edit.pieces.size(); ++p) {
        if (!edit.pieces[p].copied || !gaps.contains(edit.pieces[p].range.begin)) continue;
        if (p > 0 && !edit.pieces[p - 1].copied) {
            Range& before = edit.pieces[p - 1].range;
            while (before.size() > 0 && edit.text[before.end - 1] == ' ') --before.end;
        }
        if (p + 1 < edit.pieces.size() && !edit.pieces[p + 1].copied) {
            Range& after = edit.pieces[p + 1].range;
            while (after.size() > 0 && edit.text[after.begin] == ' ') ++after.begin;
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

}  // namespace dragoman::documents
