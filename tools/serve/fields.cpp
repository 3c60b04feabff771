// SPDX-License-Identifier: Apache-2.0
#include "serve/fields.h"

#include <dragoman/dragoman.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "serve/http/form.h"
#include "serve/work/kept_files.h"

namespace serve {
namespace {

using Kind = Problem::Kind;

constexpr std::uint64_t kMostFieldBytes = std::uint64_t(8) << 20;  // of a form whose files go to the disk
constexpr int kDeepest = 64;

[[noreturn]] void wrong(std::string_view name, std::string_view wanted, const Json& value) {
    throw Problem(Kind::bad_request,
                  fmt::format("Invalid request: {} is {}, {} is expected", name, value.type_name(), wanted),
                  std::string(name));
}

std::optional<std::int64_t> parsed(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return value;
}

// Refuses what nests so deep that reading it would take the whole stack.
bool too_deep(std::string_view text) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (in_string) {
            if (text[i] == '\\') ++i;
            else if (text[i] == '"') in_string = false;
        } else if (text[i] == '"') {
            in_string = true;
        } else if (text[i] == '{' || text[i] == '[') {
            if (++depth > kDeepest) return true;
        } else if (text[i] == '}' || text[i] == ']') {
            --depth;
        }
    }
    return false;
}

// Subtitle Edit leaves out the comma before "api_key".
std::optional<std::string> with_comma(std::string_view body) {
    const std::size_t key = body.find("\"api_key\"");
    if (key == std::string_view::npos || key == 0) return {};
    const std::size_t before = body.find_last_not_of(" \t\r\n", key - 1);
    if (before == std::string_view::npos || body[before] == ',' || body[before] == '{') return {};
    return fmt::format("{},{}", body.substr(0, before + 1), body.substr(before + 1));
}

Json read_json(std::string_view body) {
    if (too_deep(body)) throw Problem(Kind::bad_request, fmt::format("Invalid JSON: more than {} levels", kDeepest));
    std::string why;
    try {
        return Json::parse(body);
    } catch (const Json::exception& error) {  // also a number that is too large
        why = error.what();
    }
    // What clients are known to write wrongly.
    const std::optional<std::string> paired = without_lone_surrogates(body);
    for (const std::optional<std::string>& mended : {paired, with_comma(paired ? std::string_view(*paired) : body)}) {
        if (!mended) continue;
        Json value = Json::parse(*mended, nullptr, false);
        if (!value.is_discarded()) return value;
    }
    const std::size_t name = why.find("] ");  // the library's own name of the fault
    throw Problem(Kind::bad_request, "Invalid JSON: " + why.substr(name == std::string::npos ? 0 : name + 2));
}

void add(Json& fields, std::string name, std::string value) {
    Json& place = fields[std::move(name)];
    if (place.is_null()) place = std::move(value);
    else if (place.is_array()) place.push_back(std::move(value));
    else place = Json::array({place, std::move(value)});
}

// Browsers and libraries write a form's line ends as CRLF.
std::string line_feeds(std::string text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r') {
            result += '\n';
            if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
        } else {
            result += text[i];
        }
    }
    return result;
}

bool starts_as_json(std::string_view body) {
    const std::size_t first = body.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (body[first] == '{' || body[first] == '[');
}

}  // namespace

const Json* find(const Json& fields, std::string_view name) {
    if (!fields.is_object()) return nullptr;
    const auto found = fields.find(std::string(name));
    return found == fields.end() || found->is_null() ? nullptr : &*found;
}

bool has(const Json& fields, std::string_view name) { return find(fields, name) != nullptr; }

std::string text(const Json& fields, std::string_view name, std::string_view fallback) {
    const Json* value = find(fields, name);
    if (!value) return std::string(fallback);
    if (!value->is_string()) wrong(name, "a string", *value);
    return value->get<std::string>();
}

std::int64_t integer(const Json& fields, std::string_view name, std::int64_t fallback) {
    const Json* value = find(fields, name);
    if (!value) return fallback;
    if (value->is_number_unsigned()) {
        const std::uint64_t number = value->get<std::uint64_t>();
        if (number <= std::uint64_t(INT64_MAX)) return static_cast<std::int64_t>(number);
    } else if (value->is_number_integer()) {
        return value->get<std::int64_t>();
    } else if (value->is_number_float()) {
        const double number = value->get<double>();
        if (std::abs(number) < 9e15 && number == std::floor(number)) return static_cast<std::int64_t>(number);
    } else if (value->is_string()) {
        if (const auto number = parsed(value->get_ref<const std::string&>())) return *number;
    }
    throw Problem(Kind::bad_request, fmt::format("Invalid request: {} parameter is not a number", name),
                  std::string(name));
}

