// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/router.h"
#include "serve/services.h"

// What all of DeepL's routes share: how errors, codes and times are written, and how lists are read.
namespace serve::api {

// {"message": "...", "detail": "..."} with DeepL's statuses: 403 for keys, 456 for a quota.
http::Response deepl_error(const Problem& problem);
void deepl_translate(Services& services, Call& call);  // translate.cpp

struct DeeplRoute {
    const char* method;
    const char* path;
    std::function<void(Call&)> handler;
    Access access = Access::key;
    Body body = Body::memory;
    bool limited = true;
    decltype(Route::check_head) check_head{};
};
// Adds it with DeepL's key ("Authorization: DeepL-Auth-Key KEY", or the field auth_key) and errors.
void deepl_add(Router& router, DeeplRoute route);

std::string deepl_upper(std::string_view text);  // ASCII
std::string deepl_code(std::string_view tag);    // "zh-Hans": "ZH-HANS", "no": "NB"
std::string deepl_base(std::string_view tag);    // "pt-BR": "pt"; DeepL's sources have neither region nor script
std::string deepl_name(std::string_view name);   // "Portuguese (Brazil)": "Portuguese"

// The served tag for a code as clients write it. A region that is not served is left out (EN-GB is English); a script
// never is. Throws Problem: no such field, no such language.
std::string deepl_language(const Services& services, const Json& fields, const char* field);
// The same, "" where the field is absent or empty.
std::string deepl_optional_language(const Services& services, const Json& fields, const char* field);

// An array, values that repeat, or one value with commas.
std::vector<std::string> deepl_list(const Json& fields, std::string_view name);

std::string deepl_time(std::chrono::system_clock::time_point time);  // "2021-08-03T14:16:18.329000Z"

}  // namespace serve::api
