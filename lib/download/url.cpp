// SPDX-License-Identifier: Apache-2.0
#include "download/url.h"

#include <curl/curl.h>

#include <memory>

#include "base/error.h"

namespace dragoman::download {
namespace {

struct FreeUrl {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using UrlHandle = std::unique_ptr<CURLU, FreeUrl>;

std::string part_of(CURLU* url, CURLUPart part, unsigned flags = 0) {
    char* text = nullptr;
    if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return {};
    std::string copy = text;
    curl_free(text);
    return copy;
}

bool is_web(const std::string& scheme) { return scheme == "http" || scheme == "https"; }

std::string without_secrets(CURLU* url) {
    const UrlHandle copy(curl_url_dup(url));
    for (const CURLUPart part : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT})
        curl_url_set(copy.get(), part, nullptr, 0);
    return part_of(copy.get(), CURLUPART_URL);
}

}  // namespace

Url::Url(const std::string& text) {
    const UrlHandle url(curl_url());
    const CURLUcode code = curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME);
    if (code != CURLUE_OK) fail(Status::invalid_argument, "{}: expected an address like https://host/file", text);
    scheme_ = part_of(url.get(), CURLUPART_SCHEME);
    if (!is_web(scheme_)) fail(Status::unsupported, "{}: expected http or https, it is {}", text, scheme_);
    text_ = part_of(url.get(), CURLUPART_URL);
    host_ = part_of(url.get(), CURLUPART_HOST);
    port_ = part_of(url.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
    for (char& c : host_)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    shown_ = without_secrets(url.get());
}

Url Url::redirected(const std::string& location) const {
    const UrlHandle url(curl_url());
    if (curl_url_set(url.get(), CURLUPART_URL, text_.c_str(), 0) != CURLUE_OK ||
        curl_url_set(url.get(), CURLUPART_URL, location.c_str(), CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE) !=
            CURLUE_OK)
        fail(Status::io_error, "{}: the server leads to what is no address", shown_);
    const std::string scheme = part_of(url.get(), CURLUPART_SCHEME);
    if (!is_web(scheme)) fail(Status::io_error, "{}: the server leads to {}, expected http or https", shown_, scheme);
    if (scheme_ == "https" && scheme != "https")
        fail(Status::io_error, "{}: the server leads from https to {}, where others could read and change the file",
             shown_, without_secrets(url.get()));
    return Url(part_of(url.get(), CURLUPART_URL));
}

bool Url::same_place(const Url& other) const {
    return scheme_ == other.scheme_ && host_ == other.host_ && port_ == other.port_;
}

}  // namespace dragoman::download
