// SPDX-License-Identifier: Apache-2.0
// A part of a Word (0), PowerPoint (1) or Excel (2) file; the first byte says which.
#include "fuzz/document.h"

namespace dragoman::test::office_fuzz {

using test::Format;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    struct Kind {
        Format format;
        const char *name, *type;
    };
    static constexpr Kind kKinds[] = {
        {Format::docx, "word/document.xml", "wordprocessingml.document.main"},
        {Format::pptx, "ppt/slides/slide1.xml", "presentationml.slide"},
        {Format::xlsx, "xl/sharedStrings.xml", "spreadsheetml.sharedStrings"},
    };
    const Kind& kind = kKinds[data[0] % 3];
    const std::string types = "<Types><Override PartName=\"/" + std::string(kind.name) +
                              "\" ContentType=\"application/vnd.openxmlformats-officedocument." + kind.type +
                              "+xml\"/></Types>";
    const std::string part(reinterpret_cast<const char*>(data) + 1, size - 1);
    return test::fuzz_document(documents::test::packed({{"[Content_Types].xml", types}, {kind.name, part}}),
                               kind.format, true);
}

}  // namespace dragoman::test::office_fuzz
