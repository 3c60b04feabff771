// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/http/message.h"

namespace serve::http {

using FormFields = std::vector<std::pair<std::string, std::string>>;  // in their order, names may repeat

// "a=1&b=x+y%20z": urlencoded bodies and queries. Throws Problem (bad_request) for a broken escape.
FormFields read_urlencoded(std::string_view text);
std::string percent_decoded(std::string_view text, bool plus_is_blank);

// A file of a multipart body.
struct Upload {
    std::string field, name, content_type;
    std::filesystem::path path;  // a file of its own in the folder for uploads; removed with the Multipart
    std::uint64_t bytes = 0;
};
struct Multipart {
    FormFields fields;
    std::vector<Upload> uploads;
    Multipart() = default;
    Multipart(Multipart&&) = default;
    Multipart& operator=(Multipart&& other) noexcept;
    ~Multipart();
};
// multipart/form-data of RFC 7578, from the request's body or body_file, in pieces: memory does not grow with files.
// Fields together take at most `max_field_bytes`, there are at most 1,000 parts. Throws Problem.
Multipart read_multipart(const Request& request, const std::filesystem::path& folder, std::uint64_t max_field_bytes);

}  // namespace serve::http
