// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "serve/environment.h"
#include "support/temp_dir.h"

namespace environment_test {
using namespace serve;
using dragoman::test::TempDir;
using Values = std::map<std::string, std::string>;

Environment of(Values values) {
    return [values = std::move(values)](const std::string& name) {
        const auto found = values.find(name);
        return found == values.end() ? std::string() : found->second;
    };
}

ServeOptions read(Values values, std::vector<std::string>* notes = nullptr) {
    ServeOptions options;
    const auto told = read_environment(options, of(std::move(values)));
    if (notes) *notes = told;
    return options;
}

std::string refusal(const std::string& name, const std::string& value) {
    try {
        read({{name, value}});
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return {};
}

TEST_CASE("an empty environment changes nothing") {
    std::vector<std::string> notes;
    const ServeOptions options = read({}, &notes), plain;
    CHECK(notes.empty());
    CHECK(options.http.host == plain.http.host);
    CHECK(options.http.port == plain.http.port);
    CHECK(options.page);
    CHECK(options.documents);
    CHECK_FALSE(options.metrics);
    CHECK(options.guard.keys_required);
    CHECK(options.guard.requests_per_minute == -1);
}

TEST_CASE("the service's own variables") {
    const TempDir folder;
    const auto key = folder.write("admin", "  the admin's own key \nsecond line\n");
    const ServeOptions options = read({{"DRAGOMAN_SERVE_HOST", "0.0.0.0"},
                                       {"DRAGOMAN_SERVE_PORT", "8080"},
                                       {"DRAGOMAN_SERVE_MODELS", "a, b:c ,,d"},
                                       {"DRAGOMAN_SERVE_MEMORY_LIMIT", "6G"},
                                       {"DRAGOMAN_SERVE_MAX_FILE", "64MiB"},
                                       {"DRAGOMAN_SERVE_MAX_BODY", "1000"},
                                       {"DRAGOMAN_SERVE_KEYS", "one key here,two keys here"},
                                       {"DRAGOMAN_SERVE_ADMIN_KEY_FILE", key},
                                       {"DRAGOMAN_SERVE_REQUIRE_KEY", "1"},
                                       {"DRAGOMAN_SERVE_KEYS_OPTIONAL", "yes"},
                                       {"DRAGOMAN_SERVE_REQUESTS_PER_MINUTE", "20"},
                                       {"DRAGOMAN_SERVE_TRUST_PROXY", "127.0.0.1,10.0.0.0/8"},
                                       {"DRAGOMAN_SERVE_ALLOW_HOST", "translate.example.org"},
                                       {"DRAGOMAN_SERVE_ALLOW_ORIGIN", "*"},
                                       {"DRAGOMAN_SERVE_NO_PAGE", "true"},
                                       {"DRAGOMAN_SERVE_NO_DOCUMENTS", "false"},
                                       {"DRAGOMAN_SERVE_METRICS_TOKEN", "t"},
                                       {"DRAGOMAN_SERVE_LOG", "json"},
                                       {"DRAGOMAN_SERVE_LOG_LEVEL", "warning"},
                                       {"DRAGOMAN_SERVE_GRACE", "7"},
                                       {"DRAGOMAN_SERVE_HEAD_TIME", "3"},
                                       {"DRAGOMAN_SERVE_IDLE_TIME", "90"},
                                       {"DRAGOMAN_SERVE_COMPUTE_TYPE", "int8"},
                                       {"DRAGOMAN_SERVE_STATE", "state/folder"}});
    CHECK(options.http.host == "0.0.0.0");
    CHECK(options.http.port == 8080);
    CHECK(options.models.models == std::vector<std::string>{"a", "b:c", "d"});
    CHECK(options.models.memory_bytes == std::uint64_t(6) << 30);
    CHECK(options.max_file_bytes == std::uint64_t(64) << 20);
    CHECK(options.max_body_bytes == 1000);
    CHECK(options.guard.keys == std::vector<std::string>{"one key here", "two keys here"});
    CHECK(options.guard.admin_key == "the admin's own key");
    CHECK(options.guard.always_required);
    CHECK_FALSE(options.guard.keys_required);
    CHECK(options.guard.requests_per_minute == 20);
    CHECK(options.guard.proxies == std::vector<std::string>{"127.0.0.1", "10.0.0.0/8"});
    CHECK(options.guard.hosts == std::vector<std::string>{"translate.example.org"});
    CHECK(options.guard.origins == std::vector<std::string>{"*"});
    CHECK_FALSE(options.page);
    CHECK(options.documents);
    CHECK(options.metrics);
    CHECK(options.metrics_token == "t");
    CHECK(options.log_form == watch::LogForm::json);
    CHECK(options.log_level == watch::LogLevel::warning);
    CHECK(options.grace == std::chrono::seconds(7));
    CHECK(options.http.head_time == std::chrono::seconds(3));
    CHECK(options.http.idle_time == std::chrono::seconds(90));
    CHECK(options.models.compute_type == "int8");
    CHECK(options.state == "state/folder");
    CHECK(read({{"DRAGOMAN_SERVE_ADMIN_KEY", "the admin's own key"}}).guard.admin_key == "the admin's own key");
    CHECK(read({{"DRAGOMAN_SERVE_TLS_KEY", "key.pem"}}).http.private_key == "key.pem");
    CHECK(read({{"DRAGOMAN_SERVE_UNIX", "/run/d.sock"}}).http.host == "unix:/run/d.sock");
}

TEST_CASE("LibreTranslate's variables, which the own ones overrule") {
    std::vector<std::string> notes;
    const ServeOptions options = read({{"LT_HOST", "0.0.0.0"},
                                       {"LT_PORT", "5001"},
                                       {"LT_URL_PREFIX", "/lt"},
                                       {"LT_CHAR_LIMIT", "5000"},
                                       {"LT_BATCH_LIMIT", "50"},
                                       {"LT_ALTERNATIVES_LIMIT", "3"},
                                       {"LT_REQ_LIMIT", "20"},
                                       {"LT_HOURLY_REQ_LIMIT", "200"},
                                       {"LT_DAILY_REQ_LIMIT", "2000"},
                                       {"LT_DISABLE_FILES_TRANSLATION", "true"},
                                       {"LT_DISABLE_WEB_UI", "True"},
                                       {"LT_SUGGESTIONS", "true"},
                                       {"LT_METRICS", "true"},
                                       {"LT_METRICS_AUTH_TOKEN", "token"},
                                       {"LT_DEBUG", "true"},
                                       {"DRAGOMAN_SERVE_PORT", "5002"}},
                                      &notes);
    CHECK(notes.empty());
    CHECK(options.http.host == "0.0.0.0");
    CHECK(options.http.port == 5002);
    CHECK(options.http.api_prefix == "/lt");
    CHECK(options.guard.max_characters == 5000);
    CHECK(options.max_texts == 50);
    CHECK(options.max_alternatives == 3);
    CHECK(options.guard.requests_per_minute == 20);
    CHECK(options.guard.requests_per_hour == 200);
    CHECK(options.guard.requests_per_day == 2000);
    CHECK_FALSE(options.documents);
    CHECK_FALSE(options.page);
    CHECK(options.suggestions);
    CHECK(options.metrics);
    CHECK(options.metrics_token == "token");
    CHECK(options.log_level == watch::LogLevel::debug);
}

TEST_CASE("keys as LibreTranslate has them: optional, or for all where the limit is none") {
    CHECK_FALSE(read({{"LT_API_KEYS", "true"}}).guard.keys_required);
    const ServeOptions only_keys = read({{"LT_API_KEYS", "true"}, {"LT_REQ_LIMIT", "0"}});
    CHECK(only_keys.guard.always_required);
    CHECK(only_keys.guard.requests_per_minute == -1);
    CHECK(read({{"LT_REQ_LIMIT", "0"}}).guard.requests_per_minute == 0);
}

TEST_CASE("what is not heeded is said, once and by its name; what says nothing is not") {
    std::vector<std::string> notes;
    read({{"LT_LOAD_ONLY", "en,de"},
          {"LT_TRUST_FORWARDED_FOR", "true"},
          {"LT_SSL", "false"},
          {"LT_REQ_FLOOD_THRESHOLD", "-1"}},
         &notes);
    REQUIRE(notes.size() == 2);
    CHECK(std::ranges::any_of(notes,
                              [](const auto& note) { return note.starts_with("LT_LOAD_ONLY is not heeded: "); }));
    CHECK(std::ranges::any_of(notes, [](const auto& note) { return note.find("--trust-proxy") != std::string::npos; }));
}

TEST_CASE("values that do not fit are refused with name and value") {
    CHECK(refusal("LT_PORT", "65536") == "LT_PORT=65536: a whole number from 0 to 65535 is expected");
    CHECK(refusal("DRAGOMAN_SERVE_PORT", "80x").starts_with("DRAGOMAN_SERVE_PORT=80x: "));
    CHECK(refusal("DRAGOMAN_SERVE_METRICS", "maybe") == "DRAGOMAN_SERVE_METRICS=maybe: true or false is expected");
    for (const char* size : {"", "x", "6X", "6GG", "-1", "6 G", "99999999999G", "G", "18446744073709551616"}) {
        CAPTURE(size);
        CHECK(refusal("DRAGOMAN_SERVE_MEMORY_LIMIT", size).empty() == (std::string(size).empty()));
    }
    CHECK(refusal("DRAGOMAN_SERVE_REQUESTS_PER_MINUTE", "-2").find("-1") != std::string::npos);
    CHECK(refusal("DRAGOMAN_SERVE_HEAD_TIME", "0") ==
          "DRAGOMAN_SERVE_HEAD_TIME=0: a whole number from 1 to 3600 is expected");
    CHECK(refusal("DRAGOMAN_SERVE_COMPUTE_TYPE", "float12") ==
          "DRAGOMAN_SERVE_COMPUTE_TYPE=float12: one of auto, float32, float16, int8, int8_float16 is expected");
    CHECK(refusal("DRAGOMAN_SERVE_LOG", "xml").find("text, json or none") != std::string::npos);
    CHECK(refusal("DRAGOMAN_SERVE_LOG_LEVEL", "loud").find("debug") != std::string::npos);
    const TempDir folder;
    CHECK(refusal("DRAGOMAN_SERVE_ADMIN_KEY_FILE", folder.path() / "none").find("cannot be read") != std::string::npos);
    CHECK(refusal("DRAGOMAN_SERVE_ADMIN_KEY_FILE", folder.write("empty", "\n")).find("first line is empty") !=
          std::string::npos);
}

TEST_CASE("the folder for state") {
    CHECK(state_folder("given", of({{"STATE_DIRECTORY", "/var/lib/x"}})) == "given");
    CHECK(state_folder({}, of({{"STATE_DIRECTORY", "/var/lib/x:/var/lib/y"}})) == "/var/lib/x");
    CHECK(state_folder({}, of({{"XDG_STATE_HOME", "/home/a/state"}})) ==
          std::filesystem::path("/home/a/state/dragoman/serve"));
    CHECK(keys_file_in("/var/lib/x") == std::filesystem::path("/var/lib/x/keys.sqlite"));
}

}  // namespace environment_test
