// SPDX-License-Identifier: Apache-2.0
// Models of each format, TMX and the caches are read.
#include <fmt/format.h>

#include <algorithm>

#include "base/fingerprint.h"
#include "families/families.h"
#include "file_operations.h"
#include "tm/translation_memory.h"

namespace dragoman::faults {
namespace {

namespace fs = std::filesystem;

void add_values(const spec::HostTensor& tensor, Fingerprint& print) {
    constexpr uint64_t kAtOnce = 1u << 16;
    std::vector<float> values;
    for (uint64_t at = 0; at < tensor.elements(); at += kAtOnce) {
        values.resize(std::min(kAtOnce, tensor.elements() - at));
        spec::to_f32(tensor, at, values);
        print.add(std::as_bytes(std::span(values)));
    }
}

// All that a model has, in one number.
std::string loaded(const fs::path& path) {
    const spec::ModelSpec model = families::load(path);
    Fingerprint print;
    for (const auto& [name, tensor] : model.weights.tensors()) {
        print.add(std::string_view(name));
        add_values(tensor, print);
    }
    for (const auto& [name, target] : model.weights.aliases()) print.add(std::string_view(name + " " + target));
    for (const auto* side : {&model.source, &model.target}) {
        for (const std::string& token : side->tokens) print.add(std::string_view(token));
        print.add(side->sentencepiece.bytes);
    }
    for (const std::string& language : model.target_languages) print.add(std::string_view(language));
    print.add(std::string_view(model.license));
    return fmt::format("{:016x}{:016x}", print.low(), print.high());
}

Operation of_model(const char* name, const char* path) {
    return {.name = std::string("load ") + name,
            .prepare =
                [path](const fs::path& folder) {
                    const fs::path from = fs::path(DRAGOMAN_TEST_DATA) / path;
                    const auto whole = fs::copy_options::recursive;
                    fs::copy(from, fs::is_directory(from) ? folder / "model" : folder / from.filename(), whole);
                },
            .run =
                [path](const fs::path& folder) {
                    const fs::path from = fs::path(DRAGOMAN_TEST_DATA) / path;
                    return loaded(folder / (from.has_extension() ? from.filename() : fs::path("model")));
                }};
}

}  // namespace

std::vector<Operation> reading_operations() {
    std::vector<Operation> all{of_model("CTranslate2", "aren-transliteration-v6-int8-float16"),
                               of_model("CTranslate2, old", "aren-transliteration-v1"),
                               of_model("Marian, npz", "marian/amun"),
                               of_model("Marian, bin", "marian/int8-firefox"),
                               of_model("Hugging Face, safetensors", "huggingface/nllb"),
                               of_model("Hugging Face, Marian", "huggingface/separate"),
                               of_model("PyTorch", "pytorch/pieces"),
                               of_model("GGUF", "t5/t5.gguf"),
                               of_model("vectors of texts", "encoders/bert")};
    all.push_back({.name = "read TMX",
                   .prepare =
                       [](const fs::path& folder) {
                           tm::Memory memory({.record = true});
                           memory.record({"en", "The house."}, {"de", "Das Haus."});
                           memory.write_tmx(folder / "a.tmx");
                       },
                   .run =
                       [](const fs::path& folder) {
                           tm::Memory memory({});
                           return std::to_string(memory.load_tmx(folder / "a.tmx"));
                       }});
    return all;
}

}  // namespace dragoman::faults
