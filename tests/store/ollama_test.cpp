// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "store/elsewhere/elsewhere.h"
#include "store/user.h"
#include "support/system.h"

namespace ollama_test {

using namespace dragoman;
using Names = std::vector<std::string>;

namespace {

const std::string kModels = ".ollama/models/";

std::string digest(char letter) { return std::string(64, letter); }

std::string manifest(const std::string& blob, const std::string& type = "application/vnd.ollama.image.model") {
    return R"({"schemaVersion": 2, "config": {"digest": "sha256:)" + digest('0') +
           R"("}, "layers": [{"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:)" + digest('1') +
           R"("}, {"mediaType": ")" + type + R"(", "digest": ")" + blob + R"("}]})";
}

Names names() {
    std::vector<store::Installed> models;
    store::add_ollama(models);
    Names found = test::names_of(models);
    std::ranges::sort(found);
    return found;
}

}  // namespace

TEST_CASE("models of ollama that can be read") {
    test::User user;
    CHECK(names().empty());
    user.write(kModels + "blobs/sha256-" + digest('a'), test::gguf_head("t5"));
    user.write(kModels + "blobs/sha256-" + digest('b'), test::gguf_head("gemma3"));
    const std::string good = manifest("sha256:" + digest('a'));
    const auto write = [&](const std::string& name, const std::string& text) {
        user.write(kModels + "manifests/" + name, text);
    };
    write("registry.ollama.ai/library/madlad/3b", good);
    write("registry.ollama.ai/someone/t5/latest", good);
    write("localhost%3A5000/space/t5/latest", good);
    write("registry.ollama.ai/library/gemma3/4b", manifest("sha256:" + digest('b')));
    write("registry.ollama.ai/library/x/no-blob", manifest("sha256:" + digest('c')));
    write("registry.ollama.ai/library/x/no-model",
          manifest("sha256:" + digest('a'), "application/vnd.ollama.image.adapter"));
    write("registry.ollama.ai/library/x/short", manifest("sha256:aa"));
    write("registry.ollama.ai/library/x/up", manifest("sha256:../../../../etc/passwd"));
    write("registry.ollama.ai/library/x/broken", "{\"layers\": [");
    write("registry.ollama.ai/library/x/strange", R"({"layers": [5, {"mediaType": 5}, null]})");
    write("registry.ollama.ai/library/x/.manifest-1", good);
    write("registry.ollama.ai/library/x/st range", good);
    CHECK(names() == Names{"ollama:localhost:5000/space/t5:latest", "ollama:madlad:3b", "ollama:someone/t5:latest"});
    const auto model = store::find_installed("ollama:madlad:3b");
    REQUIRE(model);
    CHECK(model->path == user.home() / kModels / "blobs" / ("sha256-" + digest('a')));
    CHECK(model->architecture == "t5");
    CHECK(model->bytes == test::gguf_head("t5").size());
    CHECK(model->owner == "ollama");
    for (const char* shorter : {"ollama:someone/t5", "ollama:localhost:5000/space/t5"}) {
        const auto latest = store::find_installed(shorter);
        REQUIRE(latest);
        CHECK(latest->name == shorter + std::string(":latest"));
    }
    CHECK(!store::find_installed("ollama:madlad"));
    user.set("OLLAMA_MODELS", "/no/such/folder");
    CHECK(names().empty());
    user.set("OLLAMA_MODELS", text_of(user.home() / kModels).c_str());
    CHECK(names().size() == 3);
}

TEST_CASE("manifests of the second version: links to blobs, and lists for several programs" * test::only_posix()) {
    const test::User user;
    user.write(kModels + "blobs/sha256-" + digest('a'), test::gguf_head("t5"));
    user.write(kModels + "blobs/sha256-" + digest('d'), manifest("sha256:" + digest('a')));
    user.link(kModels + "manifests-v2/ollama.com/library/madlad/3b", "../../../../blobs/sha256-" + digest('d'));
    user.link(kModels + "manifests-v2/ollama.com/library/madlad/dangling", "../../../../blobs/sha256-" + digest('e'));
    user.link(kModels + "manifests-v2/ollama.com/library/madlad/circle", "circle");
    const std::string reference = R"({"mediaType": "application/vnd.ollama.manifest.list.v2+json", "manifests": [)"
                                  R"({"runner": "mlx", "layers": []}, {"digest": "sha256:)";
    user.write(kModels + "manifests-v2/ollama.com/library/madlad/list", reference + digest('d') + "\"}]}");
    user.write(kModels + "manifests-v2/ollama.com/library/madlad/whole",
               R"({"manifests": [)" + manifest("sha256:" + digest('a')) + "]}");
    user.write(kModels + "blobs/sha256-" + digest('f'), reference + digest('f') + "\"}]}");  // a list that is in itself
    user.write(kModels + "manifests-v2/ollama.com/library/madlad/itself", reference + digest('f') + "\"}]}");
    user.write(kModels + "manifests/registry.ollama.ai/library/madlad/3b", "{}");  // an older one of that name
    CHECK(names() == Names{"ollama:madlad:3b", "ollama:madlad:list", "ollama:madlad:whole"});
}

}  // namespace ollama_test
