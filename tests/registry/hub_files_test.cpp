// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "registry/shapes/hub_files.h"
#include "store/user.h"
#include "support/refused.h"

namespace hub_files_test {
using namespace dragoman;
using namespace dragoman::registry;

using Names = std::vector<std::string>;

HubChoice choose(const Names& paths, const std::string& select = "") {
    test::User user;
    const std::vector<Registry> all = registries();
    std::vector<HubFile> files;
    for (const std::string& path : paths) files.push_back({path, 1, "", ""});
    return choose_files(HubRules(find_registry(all, "hf")), files, select);
}

Names chosen(const HubChoice& choice) {
    Names names;
    for (const HubFile& file : choice.files) names.push_back(file.path);
    std::ranges::sort(names);
    return names;
}

TEST_CASE("One form of the weights is taken, without those of other frameworks") {
    const Names all = {".gitattributes",
                       "README.md",
                       "config.json",
                       "flax_model.msgpack",
                       "generation_config.json",
                       "model.safetensors",
                       "onnx/encoder_model.onnx",
                       "pytorch_model.bin",
                       "rust_model.ot",
                       "source.spm",
                       "target.spm",
                       "tf_model.h5",
                       "tokenizer_config.json",
                       "training_args.bin",
                       "vocab.json",
                       "openvino/config.json",
                       "photo.png"};
    const Names beside = {"README.md",  "config.json", "generation_config.json",
                          "source.spm", "target.spm",  "tokenizer_config.json",
                          "vocab.json"};
    const auto with = [&](const std::string& weights) {
        Names names = beside;
        names.push_back(weights);
        std::ranges::sort(names);
        return names;
    };
    CHECK(choose(all).form == "safetensors");
    CHECK(chosen(choose(all)) == with("model.safetensors"));
    Names older = all;
    std::erase(older, "model.safetensors");
    CHECK(choose(older).form == "pytorch");
    CHECK(chosen(choose(older)) == with("pytorch_model.bin"));
}

TEST_CASE("Weights in parts come with the index that names them") {
    const HubChoice choice =
        choose({"config.json", "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors",
                "model.safetensors.index.json", "pytorch_model.bin.index.json", "pytorch_model-00001-of-00001.bin",
                "spiece.model"});
    CHECK(choice.form == "safetensors");
    CHECK(choice.index == "model.safetensors.index.json");
    CHECK(chosen(choice) == Names{"config.json", "model.safetensors.index.json", "spiece.model"});
}

TEST_CASE("Other forms") {
    const HubChoice ct2 =
        choose({"README.md", "config.json", "model.bin", "shared_vocabulary.json", "source.spm", "target.spm"});
    CHECK(ct2.form == "ctranslate2");
    CHECK(chosen(ct2).size() == 6);
    const HubChoice marian = choose({"model.de-en.spm", "model.npz", "model.npz.best-chrf.npz", "optimizer.npz"});
    CHECK(marian.form == "marian");
    CHECK(chosen(marian) == Names{"model.de-en.spm", "model.npz.best-chrf.npz"});
    const HubChoice both =
        choose({"config.json", "model.npz.best-chrf.npz", "model.de-en.spm", "pytorch_model.bin", "source.spm"});
    CHECK(both.form == "pytorch");
    const HubChoice student =
        choose({"config.yml", "lex.50.50.deen.s2t.bin", "model.deen.intgemm.alphas.bin", "vocab.deen.spm"});
    CHECK(student.form == "marian");
    CHECK(chosen(student).size() == 4);
}

TEST_CASE("GGUF: one of several") {
    const Names several = {"README.md", "config.json", "m-IQ2_M.gguf", "m-Q4_K_M.gguf", "m-Q8_0.gguf", "m-f16.gguf"};
    CHECK(chosen(choose(several)) == Names{"m-Q8_0.gguf"});
    CHECK(chosen(choose(several, "q4_k_m")) == Names{"m-Q4_K_M.gguf"});
    CHECK(chosen(choose(several, "F16")) == Names{"m-f16.gguf"});
    CHECK(chosen(choose(several, "m-IQ2_M.gguf")) == Names{"m-IQ2_M.gguf"});
    CHECK(chosen(choose({"only.gguf", "README.md"})) == Names{"only.gguf"});
    test::check_refused(Status::invalid_argument, {"Q5_0: no such", "m-Q8_0.gguf"}, [&] { choose(several, "Q5_0"); });
    test::check_refused(Status::invalid_argument, {"Q4_K: no such"}, [&] { choose(several, "Q4_K"); });
    test::check_refused(Status::invalid_argument, {"several GGUF files", "a.gguf, b.gguf"},
                        [&] { choose({"a.gguf", "b.gguf"}); });
    const Names parts = {"m-Q8_0-00001-of-00002.gguf", "m-Q8_0-00002-of-00002.gguf", "m-F16.gguf"};
    CHECK(chosen(choose(parts)) == Names{"m-Q8_0-00001-of-00002.gguf", "m-Q8_0-00002-of-00002.gguf"});
    CHECK(chosen(choose(parts, "m-Q8_0-00001-of-00002.gguf")).size() == 2);
}

TEST_CASE("GGUF in folders of a repository: its files become the model's own") {
    const auto is = [](const HubChoice& choice, const std::string& folder, const Names& names) {
        CHECK(choice.form == "gguf");
        CHECK(choice.folder == folder);
        CHECK(chosen(choice) == names);
    };
    const Names folders = {"README.md", "config.json", "F16/m-F16.gguf", "Q8_0/m-Q8_0.gguf", "a/b/m-Q4_1.gguf"};
    is(choose(folders), "Q8_0/", {"m-Q8_0.gguf"});
    is(choose(folders, "F16"), "F16/", {"m-F16.gguf"});
    is(choose(folders, "F16/m-F16.gguf"), "F16/", {"m-F16.gguf"});
    is(choose(folders, "q4_1"), "a/b/", {"m-Q4_1.gguf"});
    is(choose(folders, "a"), "a/b/", {"m-Q4_1.gguf"});
    const Names parts = {"Q8_0/m-Q8_0-00001-of-00002.gguf", "Q8_0/m-Q8_0-00002-of-00002.gguf", "m-F32.gguf"};
    const Names both = {"m-Q8_0-00001-of-00002.gguf", "m-Q8_0-00002-of-00002.gguf"};
    is(choose(parts), "Q8_0/", both);
    is(choose(parts, "Q8_0/m-Q8_0-00002-of-00002.gguf"), "Q8_0/", both);
    is(choose(parts, "Q8_0"), "Q8_0/", both);
    test::check_refused(Status::bad_model, {"Q8_0/m-Q8_0: expected 3 files", "Q8_0/m-Q8_0-00002-of-00003.gguf"},
                        [&] { choose({"Q8_0/m-Q8_0-00001-of-00003.gguf", "Q8_0/m-Q8_0-00002-of-00003.gguf"}); });
    test::check_refused(Status::bad_model, {"m: expected 2 files"}, [&] { choose({"m-00002-of-00002.gguf"}, "m"); });
}

TEST_CASE("GGUF files that are no models are not taken for one") {
    const Names beside = {"imatrix.gguf", "mmproj-m-Q8_0.gguf", "m.mmproj-F16.gguf", "m-Q8_0.gguf",
                          "m-mmproj-f16.gguf"};
    CHECK(chosen(choose(beside)) == Names{"m-Q8_0.gguf"});
    CHECK(chosen(choose(beside, "Q8_0")) == Names{"m-Q8_0.gguf"});
    CHECK(chosen(choose({"mmproj-F16.gguf", "m-Q4_K_M.gguf"})) == Names{"m-Q4_K_M.gguf"});
    CHECK(chosen(choose(beside, "mmproj-m-Q8_0.gguf")) == Names{"mmproj-m-Q8_0.gguf"});  // as it was asked for
}

TEST_CASE("A folder or a file of a repository") {
    const Names repository = {"config.json",      "model.safetensors",         "ct2/config.json",
                              "ct2/model.bin",    "ct2/shared_vocabulary.txt", "ct2/source.spm",
                              "pytorch_model.bin"};
    const HubChoice folder = choose(repository, "ct2");
    CHECK(folder.form == "ctranslate2");
    CHECK(folder.folder == "ct2/");
    CHECK(chosen(folder) == Names{"config.json", "model.bin", "shared_vocabulary.txt", "source.spm"});
    CHECK(chosen(choose(repository, "pytorch_model.bin")) == Names{"config.json", "pytorch_model.bin"});
    const HubChoice file = choose(repository, "ct2/model.bin");
    CHECK(file.folder == "ct2/");
    CHECK(chosen(file) == Names{"config.json", "model.bin", "shared_vocabulary.txt", "source.spm"});
}

TEST_CASE("A repository without a model is refused with what is there") {
    test::check_refused(Status::unsupported, {"model.safetensors", "README.md", "weights.h5"},
                        [&] { choose({"README.md", "weights.h5"}); });
    test::check_refused(Status::unsupported, {"expected"}, [&] { choose({}); });
    // weights alone are none
    test::check_refused(Status::unsupported, {"expected"}, [&] { choose({"model.safetensors"}); });
}

TEST_CASE("Patterns") {
    CHECK(fits_pattern("abc", "abc"));
    CHECK(fits_pattern("abc", "a*"));
    CHECK(fits_pattern("abc", "*b*"));
    CHECK(fits_pattern("", "*"));
    CHECK_FALSE(fits_pattern("abc", "a*b"));
    CHECK_FALSE(fits_pattern("abc", ""));
}

}  // namespace hub_files_test
