// SPDX-License-Identifier: Apache-2.0
#include "formats/post_processor.h"
#include "formats/tokenizer_steps.h"
#include "fuzz/fuzz.h"
#include "text/step_words.h"

namespace dragoman::test::tokenizer_steps_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const FileBytes file = test::fuzz_file(data, size);
    test::refusing([&] { formats::read_text_template(file); });
    return test::refusing([&] {
        const text::StepWords steps(formats::read_tokenizer_steps(file));
        for (const char* text : {"", "dog  cat 12", " \u00c9a\u0301 \u72d7\u3002x\r\n"}) steps.words(text);
    });
}

}  // namespace dragoman::test::tokenizer_steps_fuzz
