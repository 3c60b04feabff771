// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/translation.h"

#include <utility>

#include "base/release.h"
#include "pipeline/value/fields.h"

namespace dragoman::pipeline {
namespace {

template <class Call, class... Of, std::size_t... i>
void call_each(const Call& call, std::index_sequence<i...>, Of&&... of) {
    const auto at = [&]<std::size_t place>(std::integral_constant<std::size_t, place>) {
        call(std::get<place>(of)...);
    };
    (at(std::integral_constant<std::size_t, i>()), ...);
}

// Calls a function with each field of one translation or of several.
template <class Call, class First, class... More>
void for_each_field(const Call& call, First& first, More&... more) {
    constexpr std::size_t count = std::tuple_size_v<decltype(fields(first))>;
    call_each(call, std::make_index_sequence<count>(), fields(first), fields(more)...);
}

}  // namespace

void release_ranges(Translation& translation) { release(translation.ranges); }

void shift(Translation& translation, std::ptrdiff_t by) {
    translation.begin += std::size_t(by);
    for_each_field([&](auto& field) { shift(field, by); }, translation);
}

void append(Translation& all, Translation more, std::string_view gap) {
    shift(more, std::ptrdiff_t(all.range().end + gap.size() - more.begin));
    const Seam seam{gap};
    for_each_field([&](auto& field, auto& other) { append(field, std::move(other), seam); }, all, more);
}

void complete_attention(Translation& translation, std::size_t source_tokens) {
    if (translation.attention.empty()) translation.attention = Matrix(translation.tokens.size(), source_tokens);
}

Translation compose(const Translation& first, const Translation& second, std::span<const text::Range> between) {
    Translation both;
    both.begin = second.begin;
    const Pivot pivot{first, second, between};
    for_each_field([&](auto& field, const auto& a, const auto& b) { field = compose(a, b, pivot); }, both, first,
                   second);
    return both;
}

Translation cut(const Translation& whole, const Stretch& stretch) {
    Translation part;
    part.begin = stretch.target.begin;
    for_each_field([&](auto& field, const auto& of) { field = cut(of, stretch, whole); }, part, whole);
    return part;
}

}  // namespace dragoman::pipeline
