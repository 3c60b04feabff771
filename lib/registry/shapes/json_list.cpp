// SPDX-License-Identifier: Apache-2.0
#include "registry/shapes/json_list.h"

#include "base/error.h"
#include "registry/data_keys.h"
#include "registry/shapes/shapes.h"

namespace dragoman::registry {

JsonList::JsonList(const Registry& registry, std::string_view body) {
    const std::string at = DataKeys(registry.data, registry.file).text("at");
    const nlohmann::json* place = nullptr;
    try {
        list = nlohmann::json::parse(body);
        const nlohmann::json::json_pointer pointer(at);
        if (list.contains(pointer)) place = &list.at(pointer);
    } catch (const nlohmann::json::exception& error) {
        fail(Status::bad_model, "the list of {}: {}", registry.id, error.what());
    }
    if (!place || !place->is_structured())
        fail(Status::bad_model, "the list of {}: expected items at \"{}\", got {}", registry.id, at,
             place ? place->type_name() : "nothing");
    for (const nlohmann::json& element : *place) {
        if (!element.is_array()) items.push_back(&element);
        else
            for (const nlohmann::json& inner : element) items.push_back(&inner);
    }
    if (items.size() > kMostItems)
        fail(Status::bad_model, "the list of {}: expected at most {} items, got {}", registry.id, kMostItems,
             items.size());
}

}  // namespace dragoman::registry
