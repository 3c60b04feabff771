// SPDX-License-Identifier: Apache-2.0
// Languages as people and models write them.
#include "fuzz/fuzz.h"
#include "spec/language_names.h"
#include "spec/language_tag.h"

namespace dragoman::test::languages_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<spec::LanguageTag> available;
    for (const char* code : {"de", "en", "pt-BR", "zh-Hant", "sr-Latn", "es-419", "nb"})
        available.push_back(*spec::LanguageTag::find(code));
    if (const auto tag = spec::LanguageTag::find(text)) {
        const auto again = spec::LanguageTag::find(tag->str());
        DRAGOMAN_ASSERT(!tag->known() || (again && *again == *tag));
        tag->name();
        tag->likely_script();
        const auto best = spec::best_match(*tag, available);
        DRAGOMAN_ASSERT(!best || *best < available.size());
    }
    spec::language_named(text);
    spec::code_of_language(text);
    if (size <= 200)
        for (const std::size_t index : spec::nearest(text, available)) DRAGOMAN_ASSERT(index < available.size());
    return 0;
}

}  // namespace dragoman::test::languages_fuzz
