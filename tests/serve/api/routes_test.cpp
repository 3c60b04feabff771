// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>

#include "serve/api/api.h"
#include "serve/api/specification_files.h"
#include "serve/measures.h"
#include "support/temp_dir.h"

namespace routes_test {
using namespace dragoman;
using namespace serve;

work::ModelsOptions offline() {
    work::ModelsOptions options;
    options.models = {DRAGOMAN_SHIPPED_MODEL};
    options.offline = true;
    options.preload = false;
    return options;
}

// A service with everything turned on, which loads no model.
class All {
public:
    All()
        : models_(offline()), translations_(models_, {}), glossaries_(folder_.path() / "glossaries"),
          memories_(folder_.path() / "memories"),
          documents_(models_, translations_, glossaries_, memories_, {.folder = folder_.path() / "documents"}),
          guard_({}), log_(watch::LogForm::none, watch::LogLevel::error), services_{.models = models_,
                                                                                    .translations = translations_,
                                                                                    .documents = documents_,
                                                                                    .glossaries = glossaries_,
                                                                                    .memories = memories_,
                                                                                    .guard = guard_,
                                                                                    .metrics = metrics_,
                                                                                    .log = log_,
                                                                                    .uploads = folder_.path(),
                                                                                    .public_url = "",
                                                                                    .state = folder_.path()} {
        api::add_watching(router_, services_);
        add_metrics(router_, services_, "");
        api::add_azure(router_, services_);
        api::add_translate_path(router_, services_);
        api::add_libretranslate(router_, services_);
        api::add_own(router_, services_);
        api::add_deepl(router_, services_);
        api::add_google(router_, services_);
        api::add_mtranserver(router_, services_);
        api::add_nllb_api(router_, services_);
        api::add_lingva(router_, services_);
        api::add_openai(router_, services_);
        api::add_huggingface(router_, services_);
        api::add_specification(router_, services_);
        api::add_page(router_, services_);
    }
    const Router& router() const { return router_; }

private:
    test::TempDir folder_;
    watch::Metrics metrics_;
    work::Models models_;
    work::Translations translations_;
    work::Glossaries glossaries_;
    work::Memories memories_;
    work::Documents documents_;
    guard::Guard guard_;
    watch::Log log_;
    Services services_;
    Router router_;
};

// What DeepL and Azure have and this service refuses by name is no interface.
bool is_refused(const std::string& path) {
    static constexpr const char* kRefused[] = {"/v3/style_rules", "/v2/write/",      "/v3/voice/",
                                               "/v2/admin/",      "/v1/jobs/voice/", "/v1/quality-evaluation",
                                               "/breaksentence",  "/transliterate",  "/dictionary/"};
    return std::ranges::any_of(kRefused, [&](const char* begin) { return path.starts_with(begin); });
}

TEST_CASE("Every route is in the specification, and nothing else is") {
    const All all;
    std::set<std::string> routes, specified;
    for (const Route& route : all.router().routes())
        if (!is_refused(route.path))
            routes.insert(route.method + " " + std::regex_replace(route.path, std::regex("\\.\\.\\.}"), "}"));
    const Json document = Json::parse(api::kOpenApi.begin(), api::kOpenApi.end());
    for (const auto& [path, methods] : document.at("paths").items())
        for (const auto& [method, operation] : methods.items()) {
            std::string name = method;
            std::ranges::transform(name, name.begin(), [](char c) { return char(c - 'a' + 'A'); });
            specified.insert(name + " " + path);
        }
    for (const std::string& route : routes) {
        CAPTURE(route);
        CHECK(specified.contains(route));
    }
    for (const std::string& route : specified) {
        CAPTURE(route);
        CHECK(routes.contains(route));
    }
    CHECK(routes.size() > 100);
}

TEST_CASE("What is of the own interface answers in its form") {
    const All all;
    for (const Route& route : all.router().routes()) {
        const bool other = is_refused(route.path) || route.path.find("completions") != std::string::npos ||
                           route.path == "/v1/openapi.json" ||
                           (route.path == "/v1/translate" && route.method == "GET");  // DeepL's
        if (!route.path.starts_with("/v1/") || other) continue;
        CAPTURE(route.path);
        const bool has_form = route.error != nullptr;
        REQUIRE(has_form);
        const Json body = Json::parse(route.error(Problem(Problem::Kind::not_found, "nothing", "id")).body);
        CHECK(body.at("error").at("code") == "not_found");
    }
}

TEST_CASE("No route hides another one") {
    const All all;
    std::set<std::string> seen;
    for (const Route& route : all.router().routes()) {
        const std::string name = route.method + " " + route.path + (route.query_name ? route.query_name : "");
        CAPTURE(name);
        CHECK(seen.insert(name).second);
    }
}

}  // namespace routes_test
