// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Cuts a page into pieces that can be translated one after the other: behind blocks, where no element is open whose
// content is read in another way or stays as it is. It reads no more of HTML than that takes, and all pieces together
// are the page, byte for byte.
class Cutter {
public:
    // least: bytes of a piece, but for the last one.
    Cutter(std::string_view page, std::size_t least) : page_(page), least_(least) {}

    bool done() const { return at_ == page_.size(); }
    std::size_t position() const { return at_; }
    std::string_view next();

private:
    struct Tag {
        std::string name;  // in small letters
        std::string_view text{};
        bool closes = false;
    };
    bool next_tag(Tag& tag);
    void skip_raw(const std::string& name);
    void watch(const Tag& tag);

    std::string_view page_;
    std::size_t least_, at_ = 0;
    std::string holds_;           // the name of the element in which nothing is cut; empty: none
    std::size_t depth_ = 0;       // of elements of that name
};

// The value of an attribute in a tag; without one: empty, and `found` is false.
struct Attribute {
    bool found = false;
    std::size_t begin = 0, end = 0;  // bytes of the tag
};
Attribute attribute(std::string_view tag, std::string_view name);

// The page's <html> tag, bytes of it; empty: it has none.
std::string_view html_tag(std::string_view page);

// A page with another language in its <html> tag.
std::string with_language(std::string_view page, std::string_view language);
