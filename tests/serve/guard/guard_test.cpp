// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <chrono>

#include "request_of.h"
#include "serve/guard/guard.h"
#include "support/temp_dir.h"

namespace guard_test {
using namespace serve;
using namespace serve::guard;
using namespace request_of_test;
using dragoman::test::TempDir;
using Headers = std::vector<http::Header>;
using Kind = Problem::Kind;

const Route translate{.method = "POST", .path = "/translate", .handler = {}, .key_fields = {"api_key"}};
const Route deepl{.method = "POST",
                  .path = "/v2/translate",
                  .handler = {},
                  .key_headers = {{"Authorization", "DeepL-Auth-Key "}},
                  .key_fields = {"auth_key"}};
const Route google{.method = "POST",
                   .path = "/language/translate/v2",
                   .handler = {},
                   .key_headers = {{"X-Goog-Api-Key"}},
                   .key_fields = {"key"}};
const Route languages{.method = "GET", .path = "/languages", .handler = {}, .access = Access::open, .limited = false};
const Route models{.method = "POST", .path = "/v1/models", .handler = {}, .access = Access::admin};

const Route mtranserver{.method = "POST",
                        .path = "/translate/batch",
                        .handler = {},
                        .key_headers = {{"Authorization"}, {"X-API-Token"}},
                        .key_fields = {"token", "api_token"}};

Account enter(Guard& guard, const Route& route, Headers headers = {}, const Json& fields = Json::object(),
              const std::string& peer = "203.0.113.5") {
    headers.push_back({"Host", "localhost:5000"});
    return guard.enter(*request_of("POST", peer, std::move(headers)), route, fields);
}

// The problem that a request meets.
Problem problem(Guard& guard, const Route& route, Headers headers = {}, const Json& fields = Json::object(),
                const std::string& peer = "203.0.113.5") {
    try {
        enter(guard, route, std::move(headers), fields, peer);
    } catch (const Problem& problem) {
        return problem;
    }
    return Problem(Kind::cancelled, "none");
}

TEST_CASE("without keys everybody may ask, and keys that clients send anyway are no matter") {
    Guard guard({});
    CHECK_FALSE(guard.keys_needed());
    CHECK(guard.keys() == nullptr);
    const Account account = enter(guard, translate, {{"Authorization", "Bearer anything"}}, {{"api_key", "other"}});
    CHECK(account.owner.empty());
    CHECK(account.address == "203.0.113.5");
    CHECK_FALSE(account.admin);
    CHECK(account.max_characters == 0);
}

TEST_CASE("keys of the environment, wherever the interface has them") {
    Guard guard({.keys = {"first key of all", "second key of all"}});
    CHECK(guard.keys_needed());
    CHECK(problem(guard, translate).kind == Kind::unauthorized);
    CHECK(problem(guard, translate, {}, {{"api_key", ""}}).kind == Kind::unauthorized);
    CHECK(problem(guard, translate, {}, {{"api_key", nullptr}}).kind == Kind::unauthorized);
    CHECK(problem(guard, translate, {}, {{"api_key", 5}}).kind == Kind::unauthorized);
    CHECK(problem(guard, translate, {}, Json::array({"first key of all"})).kind == Kind::unauthorized);
    CHECK(problem(guard, translate, {}, {{"api_key", "wrong"}}).kind == Kind::forbidden);
    CHECK(problem(guard, translate, {}, {{"api_key", std::string(1 << 20, 'x')}}).kind == Kind::forbidden);
    CHECK(problem(guard, translate, {{"Authorization", "Bearer first key of al"}}).kind == Kind::forbidden);
    const std::string owner = enter(guard, translate, {}, {{"api_key", "first key of all"}}).owner;
    CHECK(owner.size() == 13);
    CHECK(enter(guard, translate, {{"Authorization", "Bearer first key of all"}}).owner == owner);
    CHECK(enter(guard, translate, {{"authorization", "bearer first key of all"}}).owner == owner);
    CHECK(enter(guard, deepl, {{"Authorization", "DeepL-Auth-Key first key of all"}}).owner == owner);
    CHECK(enter(guard, deepl, {}, {{"auth_key", "first key of all"}}).owner == owner);
    CHECK(enter(guard, google, {{"X-Goog-Api-Key", "first key of all"}}).owner == owner);
    CHECK(enter(guard, google, {}, {{"key", "second key of all"}}).owner != owner);
    CHECK(problem(guard, translate, {{"Authorization", "DeepL-Auth-Key first key of all"}}).kind == Kind::unauthorized);
    // A proxy's own password is none of ours.
    CHECK(enter(guard, translate, {{"Authorization", "Basic eDp5"}}, {{"api_key", "first key of all"}}).owner == owner);
    CHECK(enter(guard, languages).owner.empty());
    CHECK(enter(guard, languages, {{"Authorization", "Bearer wrong"}}).owner.empty());
    CHECK(Guard({.keys = {"second key of all", "first key of all"}}).keys_needed());
    Guard other({.keys = {"second key of all", "first key of all"}});
    CHECK(enter(other, translate, {}, {{"api_key", "first key of all"}}).owner == owner);  // in any order
}

TEST_CASE("a key that is all of a header, and one beside a body that is a list") {
    Guard guard({.keys = {"a-key-without-blanks"}});
    const std::string key = "a-key-without-blanks";
    const std::string owner = enter(guard, mtranserver, {{"Authorization", "Bearer " + key}}).owner;
    CHECK(!owner.empty());
    CHECK(enter(guard, mtranserver, {{"Authorization", key}}).owner == owner);
    CHECK(enter(guard, mtranserver, {{"X-API-Token", key}}).owner == owner);
    CHECK(enter(guard, mtranserver, {}, {{"token", key}}).owner == owner);
    CHECK(enter(guard, mtranserver, {}, {{"token", ""}, {"api_token", key}}).owner == owner);
    CHECK(enter(guard, mtranserver, {{"Authorization", "Basic eDp5"}}, {{"token", key}}).owner == owner);
    // Not a wrong key, which would count as a guess.
    CHECK(problem(guard, mtranserver, {{"Authorization", "Basic eDp5"}}).kind == Kind::unauthorized);
    CHECK(problem(guard, mtranserver, {{"Authorization", "another"}}).kind == Kind::forbidden);
    CHECK(problem(guard, translate, {{"Authorization", key}}).kind == Kind::unauthorized);
    auto asked = request_of("POST", "203.0.113.5", {{"Host", "localhost:5000"}});
    asked->query = "a=b&token=" + key;
    CHECK(guard.enter(*asked, mtranserver, Json::array({1})).owner == owner);
}

TEST_CASE("keys that may be left out, and keys that are wanted before there is one") {
    Guard optional({.keys = {"a key of sixteen"}, .keys_required = false, .requests_per_minute = 1});
    CHECK_FALSE(optional.keys_needed());
    CHECK(enter(optional, translate).owner.empty());
    CHECK(problem(optional, translate, {}, {{"api_key", "wrong"}}).kind == Kind::forbidden);
    CHECK(problem(optional, translate).kind == Kind::too_many);
    CHECK_FALSE(enter(optional, translate, {}, {{"api_key", "a key of sixteen"}}).owner.empty());
    Guard required({.always_required = true});
    CHECK(required.keys_needed());
    CHECK(problem(required, translate).kind == Kind::unauthorized);
}

struct WithFile {
    TempDir folder;
    GuardOptions options{.keys_file = folder.path() / "keys.sqlite"};
};

TEST_CASE_FIXTURE(WithFile, "the first key of a file closes the service, and has limits of its own") {
    options.max_characters = 100;
    options.requests_per_minute = 1;
    Guard guard(options);
    CHECK_FALSE(guard.keys_needed());
    CHECK(enter(guard, translate).max_characters == 100);
    Key key;
    key.max_characters = 7;
    key.requests_per_minute = 3;
    key.characters_per_month = 50;
    const std::string secret = guard.keys()->add(key);
    CHECK(guard.keys_needed());
    CHECK(problem(guard, translate).kind == Kind::unauthorized);
    const Account account = enter(guard, translate, {}, {{"api_key", secret}});
    CHECK(account.max_characters == 7);
    CHECK(account.owner.starts_with("k"));
    enter(guard, translate, {}, {{"api_key", secret}});
    enter(guard, translate, {}, {{"api_key", secret}});
    const Problem fourth = problem(guard, translate, {}, {{"api_key", secret}});
    CHECK(fourth.kind == Kind::too_many);
    CHECK(std::string(fourth.what()) == "Slowdown: 3 per 1 minute");
    CHECK(fourth.retry_after >= 1);
    CHECK(fourth.retry_after <= 65);

    CHECK(guard.usage(account.owner) == Usage{0, 50});
    guard.charge(account, 30);
    guard.charge(account, 20);
    CHECK(guard.usage(account.owner) == Usage{50, 50});
    try {
        guard.charge(account, 1);
        FAIL("it was taken");
    } catch (const Problem& over) {
        CHECK(over.kind == Kind::quota);
        CHECK(std::string(over.what()).find("50 of 50 characters") != std::string::npos);
    }
    guard.charge(account, 0);
    CHECK(guard.usage(account.owner).used == 50);
    guard.give_back(account.owner, 20);
    CHECK(guard.usage(account.owner).used == 30);
    guard.keys()->flush();
    guard.give_back(account.owner, 10);  // of what the file has
    CHECK(guard.usage(account.owner).used == 20);
    CHECK_NOTHROW(guard.charge(account, 30));
}

TEST_CASE_FIXTURE(WithFile, "documents count up to the quota, each once, and none is begun when nothing is left") {
    Key little, nothing, free;
    little.characters_per_month = 100;
    nothing.characters_per_month = 0;
    std::string secrets[3];
    std::vector<std::string> owners;
    {
        Guard guard(options);
        for (const Key& key : {little, nothing, free})
            secrets[owners.size()] = guard.keys()->add(key), owners.push_back("");
        for (std::size_t i = 0; i < 3; ++i) owners[i] = enter(guard, translate, {}, {{"api_key", secrets[i]}}).owner;
        guard.charge(enter(guard, translate, {}, {{"api_key", secrets[0]}}), 85);
        CHECK_NOTHROW(guard.check_quota(owners[0]));
        CHECK(guard.usage(owners[1]) == Usage{0, 0});
        CHECK_THROWS_AS(guard.check_quota(owners[1]), Problem);
        CHECK_THROWS_AS(guard.charge(enter(guard, translate, {}, {{"api_key", secrets[1]}}), 1), Problem);
        CHECK(guard.usage(owners[2]) == Usage{0, {}});
    }
    Guard guard(options);  // a document goes on, and its key has not asked yet
    CHECK_NOTHROW(guard.check_quota(owners[0]));
    CHECK_THROWS_AS(guard.charge_document(owners[0], "a", 16), Problem);
    CHECK(guard.usage(owners[0]) == Usage{85, 100});
    guard.charge_document(owners[0], "b", 15);
    guard.charge_document(owners[2], "c", 7);
    CHECK(guard.usage(owners[0]) == Usage{100, 100});
    CHECK_THROWS_AS(guard.check_quota(owners[0]), Problem);
    CHECK_THROWS_AS(guard.check_quota(owners[0], "d"), Problem);
    CHECK_THROWS_AS(guard.charge(enter(guard, translate, {}, {{"api_key", secrets[0]}}), 1), Problem);
    CHECK_NOTHROW(guard.check_quota(owners[2]));
    CHECK_NOTHROW(guard.check_quota(""));
    guard.charge_document("", "e", 9);
    CHECK(guard.usage("") == Usage{9, {}});
    // It is in the file at once: a process that is killed now charges nothing twice.
    CHECK(Keys(options.keys_file).get(owners[0])->characters_used == 100);
    CHECK(Keys(options.keys_file).get(owners[2])->characters_used == 7);
    {
        Guard later(options);
        CHECK_NOTHROW(later.check_quota(owners[0], "b"));
        CHECK_NOTHROW(later.charge_document(owners[0], "b", 15));
        CHECK(later.usage(owners[0]) == Usage{100, 100});
        later.charge_document(owners[2], "c", 7);
        CHECK(later.usage(owners[2]) == Usage{7, {}});
        later.forget_document("c");
        later.charge_document(owners[2], "c", 7);  // the name is nobody's any more
        CHECK(later.usage(owners[2]) == Usage{14, {}});
    }
    CHECK(Keys(options.keys_file).get(owners[0])->characters_used == 100);
    CHECK(Keys(options.keys_file).get(owners[2])->characters_used == 14);
}

TEST_CASE("what a head says of who sends a file") {
    const Route own{.method = "POST", .path = "/v1/documents", .handler = {}, .body = Body::file};
    const Route form{
        .method = "POST", .path = "/translate_file", .handler = {}, .body = Body::file, .key_fields = {"api_key"}};
    const Route open{.method = "PUT", .path = "/file", .handler = {}, .access = Access::open, .body = Body::file};
    const auto kind = [](Guard& guard, const Route& route, Headers headers) {
        headers.push_back({"Host", "localhost:5000"});
        try {
            return guard.knows(*request_of("POST", "127.0.0.1", std::move(headers)), route) ? "known" : "not yet";
        } catch (const Problem& problem) {
            return problem.kind == Kind::unauthorized ? "unauthorized"
                   : problem.kind == Kind::forbidden  ? "wrong"
                                                      : "?";
        }
    };
    const Headers right{{"Authorization", "Bearer a key of sixteen"}}, wrong{{"Authorization", "Bearer another"}};
    Guard guard({.keys = {"a key of sixteen"}});
    CHECK(kind(guard, own, {}) == std::string("unauthorized"));
    CHECK(kind(guard, own, wrong) == std::string("wrong"));
    CHECK(kind(guard, own, right) == std::string("known"));
    CHECK(kind(guard, form, {}) == std::string("not yet"));
    CHECK(kind(guard, form, wrong) == std::string("wrong"));
    CHECK(kind(guard, form, right) == std::string("known"));
    CHECK(kind(guard, open, {}) == std::string("known"));
    Guard without({}), optional({.keys = {"a key of sixteen"}, .keys_required = false});
    CHECK(kind(without, own, {}) == std::string("known"));
    CHECK(kind(optional, own, {}) == std::string("known"));
}

TEST_CASE_FIXTURE(WithFile, "use of those who are not in the file is counted, too") {
    Guard guard(options);
    const Account account = enter(guard, translate);
    guard.charge(account, 12);
    guard.charge(account, 30);
    CHECK(guard.usage(account.owner) == Usage{42, {}});
    guard.give_back(account.owner, 12);
    CHECK(guard.usage(account.owner).used == 30);
}

TEST_CASE("limits are of an address, of a /64 of IPv6, and behind proxies of the client") {
    Guard guard({.requests_per_minute = 2, .proxies = {"10.0.0.1"}});
    const auto from = [&](const std::string& peer, Headers headers = {}) {
        return problem(guard, translate, std::move(headers), Json::object(), peer).kind;
    };
    CHECK(from("192.0.2.1") == Kind::cancelled);
    CHECK(from("192.0.2.1") == Kind::cancelled);
    CHECK(from("192.0.2.1") == Kind::too_many);
    CHECK(from("::ffff:192.0.2.1") == Kind::too_many);
    CHECK(from("192.0.2.2") == Kind::cancelled);
    CHECK(from("2001:db8::1") == Kind::cancelled);
    CHECK(from("2001:db8::ffff:1") == Kind::cancelled);
    CHECK(from("2001:db8::2") == Kind::too_many);
    CHECK(from("2001:db8:0:1::2") == Kind::cancelled);
    CHECK(from("10.0.0.1", {{"X-Forwarded-For", "192.0.2.1"}}) == Kind::too_many);
    CHECK(from("10.0.0.1", {{"X-Forwarded-For", "192.0.2.9"}}) == Kind::cancelled);
    CHECK(from("203.0.113.5", {{"X-Forwarded-For", "192.0.2.10"}}) == Kind::cancelled);
    CHECK(from("203.0.113.5", {{"X-Forwarded-For", "192.0.2.11"}}) == Kind::cancelled);
    CHECK(from("203.0.113.5", {{"X-Forwarded-For", "192.0.2.12"}}) == Kind::too_many);  // nobody named it
    for (int i = 0; i < 10; ++i) CHECK_NOTHROW(enter(guard, languages));                 // is not limited
    CHECK(problem(guard, translate, {}, Json::object(), "192.0.2.1").retry_after > 0);
}

TEST_CASE("who tries keys is stopped, with right ones, too; others go on") {
    Guard guard({.keys = {"the key of the house"}});
    for (int i = 0; i < 20; ++i)
        CHECK(problem(guard, translate, {}, {{"api_key", "guess " + std::to_string(i)}}).kind == Kind::forbidden);
    const Problem stopped = problem(guard, translate, {}, {{"api_key", "the key of the house"}});
    CHECK(stopped.kind == Kind::too_many);
    CHECK(stopped.retry_after > 500);
    CHECK(problem(guard, translate).kind == Kind::unauthorized);
    CHECK_NOTHROW(enter(guard, languages, {{"Authorization", "Bearer the key of the house"}}));
    CHECK_NOTHROW(enter(guard, translate, {}, {{"api_key", "the key of the house"}}, "203.0.113.6"));
    for (int i = 0; i < 100; ++i)  // an old setting
        CHECK(problem(guard, translate, {}, {{"api_key", "old"}}, "203.0.113.7").kind == Kind::forbidden);
}

TEST_CASE("with an admin key, that one changes the service and nothing else does") {
    Guard guard({.admin_key = "the admin's own key"});
    CHECK_FALSE(guard.keys_needed());
    CHECK(problem(guard, models, {}, Json::object(), "127.0.0.1").kind == Kind::unauthorized);
    CHECK(problem(guard, models, {{"Authorization", "Bearer wrong"}}).kind == Kind::forbidden);
    const Account admin = enter(guard, models, {{"Authorization", "Bearer the admin's own key"}});
    CHECK(admin.admin);
    CHECK(admin.owner == "admin");
    CHECK_FALSE(enter(guard, translate).admin);
    CHECK_FALSE(enter(guard, translate, {{"Authorization", "Bearer wrong"}}).admin);
    Guard closed({.keys = {"a key of sixteen"}, .admin_key = "the admin's own key"});
    CHECK(enter(closed, translate, {{"Authorization", "Bearer the admin's own key"}}).admin);
    CHECK(problem(closed, models, {{"Authorization", "Bearer a key of sixteen"}}).kind == Kind::forbidden);
}

TEST_CASE_FIXTURE(WithFile, "a key of the file that may administer") {
    Guard guard(options);
    Key key;
    key.admin = true;
    const std::string admin = guard.keys()->add(key), other = guard.keys()->add({});
    CHECK(enter(guard, models, {{"Authorization", "Bearer " + admin}}).admin);
    CHECK(problem(guard, models, {{"Authorization", "Bearer " + other}}).kind == Kind::forbidden);
}

TEST_CASE("without an admin key the operator is who sits at the machine, and no page or proxy") {
    const auto may = [](const std::string& peer, Headers headers, const std::string& host = "localhost:5000",
                        std::vector<std::string> proxies = {}) {
        Guard guard({.proxies = std::move(proxies)});
        headers.push_back({"Host", host});
        try {
            return guard.enter(*request_of("POST", peer, std::move(headers)), models, Json::object()).admin;
        } catch (const Problem& problem) {
            CHECK(problem.kind == Kind::forbidden);
            return false;
        }
    };
    CHECK(may("127.0.0.1", {}));
    CHECK(may("::1", {}));
    CHECK(may("unix", {}, "anything"));
    CHECK(may("127.0.0.1", {}, "127.0.0.1:5000"));
    CHECK(may("127.0.0.1", {{"Origin", "http://localhost:5000"}, {"Sec-Fetch-Site", "same-origin"}}));
    CHECK_FALSE(may("203.0.113.5", {}));
    CHECK_FALSE(may("10.0.0.1", {}));
    CHECK_FALSE(may("127.0.0.1", {{"X-Forwarded-For", "192.0.2.1"}}));
    CHECK_FALSE(may("127.0.0.1", {{"X-Forwarded-Proto", "https"}}));
    CHECK_FALSE(may("127.0.0.1", {{"Forwarded", "for=127.0.0.1"}}));
    CHECK_FALSE(may("127.0.0.1", {{"Via", "1.1 proxy"}}));
    CHECK_FALSE(may("unix", {{"X-Real-IP", "192.0.2.1"}}));
    CHECK_FALSE(may("127.0.0.1", {{"Origin", "https://evil.example"}}));
    CHECK_FALSE(may("127.0.0.1", {{"Sec-Fetch-Site", "cross-site"}}));
    CHECK_FALSE(may("127.0.0.1", {}, "translate.example.org"));
    CHECK_FALSE(may("127.0.0.1", {}, "localhost:5000", {"127.0.0.1"}));
}

}  // namespace guard_test
