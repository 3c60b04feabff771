// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "registry/access_token.h"
#include "registry/catalog.h"
#include "registry/server.h"
#include "store/user.h"
#include "support/refused.h"

namespace hub_test {
using namespace dragoman;
using namespace dragoman::registry;

const std::string kCommit(40, '5');

// A user whose hub is the server.
struct HubUser : test::User {
    explicit HubUser(const test::Server& server) {
        for (const char* name : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH", "HF_HUB_DISABLE_IMPLICIT_TOKEN",
                                 "DRAGOMAN_MIRROR_HF", "DRAGOMAN_OFFLINE", "http_proxy", "https_proxy", "all_proxy"})
            set(name, nullptr);
        set("HF_ENDPOINT", (server.url() + "/").c_str());
    }
};

std::string info(const std::string& more) { return R"({"id": "org/name", "sha": ")" + kCommit + "\"" + more + "}"; }

nlohmann::json file(const std::string& path, int size, char lfs = 0) {
    nlohmann::json one = {{"type", "file"}, {"path", path}, {"size", size}, {"oid", std::string(40, 'e')}};
    if (lfs) one["lfs"] = {{"oid", std::string(64, lfs)}, {"size", size}, {"pointerSize", 130}};
    return one;
}

Entry resolve(const std::string& name, bool offline = false) {
    CatalogOptions options;
    options.offline = offline;
    options.transfer = test::one_try();
    return Catalog(options).resolve(name);
}

TEST_CASE("A repository: pages of files, hashes, licence, gate, the token for its own server") {
    test::Server server;
    HubUser user(server);
    user.set("HF_TOKEN", " hf_secret \n");
    const std::string tree = "/api/models/org/name/tree/" + kCommit + "?recursive=true";
    server.page("/api/models/org/name",
                info(R"(, "gated": "auto", "cardData": {"license": "other", "license_name": "tongyi"})"));
    // a mirror that hands on the hub's own addresses
    server.page(tree, nlohmann::json{file("config.json", 10), {{"type", "directory"}, {"path", "onnx"}}}.dump(),
                {{"Link", "<https://hub.example" + tree + "&cursor=2>; rel=\"next\""}});
    server.page(
        tree + "&cursor=2",
        nlohmann::json{file("model.safetensors", 90, 'a'), file("../evil.json", 1), file("a b.json", 3)}.dump());
    const Entry entry = resolve("hf:org/name");
    CHECK(entry.name() == "hf:org/name");
    CHECK(entry.version == kCommit);
    CHECK(entry.license == "tongyi");
    CHECK(entry.publisher == "org");
    CHECK(entry.architecture == "safetensors");
    CHECK(entry.gate == server.url() + "/org/name");
    CHECK(entry.from.empty());
    REQUIRE(entry.files.size() == 3);
    CHECK(entry.bytes() == 103);
    CHECK(entry.files[0].name == "model.safetensors");
    CHECK(entry.files[0].url == server.url() + "/org/name/resolve/" + kCommit + "/model.safetensors");
    CHECK(entry.files[0].sha256 == std::string(64, 'a'));
    CHECK(entry.files[0].git_sha1.empty());
    CHECK(entry.files[1].url.ends_with("/a%20b.json"));
    CHECK(entry.files[2].git_sha1 == std::string(40, 'e'));
    for (const std::string& request : server.requests()) CHECK(request.ends_with(" Bearer hf_secret"));
}

TEST_CASE("Revisions, and weights in parts by their index") {
    test::Server server;
    HubUser user(server);
    server.page("/api/models/org/name/revision/refs%2Fpr%2F1",
                info(R"(, "gated": false, "cardData": {"license": ["mit"]})"));
    server.page("/api/models/org/name/tree/" + kCommit + "?recursive=true",
                nlohmann::json{file("config.json", 10), file("model.safetensors.index.json", 5),
                               file("w-2.safetensors", 7, 'b'), file("w-1.safetensors", 6, 'a'),
                               file("w-3.safetensors", 8, 'c')}
                    .dump());
    const std::string index = "/org/name/resolve/" + kCommit + "/model.safetensors.index.json";
    server.page(index, R"({"weight_map": {"x": "w-1.safetensors", "y": "w-2.safetensors", "z": "w-1.safetensors"}})");
    const Entry entry = resolve("hf:org/name@refs/pr/1");
    CHECK(entry.gate.empty());
    CHECK(entry.license == "mit");
    CHECK(entry.bytes() == 28);
    CHECK(entry.files.back().name == "w-2.safetensors");
    for (const std::string& request : server.requests()) CHECK(request.ends_with(" -"));

    server.page(index, R"({"weight_map": {"x": "gone.safetensors"}})");
    test::check_refused(Status::bad_model, {"hf:org/name@refs/pr/1", "gone.safetensors"},
                        [&] { resolve("hf:org/name@refs/pr/1"); });
    server.page(index, R"({"weight_map": 3})");
    test::check_refused(Status::bad_model, {"weight_map"}, [&] { resolve("hf:org/name@refs/pr/1"); });
}

