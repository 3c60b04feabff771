// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "store/elsewhere/elsewhere.h"
#include "support/refused.h"
#include "support/system.h"
#include "store/user.h"

namespace hub_cache_test {

using namespace dragoman;
using store::Installed;
using Names = std::vector<std::string>;

namespace {

constexpr const char* kCommit = "0123456789abcdef0123456789abcdef01234567";
const std::string kHub = ".cache/huggingface/hub/";

using Files = std::map<std::string, std::string>;

const Files kMarian = {{"config.json", R"({"model_type": "marian", "architectures": ["MarianMTModel"]})"},
                       {"pytorch_model.bin", "weights"},
                       {"source.spm", "pieces"},
                       {"vocab.json", "{}"},
                       {"tokenizer_config.json", R"({"source_lang": "deu", "target_lang": "eng"})"},
                       {"README.md", "---\nlanguage:\n- de\n- en\nlicense: cc-by-4.0\n---\n# Model\nlicense: wrong\n"}};

Files with(Files files, const Files& others) {
    for (const auto& [name, content] : others) files[name] = content;
    return files;
}

Files without(Files files, const std::string& name) {
    files.erase(name);
    return files;
}

// A repository whose files lie in its snapshot, as where there are no links.
void add_plain(const test::User& user, const std::string& hub, const std::string& folder, const Files& files,
               const std::string& commit = kCommit) {
    user.write(hub + folder + "/refs/main", commit);
    for (const auto& [name, content] : files) user.write(hub + folder + "/snapshots/" + commit + "/" + name, content);
}

std::vector<Installed> found() {
    std::vector<Installed> models;
    store::add_hub_cache(models);
    return models;
}

Names names() { return test::names_of(found()); }

}  // namespace

TEST_CASE("a snapshot of plain files is a model") {
    const test::User user;
    CHECK(names().empty());
    add_plain(user, kHub, "models--Helsinki-NLP--opus-mt-de-en", kMarian);
    const auto models = found();
    REQUIRE(models.size() == 1);
    const Installed& model = models[0];
    CHECK(model.name == "hf:Helsinki-NLP/opus-mt-de-en");
    CHECK(model.path == user.home() / kHub / "models--Helsinki-NLP--opus-mt-de-en/snapshots" / kCommit);
    CHECK(model.from == Names{"deu"});
    CHECK(model.to == Names{"eng"});
    CHECK(model.license == "cc-by-4.0");
    CHECK(model.publisher == "Helsinki-NLP");
    CHECK(model.version == kCommit);
    CHECK(model.architecture == "marian");
    CHECK(model.owner == "huggingface");
    uint64_t bytes = 0;
    for (const auto& [name, content] : kMarian) bytes += content.size();
    CHECK(model.bytes == bytes);
    CHECK(store::path_of_model("hf:Helsinki-NLP/opus-mt-de-en") == model.path);
}

TEST_CASE("a snapshot of links to blobs, and of links to links in a shared folder, which stays as it is" *
          test::only_posix()) {
    const test::User user;
    const std::string repository = kHub + "models--org--linked/", snapshot = repository + "snapshots/" + kCommit + "/";
    user.write(repository + "refs/main", kCommit);
    user.write(kHub + ".huggingface-shared-blobs", "1\n");
    int number = 0;
    for (const auto& [name, content] : kMarian) {
        const std::string etag = "etag" + std::to_string(++number);
        user.link(snapshot + name, "../../blobs/" + etag);
        if (number % 2 == 0) {
            user.write(repository + "blobs/" + etag, content);
            continue;
        }
        user.link(repository + "blobs/" + etag, "../../blobs/ab/" + etag);
        user.write(kHub + "blobs/ab/" + etag, content);
    }
    const std::string before = test::state_of(user.home());
    CHECK(names() == Names{"hf:org/linked"});
    const auto path = store::path_of_model("hf:org/linked");
    CHECK(test::read_file(path / "pytorch_model.bin") == "weights");
    CHECK(test::read_file(path / "config.json") == kMarian.at("config.json"));
    CHECK(test::state_of(user.home()) == before);

    SUBCASE("without the weights' blob it is none") {
        std::filesystem::remove(std::filesystem::canonical(path / "pytorch_model.bin"));
        CHECK(names().empty());
        test::check_refused(Status::io_error, {"hf:org/linked is not on this machine"},
                            [] { store::path_of_model("hf:org/linked"); });
    }
    SUBCASE("a blob that links to itself") {
        std::filesystem::remove(user.home() / (repository + "blobs/etag1"));
        user.link(repository + "blobs/etag1", "etag1");
        std::filesystem::remove(user.home() / (snapshot + "config.json"));
        user.link(snapshot + "config.json", "../../blobs/etag1");
        CHECK(names().empty());
    }
    SUBCASE("a repository that is a link to another disk") {
        std::filesystem::create_directories(user.home() / "disk");
        std::filesystem::rename(user.home() / (kHub + "models--org--linked"), user.home() / "disk/x");
        std::filesystem::create_directory_symlink(user.home() / "disk/x", user.home() / (kHub + "models--org--linked"));
        // its links to the shared folder are relative, and lead nowhere from there
        for (const auto& [name, content] : kMarian) {
            std::filesystem::remove(user.home() / ("disk/x/snapshots/" + std::string(kCommit)) / name);
            user.write("disk/x/snapshots/" + std::string(kCommit) + "/" + name, content);
        }
        CHECK(names() == Names{"hf:org/linked"});
    }
}

TEST_CASE("the folder is the one that huggingface_hub would take") {
    test::User user;
    const auto folder = [&](const char* name) { return text_of(user.home() / name); };
    add_plain(user, "a/", "models--in--hub_cache", kMarian);
    add_plain(user, "b/", "models--in--older_name", kMarian);
    add_plain(user, "c/hub/", "models--in--home", kMarian);
    add_plain(user, "d/huggingface/hub/", "models--in--xdg", kMarian);
    add_plain(user, kHub, "models--in--default", kMarian);
    add_plain(user, "e/", "models--in--llama", kMarian);
    CHECK(names() == Names{"hf:in/default"});
    user.set("XDG_CACHE_HOME", folder("d").c_str());
    CHECK(names() == Names{"hf:in/xdg"});
    user.set("HF_HOME", "~/c");
    CHECK(names() == Names{"hf:in/home"});
    user.set("HUGGINGFACE_HUB_CACHE", folder("b").c_str());
    CHECK(names() == Names{"hf:in/older_name"});
    user.set("HF_HUB_CACHE", folder("a").c_str());
    CHECK(names() == Names{"hf:in/hub_cache"});
    user.set("LLAMA_CACHE", folder("e").c_str());
    CHECK(names() == Names{"hf:in/llama", "hf:in/hub_cache"});
    CHECK(found()[0].owner == "llama.cpp");
    user.set("LLAMA_CACHE", folder("a").c_str());
    CHECK(names() == Names{"hf:in/hub_cache"});
    user.set("LLAMA_CACHE", "/no/such/folder");
    CHECK(names() == Names{"hf:in/hub_cache"});
}

TEST_CASE("the snapshot is main's, or the only one") {
    const test::User user;
    const std::string older = "aaaa", newer = "bbbb", repository = kHub + "models--org--model/";
    add_plain(user, kHub, "models--org--model", kMarian, older);
    add_plain(user, kHub, "models--org--model", kMarian, newer);
    REQUIRE(found().size() == 1);
    CHECK(found()[0].version == newer);
    user.write(repository + "refs/main", older + "\n");
    CHECK(found()[0].version == older);
    user.write(repository + "refs/main", "cccc");  // a download that has only begun
    CHECK(names().empty());
    for (const char* hostile : {"../../..", "..", ".", "", "/etc", "aaaa/../bbbb", "\x1b[31m"}) {
        user.write(repository + "refs/main", hostile);
        CHECK_MESSAGE(names().empty(), hostile);  // there are two snapshots
    }
    std::filesystem::remove(user.home() / repository / "refs/main");
    CHECK(names().empty());
    std::filesystem::remove_all(user.home() / repository / "snapshots" / older);
    REQUIRE(found().size() == 1);
    CHECK(found()[0].version == newer);
}

TEST_CASE("only repositories that look like models that can be loaded") {
    const test::User user;
    auto is_model = [&, number = 0](const Files& files) mutable {
        const std::string name = "m" + std::to_string(++number);
        add_plain(user, kHub, "models--org--" + name, files);
        const Names all = names();
        return std::ranges::find(all, "hf:org/" + name) != all.end();
    };
    CHECK(is_model(kMarian));
    CHECK_FALSE(is_model(without(kMarian, "pytorch_model.bin")));
    CHECK_FALSE(is_model(without(kMarian, "config.json")));
    CHECK_FALSE(is_model(without(without(without(kMarian, "vocab.json"), "source.spm"), "tokenizer_config.json")));
    for (const char* type : {"m2m_100", "mbart", "t5", "bart", "gpt2", "xlm-roberta"})
        CHECK(is_model(with(kMarian, {{"config.json", std::string(R"({"model_type": ")") + type + "\"}"}})));
    for (const char* config :
         {R"({"model_type": "llama"})", "{}", "[]", "", R"({"model_type": 5})", R"({"model_type": "mari)"})
        CHECK_FALSE(is_model(with(kMarian, {{"config.json", config}})));
    CHECK_FALSE(is_model(with(kMarian, {{"config.json", std::string(17 << 20, ' ')}})));

    const std::string index = R"({"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}})";
    const Files sharded = with(without(kMarian, "pytorch_model.bin"),
                               {{"model.safetensors.index.json", index}, {"model-1.safetensors", "w"}});
    CHECK_FALSE(is_model(sharded));
    CHECK(is_model(with(sharded, {{"model-2.safetensors", "w"}})));
    CHECK_FALSE(is_model(with(sharded, {{"model.safetensors.index.json", R"({"weight_map": {"a": 5}})"}})));
    CHECK_FALSE(is_model(with(sharded, {{"model.safetensors.index.json", "{}"}})));

    const auto container = [](std::string spec) {
        const auto size = static_cast<char>(spec.size() + 1);
        return std::string("\6\0\0\0", 4) + size + '\0' + spec + std::string(20, '\0');
    };
    const Files ct2 = {{"config.json", "{}"}, {"shared_vocabulary.json", "[]"}};
    CHECK(is_model(with(ct2, {{"model.bin", container("TransformerSpec")}})));
    CHECK_FALSE(is_model(with(ct2, {{"model.bin", container("WhisperSpec")}})));
    CHECK_FALSE(is_model({{"config.json", "{}"}, {"model.bin", container("TransformerSpec")}}));
    CHECK_FALSE(is_model(with(ct2, {{"model.bin", ""}})));
    CHECK(is_model({{"model.npz", "weights"}, {"model.de-en.spm", "pieces"}}));
    CHECK_FALSE(is_model({{"model.optimizer.npz", "weights"}, {"model.de-en.spm", "pieces"}}));
    CHECK(is_model({{"model.intgemm.bin", std::string("\1\0\0\0\0\0\0\0", 8) + "rest"}, {"vocab.spm", "pieces"}}));
    CHECK_FALSE(is_model({{"lex.bin", std::string("\1\0\0\0\0\0\0\0", 8) + "rest"}, {"vocab.spm", "pieces"}}));
    CHECK_FALSE(is_model({{"README.md", "# Nothing"}}));
}

