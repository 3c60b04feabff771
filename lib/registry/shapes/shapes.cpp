// SPDX-License-Identifier: Apache-2.0
#include "registry/shapes/shapes.h"

#include <set>

#include "base/error.h"
#include "registry/data_keys.h"
#include "registry/field_map.h"

namespace dragoman::registry {
namespace {

const std::set<std::string> kCommonKeys = {"id",      "title",  "homepage", "publisher",
                                           "license", "notice", "shape",    "list"};
const std::set<std::string> kListKeys = {"at", "parts", "where", "languages", "corrections", "entry", "files"};

std::string shape_of(const Registry& registry) { return DataKeys(registry.data, registry.file).needed("shape"); }

bool has_list(const std::string& shape) {
    return shape == "entries" || shape == "records" || shape == "table" || shape == "lines";
}

}  // namespace

void check_shape(const Registry& registry) {
    const std::string shape = shape_of(registry);
    DataKeys keys(registry.data, registry.file);
    for (const std::string& key : kCommonKeys) keys.find(key);
    if (has_list(shape)) {
        keys.needed("list");
        for (const std::string& key : kListKeys) keys.find(key);
        const FieldMap checked(registry);
        if (shape == "records") keys.find("records"), check_records(registry);
        if (shape == "lines") keys.find("line"), check_lines(registry);
    } else if (shape == "hub") {
        keys.find("hub");
        check_hub(registry);
    } else if (shape != "address") {
        fail(Status::bad_model, "{}: expected entries, records, table, lines, hub or address, got {}", keys.at("shape"),
             shape);
    }
    if (!has_list(shape) && !registry.list_url.empty())
        fail(Status::bad_model, "{}: the shape {} has none", keys.at("list"), shape);
    keys.finish();
}

ListContent read_list(const Registry& registry, std::string_view body) {
    const std::string shape = shape_of(registry);
    if (shape == "entries") return read_entries(registry, body);
    if (shape == "records") return read_records(registry, body);
    if (shape == "table") return read_table(registry, body);
    return read_lines(registry, body);
}

Entry ask_registry(const Registry& registry, const std::string& model, bool offline, const download::Settings& settings,
                   const download::ProgressFn& progress) {
    if (shape_of(registry) == "address") return read_address(registry, model);
    if (offline)
        fail(Status::io_error, "{}:{}: not on this machine, and {} is not asked while offline", registry.id, model,
             registry.title);
    return ask_hub(registry, model, settings, progress);
}

}  // namespace dragoman::registry
