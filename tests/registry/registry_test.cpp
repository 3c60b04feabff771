// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "registry/mirror.h"
#include "registry/registry.h"
#include "registry/shapes/shapes.h"
#include "store/user.h"
#include "support/refused.h"

namespace registry_test {
using namespace dragoman;
using namespace dragoman::registry;

constexpr const char* kFolder = ".config/dragoman/registries/";

std::string data(const std::string& id, const std::string& more = "") {
    return R"({"id": ")" + id + R"(", "title": "Ours", "shape": "table", "list": "https://ours.example/list.txt",
        "entry": {"model": "{1}", "from": "{2}", "to": "{3}"}, "files": [{"url": "{4}"}])" +
           more + "}";
}

TEST_CASE("The registries that are known from the start") {
    test::User user;
    const auto all = registries();
    for (const char* id :
         {"argos", "firefox", "firefox-all", "hf", "hplt", "opus", "tatoeba", "translatelocally", "url"}) {
        const Registry& registry = find_registry(all, id);
        CHECK(registry.file == "built in");
        CHECK_FALSE(registry.title.empty());
    }
    CHECK(all.size() == 9);
    CHECK(find_registry(all, "firefox").license == "MPL-2.0");
    CHECK(find_registry(all, "firefox").notice.find("DRAGOMAN_MIRROR_FIREFOX") != std::string::npos);
    CHECK(find_registry(all, "firefox-all").mirror_variable == "DRAGOMAN_MIRROR_FIREFOX_ALL");
    CHECK(find_registry(all, "hf").list_url.empty());
    test::check_refused(Status::invalid_argument, {"fierfox", "argos, firefox"},
                        [&] { find_registry(all, "fierfox"); });
}

TEST_CASE("A user's files add registries and replace those of their id") {
    test::User user;
    user.write(std::string(kFolder) + "ours.json", data("ours"));
    user.write(std::string(kFolder) + "argos.json", data("argos"));
    user.write(std::string(kFolder) + "note.txt", "no registry");
    const auto all = registries();
    CHECK(all.size() == 10);
    CHECK(find_registry(all, "ours").list_url == "https://ours.example/list.txt");
    CHECK(find_registry(all, "argos").title == "Ours");
    CHECK(find_registry(all, "argos").file.ends_with("argos.json"));
}

TEST_CASE("The example of the page about registries is one") {
    const std::string page = test::read_file(DRAGOMAN_TEST_DATA "/../../docs/registries.md");
    const std::size_t begin = page.find("```json\n") + 8;
    test::User user;
    user.write(std::string(kFolder) + "ours.json", page.substr(begin, page.find("```", begin) - begin));
    const auto all = registries();
    const ListContent list = read_list(find_registry(all, "ours"), "de\ten\t7\t" + std::string(64, '9') + "\n");
    REQUIRE(list.entries.size() == 1);
    CHECK(list.entries[0].name() == "ours:de-en");
    CHECK(list.entries[0].license == "MIT");
    CHECK(list.entries[0].version == "7");
    CHECK(list.entries[0].files.at(0).url == "https://models.example.com/de-en-7.zip");
    CHECK(list.entries[0].files.at(0).sha256 == std::string(64, '9'));
}

TEST_CASE("A data file that is wrong is refused, with the file and the key") {
    const auto refused = [](std::initializer_list<const char*> parts, const std::string& content) {
        test::User user;
        user.write(std::string(kFolder) + "wrong.json", content);
        INFO(content);
        test::check_refused(Status::bad_model, {"wrong.json"}, [] { registries(); });
        test::check_refused(Status::bad_model, parts, [] { registries(); });
    };
    refused({"parse error"}, "{");
    refused({"expected an object, got array"}, "[]");
    refused({"id: expected a text, it is missing"}, "{}");
    refused({"id: expected two or more", "A b"}, data("A b"));
    refused({"id: expected two or more"}, data("a"));
    refused({"id: expected a text, got number"}, R"({"id": 3})");
    refused({"shape: expected entries", "got other"}, R"({"id": "xx", "title": "X", "shape": "other"})");
    refused({"list: expected an http"}, R"({"id": "xx", "title": "X", "shape": "table", "list": "ftp://x/"})");
    refused({"list: expected a text, it is missing"}, R"({"id": "xx", "title": "X", "shape": "table"})");
    refused({"list: the shape hub has none"},
            R"({"id": "xx", "title": "X", "shape": "hub", "list": "https://x/", "hub": {"endpoint": "https://x"}})");
    refused({"entry: expected an object, it is missing"},
            R"({"id": "xx", "title": "X", "shape": "table", "list": "https://x/"})");
    refused({"files: expected at least one"},
            R"({"id": "xx", "title": "X", "shape": "table", "list": "https://x/", "entry": {"model": "{1}"}})");
    refused({"colour: not a key", "title"}, data("xx", R"(, "colour": 1)"));
    refused({"parts: a: pattern: expected a regular expression", "(x"},
            data("xx", R"(, "parts": {"a": {"of": "{1}", "pattern": "(x"}})"));
    refused({"where: {: expected each { to have its }"}, data("xx", R"(, "where": {"{": "x"})"));
    refused({"line: expected a text"},
            R"({"id": "xx", "title": "X", "shape": "lines", "list": "https://x/", "entry": {"model": "{1}"},
                "files": [{"url": "{1}"}]})");
    refused({"records: expected an object"},
            R"({"id": "xx", "title": "X", "shape": "records", "list": "https://x/", "entry": {"model": "{1}"},
                "files": [{"url": "{1}"}]})");
    refused(
        {"hub: forms: weights: expected either this or index"},
        R"({"id": "xx", "title": "X", "shape": "hub", "hub": {"endpoint": "https://x", "forms": [{"form": "a"}]}})");
    refused({"files: packing: expected none, file or archive, got zip"},
            R"({"id": "xx", "title": "X", "shape": "table", "list": "https://x/", "entry": {"model": "{1}"},
                "files": [{"url": "{1}", "packing": "zip"}]})");
}

TEST_CASE("A mirror stands in the place of scheme, host and port") {
    test::User user;
    for (const char* name : {"DRAGOMAN_MIRROR_ARGOS", "DRAGOMAN_MIRROR_HF", "HF_ENDPOINT"}) user.set(name, nullptr);
    const auto all = registries();
    const Registry &argos = find_registry(all, "argos"), &hub = find_registry(all, "hf");
    CHECK(mirrored(argos, "https://a.example:1/x/y?z") == "https://a.example:1/x/y?z");
    user.set("DRAGOMAN_MIRROR_ARGOS", "http://mirror.example:8080/argos//");
    CHECK(mirrored(argos, "https://a.example:1/x/y?z") == "http://mirror.example:8080/argos/x/y?z");
    CHECK(mirrored(argos, "https://a.example") == "http://mirror.example:8080/argos");
    CHECK(mirrored(hub, "https://a.example/x") == "https://a.example/x");
    user.set("HF_ENDPOINT", "https://hub.example");
    CHECK(mirrored(hub, "https://a.example/x") == "https://hub.example/x");
    CHECK(mirrored(argos, "https://a.example/x") == "http://mirror.example:8080/argos/x");
    user.set("DRAGOMAN_MIRROR_HF", "https://ours.example");
    CHECK(mirrored(hub, "https://a.example/x") == "https://ours.example/x");
    user.set("DRAGOMAN_MIRROR_ARGOS", "mirror.example");
    test::check_refused(Status::invalid_argument, {"DRAGOMAN_MIRROR_ARGOS", "mirror.example"},
                        [&] { mirrored(argos, "https://a.example/x"); });
}

}  // namespace registry_test
