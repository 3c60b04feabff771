// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "serve/guard/clock.h"
#include "serve/guard/database.h"
#include "serve/guard/keys.h"
#include "serve/guard/secrets.h"
#include "support/temp_dir.h"

namespace keys_test {
using namespace serve::guard;
using dragoman::test::TempDir;

struct Folder {
    TempDir folder;
    std::filesystem::path file = folder.path() / "keys.sqlite";
};

TEST_CASE_FIXTURE(Folder, "a key is found by what it is, and by nothing near it") {
    Keys keys(file);
    CHECK(keys.empty());
    Key wanted;
    wanted.note = "newsroom";
    wanted.admin = true;
    wanted.requests_per_minute = 120;
    wanted.max_characters = 5000;
    wanted.characters_per_month = 1'000'000;
    const std::string secret = keys.add(wanted);
    CHECK_FALSE(keys.empty());
    CHECK(secret.size() == 46);
    CHECK(secret.starts_with("dg_"));
    const auto found = keys.find(secret);
    REQUIRE(found);
    CHECK(found->note == "newsroom");
    CHECK(found->admin);
    CHECK(found->requests_per_minute == 120);
    CHECK(found->max_characters == 5000);
    CHECK(found->characters_per_month == 1'000'000);
    CHECK(found->created.size() == 20);
    CHECK(found->last_used.empty());
    CHECK(keys.get(found->id)->note == "newsroom");
    for (const std::string& other : {secret.substr(0, 45), secret + "x", std::string(), secret.substr(3), found->id,
                                     std::string("dg_") + std::string(43, 'A'), std::string("' OR 1=1 --")}) {
        CAPTURE(other);
        CHECK_FALSE(keys.find(other));
    }
}

TEST_CASE_FIXTURE(Folder, "the file has no key, and nobody else may read it") {
    std::string secret, imported = "0f8fad5b-d9cb-469f-a165-70867728950e";
    {
        Keys keys(file);
        secret = keys.add({});
        CHECK(keys.import(imported, {}));
        keys.flush();
    }
    std::string bytes;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        bytes += dragoman::test::read_file(entry.path());
    CHECK(bytes.size() > 4096);
    CHECK(bytes.find(secret.substr(3)) == std::string::npos);
    CHECK(bytes.find(imported) == std::string::npos);
    CHECK(bytes.find(sha256(secret)) != std::string::npos);  // where it would stand
    CHECK(bytes.find(sha256(imported)) == std::string::npos);
#ifndef _WIN32
    using std::filesystem::perms;
    CHECK((std::filesystem::status(file).permissions() & (perms::group_all | perms::others_all)) == perms::none);
#endif
}

TEST_CASE_FIXTURE(Folder, "keys of other services are imported once") {
    Keys keys(file);
    Key limits;
    limits.requests_per_minute = 7;
    CHECK(keys.import("0f8fad5b-d9cb-469f-a165-70867728950e", limits));
    CHECK_FALSE(keys.import("0f8fad5b-d9cb-469f-a165-70867728950e", limits));
    CHECK(keys.find("0f8fad5b-d9cb-469f-a165-70867728950e")->requests_per_minute == 7);
    CHECK_FALSE(keys.find("0f8fad5b-d9cb-469f-a165-70867728950f"));
    CHECK_THROWS_AS(keys.import("short", limits), std::runtime_error);
    const std::string own = new_secret();  // of another machine with this service
    CHECK(keys.import(own, limits));
    CHECK(keys.find(own));
    CHECK(keys.list().size() == 2);
}

TEST_CASE_FIXTURE(Folder, "a removed key is gone at once here, and the service does not open to all") {
    Keys keys(file);
    const std::string secret = keys.add({});
    const std::string id = keys.find(secret)->id;
    CHECK(keys.remove(id));
    CHECK_FALSE(keys.find(secret));
    CHECK_FALSE(keys.remove(id));
    CHECK(keys.list().empty());
    CHECK_FALSE(keys.empty());
    CHECK_FALSE(Keys(file).empty());
}

TEST_CASE_FIXTURE(Folder, "use is counted at once, and is in the file later") {
    std::string id, secret;
    {
        Keys keys(file);
        secret = keys.add({});
        id = keys.find(secret)->id;
        keys.use(id, 40);
        keys.use(id, 2);
        CHECK(keys.used(id) == 42);
        CHECK(keys.list()[0].characters_used == 42);
        keys.flush();
        CHECK(keys.used(id) == 42);
        keys.use(id, 8);
        CHECK(keys.list()[0].characters_used == 50);
    }  // writes the rest
    Keys again(file);
    const auto found = again.find(secret);
    REQUIRE(found);
    CHECK(found->characters_used == 50);
    CHECK(found->last_used.size() == 20);
    CHECK(again.used(id) == 50);
    again.use("somebody who is not there", 5);
    again.flush();
    CHECK(again.list().size() == 1);
}

TEST_CASE_FIXTURE(Folder, "what is given back is taken off, also where the file has it already") {
    std::string secret;
    {
        Keys keys(file);
        secret = keys.add({});
        const std::string id = keys.find(secret)->id;
        keys.use(id, 40);
        keys.give_back(id, 15);
        CHECK(keys.used(id) == 25);
        keys.flush();
        keys.give_back(id, 10);
        CHECK(keys.used(id) == 15);
        CHECK(keys.list()[0].characters_used == 15);
        keys.flush();
        keys.give_back(id, 100);  // more than there is
        CHECK(keys.used(id) == 0);
        keys.use(id, 4);
    }
    CHECK(Keys(file).find(secret)->characters_used == 4);
}

TEST_CASE_FIXTURE(Folder, "two services count in one file together") {
    Keys one(file), other(file);
    const std::string secret = one.add({});
    const std::string id = other.find(secret)->id;
    one.use(id, 10);
    other.use(id, 5);
    one.flush();
    other.flush();
    one.use(id, 1);
    one.flush();
    CHECK(Keys(file).find(secret)->characters_used == 16);
}

TEST_CASE_FIXTURE(Folder, "while another program locks the file, keys are found and use is kept") {
    std::vector<std::string> trouble;
    Keys keys(file, [&](const std::string& what) { trouble.push_back(what); });
    const std::string secret = keys.add({});
    const std::string id = keys.find(secret)->id;
    Database other(file, Database::Mode::create);
    other.run("BEGIN IMMEDIATE");
    keys.use(id, 7);
    keys.flush();
    keys.flush();  // says it once
    REQUIRE(trouble.size() == 1);
    CHECK(trouble[0].find("locked") != std::string::npos);
    CHECK_THROWS_WITH_AS(keys.add({}), doctest::Contains("locked"), std::runtime_error);
    CHECK(keys.get(id));
    CHECK(keys.used(id) == 7);
    other.run("ROLLBACK");
    keys.flush();
    CHECK(Keys(file).get(id)->characters_used == 7);
}

TEST_CASE_FIXTURE(Folder, "a key that could not be written whole is not there, nor is the service closed") {
    Keys keys(file);
    Database(file, Database::Mode::create)
        .run("CREATE TRIGGER full BEFORE INSERT ON settings BEGIN SELECT RAISE(ABORT, 'disk is full'); END");
    CHECK_THROWS_WITH_AS(keys.add({}), doctest::Contains("disk is full"), std::runtime_error);
    CHECK(keys.list().empty());
    Database(file, Database::Mode::create).run("DROP TRIGGER full");
    CHECK(Keys(file).empty());
    CHECK(keys.find(keys.add({})));
    CHECK_FALSE(Keys(file).empty());
}

TEST_CASE_FIXTURE(Folder, "many threads find, use and write at the same time") {
    Keys keys(file);
    const std::string secret = keys.add({});
    const std::string id = keys.find(secret)->id;
    std::atomic<int> lost{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 500; ++i) {
                if (!keys.find(secret) || keys.find("dg_" + std::to_string(i))) ++lost;
                keys.use(id, 3);
                if (i % 100 == 0) keys.flush();
                if (i % 50 == 0) keys.list();
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(lost == 0);
    CHECK(keys.used(id) == 8 * 500 * 3);
    keys.flush();
    CHECK(keys.used(id) == 8 * 500 * 3);
    CHECK(Keys(file).find(secret)->characters_used == 8 * 500 * 3);
}

TEST_CASE_FIXTURE(Folder, "a key that comes again costs no look into the file, an unknown one its slow hash") {
    Keys keys(file);
    const std::string secret = keys.add({});
    keys.import("0f8fad5b-d9cb-469f-a165-70867728950e", {});
    keys.find(secret);
    const auto seconds = [](auto&& work) {
        double best = 1;
        for (int i = 0; i < 5; ++i) {
            const auto begin = std::chrono::steady_clock::now();
            work();
            best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        }
        return best;
    };
    const double known = seconds([&] {
                             for (int i = 0; i < 1000; ++i) keys.find(secret);
                         }) /
                         1000;
    int number = 0;
    const double unknown = seconds([&] {
                               for (int i = 0; i < 50; ++i) keys.find("guess " + std::to_string(number++));
                           }) /
                           50;
    MESSAGE("seconds a look-up: known ", known, ", unknown ", unknown);
    CHECK(known < unknown);
    CHECK(unknown > 1e-5);  // a thief of the file pays for each guess
}

TEST_CASE_FIXTURE(Folder, "files of other makes are refused with what is wrong") {
    const auto why = [&](const std::filesystem::path& path) {
        try {
            Keys keys(path);
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const auto text = folder.write("text.sqlite", std::string(5000, 'x'));
    CHECK(why(text).find("text.sqlite") != std::string::npos);
    { Keys keys(file); }
    Database(file, Database::Mode::create).run("UPDATE settings SET value = '9' WHERE name = 'schema'");
    CHECK(why(file).find("its schema is 9, this version knows 1") != std::string::npos);
    folder.write("plain", "");
    CHECK(why(folder.path() / "plain" / "keys.sqlite").find("keys.sqlite") != std::string::npos);
}

TEST_CASE("keys are random, and their hashes are what others compute") {
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) {
        const std::string secret = new_secret();
        CHECK(is_own(secret));
        seen.insert(secret);
    }
    CHECK(seen.size() == 1000);
    CHECK(hex(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(hex(slow_hash("password", "salt", 1)) == "120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b");
    CHECK(equal("abc", "abc"));
    CHECK_FALSE(equal("abc", "abd"));
    CHECK_FALSE(equal("abc", "ab"));
    CHECK(key_of("bearer  abc ", "Bearer ") == "abc");
    CHECK(key_of("Bearer", "Bearer ") == "");
    CHECK(key_of("Basic abc", "Bearer ") == "");
    CHECK(key_of("abc", "") == "abc");
}

TEST_CASE("months and times are those of UTC") {
    using namespace std::chrono;
    const system_clock::time_point time = sys_days(year(2026) / 11 / 30) + 23h + 59min + 58s + 999ms;
    CHECK(month_of(time) == "2026-11");
    CHECK(iso_time(time) == "2026-11-30T23:59:58Z");
    CHECK(month_of(time + 2s) == "2026-12");
}

}  // namespace keys_test
