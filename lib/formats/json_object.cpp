// SPDX-License-Identifier: Apache-2.0
#include "formats/json_object.h"

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
    const auto watch = [&](int depth, json::parse_event_t, json&) {
        if (depth > kMaxDepth)
            fail(Status::bad_model, "{}: expected at most {} levels, file has more", where, kMaxDepth);
        return true;
    };
    json value = json::parse(text, watch, /*allow_exceptions=*/false);
    if (value.is_discarded()) fail(Status::bad_model, "{}: not valid JSON in UTF-8", where);
    if (!value.is_object()) fail(Status::bad_model, "{}: expected an object, file has {}", where, value.type_name());
    return value;
}

}  // namespace dragoman::formats
