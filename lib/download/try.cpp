// SPDX-License-Identifier: Apache-2.0
#include "download/try.h"

#include <string_view>

#include "base/environment.h"
#include "base/error.h"

namespace dragoman::download {
namespace {

constexpr long kReadBytes = 1 << 16;
constexpr std::size_t kMostUnread = 1 << 16;

void check(CURLcode code) {
    if (code != CURLE_OK) fail(Status::internal, "libcurl: {}", curl_easy_strerror(code));
}

// Where a company's certificates are, as curl's own program takes it.
std::string certificates() {
    const std::string bundle = environment("CURL_CA_BUNDLE");
    return bundle.empty() ? environment("SSL_CERT_FILE") : bundle;
}

}  // namespace

Try::Try(CURLM* multi, const Request& request, const Url& url, bool with_secrets, Receiver& receiver,
         const Settings& settings)
    : multi_(multi), receiver_(receiver), easy_(curl_easy_init()) {
    if (!easy_) fail(Status::out_of_memory, "libcurl gives no handle");
    set_options(url, settings);
    set_lines(request, url, with_secrets);
    if (curl_multi_add_handle(multi_, easy()) != CURLM_OK) fail(Status::internal, "libcurl takes no more requests");
}

Try::~Try() { curl_multi_remove_handle(multi_, easy()); }

void Try::set_options(const Url& url, const Settings& settings) {
    const auto set = [this](CURLoption option, auto value) { check(curl_easy_setopt(easy(), option, value)); };
    set(CURLOPT_URL, url.text().c_str());
    set(CURLOPT_ERRORBUFFER, error_.data());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_FOLLOWLOCATION, 0L);
#if LIBCURL_VERSION_NUM >= 0x075500
    set(CURLOPT_PROTOCOLS_STR, "http,https");
#else
    set(CURLOPT_PROTOCOLS, long(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    // Files that come side by side each get a connection.
    set(CURLOPT_HTTP_VERSION, long(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_USERAGENT, DRAGOMAN_USER_AGENT);
    set(CURLOPT_CONNECTTIMEOUT_MS, long(settings.connect_seconds * 1000));
    set(CURLOPT_BUFFERSIZE, kReadBytes);
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    set(CURLOPT_HEADEROPT, long(CURLHEADER_SEPARATE));  // what is for the server does not go to a proxy
    set(CURLOPT_HEADERFUNCTION, &Try::on_head);
    set(CURLOPT_HEADERDATA, static_cast<void*>(this));
    set(CURLOPT_WRITEFUNCTION, &Try::on_body);
    set(CURLOPT_WRITEDATA, static_cast<void*>(this));
    set(CURLOPT_PRIVATE, static_cast<void*>(this));
    if (receiver_.may_be_packed()) set(CURLOPT_ACCEPT_ENCODING, "");
    if (const std::string file = certificates(); !file.empty()) set(CURLOPT_CAINFO, file.c_str());
    if (const std::string folder = environment("SSL_CERT_DIR"); !folder.empty()) set(CURLOPT_CAPATH, folder.c_str());
}

void Try::set_lines(const Request& request, const Url& url, bool with_secrets) {
    const auto add = [&](const std::string& line) {
        if (line.find_first_of("\r\n") != line.npos)
            fail(Status::invalid_argument, "{}: a token or header with a line break in it", url.shown());
        curl_slist* const longer = curl_slist_append(lines_.get(), line.c_str());
        if (!longer) fail(Status::out_of_memory, "no memory for a request's headers");
        static_cast<void>(lines_.release());
        lines_.reset(longer);
    };
    if (!receiver_.may_be_packed()) add("Accept-Encoding: identity");
    for (const std::string& line : receiver_.request_lines()) add(line);
    if (with_secrets) {
        for (const auto& [name, value] : request.headers) add(name + ": " + value);
        if (!request.token.empty()) add("Authorization: Bearer " + request.token);
    }
    check(curl_easy_setopt(easy(), CURLOPT_HTTPHEADER, lines_.get()));
}

bool Try::silent_for(double seconds) const {
    return !paused_ && std::chrono::duration<double>(Clock::now() - last_byte_).count() > seconds;
}

void Try::resume() {
    paused_ = false;
    last_byte_ = Clock::now();
    curl_easy_pause(easy(), CURLPAUSE_CONT);
}

std::size_t Try::head_line(std::string_view line) {
    last_byte_ = Clock::now();
    if (takes_body_) return line.size();  // behind the bytes: trailers
    if (line != "\r\n" && line != "\n") {
        answer_.add_line(line);
        return line.size();
    }
    if (!answer_.good()) return line.size();
    next_ = receiver_.answered(answer_);
    takes_body_ = next_ == Next::go_on;
    stopped_ = !takes_body_;
    return stopped_ ? 0 : line.size();  // fewer bytes than came: libcurl ends the request
}

std::size_t Try::body(std::span<const std::byte> bytes) {
    last_byte_ = Clock::now();
    if (!takes_body_) {  // a page about a redirect or an error
        unread_ += bytes.size();
        stopped_ = unread_ > kMostUnread;
        return stopped_ ? 0 : bytes.size();
    }
    if (!receiver_.has_room()) {
        paused_ = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    receiver_.take(bytes);
    return bytes.size();
}

// Exceptions do not pass through libcurl.
std::size_t Try::on_head(char* data, std::size_t, std::size_t count, void* self) {
    auto& own = *static_cast<Try*>(self);
    try {
        return own.head_line({data, count});
    } catch (...) {
        own.failure_ = std::current_exception();
        return 0;
    }
}

std::size_t Try::on_body(char* data, std::size_t, std::size_t count, void* self) {
    auto& own = *static_cast<Try*>(self);
    try {
        return own.body(std::as_bytes(std::span(data, count)));
    } catch (...) {
        own.failure_ = std::current_exception();
        return 0;
    }
}

std::string Try::error_text(CURLcode code) const { return error_[0] ? error_.data() : curl_easy_strerror(code); }

const char* Try::certificate_hint() const {
    long result = 0;
    curl_easy_getinfo(easy(), CURLINFO_SSL_VERIFYRESULT, &result);
    constexpr long kNotYet = 9, kExpired = 10;  // OpenSSL's
    if (result == kNotYet || result == kExpired) return "is this machine's clock right?";
    const std::string_view text =
        error_.data();  // "...subject name... target host name", from 8.11 on "target ipv4 address"
    if (text.find("subject name") != text.npos || text.find("host name") != text.npos)
        return "the certificate is another host's: is the address right, or does a proxy answer in its place?";
    return "certificates of a company's own are taken from the file that CURL_CA_BUNDLE or SSL_CERT_FILE names";
}

bool may_pass(CURLcode code) {
    switch (code) {
        case CURLE_COULDNT_RESOLVE_PROXY:
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_CONNECT:
        case CURLE_WEIRD_SERVER_REPLY:
        case CURLE_PARTIAL_FILE:
        case CURLE_OPERATION_TIMEDOUT:
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_GOT_NOTHING:
        case CURLE_SEND_ERROR:
        case CURLE_RECV_ERROR: return true;
        default: return false;
    }
}

}  // namespace dragoman::download
