// SPDX-License-Identifier: Apache-2.0
// model.bin, and the configuration its variables imply.
#include "families/ctranslate2/ctranslate2_config.h"
#include "formats/ctranslate2_container.h"
#include "fuzz/fuzz.h"
#include "spec/transformer_tensors.h"

namespace dragoman::test::ctranslate2_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::refusing([&] {
        const formats::Ct2Container container = formats::read_ct2_container(test::fuzz_file(data, size));
        for (const auto& [name, variable] : container.variables) test::touch(variable.tensor.bytes);
        const families::Ct2Variables variables(container);
        spec::transformer_tensors(families::read_transformer_config(variables, std::nullopt));
    });
}

}  // namespace dragoman::test::ctranslate2_fuzz
