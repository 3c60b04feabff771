// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "native_messaging/manifests.h"
#include "native_messaging/offers.h"
#include "native_messaging/request.h"
#include "support/temp_dir.h"

namespace native_manifests_test {
using namespace dragoman;
using namespace native_messaging;
namespace fs = std::filesystem;

const std::string kOfChromium = "abcdefghijklmnopabcdefghijklmnop";

Installation at(const fs::path& folder) {
    return {.home = folder,
            .config = folder / ".config",
            .data = folder / "data",
            .program = folder / "it's dragoman",
            .arguments = {"--device", "0"},
            .browsers = {"firefox", "chromium"},
            .extensions = {"own@example.org", kOfChromium}};
}

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("Browsers find a manifest with the add-ons that they can have, and a script that can be started") {
    const test::TempDir folder;
    const Installation where = at(folder.path());
    const auto written = install(where);
    CHECK(written.size() == 3);
    const Json firefox = Json::parse(content(folder.path() / ".mozilla/native-messaging-hosts/translatelocally.json"));
    CHECK(firefox.at("name") == "translatelocally");
    CHECK(firefox.at("type") == "stdio");
    CHECK(firefox.at("path") == script_path(where).string());
    CHECK(firefox.at("allowed_extensions") == Json::array({"own@example.org"}));
    CHECK_FALSE(firefox.contains("allowed_origins"));
    const Json chromium =
        Json::parse(content(folder.path() / ".config/chromium/NativeMessagingHosts/translatelocally.json"));
    CHECK(chromium.at("allowed_origins") == Json::array({"chrome-extension://" + kOfChromium + "/"}));
    CHECK_FALSE(chromium.contains("allowed_extensions"));
    CHECK((fs::status(script_path(where)).permissions() & fs::perms::owner_exec) != fs::perms::none);
    CHECK(content(script_path(where)).ends_with("it'\\''s dragoman' native-messaging '--device' '0'\n"));
}

TEST_CASE("What was written goes again, and nothing else") {
    const test::TempDir folder;
    Installation where = at(folder.path());
    install(where);
    const fs::path other = manifest_path(where, "chrome");
    fs::create_directories(other.parent_path());
    std::ofstream(other) << R"({"name": "translatelocally", "path": "/elsewhere/translateLocally"})";
    where.browsers = {"firefox"};
    CHECK(uninstall(where).size() == 1);
    CHECK(fs::exists(script_path(where)));  // chromium's manifest names it still
    where.browsers = browsers();
    CHECK(uninstall(where).size() == 2);
    CHECK_FALSE(fs::exists(script_path(where)));
    CHECK(fs::exists(other));
}

TEST_CASE("A browser without an add-on gets no manifest") {
    const test::TempDir folder;
    Installation where = at(folder.path());
    where.extensions.clear();
    CHECK_FALSE(allowed_extensions(where, "firefox").empty());
    CHECK_THROWS_AS(install(where), std::runtime_error);
    CHECK_FALSE(fs::exists(script_path(where)));
}

TEST_CASE("A model that leads to several languages is offered for each") {
    serve::work::ModelInfo model;
    model.name = "en-de";
    model.from = model.to = {{"de", "de", "German"}, {"en", "en", "English"}};
    const auto offers = offers_of(model);
    REQUIRE(offers.size() == 2);
    const Json first = offer_json(offers.front());
    CHECK(first.at("id") == "en-de#de");
    CHECK(first.at("srcTags") == Json{{"en", "English"}});
    CHECK(first.at("trgTag") == "de");
    CHECK(name_and_target("en-de#de") == std::pair<std::string, std::string>("en-de", "de"));
    model.to.pop_back();
    CHECK(offers_of(model).front().id == "en-de");
    CHECK(name_and_target("en-de") == std::pair<std::string, std::string>("en-de", ""));
}

}  // namespace native_manifests_test
