// SPDX-License-Identifier: Apache-2.0
#include "families/gguf/gguf_writer.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "families/gguf/gguf_keys.h"
#include "formats/gguf_output.h"
#include "formats/gguf_types.h"
#include "formats/shortlist_file.h"

namespace dragoman::families {
namespace {

// Writes the keys that visit_model() goes through.
class ModelKeys : public formats::gguf::KeyWriter {
public:
    void count(const std::string& key, uint32_t value, gguf::Bounds = {}) { KeyWriter::count(key, value); }
    void integer(const std::string& key, int32_t value, int32_t = 0, int32_t = 0) { KeyWriter::integer(key, value); }
    void optional_text(const std::string& key, const std::optional<std::string>& value) {
        if (value) text(key, *value);
    }
    template <class Enum>
    void word(const std::string& key, Enum value, gguf::Words<Enum> words) {
        const auto found = std::ranges::find(words, value, [](const auto& item) { return item.second; });
        DRAGOMAN_ASSERT(found != words.end());
        text(key, found->first);
    }
};

constexpr uint32_t kQuantizationVersion = 2;

bool is_table(const std::string& name) {
    return name.ends_with("/position_encodings/encodings") || name.ends_with("/relative_attention_bias");
}

DType planned_type(const std::string& name, const spec::HostTensor& tensor, std::optional<DType> wanted) {
    const bool readable = formats::gguf::tensor_type_id(tensor.dtype) != ~0u;
    if (!wanted) return readable ? tensor.dtype : DType::f32;
    if (tensor.shape.size() != 2 || is_table(name)) {
        const bool half = tensor.dtype == DType::f16 || tensor.dtype == DType::bf16;
        return *wanted != DType::f32 && half ? tensor.dtype : DType::f32;
    }
    if (!block_bytes(*wanted)) return *wanted;
    if (tensor.shape[1] % kBlockElements) {
        log(LogLevel::info, "{}: rows of {} are not a multiple of {}, so it stays float16", name, tensor.shape[1],
            kBlockElements);
        return DType::f16;
    }
    return *wanted;
}

class Plan {
public:
    Plan(const spec::ModelSpec& spec, std::optional<DType> type) {
        std::map<std::string, std::string, std::less<>> written_as;  // by the key of the tensor
        for (const spec::TensorRule& rule : gguf::network_tensors(spec)) {
            const spec::HostTensor* tensor = spec.weights.find(rule.name);
            if (!tensor) continue;
            const auto [owner, first] = written_as.emplace(spec.weights.key(rule.name), rule.name);
            if (first) {
                add(rule.name, *tensor, planned_type(rule.name, *tensor, type));
            } else {
                alias_names_.push_back(rule.name);
                alias_targets_.push_back(owner->second);
            }
        }
    }

    const std::vector<formats::GgufTensor>& tensors() const { return tensors_; }

    void describe(ModelKeys& keys) const {
        keys.texts(gguf::kAliasNames, alias_names_);
        keys.texts(gguf::kAliasTargets, alias_targets_);
    }

private:
    void add(const std::string& name, const spec::HostTensor& tensor, DType type) {
        tensors_.push_back({.name = name, .type = type, .tensor = tensor});
        if (type != tensor.dtype) return;  // the scales are then contained in the values
        add_scales(name, gguf::kScales, tensor.scales);
        add_scales(name, gguf::kInputScales, tensor.input_scales);
    }

    void add_scales(const std::string& name, std::string_view end, const std::vector<float>& scales) {
        if (scales.empty()) return;
        // The bytes stay in place: specs are not changed while they are written.
        add(name + std::string(end),
            {.dtype = DType::f32,
             .shape = {static_cast<uint32_t>(scales.size())},
             .bytes = std::as_bytes(std::span(scales))},
            DType::f32);
    }

