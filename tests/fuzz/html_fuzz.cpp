// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz.h"
#include "markup/check_units.h"

namespace dragoman::test::html_fuzz {

using namespace dragoman::markup;
using markup::test::rewritten;

namespace {

// The tokenizer alone does not know when it is in one.
bool has_foreign(std::string_view source) {
    std::string lower(source);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? char(c | 0x20) : c;
    return lower.find("<svg") != std::string::npos || lower.find("<math") != std::string::npos;
}

}  // namespace

// Any bytes are HTML. Units that are written anew leave the tags as they were, and lose no character.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::string_view source(reinterpret_cast<const char*>(data), size);
    const Units units = html_units(source, "en");
    DRAGOMAN_ASSERT(splice(source, {}) == source);
    const std::string again = rewritten(source, units, false);
    if (!has_foreign(source)) {
        DRAGOMAN_ASSERT(markup::test::tags(again) == markup::test::tags(source));
        DRAGOMAN_ASSERT(markup::test::letters(again) == markup::test::letters(source));
    }
    std::vector<Edit> edits;
    for (const Unit& unit : units.units) {
        const std::string_view plain = text::part(units.text, unit.plain);
        const std::string target = std::string(plain.substr(plain.size() / 2)) + " x " + std::string(plain);
        const AlignedSentence sentence{{0, plain.size()}, {0, target.size()}, {}};
        edits.push_back(edit(unit, target, project(unit, plain, target, std::span(&sentence, 1))));
    }
    splice(source, std::move(edits));
    return 0;
}

}  // namespace dragoman::test::html_fuzz
