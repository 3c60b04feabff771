// SPDX-License-Identifier: Apache-2.0
#include "families/families.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/os/path_text.h"
#include "families/common/prompts.h"
#include "families/common/stored_languages.h"
#include "families/ctranslate2/ctranslate2.h"
#include "families/foreign_files.h"
#include "families/gguf/gguf.h"
#include "families/huggingface/huggingface.h"
#include "families/marian/marian.h"
#include "families/pytorch/pytorch.h"
#include "formats/sentencepiece_file.h"
#include "spec/model_card.h"

namespace dragoman::families {
namespace {

constexpr Form kForms[] = {
    {"gguf", "a GGUF file", is_gguf_file, load_gguf, true},
    {"pytorch", "dragoman.json and a state dict of PyTorch's", is_pytorch, load_pytorch},
    {"argos", "metadata.json and model/model.bin", is_argos, load_argos},
    {"marian", "a model of Marian's (.npz, .bin)", is_marian, load_marian},  // before CTranslate2: both have model.bin
    {"ctranslate2", "model.bin", is_ctranslate2, load_ctranslate2},
    {"huggingface", "config.json and model.safetensors or pytorch_model.bin", is_huggingface, load_huggingface},
    {"gguf", "one .gguf file", is_gguf_folder, load_gguf, true},
};

void check_heads(const std::string& model, std::string_view name, const spec::StackConfig& stack) {
    if (stack.head_dim <= spec::kMaxHeadDim) return;
    fail(Status::unsupported, "{}: {}: expected attention heads of a width of at most {}, the model has {}", model,
         name, spec::kMaxHeadDim, stack.head_dim);
}

void check_heads(const std::string& model, const spec::TransformerConfig& config) {
    check_heads(model, "encoder", config.encoder);
    check_heads(model, "decoder", config.decoder);
}

// T5's sums exceed float16's range in all sizes but the smallest, and those of a model trained in bfloat16 are not
// limited by it.
bool may_exceed_float16(const spec::TransformerConfig& config, const spec::WeightMap& weights) {
    if (config.wide_activations || config.encoder.relative_buckets > 0) return true;
    return std::ranges::any_of(weights.tensors(), [](const auto& entry) { return entry.second.dtype == DType::bf16; });
}

// Checks that hold for every format.
void check(const spec::ModelSpec& spec) {
    check_heads(text_of(spec.path), spec.config);
    for (const spec::Member& member : spec.ensemble.others) check_heads(member.name, member.config);
    for (const spec::VocabularySpec* vocabulary : {&spec.source, &spec.target})
        if (!vocabulary->sentencepiece.empty()) formats::check_sentencepiece(vocabulary->sentencepiece);
}

}  // namespace

std::span<const Form> forms() { return kForms; }

spec::ModelSpec load(const FileSet& files) {
    std::vector<std::string_view> known;
    for (const Form& form : kForms) {
        if (!form.recognises(files)) {
            known.push_back(form.looks_like);
            continue;
        }
        spec::ModelSpec spec = form.load(files);
        if (!form.self_contained) read_stored_languages(files, spec);
        check(spec);
        complete_prompts(spec);
        spec.config.wide_activations = may_exceed_float16(spec.config, spec.weights);
        for (spec::Member& member : spec.ensemble.others)
            member.config.wide_activations = may_exceed_float16(member.config, member.weights);
        if (form.self_contained) return spec;
        spec.file_bytes += files.bytes_on_disk();
        if (spec.license.empty()) spec.license = spec::read_license(files);
        if (spec.target_languages.empty()) spec.target_languages = spec::languages_in(spec.source.tokens);
        return spec;
    }
    if (const std::string foreign = describe_foreign_files(files); !foreign.empty())
        fail(Status::unsupported, "{}: {}", text_of(files.folder_path()), foreign);
    if (const std::string incomplete = describe_incomplete_model(files); !incomplete.empty())
        fail(Status::bad_model, "{}: {}", text_of(files.folder_path()), incomplete);
    if (!files.chosen().empty()) files.beginning(files.chosen());  // which says what came in its place
    fail(Status::bad_model, "{}: not a model (expected a directory or zip archive with {})", text_of(files.path()),
         fmt::join(known, " or "));
}

spec::ModelSpec load(const std::filesystem::path& path) { return load(*FileSet::open(path)); }

}  // namespace dragoman::families
