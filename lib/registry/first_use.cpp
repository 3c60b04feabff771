// SPDX-License-Identifier: Apache-2.0
#include "registry/first_use.h"

#include <algorithm>

#include "base/error.h"

namespace dragoman::registry {

bool has_published_hash(const RemoteFile& file) {
    return !file.sha256.empty() || !file.unpacked_sha256.empty() || !file.git_sha1.empty();
}

std::vector<store::FirstUse> first_use(const Entry& entry, const std::vector<download::FileResult>& came) {
    std::vector<store::FirstUse> kept;
    for (std::size_t i = 0; i < entry.files.size(); ++i)
        if (!has_published_hash(entry.files[i])) kept.push_back({.url = entry.files[i].url, .sha256 = came[i].sha256});
    return kept;
}

void expect_first_use(const std::optional<store::Installed>& before, const Entry& entry,
                      std::vector<download::FileRequest>& requests) {
    if (!before || before->version != entry.version) return;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (has_published_hash(entry.files[i])) continue;
        const auto first = std::ranges::find(before->first_use, requests[i].url, &store::FirstUse::url);
        if (first == before->first_use.end()) continue;
        requests[i].sha256 = first->sha256;
        requests[i].hash_note = fmt::format("as it first came on {}; `dragoman models remove {}` forgets that",
                                            before->installed_at.substr(0, 10), entry.name());
    }
}

}  // namespace dragoman::registry
