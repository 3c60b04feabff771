// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "documents/format.h"

namespace dragoman::documents {

inline constexpr std::size_t kMaxMembers = 10000;
inline constexpr std::size_t kMaxUnpacked = std::size_t{512} << 20;
inline constexpr std::size_t kMaxRatio = 200;

// A document's zip archive. Throws invalid_argument, naming the member and both values, for a broken one and for one
// beyond these limits.
class Package {
public:
    explicit Package(std::string_view bytes);
    ~Package();
    Package(const Package&) = delete;
    Package& operator=(const Package&) = delete;

    const std::vector<std::string>& names() const { return names_; }  // in the archive's order
    bool has(std::string_view name) const { return places_.contains(name); }
    std::string read(std::string_view name) const;
    // The archive with other bytes for some members. The others are copied in their packed form, in their order.
    std::string with(const std::map<std::string, std::string>& changed) const;

private:
    struct Library;
    std::unique_ptr<Library> library_;
    std::vector<std::string> names_;
    std::map<std::string, std::size_t, std::less<>> places_;
};

// The kind of document that a package says it is; unknown if it does not. Never throws.
Format package_format(std::string_view bytes) noexcept;

}  // namespace dragoman::documents
