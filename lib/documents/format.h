// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace dragoman::documents {

// Values equal dragoman_document_kind in the C API.
enum class Format : int {
    unknown = 0,
    text = 1,
    html = 2,
    xhtml = 3,
    srt = 4,
    vtt = 5,
    markdown = 6,
    docx = 7,
    pptx = 8,
    xlsx = 9,
    odt = 10,
    ods = 11,
    odp = 12,
    epub = 13,
    po = 14,
    xliff = 15,
    tmx = 16,
    json = 17,
    arb = 18,
    android = 19,
    strings = 20,
    ass = 21,
};

// "docx" ...
std::string_view name_of(Format format);
Format format_named(std::string_view name);  // unknown: no format has this name
// The format by a file's first bytes and a package's content, otherwise by the end of its name; unknown: neither shows
// it.
Format find_format(std::string_view file_name, std::string_view bytes);
bool is_package(Format format);

}  // namespace dragoman::documents
