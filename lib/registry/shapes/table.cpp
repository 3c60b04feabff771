// SPDX-License-Identifier: Apache-2.0
// One model per line, with tabs between columns; lines that begin with '#' are comments.
#include "registry/shapes/text_lines.h"

namespace dragoman::registry {

ListContent read_table(const Registry& registry, std::string_view body) {
    return read_text_lines(registry, body, [](std::string_view line, std::vector<std::string>& columns) {
        if (line.starts_with('#')) return false;
        while (true) {
            const std::size_t tab = line.find('\t');
            columns.emplace_back(line.substr(0, tab));
            if (tab == line.npos) return true;
            line.remove_prefix(tab + 1);
        }
    });
}

}  // namespace dragoman::registry
