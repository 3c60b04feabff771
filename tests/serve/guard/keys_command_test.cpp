// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <iostream>
#include <sstream>
#include <stdexcept>

#include "serve/guard/database.h"
#include "serve/json.h"
#include "serve/keys_command.h"
#include "support/temp_dir.h"

namespace keys_command_test {
using namespace serve;
using dragoman::test::TempDir;
using Action = KeysCommand::Action;

struct Folder {
    TempDir folder;

    // What the command prints.
    std::string run(KeysCommand command) const {
        if (command.state.empty()) command.state = folder.path();
        std::ostringstream out, said;
        std::streambuf* const cout = std::cout.rdbuf(out.rdbuf());
        std::streambuf* const cerr = std::cerr.rdbuf(said.rdbuf());
        const auto back = [&] {
            std::cout.rdbuf(cout);
            std::cerr.rdbuf(cerr);
        };
        int code = -1;
        try {
            code = keys_command(command);
        } catch (...) {
            back();
            throw;
        }
        back();
        CHECK(code == 0);
        return out.str();
    }
    std::string refusal(const KeysCommand& command) const {
        try {
            run(command);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return {};
    }
    Json list() const {
        std::istringstream lines(run({.action = Action::list, .json = true}));
        Json keys = Json::array();
        for (std::string line; std::getline(lines, line);) keys.push_back(Json::parse(line));
        return keys;
    }
};

TEST_CASE_FIXTURE(Folder, "keys are added, shown and removed") {
    CHECK(refusal({.action = Action::list}).find("there are no keys yet") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "keys.sqlite"));
    guard::Key wanted;
    wanted.note = "news\nroom\x1b";
    wanted.requests_per_minute = 60;
    const std::string secret = run({.action = Action::add, .key = wanted});
    CHECK(secret.starts_with("dg_"));
    CHECK(secret.size() == 47);  // with its line end, and nothing else: scripts take it
    const Json added = Json::parse(run({.action = Action::add, .json = true}));
    CHECK(added["key"].get<std::string>().starts_with("dg_"));
    CHECK(added["requests_per_minute"].is_null());
    const Json keys = list();
    REQUIRE(keys.size() == 2);
    CHECK(keys[0]["note"] == "news\nroom\x1b");
    CHECK(keys[0]["requests_per_minute"] == 60);
    CHECK(keys[0]["last_used"].is_null());
    CHECK_FALSE(keys[0].contains("key"));
    const std::string table = run({.action = Action::list});
    CHECK(table.starts_with("ID"));
    CHECK(table.find("news?room?\n") != std::string::npos);
    CHECK(table.find(secret.substr(3, 20)) == std::string::npos);
    CHECK(run({.action = Action::remove, .id = added["id"]}).empty());
    CHECK(refusal({.action = Action::remove, .id = added["id"]}).find("there is no key '") != std::string::npos);
    CHECK(list().size() == 1);
}

TEST_CASE_FIXTURE(Folder, "keys are imported from lines") {
    const auto file = folder.write("keys.txt",
                                   "# from elsewhere\n0f8fad5b-d9cb-469f-a165-70867728950e  office\r\n\n"
                                   "7c9e6679-7425-40de-944b-e07fc1f90ae7\n");
    guard::Key defaults;
    defaults.note = "imported";
    CHECK(run({.action = Action::import, .key = defaults, .source = file}) == "2 imported, 0 were already there\n");
    CHECK(Json::parse(run({.action = Action::import, .source = file, .json = true})) ==
          Json{{"imported", 0}, {"already_there", 2}});
    const Json keys = list();
    CHECK(keys[0]["note"] == "office");
    CHECK(keys[1]["note"] == "imported");
    const std::string why = refusal({.action = Action::import, .source = folder.write("short", "# x\nsecretword\n")});
    CHECK(why.find("line 2: a key of 10 characters can be guessed") != std::string::npos);
    CHECK(why.find("secretword") == std::string::npos);
    CHECK(refusal({.action = Action::import, .source = folder.path() / "none"}).find("cannot be read") !=
          std::string::npos);
}

TEST_CASE_FIXTURE(Folder, "keys are imported from LibreTranslate's file, with or without its newer column") {
    const std::filesystem::path old_file = folder.path() / "old.db", new_file = folder.path() / "new.db";
    guard::Database(old_file, guard::Database::Mode::create)
        .run(
            "CREATE TABLE api_keys (api_key TEXT NOT NULL, req_limit INTEGER NOT NULL, PRIMARY KEY (api_key));"
            "INSERT INTO api_keys VALUES ('0f8fad5b-d9cb-469f-a165-70867728950e', 120)");
    guard::Database(new_file, guard::Database::Mode::create)
        .run(
            "CREATE TABLE api_keys (api_key TEXT NOT NULL, req_limit INTEGER NOT NULL, char_limit INTEGER);"
            "INSERT INTO api_keys VALUES ('7c9e6679-7425-40de-944b-e07fc1f90ae7', -1, 2000);"
            "INSERT INTO api_keys VALUES ('16fd2706-8baf-433b-82eb-8c7fada847da', 5, NULL)");
    run({.action = Action::import, .source = old_file.string()});
    run({.action = Action::import, .source = new_file.string()});
    const Json keys = list();
    REQUIRE(keys.size() == 3);
    CHECK(keys[0]["requests_per_minute"] == 120);
    CHECK(keys[0]["max_characters"].is_null());
    CHECK(keys[1]["requests_per_minute"].is_null());
    CHECK(keys[1]["max_characters"] == 2000);
    CHECK(keys[2]["requests_per_minute"] == 5);
}

}  // namespace keys_command_test
