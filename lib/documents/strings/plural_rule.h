// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dragoman::documents {

// Which plural form a language of gettext has for a number. Without a rule, or with one that cannot be read, the first
// form is that of 1.
class PluralRule {
public:
    PluralRule() = default;
    // Reads "Plural-Forms: nplurals=2; plural=(n != 1);" among the lines of a file's head.
    explicit PluralRule(std::string_view head);

    std::size_t form(unsigned number) const;
    // Whether a form is that of other numbers than 1 as well.
    bool has_others(std::size_t form) const;

private:
    std::string expression_;  // without blanks
};

}  // namespace dragoman::documents
