// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/json.h"
#include "serve/router.h"

// Reading what a client gave: null is absent, numbers and flags may be strings ("3", "true", "1"), since forms have no
// types. A value of another type is a Problem (bad_request) that names the field and what it is.
namespace serve {

const Json* find(const Json& fields, std::string_view name);  // null: absent, or null
bool has(const Json& fields, std::string_view name);
std::string text(const Json& fields, std::string_view name, std::string_view fallback = "");
std::int64_t integer(const Json& fields, std::string_view name, std::int64_t fallback);
// An integer from `least` to `most`.
std::int64_t integer_between(const Json& fields, std::string_view name, std::int64_t fallback, std::int64_t least,
                             std::int64_t most);
bool flag(const Json& fields, std::string_view name, bool fallback);

// A string, or a list of strings.
struct Texts {
    std::vector<std::string> values;
    bool list = false;  // it was a list: the answer is one, too
};
std::optional<Texts> texts(const Json& fields, std::string_view name);

// Fills in fields, uploads and is_json of a call from its request. One missing comma before a field, as Subtitle Edit
// sends it, is put in, and half a pair of surrogates in JSON is U+FFFD. Throws Problem.
void read_fields(Call& call, const std::filesystem::path& folder);

// The body, from memory or from the file that it was streamed to, which has at most `most` bytes. Throws Problem
// (too_large).
std::string whole_body(const http::Request& request, std::uint64_t most);

// Number of code points of valid UTF-8; throws Problem for other bytes, naming `field` and the place.
std::size_t count_characters(std::string_view text, std::string_view field);

// In one line; bytes that are no UTF-8 are replaced.
std::string json_text(const Json& value);
http::Response json_response(const Json& body, int status = 200);
http::Response no_content();  // 204

}  // namespace serve
