// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dragoman::download {

// An address of http or https, taken apart by libcurl.
class Url {
public:
    // Throws invalid_argument for what is no address, unsupported for other protocols.
    explicit Url(const std::string& text);
    // Where a redirect leads, which may be relative; throws io_error if that is no http or https, or leaves https.
    Url redirected(const std::string& location) const;

    const std::string& text() const { return text_; }
    const std::string& scheme() const { return scheme_; }
    const std::string& host() const { return host_; }
    // Without a user and without what follows '?': signed addresses carry secrets there.
    const std::string& shown() const { return shown_; }
    // Whether a secret for one of them may go to the other: the same protocol, host and port.
    bool same_place(const Url& other) const;

private:
    Url() = default;
    std::string text_, scheme_, host_, port_, shown_;
};

}  // namespace dragoman::download
