// SPDX-License-Identifier: Apache-2.0
#include "formats/shortlist_file.h"

#include "fuzz/fuzz.h"

namespace dragoman::test::shortlist_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const uint32_t every[] = {0, 1, 2, 3};
    test::refusing([&] {
        formats::read_shortlist(test::fuzz_file(data, size), {.source = 4, .target = 20}).allowed(every);
    });
    const std::vector<std::string> tokens = {"</s>", "<unk>", "a", "b"};
    return test::refusing([&] {
        formats::read_lexicon(test::fuzz_file(data, size), tokens, tokens, "<unk>", {.first = 1, .best = 2})
            .allowed(every);
    });
}

}  // namespace dragoman::test::shortlist_fuzz
