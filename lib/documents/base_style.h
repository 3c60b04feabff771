// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "markup/unit.h"
#include "markup/write.h"

namespace dragoman::documents {

// Programs put all text of an OpenDocument paragraph into spans. The span of most letters is then no mark around some
// words but the base style: words in no other span get it.
class BaseStyle {
public:
    // Removes such spans from a unit's marks; `plain` is its text.
    BaseStyle(std::string_view source, std::string_view plain, markup::Unit& unit);
    markup::Edit put(const markup::Edit& edit) const;

private:
    std::string open_, close_;               // empty: there is no base style
    std::set<std::size_t> opens_, closes_;   // places of the tags of other spans
    std::set<std::size_t> links_;            // and of other pairs
};

}  // namespace dragoman::documents
