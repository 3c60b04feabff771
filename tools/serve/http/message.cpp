// SPDX-License-Identifier: Apache-2.0
#include "serve/http/message.h"

#include <system_error>

#include "serve/ascii.h"
#include "serve/http/characters.h"

namespace serve::http {

Request::~Request() {
    std::error_code ignored;  // a handler may have moved it away
    if (!body_file.empty()) std::filesystem::remove(body_file, ignored);
}

std::string_view Request::header(std::string_view name) const {
    for (const Header& header : headers)
        if (same_in_any_case(header.name, name)) return header.value;
    return {};
}

std::string Request::content_type() const {
    const std::string_view value = header("Content-Type");
    return in_small_letters(without_blanks(value.substr(0, value.find(';'))));
}

std::string_view reason(int status) {
    switch (status) {
        case 100: return "Continue";
        case 200: return "OK";
        case 201: return "Created";
        case 202: return "Accepted";
        case 204: return "No Content";
        case 206: return "Partial Content";
        case 301: return "Moved Permanently";
        case 302: return "Found";
        case 303: return "See Other";
        case 304: return "Not Modified";
        case 307: return "Temporary Redirect";
        case 308: return "Permanent Redirect";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 406: return "Not Acceptable";
        case 408: return "Request Timeout";
        case 409: return "Conflict";
        case 410: return "Gone";
        case 411: return "Length Required";
        case 412: return "Precondition Failed";
        case 413: return "Content Too Large";
        case 414: return "URI Too Long";
        case 415: return "Unsupported Media Type";
        case 416: return "Range Not Satisfiable";
        case 417: return "Expectation Failed";
        case 421: return "Misdirected Request";
        case 422: return "Unprocessable Content";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 456: return "Quota Exceeded";
        case 499: return "Client Closed Request";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 502: return "Bad Gateway";
        case 503: return "Service Unavailable";
        case 504: return "Gateway Timeout";
        case 505: return "HTTP Version Not Supported";
        case 507: return "Insufficient Storage";
        default: return {};
    }
}

}  // namespace serve::http
