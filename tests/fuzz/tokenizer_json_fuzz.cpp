// SPDX-License-Identifier: Apache-2.0
#include "formats/tokenizer_json.h"

#include "formats/sentencepiece_file.h"
#include "formats/sentencepiece_model.h"
#include "fuzz/fuzz.h"

namespace dragoman::test::tokenizer_json_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const FileBytes file = test::fuzz_file(data, size);
    test::refusing([&] { formats::added_tokens_decoder(file); });
    return test::refusing([&] {
        const auto tokenizer = formats::read_tokenizer_json(file);
        formats::sentencepiece_pieces(tokenizer.sentencepiece);
    });
}

}  // namespace dragoman::test::tokenizer_json_fuzz