std::int64_t integer_between(const Json& fields, std::string_view name, std::int64_t fallback, std::int64_t least,
                             std::int64_t most) {
    const std::int64_t given = integer(fields, name, fallback);
    if (given < least || given > most)
        throw Problem(Kind::bad_request, fmt::format("{} is {}, {} to {} is expected", name, given, least, most),
                      std::string(name));
    return given;
}

bool flag(const Json& fields, std::string_view name, bool fallback) {
    const Json* value = find(fields, name);
    if (!value) return fallback;
    if (value->is_boolean()) return value->get<bool>();
    const std::string given = value->is_string() ? value->get<std::string>() : json_text(*value);
    if (given == "1" || given == "true" || given == "True" || given == "on") return true;
    if (given == "0" || given == "false" || given == "False" || given == "off" || given.empty()) return false;
    wrong(name, "true or false", *value);
}

std::optional<Texts> texts(const Json& fields, std::string_view name) {
    const Json* value = find(fields, name);
    if (!value) return {};
    if (value->is_string()) return Texts{{value->get<std::string>()}, false};
    if (!value->is_array()) wrong(name, "a string or a list of strings", *value);
    Texts all{{}, true};
    for (const Json& each : *value) {
        if (!each.is_string()) wrong(fmt::format("{}[{}]", name, all.values.size()), "a string", each);
        all.values.push_back(each.get<std::string>());
    }
    return all;
}

void read_fields(Call& call, const std::filesystem::path& folder) {
    const http::Request& request = call.request();
    // A body that its route does not want was forgotten, whatever its type says.
    const bool has_body = !request.body.empty() || !request.body_file.empty();
    const std::string type = has_body ? request.content_type() : "";
    http::FormFields given;
    call.fields = Json::object();
    if (type == "multipart/form-data") {
        http::Multipart form = http::read_multipart(request, folder, kMostFieldBytes);
        given = std::move(form.fields);
        call.uploads = std::move(form.uploads);
        form.uploads.clear();
    } else if (type == "application/x-www-form-urlencoded") {
        const std::string body = whole_body(request, kMostFieldBytes);
        // Scripts forget to say that they send JSON.
        if (starts_as_json(body)) call.is_json = true, call.fields = read_json(body);
        else given = http::read_urlencoded(body);
    } else if (request.body_bytes > 0 && request.body_file.empty()) {
        const bool says_json = type == "application/json" || type.ends_with("+json");
        if (says_json || starts_as_json(request.body)) {
            call.is_json = true;
            call.fields = read_json(request.body);
        }
    }
    for (auto& [name, value] : given) add(call.fields, std::move(name), line_feeds(std::move(value)));
    if (!call.fields.is_object()) return;
    Json of_query = Json::object();
    for (auto& [name, value] : http::read_urlencoded(request.query))
        if (!call.fields.contains(name)) add(of_query, std::move(name), line_feeds(std::move(value)));
    for (auto& [name, value] : of_query.items()) call.fields[name] = std::move(value);
}

std::string whole_body(const http::Request& request, std::uint64_t most) {
    if (request.body_file.empty()) return request.body;
    if (request.body_bytes > most)
        throw Problem(Kind::too_large,
                      fmt::format("a body of {} bytes exceeds the limit of {}", request.body_bytes, most));
    return work::read_whole(request.body_file, most);
}

std::size_t count_characters(std::string_view text, std::string_view field) {
    if (const std::size_t whole = dragoman_utf8_prefix(text.data(), text.size()); whole < text.size())
        throw Problem(Kind::bad_request, fmt::format("Invalid request: {} is not UTF-8 at byte {}", field, whole),
                      std::string(field));
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    return static_cast<std::size_t>(std::ranges::count_if(text, begins));
}

std::string json_text(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

http::Response json_response(const Json& body, int status) {
    http::Response response;
    response.status = status;
    response.body = json_text(body);
    return response;
}

http::Response no_content() {
    http::Response response;
    response.status = 204;
    response.content_type.clear();
    return response;
}

}  // namespace serve
