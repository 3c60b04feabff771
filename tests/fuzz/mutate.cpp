// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate.h"

#include <vector>

namespace dragoman::test {
namespace {

using Json = nlohmann::json;

void collect(Json& value, std::vector<Json*>& all, int depth = 0) {
    all.push_back(&value);
    if (depth > 60 || all.size() > 4000) return;
    if (value.is_structured())
        for (Json& each : value) collect(each, all, depth + 1);
}

Json any_value(Chance& chance) {
    switch (chance.below(12)) {
        case 0: return nullptr;
        case 1: return chance.one_in(2);
        case 2: return chance.number(64);
        case 3: return -static_cast<int64_t>(chance.number(62));
        case 4: return 1e308;
        case 5: return 0.5;
        case 6: return "";
        case 7: return std::string(chance.below(300), 'a');
        case 8: return std::string("\0\xc3\xa4", 3);
        case 9: return Json::array();
        case 10: return Json::object();
        default: return Json::array({chance.number(33), chance.number(8)});
    }
}

void change_structure(Json& value, Chance& chance, const std::vector<Json*>& all) {
    if (value.empty() || chance.one_in(3)) {
        const Json added = *all[chance.below(all.size())];
        if (value.is_array()) value.insert(value.begin() + static_cast<long>(chance.below(value.size() + 1)), added);
        else value[chance.one_in(2) || value.empty() ? "x" : std::next(value.begin(), 0).key() + "_"] = added;
        return;
    }
    const auto at = std::next(value.begin(), static_cast<long>(chance.below(value.size())));
    if (chance.one_in(2)) value.erase(at);
    else *at = any_value(chance);
}

}  // namespace

void change_json(Json& value, Chance& chance) {
    std::vector<Json*> all;
    collect(value, all);
    Json& one = *all[chance.below(all.size())];
    if (one.is_structured() && !chance.one_in(4)) return change_structure(one, chance, all);
    if (one.is_string() && !chance.one_in(3)) {
        one = changed(one.get<std::string>(), one.get_ref<const std::string&>().size() + 16);
    } else if (one.is_number_integer() && !chance.one_in(3)) {
        // By one, around the ends of the numbers, too.
        const uint64_t next = one.get<uint64_t>() + (chance.one_in(2) ? 1 : ~uint64_t{0});
        one = chance.one_in(2) ? Json(chance.number(64)) : Json(static_cast<int64_t>(next));
    } else if (all.size() > 1 && chance.one_in(3)) {
        const Json other = *all[chance.below(all.size())];
        if (other.dump(-1, ' ', false, Json::error_handler_t::replace).size() < 2000) one = other;
    } else {
        one = any_value(chance);
    }
}

bool change_json_text(std::string& text, Chance& chance, std::size_t most) {
    Json value = Json::parse(text, nullptr, false);
    if (value.is_discarded()) return false;
    for (std::size_t times = 1 + chance.below(3); times > 0; --times) change_json(value, chance);
    const std::string made = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (made.size() > most) return false;
    text = made;
    return true;
}

}  // namespace dragoman::test
