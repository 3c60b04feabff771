// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace serve::api {

// HTML whose elements of some names say that they are not translated, until it is translated.
class DeeplHtml {
public:
    DeeplHtml(std::string_view html, const std::vector<std::string>& ignored);
    const std::string& html() const { return html_; }
    std::string restored(std::string_view translated) const;

private:
    std::string mark_;  // an attribute that the text does not have
    std::string html_;
};

}  // namespace serve::api
