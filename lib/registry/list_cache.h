// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace dragoman::registry {

// A registry's list as it was transferred.
struct CachedList {
    std::string url;         // it was asked for there
    std::string fetched_at;  // ISO 8601, UTC
    double age_hours = 0;    // since then; negative where the clock was put back
    std::string body;
};

// Nullopt where there is none, or none that can be read: it is asked for again.
std::optional<CachedList> read_cached_list(const std::filesystem::path& folder, const std::string& id);

// Writes it aside and renames it, so that others read the old one or the new one.
void write_cached_list(const std::filesystem::path& folder, const std::string& id, const std::string& url,
                       const std::string& body);

}  // namespace dragoman::registry
