// SPDX-License-Identifier: Apache-2.0
// PyTorch checkpoints as they were before 1.6; archives, whose checksums stop most changes, come in here too.
#include "formats/torch_checkpoint.h"
#include "fuzz/fuzz.h"

namespace dragoman::test::torch_old_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::refusing([&] { test::read_all(formats::TorchCheckpoint(test::fuzz_file(data, size))); });
}

}  // namespace dragoman::test::torch_old_fuzz