TEST_CASE("An encoder of sentences: what the folders of its modules have") {
    using Names = std::vector<std::string>;
    test::Server server;
    HubUser user(server);
    server.page("/api/models/org/name", info(""));
    nlohmann::json tree;
    for (const char* path :
         {"config.json", "model.safetensors", "modules.json", "1_Pooling/config.json", "1_Pooling/README.md",
          "2_Dense/config.json", "2_Dense/model.safetensors", "2_Dense/pytorch_model.bin", "3_Dense/config.json",
          "3_Dense/pytorch_model.bin", "onnx/config.json", "sub/config.json", "sub/model.safetensors",
          "sub/modules.json", "sub/1_Pooling/config.json"})
        tree.push_back(file(path, 1));
    server.page("/api/models/org/name/tree/" + kCommit + "?recursive=true", tree.dump());
    const std::string files = "/org/name/resolve/" + kCommit + "/";
    const auto names = [](const Entry& entry) {
        Names all;
        for (const RemoteFile& one : entry.files) all.push_back(one.name);
        std::ranges::sort(all);
        return all;
    };
    server.page(files + "modules.json",
                R"([{"type": "Transformer", "path": ""}, {"path": "1_Pooling"}, {"path": "2_Dense"},
                    {"path": "3_Dense"}, {"path": "4_Normalize"}, {"path": "1_Pooling"}])");
    const Entry entry = resolve("hf:org/name");
    CHECK(names(entry) == Names{"1_Pooling/config.json", "2_Dense/config.json", "2_Dense/model.safetensors",
                                "3_Dense/config.json", "3_Dense/pytorch_model.bin", "config.json", "model.safetensors",
                                "modules.json"});
    for (const RemoteFile& one : entry.files) {
        CHECK(one.url == server.url() + files + one.name);
        CHECK(one.git_sha1 == std::string(40, 'e'));
    }

    server.page(files + "sub/modules.json", R"([{"path": ""}, {"path": "1_Pooling"}])");
    const Entry inner = resolve("hf:org/name:sub");
    CHECK(names(inner) == Names{"1_Pooling/config.json", "config.json", "model.safetensors", "modules.json"});
    for (const RemoteFile& one : inner.files) CHECK(one.url == server.url() + files + "sub/" + one.name);

    for (const char* path : {"..", "../name", "1_Pooling/../../x", "/etc", "a\\b", "."}) {
        CAPTURE(path);
        server.page(files + "modules.json", nlohmann::json{{{"path", path}}}.dump());
        test::check_refused(Status::bad_model, {"hf:org/name: modules.json: path", path},
                            [&] { resolve("hf:org/name"); });
    }
    for (const char* list : {"{}", "[3]", R"([{"type": "x"}])", R"([{"path": 3}])"}) {
        server.page(files + "modules.json", list);
        test::check_refused(Status::bad_model, {"modules.json: expected a list of modules"},
                            [&] { resolve("hf:org/name"); });
    }
}

TEST_CASE("Answers that are not a hub's, names that are none, offline") {
    test::Server server;
    HubUser user(server);
    test::check_refused(Status::io_error, {"hf:org/none"}, [&] { resolve("hf:org/none"); });
    server.page("/api/models/org/name", "<html>");
    test::check_refused(Status::io_error, {"expected JSON"}, [&] { resolve("hf:org/name"); });
    for (const char* answer : {"[]", "{}", "{\"sha\": 12}", "{\"sha\": \"x\"}"}) {
        server.page("/api/models/org/name", answer);
        CHECK_THROWS_AS(resolve("hf:org/name"), const Error&);
    }
    server.page("/api/models/org/name", info(""));
    const std::string tree = "/api/models/org/name/tree/" + kCommit + "?recursive=true";
    for (const char* answer :
         {"{}", "[{\"type\": 3}]", "[{\"type\": \"file\", \"path\": \"a\", \"oid\": \"x\"}]", "[1]"}) {
        server.page(tree, answer);
        CHECK_THROWS_AS(resolve("hf:org/name"), const Error&);
    }
    server.page(tree, "[]", {{"Link", "<" + server.url() + tree + ">; rel=\"next\""}});
    test::check_refused(Status::io_error, {"pages"}, [&] { resolve("hf:org/name"); });
    for (const char* name : {"hf:a/b/c", "hf:../x", "hf:org/na me", "hf:org/", "hf:@main"})
        test::check_refused(Status::invalid_argument, {name, "expected OWNER/NAME"}, [&] { resolve(name); });
    server.requests();
    test::check_refused(Status::io_error, {"hf:org/name", "offline"}, [&] { resolve("hf:org/name", true); });
    user.set("DRAGOMAN_OFFLINE", "1");
    test::check_refused(Status::io_error, {"hf:org/name", "offline"}, [&] { resolve("hf:org/name"); });
    CHECK(server.requests().empty());
}

TEST_CASE("Where the token comes from") {
    test::User user;
    for (const char* name :
         {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH", "HF_HUB_DISABLE_IMPLICIT_TOKEN", "DRAGOMAN_MIRROR_HF"})
        user.set(name, nullptr);
    CHECK(access_token("hf") == "");
    user.write(".cache/huggingface/token", "hf_default\n");
    CHECK(access_token("hf") == "hf_default");
    user.write("home/token", "hf_home");
    user.set("HF_HOME", text_of(user.home() / "home").c_str());
    CHECK(access_token("hf") == "hf_home");
    user.set("HF_TOKEN_PATH", text_of(user.write("mine", "hf_mine")).c_str());
    CHECK(access_token("hf") == "hf_mine");
    user.set("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1");
    CHECK(access_token("hf") == "");
    user.set("HUGGING_FACE_HUB_TOKEN", "hf_old");
    CHECK(access_token("hf") == "hf_old");
    user.set("HF_TOKEN", "hf_new");
    CHECK(access_token("hf") == "hf_new");
    CHECK(access_token("firefox") == "");
    user.set("DRAGOMAN_MIRROR_HF", "https://mirror.example");
    CHECK(access_token("hf") == "");
}

}  // namespace hub_test
