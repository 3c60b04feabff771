// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "serve/api/api.h"
#include "serve/ascii.h"
#include "serve/http/characters.h"
#include "serve/page/files.h"
#include "serve/work/kept_files.h"

// The page that people see: files of the program, the same for everybody.
namespace serve::api {
namespace {

using PageBytes = std::span<const unsigned char>;

struct PageFile {
    const char *path, *content_type;
    PageBytes plain, packed;
};

constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string_view page_text(PageBytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Strong: of these very bytes.
std::string page_tag(PageBytes bytes) {
    constexpr std::size_t kDigits = 24;
    return '"' + work::sha256_of(page_text(bytes)).substr(0, kDigits) + '"';
}

// Calls back with each item between commas until one is taken.
template <typename Taken>
bool page_any_item(std::string_view list, Taken taken) {
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        if (taken(http::without_blanks(list.substr(0, comma)))) return true;
        if (comma == list.npos) break;
        list.remove_prefix(comma + 1);
    }
    return false;
}

bool page_takes_gzip(const http::Request& request) {
    return page_any_item(request.header("Accept-Encoding"), [](std::string_view item) {
        const std::size_t semicolon = item.find(';');
        const std::string_view name = http::without_blanks(item.substr(0, semicolon));
        const std::string_view weight = semicolon == item.npos ? "" : http::without_blanks(item.substr(semicolon + 1));
        const bool refused = weight.starts_with("q=0") && weight.find_first_not_of("q=0.") == weight.npos;
        return same_in_any_case(name, "gzip") && !refused;
    });
}

// A proxy that packs answers makes their tags weak, which is good enough here.
bool page_is_known(const http::Request& request, std::string_view tag) {
    return page_any_item(request.header("If-None-Match"), [&](std::string_view item) {
        if (item.starts_with("W/")) item.remove_prefix(2);
        return item == "*" || item == tag;
    });
}

http::Response page_answer(const http::Request& request, const PageFile& file, const std::string& plain_tag,
                           const std::string& packed_tag) {
    const bool packed = page_takes_gzip(request);
    const std::string& tag = packed ? packed_tag : plain_tag;
    http::Response response;
    response.headers = {{"ETag", tag},
                        {"Cache-Control", "no-cache"},  // kept, and asked for with its tag
                        {"Vary", "Accept-Encoding"},
                        {"Content-Security-Policy", std::string(kPagePolicy)},
                        {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"}};
    if (page_is_known(request, tag)) {
        response.status = 304;
        response.content_type.clear();
        return response;
    }
    response.content_type = file.content_type;
    response.body = page_text(packed ? file.packed : file.plain);
    if (packed) response.headers.push_back({"Content-Encoding", "gzip"});
    return response;
}

// Addresses in the page are relative to its folder: "/lt" must become "/lt/". Empty: it is right.
std::string page_folder(const http::Request& request) {
    const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
    if (path.ends_with('/') || path.ends_with(".html")) return {};
    const std::string_view last = path.substr(path.rfind('/') + 1);
    return fmt::format("./{}/{}{}", last, request.query.empty() ? "" : "?", request.query);
}

void page_send(Call& call, const PageFile& file, const std::string& plain_tag, const std::string& packed_tag) {
    const std::string folder = file.path == std::string_view("/") ? page_folder(call.request()) : "";
    if (folder.empty()) return call.exchange->send(page_answer(call.request(), file, plain_tag, packed_tag));
    http::Response response;
    response.status = 308;
    response.content_type.clear();
    response.headers = {{"Location", folder}};
    call.exchange->send(std::move(response));
}

}  // namespace

void add_page(Router& router, Services&) {
    const PageFile files[] = {{"/", "text/html; charset=utf-8", page::kIndex, page::kIndexGzip},
                              {"/index.html", "text/html; charset=utf-8", page::kIndex, page::kIndexGzip},
                              {"/app.js", "text/javascript; charset=utf-8", page::kScript, page::kScriptGzip},
                              {"/app.css", "text/css; charset=utf-8", page::kStyle, page::kStyleGzip},
                              {"/worker.js", "text/javascript; charset=utf-8", page::kWorker, page::kWorkerGzip},
                              {"/icon.svg", "image/svg+xml", page::kIcon, page::kIconGzip},
                              {"/manifest.webmanifest", "application/manifest+json", page::kManifest,
                               page::kManifestGzip}};
    for (const PageFile& file : files) {
        Route route;
        route.method = "GET";
        route.path = file.path;
        route.handler = [file, plain = page_tag(file.plain), packed = page_tag(file.packed)](Call& call) {
            page_send(call, file, plain, packed);
        };
        route.access = Access::open;
        route.body = Body::none;
        route.limited = false;
        router.add(std::move(route));
    }
}

bool wants_page(const http::Request& request) {
    return request.method == "GET" && request.header("Accept").find("text/html") != std::string_view::npos;
}

http::Response page_not_found(const http::Request& request) {
    std::string up;  // the page's folder, seen from an address that may lie below it
    for (const char c : std::string_view(request.path).substr(std::min<std::size_t>(1, request.path.size())))
        if (c == '/') up += "../";
    if (up.empty()) up = "./";
    http::Response response;
    response.status = 404;
    response.content_type = "text/html; charset=utf-8";
    response.headers = {{"Content-Security-Policy", std::string(kPagePolicy)}};
    response.body = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>Not found - Dragoman</title>\n<link rel=\"stylesheet\" href=\"{0}app.css\">\n</head>\n<body>\n"
        "<main class=\"lost\">\n<h1>Not found</h1>\n<p>There is nothing at this address.</p>\n"
        "<p><a href=\"{0}\">To the translator</a></p>\n</main>\n</body>\n"
        "</html>\n",
        up);
    return response;
}

}  // namespace serve::api
