// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/error.h"
#include "registry/field_map.h"
#include "registry/shapes/shapes.h"

namespace dragoman::registry {

// Reads a list of one model per line. `columns_of(line, columns)` tells whether the line is a model, and throws
// bad_model for a broken one.
template <class ColumnsOf>
ListContent read_text_lines(const Registry& registry, std::string_view body, ColumnsOf&& columns_of) {
    const FieldMap fields(registry);
    ListContent content;
    std::vector<Found> found;
    if (body.find('\0') != body.npos) fail(Status::bad_model, "the list of {}: expected text, got bytes", registry.id);
    std::size_t number = 0;
    while (!body.empty()) {
        const std::size_t end = body.find('\n');
        std::string_view line = body.substr(0, end);
        body = end == body.npos ? std::string_view() : body.substr(end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        ++number;
        if (line.empty()) continue;
        if (++content.items > kMostItems)
            fail(Status::bad_model, "the list of {}: expected at most {} lines", registry.id, kMostItems);
        try {
            Item item;
            if (!columns_of(line, item.columns) || !fields.prepare(item)) continue;
            Found one = fields.found(item);
            one.entry.files = fields.files(item);
            found.push_back(std::move(one));
        } catch (const Error& error) {
            content.add_broken(fmt::format("line {}: {}", number, error.what()));
        }
    }
    add_found(std::move(found), content);
    return content;
}

}  // namespace dragoman::registry
