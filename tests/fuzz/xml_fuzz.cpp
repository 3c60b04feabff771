// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "markup/check_units.h"

namespace dragoman::test::xml_fuzz {

using namespace dragoman::markup;
using markup::test::rewritten;

// XML is refused, naming the byte, or written anew as XML of the same elements.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::string_view source(reinterpret_cast<const char*>(data), size);
    if (first_invalid_utf8(source)) return 0;
    Units units;
    try {
        units = xml_units(source, "en");
    } catch (const Error& error) {
        DRAGOMAN_ASSERT(error.status() == Status::invalid_argument);
        return 0;
    }
    DRAGOMAN_ASSERT(xml_units(rewritten(source, units, true), "en").text == units.text);  // well-formed
    return 0;
}

}  // namespace dragoman::test::xml_fuzz
