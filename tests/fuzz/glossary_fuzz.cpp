// SPDX-License-Identifier: Apache-2.0
#include "text/glossary.h"

#include "base/utf8.h"
#include "fuzz/fuzz.h"

namespace dragoman::test::glossary_fuzz {

namespace {

template <class Read>
void refusing(Read&& read) {
    try {
        read();
    } catch (const Error& error) {
        DRAGOMAN_ASSERT(error.status() == Status::invalid_argument);
    }
}

}  // namespace

// A glossary is refused, or gives terms that are found again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (const auto& [from, to] : {std::pair{"", ""}, std::pair{"de", "en"}})
        refusing([&] {
            const auto entries = text::read_glossary(bytes, from, to);
            const text::Glossary glossary(entries);
            DRAGOMAN_ASSERT(glossary.size() <= entries.size() || entries.empty());
            for (const text::GlossaryEntry& entry : entries) {
                DRAGOMAN_ASSERT(!first_invalid_utf8(entry.source));
                for (const text::GlossaryMatch& match : glossary.find(entry.source))
                    DRAGOMAN_ASSERT(match.range.end <= entry.source.size() && match.range.begin < match.range.end);
            }
        });
    return 0;
}

}  // namespace dragoman::test::glossary_fuzz
