// SPDX-License-Identifier: Apache-2.0
// Zip archives.
#include "fuzz/fuzz.h"

namespace dragoman::test::file_set_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::refusing([&] {
        const auto files = FileSet::open_archive(test::fuzz_file(data, size));
        for (const std::string& name : files->names()) {
            test::refusing([&] { test::touch(files->read(name).bytes); });
            files->folder(name.substr(0, name.find('/')));
        }
    });
}

}  // namespace dragoman::test::file_set_fuzz
