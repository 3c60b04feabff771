// SPDX-License-Identifier: Apache-2.0
#include "model/families.h"

#include <string>
#include <vector>

#include "base/error.h"
#include "model/argos.h"
#include "model/ctranslate2.h"
#include "model/gguf.h"
#include "model/huggingface.h"
#include "model/marian.h"
#include "model/model_card.h"
#include "model/sentencepiece_file.h"
#include "ops/attention.h"

namespace dragoman::model {
namespace {

constexpr Family kFamilies[] = {
    {"gguf", "a GGUF file", is_gguf_file, load_gguf, true},
    {"argos", "metadata.json and model/model.bin", is_argos, load_argos},
    {"marian", "a model of Marian's (.npz, .bin)", is_marian, load_marian},  // before CTranslate2: both have model.bin
    {"ctranslate2", "model.bin", is_ctranslate2, load_ctranslate2},
    {"huggingface", "config.json and model.safetensors or pytorch_model.bin", is_huggingface, load_huggingface},
    {"gguf", "one .gguf file", is_gguf_folder, load_gguf, true},
};

void check_heads(const ModelSpec& spec, std::string_view name, const nn::StackConfig& stack) {
    if (stack.head_dim <= ops::kMaxHeadDim) return;
    fail(Status::unsupported, "{}: {}: expected attention heads of a width of at most {}, the model has {}",
         spec.path.string(), name, ops::kMaxHeadDim, stack.head_dim);
}

// What holds for every format.
void check(const ModelSpec& spec) {
    check_heads(spec, "encoder", spec.config.encoder);
    check_heads(spec, "decoder", spec.config.decoder);
    for (const VocabularySpec* vocabulary : {&spec.source, &spec.target})
        if (!vocabulary->sentencepiece.empty()) check_sentencepiece(vocabulary->sentencepiece);
}

}  // namespace

std::span<const Family> families() { return kFamilies; }

ModelSpec load(const FileSet& files) {
    std::vector<std::string_view> known;
    for (const Family& family : kFamilies) {
        if (!family.recognises(files)) {
            known.push_back(family.looks_like);
            continue;
        }
        ModelSpec spec = family.load(files);
        check(spec);
        if (family.self_contained) return spec;
        spec.file_bytes += files.bytes_on_disk();
        if (spec.license.empty()) spec.license = read_license(files);
        if (spec.target_languages.empty()) spec.target_languages = languages_in(spec.source.tokens);
        return spec;
    }
    fail(Status::bad_model, "{}: not a model (expected a directory or zip archive with {})", files.path().string(),
         fmt::join(known, " or "));
}

ModelSpec load(const std::filesystem::path& path) { return load(*FileSet::open(path)); }

}  // namespace dragoman::model
