// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "registry/catalog.h"
#include "registry/mirror.h"
#include "registry/server.h"
#include "store/places.h"
#include "store/user.h"
#include "support/refused.h"

namespace catalog_test {
using namespace dragoman;
using namespace dragoman::registry;

using Names = std::vector<std::string>;

// A user for whom argos and opus are the server's.
struct Reader : test::User {
    explicit Reader(const std::string& url) {
        for (const char* name : {"DRAGOMAN_OFFLINE", "http_proxy", "all_proxy"}) set(name, nullptr);
        set("DRAGOMAN_MIRROR_ARGOS", url.c_str());
        set("DRAGOMAN_MIRROR_OPUS", url.c_str());
    }
};

std::string list_path(const char* id) {
    const auto all = registries();
    const std::string& url = find_registry(all, id).list_url;
    return url.substr(server_of(url).size());
}

std::string package(const std::string& from, const std::string& to) {
    return nlohmann::json{{"from_code", from},
                          {"to_code", to},
                          {"package_version", "1.9"},
                          {"links", {"https://argos.example/v1/" + from + "_" + to + ".argosmodel"}}}
        .dump();
}

CatalogOptions options(const Names& only) {
    CatalogOptions options;
    options.only = only;
    options.transfer = test::one_try();
    return options;
}

Names models(const Listing& listing) {
    Names names;
    for (const Entry& entry : listing.entries) names.push_back(entry.model);
    return names;
}

TEST_CASE("A list is asked for once, kept, and used while it is young or nobody may ask") {
    test::Server server;
    Reader reader(server.url());
    server.page(list_path("argos"), "[" + package("de", "en") + "]");
    {
        Catalog catalog(options({"argos"}));
        const Listing& first = catalog.listings().at(0);
        CHECK(models(first) == Names{"de_en"});
        CHECK(first.problem == "");
        CHECK(first.fetched_at.size() == 20);
        CHECK(first.entries[0].files[0].url == server.url() + "/v1/de_en.argosmodel");
        catalog.listings();
    }
    CHECK(server.requests().size() == 1);
    server.page(list_path("argos"), "[" + package("de", "en") + "," + package("fr", "en") + "]");
    CHECK(models(Catalog(options({"argos"})).listings().at(0)) == Names{"de_en"});
    CHECK(server.requests().empty());

    CatalogOptions again = options({"argos"});
    again.refresh = true;
    CHECK(models(Catalog(again).listings().at(0)) == Names{"de_en", "fr_en"});
    CHECK(server.requests().size() == 1);
    CatalogOptions old = options({"argos"});
    old.most_age_hours = 0;
    CHECK(models(Catalog(old).listings().at(0)) == Names{"de_en", "fr_en"});
    CHECK(server.requests().size() == 1);

    old.offline = true;
    Catalog offline(old);
    CHECK(models(offline.listings().at(0)) == Names{"de_en", "fr_en"});
    CHECK(offline.listings().at(0).problem == "");
    CHECK(offline.resolve("argos:fr_en").version == "1.9");
    reader.set("DRAGOMAN_OFFLINE", "1");
    old.offline = false;
    CHECK(models(Catalog(old).listings().at(0)).size() == 2);
    CHECK(server.requests().empty());
}

TEST_CASE("A list of another address is not young") {
    test::Server first, second;
    Reader reader(first.url());
    first.page(list_path("argos"), "[" + package("de", "en") + "]");
    second.page(list_path("argos"), "[" + package("fr", "en") + "]");
    CHECK(models(Catalog(options({"argos"})).listings().at(0)) == Names{"de_en"});
    reader.set("DRAGOMAN_MIRROR_ARGOS", second.url().c_str());
    CHECK(models(Catalog(options({"argos"})).listings().at(0)) == Names{"fr_en"});
}

TEST_CASE("Without a list nothing is found, and why is said") {
    test::Server server;
    Reader reader(server.url());
    CatalogOptions offline = options({"argos"});
    offline.offline = true;
    const Listing none = Catalog(offline).listings().at(0);
    CHECK(none.entries.empty());
    CHECK(none.fetched_at == "");
    CHECK(none.problem.find("offline") != std::string::npos);
    test::check_refused(Status::io_error, {"argos:de_en", "offline"}, [&] { Catalog(offline).resolve("argos:de_en"); });

    const Listing missing = Catalog(options({"argos"})).listings().at(0);
    CHECK(missing.problem.find("404") != std::string::npos);
    reader.set("DRAGOMAN_MIRROR_ARGOS", "nowhere");
    CHECK(Catalog(options({"argos"})).listings().at(0).problem.find("DRAGOMAN_MIRROR_ARGOS") != std::string::npos);
}

TEST_CASE("A broken list from the network does not replace a good one") {
    test::Server server;
    Reader reader(server.url());
    server.page(list_path("argos"), "[" + package("de", "en") + "]");
    Catalog(options({"argos"})).listings();
    CatalogOptions again = options({"argos"});
    again.refresh = true;
    const std::string good = "[" + package("de", "en") + "," + package("fr", "en") + "]";
    for (const std::string& body : {good.substr(0, good.size() - 1), std::string("<html>"), std::string("[]"),
                                    std::string("{}"), "[1, 2, " + package("fr", "en") + "]"}) {
        INFO(body);
        server.page(list_path("argos"), body);
        const Listing listing = Catalog(again).listings().at(0);
        CHECK(models(listing) == Names{"de_en"});
        CHECK(listing.problem.find("is used") != std::string::npos);
    }
    server.page(list_path("argos"), good, nlohmann::json::object(), 500);
    CHECK(models(Catalog(again).listings().at(0)) == Names{"de_en"});
    server.page(list_path("argos"), good);
    CHECK(models(Catalog(again).listings().at(0)).size() == 2);
    // few items that are broken are counted
    server.page(list_path("argos"), "[1, " + package("fr", "en") + "," + package("es", "en") + "]");
    const Listing listing = Catalog(again).listings().at(0);
    CHECK(models(listing) == Names{"es_en", "fr_en"});
    CHECK(listing.problem.find("1 of 3 items of its list are left out, the first: item 1") == 0);
}

TEST_CASE("A kept list that was cut or changed is asked for again") {
    test::Server server;
    Reader reader(server.url());
    server.page(list_path("argos"), "[" + package("de", "en") + "]");
    Catalog(options({"argos"})).listings();
    const auto file = store::lists_folder() / "argos.list";
    const std::string whole = test::read_file(file);
    for (const std::string& content :
         {whole.substr(0, whole.size() - 1), std::string(), std::string("x\n"), whole + "x",
          std::string("{\"format\": 9}\n"), std::string("{\"format\": \"1\"}\n")}) {
        std::ofstream(file, std::ios::binary) << content;
        server.requests();
        CHECK(models(Catalog(options({"argos"})).listings().at(0)) == Names{"de_en"});
        CHECK(server.requests().size() == 1);
    }
}

TEST_CASE("A list from the future is asked for again: a clock was put back") {
    test::Server server;
    Reader reader(server.url());
    server.page(list_path("argos"), "[" + package("de", "en") + "]");
    Catalog(options({"argos"})).listings();
    const auto file = store::lists_folder() / "argos.list";
    std::string whole = test::read_file(file);
    const std::size_t at = whole.find("\"fetched\":") + 10;
    whole.replace(at, whole.find_first_of(",}", at) - at, "5000000000");
    std::ofstream(file, std::ios::binary) << whole;
    server.requests();
    CHECK(models(Catalog(options({"argos"})).listings().at(0)) == Names{"de_en"});
    CHECK(server.requests().size() == 1);
}

TEST_CASE("Names: the newest, a pinned version, languages spelt otherwise, the nearest of what is not there") {
    test::Server server;
    Reader reader(server.url());
    server.page(list_path("opus"),
                "de-en/opus-2019-12-04.zip\nde-en/opus-2020-02-26.zip\nen-zh/opus-2020-01-01.zip\n"
                "zh_Hant-en/opus-2020-01-01.zip\n");
    Catalog catalog(options({}));
    CHECK(catalog.resolve("opus:de-en").version == "opus-2020-02-26");
    CHECK(catalog.resolve("opus:de-en@opus-2019-12-04").version == "opus-2019-12-04");
    CHECK(catalog.resolve("opus:de-en@opus-2019-12-04").name() == "opus:de-en@opus-2019-12-04");
    CHECK(catalog.resolve("opus:deu_eng").name() == "opus:de-en");
    CHECK(catalog.resolve("opus:en-zho").name() == "opus:en-zh");
    CHECK(catalog.resolve("opus:en-zh_Hans").name() == "opus:en-zh");
    CHECK(catalog.resolve("opus:zt-en").name() == "opus:zh_Hant-en");
    CHECK(server.requests().size() == 1);  // of that registry only
    test::check_refused(Status::invalid_argument, {"opus:de-em", "nearest are opus:de-en"},
                        [&] { catalog.resolve("opus:de-em"); });
    test::check_refused(Status::invalid_argument, {"opsu", "opus"}, [&] { catalog.resolve("opsu:de-en"); });
    test::check_refused(Status::invalid_argument, {"expected REGISTRY:MODEL"}, [&] { catalog.resolve("de-en"); });
}

TEST_CASE("A search is over all lists, best first") {
    test::Server server;
    Reader reader(server.url());
    server.page(list_path("opus"),
                "de-en/opus-2020-02-26.zip\nen-de/opus-2020-02-26.zip\nde+nl-en/opus-2020-02-26.zip\n");
    server.page(list_path("argos"), "[" + package("de", "en") + "]");
    const auto names = [](const std::vector<Entry>& entries) {
        Names names;
        for (const Entry& entry : entries) names.push_back(entry.name());
        return names;
    };
    Catalog catalog(options({"argos", "opus"}));
    CHECK(names(catalog.search("de", "en")) == Names{"opus:de-en", "argos:de_en", "opus:de+nl-en"});
    CHECK(names(catalog.search("", "de")) == Names{"opus:en-de"});
    CHECK(names(catalog.search("", "")).size() == 4);
    CHECK(catalog.search("ja", "en").empty());
    CHECK_THROWS_AS(catalog.search("xx-none", "en"), const Error&);
    test::check_refused(Status::invalid_argument, {"none"}, [] { Catalog refused(options({"none"})); });
}

TEST_CASE("A cancelled transfer is no problem of the registry") {
    test::Server server;
    Reader reader(server.url());
    server.page(list_path("argos"), "[" + package("de", "en") + "]");
    CatalogOptions stopped = options({"argos"});
    int asked = 0;
    stopped.progress = [&](const download::Progress&) { return ++asked > 1; };
    Catalog catalog(stopped);
    try {
        catalog.listings();
    } catch (const Error& error) {
        CHECK(error.status() == Status::cancelled);
        CHECK(models(catalog.listings().at(0)) == Names{"de_en"});
    }
    CHECK(asked > 0);
}

}  // namespace catalog_test
