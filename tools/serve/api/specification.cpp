// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "serve/api/api.h"
#include "serve/api/specification_files.h"
#include "serve/fields.h"

namespace serve::api {
namespace {

std::string_view specification_text(std::span<const unsigned char> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A document with the service's own address, which is known once it listens. Made when it is asked for first.
class Specification {
public:
    using Place = void (*)(Json& document, const std::string& address);
    Specification(std::span<const unsigned char> bytes, Place place) : bytes_(bytes), place_(place) {}
    const std::string& text(const std::string& address) {
        std::call_once(made_, [&] {
            Json document = Json::parse(specification_text(bytes_));
            place_(document, address);
            text_ = document.dump();
        });
        return text_;
    }

private:
    std::span<const unsigned char> bytes_;
    Place place_;
    std::once_flag made_;
    std::string text_;
};

void specification_servers(Json& document, const std::string& address) {
    document["servers"] = Json::array({{{"url", address}}});
}

// Without the host, which is the one that was asked.
void specification_base(Json& document, const std::string& address) {
    const std::size_t scheme = address.find("://");
    const std::size_t path = scheme == std::string::npos ? scheme : address.find('/', scheme + 3);
    document["basePath"] = path == std::string::npos ? "/" : address.substr(path);
}

void specification_add(Router& router, const char* path, std::function<http::Response()> answer) {
    Route route;
    route.method = "GET";
    route.path = path;
    route.access = Access::open;
    route.body = Body::none;
    route.limited = false;
    route.handler = [answer = std::move(answer)](Call& call) { call.exchange->send(answer()); };
    router.add(std::move(route));
}

http::Response specification_file(const char* type, std::span<const unsigned char> bytes) {
    http::Response response;
    response.content_type = type;
    response.body = specification_text(bytes);
    response.headers = {{"Content-Security-Policy", "default-src 'none'; style-src 'self'; frame-ancestors 'none'"}};
    return response;
}

}  // namespace

void add_specification(Router& router, Services& services) {
    const auto document = [&services](std::span<const unsigned char> bytes, Specification::Place place) {
        return [&services, made = std::make_shared<Specification>(bytes, place)] {
            http::Response response;
            response.body = made->text(services.url_of(""));
            return response;
        };
    };
    const auto openapi = document(kOpenApi, specification_servers);
    specification_add(router, "/v1/openapi.json", openapi);
    specification_add(router, "/openapi.json", openapi);
    specification_add(router, "/spec", document(kSwagger, specification_base));
    specification_add(router, "/docs", [] { return specification_file("text/html; charset=utf-8", kDocs); });
    specification_add(router, "/docs.css", [] { return specification_file("text/css; charset=utf-8", kDocsStyle); });
}

}  // namespace serve::api
