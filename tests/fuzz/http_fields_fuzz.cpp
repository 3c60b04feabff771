// SPDX-License-Identifier: Apache-2.0
// The fields of a request. The input is the Content-Type, a line, the query, a line, and the body.
#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "serve/fields.h"
#include "serve/problem.h"

namespace dragoman::test::http_fields_fuzz {

using serve::Problem;

namespace {

// Nobody is answered.
class Given final : public serve::http::Exchange {
public:
    Given(std::string type, std::string query, std::string body) {
        request_.headers.push_back({"Content-Type", std::move(type)});
        request_.query = std::move(query);
        request_.body_bytes = body.size();
        request_.body = std::move(body);
    }
    const serve::http::Request& request() const override { return request_; }
    void send(serve::http::Response) override {}
    void begin(serve::http::Response) override {}
    bool write(std::string) override { return true; }
    void end(std::string) override {}
    void on_gone(std::function<void()>) override {}
    bool gone() const override { return false; }

private:
    serve::http::Request request_;
};

template <class Read>
void refusing(Read&& read) {
    try {
        read();
    } catch (const Problem& problem) {
        DRAGOMAN_ASSERT(problem.kind == Problem::Kind::bad_request || problem.kind == Problem::Kind::too_large);
        DRAGOMAN_ASSERT(problem.what()[0] != '\0');
    }
}

std::string take_line(std::string_view& bytes) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string line(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    return line;
}

}  // namespace

#ifdef DRAGOMAN_LIBFUZZER  // without the library, of which fields.cpp takes nothing else
extern "C" std::size_t dragoman_utf8_prefix(const char* text, std::size_t size) {
    return dragoman::first_invalid_utf8({text, size}).value_or(size);
}
#endif

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::string type = take_line(bytes), query = take_line(bytes);
    if (type.starts_with("multipart/")) return 0;  // goes to files, see http_multipart_fuzz.cpp
    serve::Call call;
    call.exchange = std::make_shared<Given>(type, query, std::string(bytes));
    refusing([&] { serve::read_fields(call, {}); });
    std::vector<std::string> names = {"q", "text", "source"};
    if (call.fields.is_object())
        for (const auto& [name, value] : call.fields.items()) names.push_back(name);
    for (const std::string& name : names) {
        refusing([&] { serve::count_characters(serve::text(call.fields, name), name); });
        refusing([&] { serve::integer_between(call.fields, name, 1, -5, 100); });
        refusing([&] { serve::flag(call.fields, name, false); });
        refusing([&] { serve::texts(call.fields, name); });
    }
    DRAGOMAN_ASSERT(!dragoman::first_invalid_utf8(serve::json_text(call.fields)));
    return 0;
}

}  // namespace dragoman::test::http_fields_fuzz
