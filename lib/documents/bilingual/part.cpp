// SPDX-License-Identifier: Apache-2.0
#include "documents/bilingual/part.h"

#include <utility>

#include "markup/entities.h"

namespace dragoman::documents {
namespace {

// A message's translation, in which signs of XML are references where the message has none of its own.
std::string with_references(std::string_view text, std::string_view message) {
    const bool tags = message.find('<') != message.npos;
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t end = text[at] == '&' ? text.find_first_of("; <&", at + 1) : text.npos;
        const bool reference = end != text.npos && text[end] == ';';
        if (text[at] == '&' && !reference) result += "&amp;";
        else if (text[at] == '<' && !tags) result += "&lt;";
        else result += text[at];
    }
    return result;
}

// Builds an edit from one end to the other.
class PlaceEdit {
public:
    explicit PlaceEdit(Range bytes) { edit_.bytes = bytes; }
    void add(std::string_view text) {
        if (text.empty()) return;
        edit_.pieces.push_back({false, {edit_.text.size(), edit_.text.size() + text.size()}});
        edit_.text += text;
    }
    void copy(Range bytes) {
        if (bytes.size() > 0) edit_.pieces.push_back({true, bytes});
    }
    void add(const markup::Edit& edit) {
        for (const markup::Edit::Piece& piece : edit.pieces) {
            if (piece.copied) copy(piece.range);
            else add(text::part(edit.text, piece.range));
        }
    }
    markup::Edit finish() { return std::move(edit_); }

private:
    markup::Edit edit_;
};

}  // namespace

BilingualPart::BilingualPart(std::string source, Units units, std::vector<BilingualPlace> places,
                             std::set<std::size_t> gaps)
    : SplicedPart(std::move(source), std::move(units)), places_(std::move(places)), gaps_(std::move(gaps)),
      accelerators_(units_.units.size(), nullptr) {
    for (const BilingualPlace& place : places_)
        for (const BilingualSegment& segment : place.segments)
            if (segment.message.units.size() == 0) accelerators_[segment.units.begin] = &segment.accelerator;
}

std::vector<markup::Edit> BilingualPart::edits(std::span<const Translation> translations) const {
    std::vector<markup::Edit> found;
    for (const BilingualPlace& place : places_) {
        std::vector<markup::Edit> segments;
        for (const BilingualSegment& segment : place.segments) add_segment(segment, translations, segments);
        if (segments.empty()) continue;
        PlaceEdit whole(place.bytes);
        whole.add(place.before);
        std::size_t done = place.content.begin;
        for (const markup::Edit& segment : segments) {
            whole.copy({done, segment.bytes.begin});
            whole.add(segment);
            done = segment.bytes.end;
        }
        whole.copy({done, place.content.end});
        whole.add(place.after);
        found.push_back(whole.finish());
    }
    return found;
}

// Adds the change of a segment in a copy of its source.
void BilingualPart::add_segment(const BilingualSegment& segment, std::span<const Translation> translations,
                                std::vector<markup::Edit>& edits) const {
    if (segment.message.units.size() == 0)
        return add_edit(segment.units.begin, translations[segment.units.begin], edits);
    const std::string text = translated(units_, segment.message, translations);
    if (text == segment.message.text) return;
    PlaceEdit edit(segment.bytes);
    edit.add(with_references(text, segment.message.text));
    edits.push_back(edit.finish());
}

markup::Edit BilingualPart::edit(std::size_t unit, std::string_view target, std::span<const Range> marks) const {
    std::vector<Range> placed(marks.begin(), marks.end());
    const std::string text = with_accelerator(*accelerators_[unit], target, units_.units[unit], placed);
    markup::Edit edit = SplicedPart::edit(unit, text, placed);
    strip_beside(edit, gaps_);
    return edit;
}

std::string escaped_attribute(std::string_view text) {
    std::string result;
    markup::append_escaped(result, text, '"');
    return result;
}

}  // namespace dragoman::documents
