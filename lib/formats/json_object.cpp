// SPDX-License-Identifier: Apache-2.0
#include "formats/json_object.h"

#include <unordered_set>
#include <vector>

#include "base/error.h"

namespace dragoman::formats {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxShown = 60;

}  // namespace

std::string short_text(const json& value) {
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return text.size() <= kMaxShown ? text : text.substr(0, kMaxShown) + "...";
}

json parse_json_object(std::string_view where, std::string_view text) {
    std::vector<std::unordered_set<std::string>> keys(kMaxDepth + 2);  // keys of the open object on each level
    const auto watch = [&](int depth, json::parse_event_t event, json& value) {
        if (depth > kMaxDepth)
            fail(Status::bad_model, "{}: expected at most {} levels, file has more", where, kMaxDepth);
        if (event == json::parse_event_t::object_start) keys[std::size_t(depth) + 1].clear();
        if (event == json::parse_event_t::key && !keys[std::size_t(depth)].insert(value.get<std::string>()).second)
            fail(Status::bad_model, "{}: expected {} once, file has it twice", where, short_text(value));
        return true;
    };
    json value = json::parse(text, watch, /*allow_exceptions=*/false);
    if (value.is_discarded()) fail(Status::bad_model, "{}: not valid JSON in UTF-8", where);
    if (!value.is_object()) fail(Status::bad_model, "{}: expected an object, file has {}", where, value.type_name());
    return value;
}

}  // namespace dragoman::formats
