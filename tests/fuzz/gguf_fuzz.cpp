// SPDX-License-Identifier: Apache-2.0
#include "families/gguf/gguf.h"

#include "fuzz/fuzz.h"

namespace dragoman::test::gguf_fuzz {

// Every tensor that a model takes from the file, as f32.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::refusing([&] {
        const spec::ModelSpec spec = families::load_gguf(test::fuzz_file(data, size));
        std::vector<float> values;
        for (const auto& [name, tensor] : spec.weights.tensors()) {
            test::touch_all(tensor);
            values.resize(tensor.elements());
            spec::to_f32(tensor, 0, values);
        }
        test::touch(spec.source.sentencepiece.bytes);
        test::touch(spec.target.sentencepiece.bytes);
        if (spec.shortlist) spec.shortlist->allowed({});
    });
}

}  // namespace dragoman::test::gguf_fuzz
