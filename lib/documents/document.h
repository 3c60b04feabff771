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
#include "documents/utf16.h"

namespace dragoman::documents {

inline constexpr std::size_t kMaxDepth = 256;  // the deepest nesting of elements

struct Languages {
    std::string source{}, target{};  // BCP 47; empty: unknown
};

// A document as texts to be translated. Everything else is written byte for byte as it was read, and members of a
// package stay packed as they were. A file that is no package may be UTF-16 with a byte order mark, and stays so.
class Document {
public:
    // Throws invalid_argument, naming the place, for broken documents and for those beyond a limit. names: texts have
    // names for what stays in them, such as placeholders, which translators keep; otherwise nothing stands there.
    Document(std::string bytes, Format format, const Languages& languages, bool names = true);

    Format format() const { return format_; }
    const std::vector<std::string_view>& texts() const { return texts_; }  // texts of the units
    bool has_marks() const;
    // One translation for each text.
    std::string write(std::span<const Translation> translations) const;

private:
    struct Member {
        std::string name;  // name of a package's member; empty: the file itself
        std::unique_ptr<Part> part;
    };
    void read_members(const Languages& languages);
    void add(std::string name, std::unique_ptr<Part> part);

    const Format format_;
    const bool names_;
    const Encoding encoding_;  // of the file; bytes_ is UTF-8
    const std::string bytes_;
    std::unique_ptr<Package> package_;
    std::vector<Member> members_;
    std::vector<std::string_view> texts_;
};

}  // namespace dragoman::documents
