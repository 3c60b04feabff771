// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "documents/readers.h"

namespace dragoman::documents {

// A row for each format: adding one means adding its row and its reader. Exactly one of the two readers is set.
struct FormatRow {
    Format format;
    std::string_view name;        // for the tool and the C API
    std::string_view extensions;  // endings of file names without the point, separated by blanks
    std::string_view root;        // local name of an XML document's root; empty: the root does not show it
    PartPtr (*read_file)(std::string source, const Languages& languages) = nullptr;
    void (*read_package)(const Package& package, const Languages& languages, const AddPart& add) = nullptr;
};

std::span<const FormatRow> format_table();
const FormatRow* row_of(Format format);  // null for Format::unknown

}  // namespace dragoman::documents
