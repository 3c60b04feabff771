// SPDX-License-Identifier: Apache-2.0
// The pickle of a PyTorch checkpoint, in an archive with two storages.
#include "formats/torch_checkpoint.h"
#include "fuzz/fuzz.h"
#include "support/zip_file.h"

namespace dragoman::test::torch_pickle_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    static const std::string storage(96, 'x');
    test::ZipFile zip;
    zip.add("x/data.pkl", {reinterpret_cast<const char*>(data), size}).add("x/data/0", storage).add("x/data/1", "1234");
    const auto bytes = std::make_shared<const std::string>(zip.bytes());
    return test::refusing([&] {
        const auto view = std::as_bytes(std::span(bytes->data(), bytes->size()));
        test::read_all(formats::TorchCheckpoint({.name = "input", .bytes = view, .owner = bytes}));
    });
}

}  // namespace dragoman::test::torch_pickle_fuzz
