// SPDX-License-Identifier: Apache-2.0
// One model per item of a list in JSON.
#include "base/error.h"
#include "registry/field_map.h"
#include "registry/shapes/json_list.h"
#include "registry/shapes/shapes.h"

namespace dragoman::registry {

ListContent read_entries(const Registry& registry, std::string_view body) {
    const FieldMap fields(registry);
    const JsonList json(registry, body);
    ListContent content;
    std::vector<Found> found;
    for (const nlohmann::json* value : json.items) {
        ++content.items;
        Item item{value, &json.list, {}, {}};
        try {
            if (!value->is_object()) fail(Status::bad_model, "expected an object, got {}", value->type_name());
            if (!fields.prepare(item)) continue;
            Found one = fields.found(item);
            one.entry.files = fields.files(item);
            found.push_back(std::move(one));
        } catch (const Error& error) {
            content.add_broken(fmt::format("item {}: {}", content.items, error.what()));
        }
    }
    add_found(std::move(found), content);
    return content;
}

}  // namespace dragoman::registry
