// SPDX-License-Identifier: Apache-2.0
#include "families/gguf/gguf_t5.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "families/common/t5_model.h"
#include "families/gguf/gguf_keys.h"
#include "formats/checkpoint.h"
#include "formats/sentencepiece_model.h"

namespace dragoman::families {
namespace {

using Kind = formats::SentencePieceModel::Kind;

constexpr uint32_t kMaxBuckets = 1u << 12;
constexpr const char *kTokens = "tokenizer.ggml.tokens", *kScores = "tokenizer.ggml.scores",
                     *kTypes = "tokenizer.ggml.token_type";

uint32_t count(const formats::GgufFile& file, const std::string& key, uint32_t low, uint32_t high,
               std::optional<uint32_t> absent = std::nullopt) {
    const auto value = file.integer(key);
    if (!value && absent) return *absent;
    if (!value || *value < low || *value > high)
        file.wrong(key, fmt::format("{} to {}", low, high), value ? std::to_string(*value) : "none");
    return uint32_t(*value);
}

spec::TransformerConfig read_config(const formats::GgufFile& file, uint32_t vocabulary) {
    spec::TransformerConfig config;
    config.d_model = count(file, "t5.embedding_length", 1, gguf::kMaxWidth);
    config.source_vocabulary = config.target_vocabulary = vocabulary;
    config.encoder_ffn = config.decoder_ffn = count(file, "t5.feed_forward_length", 1, gguf::kMaxWidth);
    spec::StackConfig stack = t5_stack(true);
    stack.layers = count(file, "t5.block_count", 1, gguf::kMaxLayers);
    stack.heads = count(file, "t5.attention.head_count", 1, gguf::kMaxHeads);
    const uint32_t width = std::max(config.d_model / stack.heads, 1u);
    stack.head_dim = count(file, "t5.attention.key_length", 1, gguf::kMaxHeadWidth, width);
    if (count(file, "t5.attention.value_length", 1, gguf::kMaxHeadWidth, stack.head_dim) != stack.head_dim)
        fail(Status::unsupported, "{}: t5.attention.value_length: expected {} (as keys have), file has another one",
             file.name(), stack.head_dim);
    stack.relative_buckets = count(file, "t5.attention.relative_buckets_count", 1, kMaxBuckets, 32);
    stack.norm_epsilon = file.real("t5.attention.layer_norm_rms_epsilon").value_or(stack.norm_epsilon);
    if (!(stack.norm_epsilon > 0) || stack.norm_epsilon >= 1)
        file.wrong("t5.attention.layer_norm_rms_epsilon", "a number between 0 and 1",
                   fmt::format("{}", stack.norm_epsilon));
    stack.gated_ffn = file.tensors().contains("enc.blk.0.ffn_gate.weight");
    stack.activation = stack.gated_ffn ? Activation::gelu_tanh : Activation::relu;
    stack.relative_bias_everywhere = stack.layers > 1 && file.tensors().contains("enc.blk.1.attn_rel_b.weight");
    config.encoder = config.decoder = stack;
    config.encoder.cross_attention_scale = t5_stack(false).cross_attention_scale;
    config.decoder.layers = count(file, "t5.decoder_block_count", 1, gguf::kMaxLayers, stack.layers);
    // The file does not say whether its tied model needs T5's scale; the published ones do.
    if (!file.tensors().contains("output.weight")) config.output_scale = 1.0f / std::sqrt(float(config.d_model));
    check_t5_bias(file.name(), config);
    return config;
}

Kind kind_of(const formats::GgufFile& file, uint32_t type, const std::string& token) {
    if (type < uint32_t(Kind::normal) || type > uint32_t(Kind::byte))
        file.wrong(kTypes, "1 to 6", std::to_string(type));
    const auto kind = static_cast<Kind>(type);
    const bool stands_for_text = kind != Kind::unused && !token.starts_with("<extra_id_");
    return stands_for_text ? kind : Kind::control;
}

FileBytes read_tokenizer(const formats::GgufFile& file, const std::vector<std::string>& tokens) {
    if (const auto model = file.text("tokenizer.ggml.model"); model != "t5")
        fail(Status::unsupported, "{}: tokenizer.ggml.model: expected t5, file has {}", file.name(),
             model.value_or("none").substr(0, 60));
    const auto scores = file.reals(kScores).value_or(std::vector<float>());
    const auto types = file.numbers(kTypes).value_or(std::vector<uint32_t>());
    for (const auto& [key, size] : {std::pair{kScores, scores.size()}, std::pair{kTypes, types.size()}})
        if (size != tokens.size())
            file.wrong(key, fmt::format("{} (one for each token)", tokens.size()), std::to_string(size));
    formats::SentencePieceModel model;
    model.add_dummy_prefix = file.flag("tokenizer.ggml.add_space_prefix").value_or(true);
    model.remove_extra_whitespaces = file.flag("tokenizer.ggml.remove_extra_whitespaces").value_or(true);
    if (const auto rules = file.blob("tokenizer.ggml.precompiled_charsmap")) model.rules = rules->text();
    for (std::size_t id = 0; id < tokens.size(); ++id) {
        if (tokens[id].empty() || !std::isfinite(scores[id]))
            file.wrong(kTokens, "texts with finite scores", fmt::format("\"{}\", {}", tokens[id], scores[id]));
        model.pieces.push_back({.text = tokens[id], .score = scores[id], .kind = kind_of(file, types[id], tokens[id])});
        model.byte_fallback |= model.pieces.back().kind == Kind::byte;
    }
    return formats::sentencepiece_file(model, file.name() + ": " + kTokens);
}

}  // namespace

spec::ModelSpec load_gguf_t5(const formats::GgufFile& file, const FileBytes& bytes) {
    spec::ModelSpec spec;
    spec.format = "gguf";
    spec.family = "T5";
    spec.path = file.name();
    spec.file_bytes = bytes.bytes.size();
    const auto tokens = file.texts(kTokens);
    if (!tokens || tokens->empty()) file.wrong(kTokens, "an array of texts", "none");
    const auto size = uint32_t(std::min<std::size_t>(tokens->size(), gguf::kMaxVocabulary));
    spec.config = read_config(file, size);
    set_t5_vocabulary(read_tokenizer(file, *tokens), {}, size, spec);
    const auto token = [&](const char* key, uint32_t absent) {
        return spec.target.tokens[count(file, key, 0, size - 1, std::min(absent, size - 1))];
    };
    spec.eos_token = token("tokenizer.ggml.eos_token_id", 1);
    spec.decoder_start_token = token("t5.decoder_start_token_id", 0);
    spec.add_source_eos = true;
    const bool sentinels = std::ranges::find(*tokens, "<extra_id_0>") != tokens->end();
    set_t5_prompts(sentinels ? usual_t5_tasks(*tokens) : std::vector<T5Task>(), {}, spec);
    spec.search = spec::SearchDefaults::of(spec::SearchStyle::huggingface);
    take_t5_weights({.names = T5Tensors::Names::gguf,
                     .has = [&](const std::string& name) { return file.tensors().contains(name); },
                     .read =
                         [&](const std::string& name, const std::vector<uint32_t>& shape) {
                             const auto found = file.tensors().find(name);
                             if (found == file.tensors().end() || found->second.shape != shape)
                                 fail(Status::bad_model, "{}: {}: expected {}, file has {}", file.name(), name,
                                      formats::describe_shape(shape),
                                      found == file.tensors().end() ? "none"
                                                                    : formats::describe_shape(found->second.shape));
                             const DType type = *formats::gguf::tensor_type(found->second.type);
                             if (type == DType::i8 || type == DType::i16 || type == DType::i32)
                                 fail(Status::unsupported, "{}: {}: expected floats or blocks, file has {}",
                                      file.name(), name, formats::gguf::tensor_type_name(found->second.type));
                             return spec::HostTensor{
                                 .dtype = type, .shape = shape, .bytes = found->second.bytes, .mapped = bytes.mapped};
                         }},
                    spec);
    spec.owners.push_back(bytes.owner);
    return spec;
}

}  // namespace dragoman::families
