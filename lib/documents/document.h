// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "documents/format.h"
#include "documents/package.h"
#include "documents/part.h"

namespace dragoman::documents {

inline constexpr std::size_t kMostDepth = 256;  // of elements within each other

struct Languages {
    std::string source{}, target{};  // BCP 47; empty: not known
};

// A document as texts to be translated. What is no text is written byte for byte as it was read, members of a package
// packed as they were.
class Document {
public:
    // Throws invalid_argument for what is broken or goes beyond a limit, naming the place.
    Document(std::string bytes, Format format, const Languages& languages);

    Format format() const { return format_; }
    const std::vector<std::string_view>& texts() const { return texts_; }  // of the units
    bool has_marks() const;
    // One translation for each text.
    std::string write(std::span<const Translation> translations) const;

private:
    struct Member {
        std::string name;  // of a package; empty: the file itself
        std::unique_ptr<Part> part;
    };
    void read_members(const Languages& languages);
    void add(std::string name, std::unique_ptr<Part> part);

    const Format format_;
    const std::string bytes_;
    std::unique_ptr<Package> package_;
    std::vector<Member> members_;
    std::vector<std::string_view> texts_;
};

}  // namespace dragoman::documents
