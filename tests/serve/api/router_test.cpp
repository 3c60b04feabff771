// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "serve/router.h"

namespace router_test {
using namespace serve;

Route named(const char* method, const char* path, const char* query_name, http::Response (*error)(const Problem&)) {
    Route route;
    route.method = method;
    route.path = path;
    route.query_name = query_name;
    route.error = error;
    return route;
}

http::Response some(const Problem&) { return {}; }

TEST_CASE("A name of the query tells whose request it is") {
    Router router;
    router.add(named("POST", "/translate", "api-version", some));
    router.add(named("POST", "/translate", nullptr, nullptr));
    router.add(named("GET", "/alone", "api-version", some));
    const auto is_named = [&](const char* query) {
        return router.find("POST", "/translate", query).route->error == some;
    };
    for (const char* query : {"api-version=3.0", "to=de&api-version=3.0&from=en", "to=de&api-version", "api-version="})
        CHECK_MESSAGE(is_named(query), query);
    for (const char* query :
         {"", "to=de", "api-versions=3.0", "q=api-version", "q=api-version=3.0", "&&", "API-VERSION=3.0"})
        CHECK_MESSAGE(!is_named(query), query);
    CHECK(router.find("GET", "/alone", "api-version=1").route);
    const Router::Found without = router.find("POST", "/alone", "");
    CHECK(!without.route);
    CHECK(without.allowed.empty());
    CHECK(router.find("POST", "/alone", "api-version=1").allowed == std::vector<std::string>{"GET"});
}

}  // namespace router_test
