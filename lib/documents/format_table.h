// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "documents/readers.h"

namespace dragoman::documents {

// A row for each format: adding one means adding its row and its reader. Exactly one of the two readers is set.
struct FormatRow {
    Format format;
    std::string_view name;        // as the tool and the C API take it
    std::string_view extensions;  // of files, without the point, between blanks
    std::string_view root;        // local name of an XML document's root; empty: that does not tell
    PartPtr (*read_file)(std::string source, const Languages& languages) = nullptr;
    void (*read_package)(const Package& package, const Languages& languages, const AddPart& add) = nullptr;
};

std::span<const FormatRow> format_table();
const FormatRow* row_of(Format format);  // null for Format::unknown

}  // namespace dragoman::documents
