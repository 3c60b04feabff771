// SPDX-License-Identifier: Apache-2.0
#include "files/tar_archive.h"

#include "fuzz/fuzz.h"

namespace dragoman::test::tar_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::refusing([&] {
        const TarArchive archive(test::fuzz_file(data, size));
        for (const std::string& name : archive.names()) test::touch(archive.read(name).bytes);
    });
}

}  // namespace dragoman::test::tar_fuzz
