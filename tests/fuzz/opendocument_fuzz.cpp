// SPDX-License-Identifier: Apache-2.0
// The content of an OpenDocument file.
#include "fuzz/document.h"

namespace dragoman::test::opendocument_fuzz {

using test::Format;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::string part(reinterpret_cast<const char*>(data), size);
    const std::string type = "application/vnd.oasis.opendocument.text";
    return test::fuzz_document(documents::test::packed({{"mimetype", type}, {"content.xml", part}}), Format::odt, true);
}

}  // namespace dragoman::test::opendocument_fuzz
