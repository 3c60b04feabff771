// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// What comes from a registry is somebody else's text: it is shown on terminals and names files.
namespace dragoman::registry {

// Without control characters, and of at most 300 bytes.
std::string shown_text(std::string_view text);

// Whether a name is relative, with '/', and leads to the same file on every system.
bool is_safe_file_name(std::string_view name);

// These throw bad_model, with `what` in front, for what is not such a thing; else they return it.
std::string checked_model(const std::string& name);                        // of an entry, without its registry
std::string checked_file_name(std::string_view what, const std::string& name);
std::string checked_url(std::string_view what, const std::string& url);    // http or https
std::string checked_hash(std::string_view what, const std::string& hex, std::size_t digits);  // "" stays; lower case
uint64_t checked_size(std::string_view what, const std::string& number);   // "" is 0

// The last part of an address's path; "" where there is none.
std::string file_name_of(std::string_view url);

}  // namespace dragoman::registry
