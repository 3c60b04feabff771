// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/sentence.h"

#include <algorithm>

#include "text/cut_long.h"

namespace dragoman::pipeline {
namespace {

struct AnyField {
    template <class T>
    operator T() const;
};

// A field that stands in no group would be lost in parts.
template <class T>
concept OnlyGroups = requires { T{SentenceFacts(), ModelCall(), Outcome(), Retry(), false}; } &&
                     !requires { T{SentenceFacts(), ModelCall(), Outcome(), Retry(), false, AnyField()}; };
static_assert(OnlyGroups<Sentence>);

}  // namespace

Sentence part_of(const Sentence& whole, text::Range body, bool first) {
    Sentence part{whole, {}, {}, {}};
    part.range = {first ? whole.range.begin : body.begin, body.end};
    part.body = body;
    std::erase_if(part.protected_terms,
                  [&](const WantedTerm& term) { return term.range.begin < body.begin || body.end < term.range.end; });
    if (first) return part;
    part.continues = true;
    part.target_prefix = {};
    part.matches = {};
    return part;
}

std::span<const text::Range> kept_in(const Document& document, text::Range body) {
    const auto first = std::ranges::lower_bound(document.kept, body.begin, {}, &text::Range::begin);
    const auto last = std::ranges::upper_bound(document.kept, body.end, {}, &text::Range::end);
    return {first, std::max(first, last)};
}

Places::Place take_place(Document& document) {
    Places& places = document.places;
    Places::Place place = places.take();
    if (place.range.size() <= places.longest()) return place;
    text::Range rest = place.range;
    place.range = text::first_of_bytes(document.text, rest, places.longest(), kept_in(document, place.range));
    places.put_back(rest);
    return place;
}

std::string_view gap_between(std::string_view text, text::Range gap, bool same_sentence, std::string_view left,
                             std::string_view right) {
    const std::string_view between = text::part(text, gap);
    if (between.size() > 1 || left.empty() || right.empty()) return between;
    const int32_t source_left = text::character_before(text, gap.begin);
    const int32_t source_right = text::character_after(text, gap.end);
    const int32_t target_left = text::character_before(left, left.size());
    const int32_t target_right = text::character_after(right, 0);
    const bool source_spaced = !text::is_unspaced(source_left) && !text::is_unspaced(source_right);
    // Thai and its neighbours have spaces between sentences, and some have no other mark.
    const bool target_spaced = !text::is_spaceless(target_left) || !text::is_spaceless(target_right);
    if (between.empty()) {
        // A cut word continues; a sentence of a script without spaces ends in one with spaces.
        if (same_sentence && source_spaced) return between;
        return target_spaced && !text::is_space(target_left) && !text::is_space(target_right) ? " " : between;
    }
    return between == " " && source_spaced && !target_spaced ? std::string_view() : between;
}

}  // namespace dragoman::pipeline
