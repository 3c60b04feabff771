// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "markup/unit.h"
#include "markup/write.h"

namespace dragoman::documents {

// Programs put all text of an OpenDocument paragraph into spans. Then the span of most letters is no mark around some
// words but how the text looks: whatever stands in no other span gets it.
class BaseStyle {
public:
    // Takes such spans out of a unit's marks; `plain` is its text.
    BaseStyle(std::string_view source, std::string_view plain, markup::Unit& unit);
    markup::Edit put(const markup::Edit& edit) const;

private:
    std::string open_, close_;               // empty: there is none
    std::set<std::size_t> opens_, closes_;   // places of the tags of other spans
    std::set<std::size_t> links_;            // and of other pairs
};

}  // namespace dragoman::documents
