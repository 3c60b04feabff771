// SPDX-License-Identifier: Apache-2.0
// Packages as they are: the archive, and what its members say of each other.
#include "fuzz/document.h"

namespace dragoman::test::document_package_fuzz {

using test::Format;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    Format format = documents::package_format(bytes);
    if (format == Format::unknown) format = Format::docx;
    return test::fuzz_document(std::move(bytes), format, false);
}

}  // namespace dragoman::test::document_package_fuzz