    std::vector<formats::GgufTensor> tensors_;
    std::vector<std::string> alias_names_, alias_targets_;
};

void add_vocabularies(ModelKeys& keys, const spec::ModelSpec& spec) {
    keys.text("tokenizer.ggml.model", "dragoman");
    keys.texts(gguf::kSourceTokens, spec.source.tokens);
    if (spec.target.tokens != spec.source.tokens) keys.texts(gguf::kTargetTokens, spec.target.tokens);
    const auto source = spec.source.sentencepiece.bytes, target = spec.target.sentencepiece.bytes;
    const bool shared = !source.empty() && std::ranges::equal(source, target);
    if (!source.empty()) keys.blob(gguf::kSourcePieces, source);
    if (!target.empty() && !shared) keys.blob(gguf::kTargetPieces, target);
    keys.flag(gguf::kSharedPieces, shared);
    if (spec.never_generated.empty()) return;
    std::vector<std::string> tokens;
    std::vector<uint32_t> lengths;
    for (const auto& sequence : spec.never_generated) {
        if (sequence.empty()) continue;
        tokens.insert(tokens.end(), sequence.begin(), sequence.end());
        lengths.push_back(static_cast<uint32_t>(sequence.size()));
    }
    keys.texts(gguf::kSuppressedTokens, tokens);
    keys.numbers(gguf::kSuppressedLengths, lengths);
}

// Numbers of llama.cpp's table of file types.
std::optional<uint32_t> file_type(std::optional<DType> type) {
    if (!type) return std::nullopt;
    switch (*type) {
        case DType::f32: return 0;
        case DType::f16: return 1;
        case DType::q4: return 3;
        case DType::q8: return 7;
        default: fail(Status::invalid_argument, "type: expected float32, float16, q8 or q4, got {}", name(*type));
    }
}

ModelKeys model_keys(const spec::ModelSpec& spec, const Plan& plan, std::optional<DType> type) {
    ModelKeys keys;
    keys.text("general.architecture", formats::gguf::kArchitecture);
    keys.text("general.type", "model");
    const auto languages = [](const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, "+")); };
    const std::string name = spec.source_languages.empty() || spec.target_languages.empty()
                                 ? spec.family
                                 : languages(spec.source_languages) + "-" + languages(spec.target_languages);
    keys.text("general.name", name.substr(0, 64));
    std::set<std::string> all(spec.source_languages.begin(), spec.source_languages.end());
    all.insert(spec.target_languages.begin(), spec.target_languages.end());
    keys.texts("general.languages", std::vector<std::string>(all.begin(), all.end()));
    if (const auto number = file_type(type)) keys.count("general.file_type", *number);
    keys.count("general.quantization_version", kQuantizationVersion);
    keys.count("general.alignment", uint32_t{formats::gguf::kAlignment});
    keys.text("dragoman.source_format", spec.format);
    gguf::visit_model(keys, spec);
    add_vocabularies(keys, spec);
    plan.describe(keys);
    if (spec.shortlist) {
        keys.blob(gguf::kShortlist, formats::shortlist_bytes(*spec.shortlist));
        keys.flag(gguf::kShortlistShared, spec.shortlist->sizes().shared);
    }
    return keys;
}

}  // namespace

void write_gguf(const spec::ModelSpec& spec, const std::filesystem::path& path, const GgufOptions& options) {
    if (spec.ensemble.used())
        fail(Status::unsupported, "{}: a GGUF file holds one network, expected 1 without a weight, the ensemble has {}",
             text_of(spec.path), spec.ensemble.others.size() + 1);
    if (spec.config.decoder.layers == 0)
        fail(Status::unsupported, "{}: a GGUF file holds a model that translates, {} is an encoder-only model",
             text_of(spec.path), spec.family);
    file_type(options.type);
    const Plan plan(spec, options.type);
    formats::write_gguf_file(path, options.replace, model_keys(spec, plan, options.type), plan.tensors(),
                             options.progress);
}

}  // namespace dragoman::families
