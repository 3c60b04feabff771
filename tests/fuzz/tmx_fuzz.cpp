// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "tm/translation_memory.h"
#include "tm/tmx.h"

namespace dragoman::test::tmx_fuzz {

// TMX is refused, naming the line, or gives segments in UTF-8, which are found again where they are of use.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    std::vector<std::vector<dragoman::tm::Segment>> units;
    try {
        dragoman::tm::read_tmx({reinterpret_cast<const char*>(data), size},
                               [&](std::vector<dragoman::tm::Segment> unit) { units.push_back(std::move(unit)); });
    } catch (const Error& error) {
        DRAGOMAN_ASSERT(error.status() == Status::invalid_argument);
        DRAGOMAN_ASSERT(std::string_view(error.what()).starts_with("TMX, line "));
        return 0;
    }
    dragoman::tm::Segments segments;
    for (const auto& unit : units) {
        for (const dragoman::tm::Segment& segment : unit) DRAGOMAN_ASSERT(!first_invalid_utf8(segment.text));
        if (!segments.add(unit)) continue;
        const dragoman::tm::Segment &first = unit.front(), &last = unit.back();
        const auto from = spec::LanguageTag::find(first.language), to = spec::LanguageTag::find(last.language);
        if (!from || !to || from->language() == to->language()) continue;
        if (dragoman::tm::normal_form(first.text).empty() || dragoman::tm::normal_form(last.text).empty()) continue;
        DRAGOMAN_ASSERT(segments.exact(*from, *to, first.text).has_value());
    }
    return 0;
}

}  // namespace dragoman::test::tmx_fuzz
