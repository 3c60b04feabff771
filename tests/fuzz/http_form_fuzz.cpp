// SPDX-License-Identifier: Apache-2.0
// Queries and urlencoded forms.
#include "fuzz/fuzz.h"
#include "serve/http/characters.h"
#include "serve/http/form.h"
#include "serve/http/refusal.h"
#include "serve/http/request_line.h"
#include "serve/problem.h"

namespace dragoman::test::http_form_fuzz {

using namespace serve::http;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        std::size_t bytes = 0;
        for (const auto& [name, value] : read_urlencoded(text)) bytes += name.size() + value.size();
        DRAGOMAN_ASSERT(bytes <= text.size());
    } catch (const serve::Problem& problem) {
        DRAGOMAN_ASSERT(problem.kind == serve::Problem::Kind::bad_request);
    }
    try {
        const std::string path = read_path(text);
        DRAGOMAN_ASSERT(path.size() <= text.size() && is_utf8(path));
    } catch (const Refusal& refusal) {
        DRAGOMAN_ASSERT(refusal.status == 400);
    }
    is_authority(text);
    list_has(text, "chunked");
    for (const char c : shown(text)) DRAGOMAN_ASSERT(c >= 0x20 && c < 0x7f);
    return 0;
}

}  // namespace dragoman::test::http_form_fuzz
