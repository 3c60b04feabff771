// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/sentence_encoder.h"

#include <array>

#include "files/file_set.h"
#include "fuzz/fuzz.h"

namespace dragoman::test::sentence_encoder_fuzz {

// The first byte says which of the files the others are; the rest of them is as it should be.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    constexpr std::string_view kModules =
        R"([{"path":"","type":"x.Transformer"},{"path":"1_Pooling","type":"x.Pooling"},{"path":"2_Dense","type":"x.Dense"}])";
    std::array<std::pair<const char*, std::string>, 5> files{
        {{"modules.json", std::string(kModules)},
         {"1_Pooling/config.json", R"({"pooling_mode_cls_token": true})"},
         {"2_Dense/config.json", R"({"in_features":2,"out_features":1,"activation_function":"x.Tanh"})"},
         {"sentence_bert_config.json", "{}"},
         {"config_sentence_transformers.json", "{}"}}};
    files[data[0] % files.size()].second.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
    std::vector<GivenFile> given;
    for (const auto& [name, content] : files)
        given.push_back({.name = name, .size = content.size(), .bytes = std::as_bytes(std::span(content))});
    return test::refusing([&] {
        spec::ModelSpec spec;
        spec.config.d_model = 2;
        families::read_sentence_encoder(*FileSet::given(std::move(given)), spec);
    });
}

}  // namespace dragoman::test::sentence_encoder_fuzz