TEST_CASE("an encoder of sentences is one with the folders that its modules need") {
    const test::User user;
    const std::string pooling = R"({"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"})",
                      dense = R"({"type": "sentence_transformers.models.Dense", "path": "2_Dense"})",
                      normalize = R"({"type": "sentence_transformers.models.Normalize", "path": "3_Normalize"})";
    const Files whole = {{"config.json", R"({"model_type": "bert"})"},
                         {"model.safetensors", "weights"},
                         {"vocab.txt", "words"},
                         {"modules.json", "[" + pooling + "," + dense + "," + normalize + "," + pooling + "]"},
                         {"1_Pooling/config.json", "{}"},
                         {"2_Dense/config.json", "{}"},
                         {"2_Dense/model.safetensors", "more weights"}};
    add_plain(user, kHub, "models--org--sentences", whole);
    const auto models = found();
    REQUIRE(models.size() == 1);
    uint64_t bytes = 0;
    for (const auto& [name, content] : whole) bytes += content.size();
    CHECK(models[0].bytes == bytes);
    auto is_model = [&, number = 0](const Files& files) mutable {
        const std::string name = "m" + std::to_string(++number);
        add_plain(user, kHub, "models--org--" + name, files);
        const Names all = names();
        return std::ranges::find(all, "hf:org/" + name) != all.end();
    };
    CHECK(is_model(without(without(without(whole, "modules.json"), "1_Pooling/config.json"), "2_Dense/config.json")));
    CHECK_FALSE(is_model(without(whole, "1_Pooling/config.json")));
    test::check_refused(Status::io_error, {"hf:org/m2 is not on this machine"},
                        [] { store::path_of_model("hf:org/m2"); });
    CHECK_FALSE(is_model(without(whole, "2_Dense/config.json")));
    CHECK_FALSE(is_model(with(whole, {{"modules.json", R"([{"type": "a.Pooling", "path": "../)" + std::string(kCommit) +
                                                           R"(/1_Pooling"}])"}})));
    for (const char* list : {"", "{}", "[", "3"}) CHECK_FALSE(is_model(with(whole, {{"modules.json", list}})));
    test::check_refused(Status::unsupported, {"hf:org/m5", "modules.json", "list of modules"},
                        [] { store::path_of_model("hf:org/m5"); });
}

TEST_CASE("each GGUF file that can be read has a name") {
    const test::User user;
    add_plain(user, kHub, "models--org--quantised",
              {{"t5-q8.gguf", test::gguf_head("t5")},
               {"own.gguf", test::gguf_head("dragoman")},
               {"chat.gguf", test::gguf_head("llama")},
               {"cut.gguf", test::gguf_head("t5").substr(0, 40)},
               {"empty.gguf", ""},
               {"b b.gguf", test::gguf_head("t5")},
               {"forged.gguf", "GGUF\3" + std::string(3, '\0') + std::string(16, '\xff') + std::string(100, '\xff')}});
    CHECK(names() == Names{"hf:org/quantised:own.gguf", "hf:org/quantised:t5-q8.gguf"});
    const auto model = store::find_installed("hf:org/quantised:t5-q8.gguf");
    REQUIRE(model);
    CHECK(model->path.filename() == "t5-q8.gguf");
    CHECK(model->architecture == "t5");
    CHECK(model->bytes == test::gguf_head("t5").size());
    test::check_refused(Status::unsupported, {"hf:org/quantised:chat.gguf", "general.architecture", "llama"},
                        [] { store::path_of_model("hf:org/quantised:chat.gguf"); });
}

TEST_CASE("what is there but cannot be loaded is said, and not offered for download") {
    const test::User user;
    add_plain(user, kHub, "models--org--chat", with(kMarian, {{"config.json", R"({"model_type": "llama"})"}}));
    test::check_refused(Status::unsupported, {"hf:org/chat", "model_type", "marian", "\"llama\""},
                        [] { store::path_of_model("hf:org/chat"); });
    test::check_refused(Status::io_error, {"hf:org/cha is not on this machine"},
                        [] { store::path_of_model("hf:org/cha"); });
}

TEST_CASE("languages as the repository has them") {
    const test::User user;
    const Files many = with(without(kMarian, "tokenizer_config.json"),
                            {{"config.json", R"({"model_type": "m2m_100"})"}});
    add_plain(user, kHub, "models--a--lines",
              with(many, {{"README.md",
                           "---\nlanguage: \n- multilingual\n- af\n- \"zh-CN\"\n- nb\n"
                           "tags:\n- x\nlicense: mit\n---\n"}}));
    add_plain(user, kHub, "models--a--one_line",
              with(many, {{"README.md", "---\r\nlanguage: [de, 'en', fr]\r\n---\r\n"}}));
    add_plain(user, kHub, "models--a--pair", with(many, {{"README.md", "---\nlanguage: [de, en]\n---\n"}}));
    add_plain(user, kHub, "models--a--unsaid", with(many, {{"README.md", "language: [de, en, fr]\nlicense: mit\n"}}));
    add_plain(user, kHub, "models--b--both_ways",
              with(kMarian, {{"tokenizer_config.json", R"({"source_lang": "de+en", "target_lang": "de+en"})"}}));
    const auto models = found();
    REQUIRE(models.size() == 5);
    CHECK(models[4].from == Names{"de", "en"});
    CHECK(models[4].to == Names{"de", "en"});
    CHECK(models[0].from == Names{"af", "zh-CN", "nb"});
    CHECK(models[0].to == models[0].from);
    CHECK(models[0].license == "mit");
    CHECK(models[1].from == Names{"de", "en", "fr"});
    CHECK(models[2].from.empty());  // nothing says which of the two is the source
    CHECK(models[3].from.empty());
    CHECK(models[3].license.empty());
}

TEST_CASE("folders that are no repositories") {
    const test::User user;
    for (const char* name : {"models--..--x", "models--org--a--b", "models--", "models----x", "models--org--",
                             "datasets--org--x", "models--o o--x", ".locks", "models--.--."})
        add_plain(user, kHub, name, kMarian);
    add_plain(user, kHub, "models--t5-small", kMarian);  // of the time before organisations
    user.write(kHub + "models--a--file", "not a folder");
    user.write(kHub + "CACHEDIR.TAG", "tag");
    user.write(kHub + "models--a--norefs/blobs/x", "x");
    user.write(kHub + "models--a--isfolder/refs/main/x", "x");
    CHECK(names() == Names{"hf:t5-small"});
    CHECK(found()[0].publisher.empty());
}

}  // namespace hub_cache_test
