// SPDX-License-Identifier: Apache-2.0
// model.bin, and the configuration its variables imply.
#include "fuzz/fuzz.h"
#include "model/ctranslate2_config.h"
#include "model/ctranslate2_container.h"
#include "model/transformer_tensors.h"

using namespace dragoman;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::refusing([&] {
        const model::Ct2Container container = model::read_ct2_container(test::fuzz_file(data, size));
        for (const auto& [name, variable] : container.variables) test::touch(variable.tensor.bytes);
        const model::Ct2Variables variables(container);
        model::transformer_tensors(model::read_transformer_config(variables, std::nullopt));
    });
}
