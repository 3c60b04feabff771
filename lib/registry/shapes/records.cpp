// SPDX-License-Identifier: Apache-2.0
// One file per item of a list in JSON; those of one pair and version are a model's.
#include <algorithm>
#include <map>

#include "base/error.h"
#include "registry/field_map.h"
#include "registry/filter_expression.h"
#include "registry/safe_text.h"
#include "registry/shapes/json_list.h"
#include "registry/shapes/shapes.h"

namespace dragoman::registry {
namespace {

struct RecordRules {
    explicit RecordRules(const Registry& registry) {
        DataKeys all(registry.data, registry.file);
        const nlohmann::json* rules = all.find("records");
        if (!rules) fail(Status::bad_model, "{}: expected an object, it is missing", all.at("records"));
        DataKeys keys(*rules, all.at("records"));
        keys.needed("set");
        keys.needed("role");
        set = keys.text_template("set");
        role = keys.text_template("role");
        newest = keys.text_template("newest");
        filter = keys.text_template("filter");
        for (const nlohmann::json& roles : keys.elements("sets")) {
            DataKeys inner(roles, keys.at("sets"));
            sets.push_back(inner.texts("roles"));
            inner.finish();
            if (sets.back().empty()) fail(Status::bad_model, "{}: expected roles", keys.at("sets"));
        }
        if (sets.empty()) fail(Status::bad_model, "{}: expected at least one", keys.at("sets"));
        optional = keys.texts("optional");
        if (const nlohmann::json* values = keys.find("environment")) {
            DataKeys inner(*values, keys.at("environment"));
            for (const auto& [name, unused] : values->items()) environment[name] = inner.text(name);
        }
        keys.finish();
    }

    TextTemplate set, role, newest, filter;
    std::vector<std::vector<std::string>> sets;
    std::vector<std::string> optional;
    std::map<std::string, std::string> environment;
};

struct Record {
    Item item;
    std::string newest;
};
using RecordSet = std::map<std::string, Record>;  // by role

// The roles of the first kind of set that is whole; empty: none is.
std::vector<std::string> whole_roles(const RecordRules& rules, const RecordSet& set) {
    for (const std::vector<std::string>& roles : rules.sets) {
        if (!std::ranges::all_of(roles, [&](const std::string& role) { return set.contains(role); })) continue;
        std::vector<std::string> whole = roles;
        for (const std::string& role : rules.optional)
            if (set.contains(role)) whole.push_back(role);
        return whole;
    }
    return {};
}

Found read_set(const FieldMap& fields, const RecordRules& rules, const std::string& name, const RecordSet& set) {
    const std::vector<std::string> roles = whole_roles(rules, set);
    if (roles.empty()) {
        std::vector<std::string> there;
        for (const auto& [role, unused] : set) there.push_back(shown_text(role));
        fail(Status::bad_model, "{}: expected {}, there are only {}", shown_text(name),
             fmt::join(rules.sets[0], " and "), fmt::join(there, ", "));
    }
    Found found = fields.found(set.at(roles[0]).item);
    for (const std::string& role : roles)
        for (RemoteFile& file : fields.files(set.at(role).item)) found.entry.files.push_back(std::move(file));
    return found;
}

}  // namespace

void check_records(const Registry& registry) { const RecordRules checked(registry); }

ListContent read_records(const Registry& registry, std::string_view body) {
    const FieldMap fields(registry);
    const RecordRules rules(registry);
    const JsonList json(registry, body);
    ListContent content;
    std::map<std::string, RecordSet> sets;
    for (const nlohmann::json* value : json.items) {
        ++content.items;
        Record record{{value, &json.list, {}, {}}, {}};
        try {
            if (!value->is_object()) fail(Status::bad_model, "expected an object, got {}", value->type_name());
            if (!fields.prepare(record.item)) continue;
            const std::string filter = rules.filter.fill_or_empty(record.item);
            const auto holds = filter_holds(filter, rules.environment);
            if (!holds) fail(Status::bad_model, "a filter that is not understood: {}", shown_text(filter));
            if (!*holds) continue;
            const auto role = rules.role.fill(record.item), set = rules.set.fill(record.item);
            if (!role || !set) fail(Status::bad_model, "a field is missing or empty");
            record.newest = rules.newest.fill_or_empty(record.item);
            const auto [old, is_new] = sets[*set].try_emplace(*role, record);
            if (!is_new && version_before(old->second.newest, record.newest)) old->second = std::move(record);
        } catch (const Error& error) {
            content.add_broken(fmt::format("item {}: {}", content.items, error.what()));
        }
    }
    std::vector<Found> found;
    for (const auto& [name, set] : sets) {
        try {
            found.push_back(read_set(fields, rules, name, set));
        } catch (const Error& error) {
            content.add_broken(error.what());
        }
    }
    add_found(std::move(found), content);
    return content;
}

}  // namespace dragoman::registry
