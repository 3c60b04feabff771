// SPDX-License-Identifier: Apache-2.0
// A multipart body. The input is the boundary, a line, and the body, which gives the same parts whole or in pieces.
#include <algorithm>

#include "fuzz/fuzz.h"
#include "serve/http/multipart.h"
#include "serve/http/parameters.h"
#include "serve/problem.h"

namespace dragoman::test::http_multipart_fuzz {

using namespace serve::http;

namespace {

struct Parts {
    std::vector<std::string> all;
    bool refused = false;
    bool operator==(const Parts&) const = default;
};

Parts read_parts(const std::string& boundary, std::string_view body, std::size_t piece) {
    Parts parts;
    bool open = false;
    const MultipartReader::Events events{.begin =
                                             [&](const MultipartReader::Part& part) {
                                                 DRAGOMAN_ASSERT(!open);
                                                 open = true;
                                                 parameter(part.disposition, "name");
                                                 parameter(part.disposition, "filename");
                                                 parts.all.push_back(part.disposition + "\n" + part.content_type +
                                                                     "\n");
                                             },
                                         .data =
                                             [&](std::string_view data) {
                                                 DRAGOMAN_ASSERT(open);
                                                 parts.all.back() += data;
                                             },
                                         .end =
                                             [&] {
                                                 DRAGOMAN_ASSERT(open);
                                                 open = false;
                                             }};
    try {
        MultipartReader reader(boundary, events);
        for (std::size_t at = 0; at < body.size(); at += piece) reader.feed(body.substr(at, piece));
        reader.finish();
        DRAGOMAN_ASSERT(!open);
    } catch (const serve::Problem& problem) {
        DRAGOMAN_ASSERT(problem.kind == serve::Problem::Kind::bad_request ||
                        problem.kind == serve::Problem::Kind::too_large);
        parts = {.all = {}, .refused = true};
    }
    return parts;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::size_t line = std::min(bytes.find('\n'), bytes.size());
    const std::string boundary(bytes.substr(0, line));
    const std::string_view body = bytes.substr(std::min(line + 1, bytes.size()));
    const Parts whole = read_parts(boundary, body, std::max<std::size_t>(body.size(), 1));
    DRAGOMAN_ASSERT(read_parts(boundary, body, 1) == whole && read_parts(boundary, body, 3) == whole);
    return 0;
}

}  // namespace dragoman::test::http_multipart_fuzz
