// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "spec/model_spec.h"
#include "spec/recurrent_tensors.h"

// The keys of a GGUF file that describe a model (docs/gguf.md). Reading and writing share one list.
namespace dragoman::families::gguf {

template <class Enum>
using Words = std::span<const std::pair<const char*, Enum>>;

inline constexpr std::pair<const char*, Activation> kActivations[] = {
    {"relu", Activation::relu}, {"gelu_tanh", Activation::gelu_tanh}, {"swish", Activation::swish},
    {"gelu", Activation::gelu}, {"tanh", Activation::tanh},           {"gelu_sigmoid", Activation::gelu_sigmoid},
    {"none", Activation::none}, {"sigmoid", Activation::sigmoid},
};
inline constexpr std::pair<const char*, spec::Positions> kPositions[] = {{"none", spec::Positions::none},
                                                                         {"sinusoid", spec::Positions::sinusoid},
                                                                         {"table", spec::Positions::table}};
inline constexpr std::pair<const char*, spec::Autoregression> kAutoregressions[] = {
    {"self_attention", spec::Autoregression::self_attention},
    {"average_attention", spec::Autoregression::average_attention},
    {"ssru", spec::Autoregression::ssru},
    {"gru", spec::Autoregression::gru}};
#include "families/gguf/search_words.inc"

inline constexpr std::pair<const char*, spec::RecurrentCell> kCells[] = {{"gru", spec::RecurrentCell::gru},
                                                                         {"lstm", spec::RecurrentCell::lstm}};
inline constexpr std::pair<const char*, spec::CellNorm> kCellNorms[] = {{"none", spec::CellNorm::none},
                                                                        {"whole", spec::CellNorm::whole},
                                                                        {"parts", spec::CellNorm::parts}};

struct Bounds {
    uint32_t low, high;
    bool required = false;
};
inline constexpr uint32_t kMaxWidth = 1u << 16, kMaxLayers = 1u << 10, kMaxDepth = 64, kMaxPositions = 1u << 20;
inline constexpr uint32_t kMaxHeads = 1u << 10, kMaxHeadWidth = spec::kMaxHeadDim;
inline constexpr uint32_t kMaxVocabulary = 1u << 26, kMaxCells = 64;

// Keys has count, integer, real, flag, text, word, optional_text and texts, each with a key and a field of the spec.
template <class Keys, class Stack>
void visit_stack(Keys& keys, const std::string& side, Stack& stack) {
    const auto key = [&](const char* name) { return "dragoman." + side + "." + name; };
    keys.count(key("block_count"), stack.layers, {side == "encoder" ? 0u : 1u, kMaxLayers, true});
    if (stack.layers == 0) return;
    keys.count(key("attention.head_count"), stack.heads, {1, kMaxHeads, true});
    keys.count(key("attention.key_length"), stack.head_dim, {1, kMaxHeadWidth, true});
    keys.real(key("attention.scale"), stack.attention_scale);
    if (side == "decoder") keys.real(key("cross_attention.scale"), stack.cross_attention_scale);
    keys.flag(key("attention.output"), stack.attention_output);
    keys.count(key("attention.relative_buckets_count"), stack.relative_buckets, {0, kMaxWidth});
    keys.count(key("attention.relative_max_distance"), stack.relative_max_distance, {1, kMaxWidth});
    keys.flag(key("attention.relative_bias_everywhere"), stack.relative_bias_everywhere);
    keys.real(key("attention.layer_norm_epsilon"), stack.norm_epsilon);
    keys.flag(key("pre_norm"), stack.pre_norm);
    keys.flag(key("final_norm"), stack.final_norm);
    keys.flag(key("embedding_norm"), stack.embedding_norm);
    keys.flag(key("rms_norm"), stack.rms_norm);
    keys.flag(key("custom_order"), stack.custom_order);
    keys.text(key("order.before"), stack.before);
    keys.text(key("order.after"), stack.after);
    keys.text(key("order.after_embedding"), stack.after_embedding);
    keys.text(key("order.after_stack"), stack.after_stack);
    keys.flag(key("gated_feed_forward"), stack.gated_ffn);
    keys.count(key("feed_forward_depth"), stack.ffn_depth, {1, kMaxDepth});
    keys.word(key("activation"), stack.activation, Words<Activation>(kActivations));
    keys.word(key("positions"), stack.positions, Words<spec::Positions>(kPositions));
    keys.count(key("first_position"), stack.first_position, {0, kMaxPositions});
    keys.flag(key("repeat_last_position"), stack.repeat_last_position);
    keys.count(key("context_length"), stack.max_positions, {0, kMaxPositions});
    keys.real(key("embedding_scale"), stack.embedding_scale);
}

template <class Keys, class Config>
void visit_network(Keys& keys, Config& config) {
    keys.count("dragoman.embedding_length", config.d_model, {1, kMaxWidth, true});
    keys.count("dragoman.encoder.embedding_length", config.encoder_width, {0, kMaxWidth});
    keys.count("dragoman.encoder.feed_forward_length", config.encoder_ffn, {0, kMaxWidth, true});
    keys.count("dragoman.decoder.feed_forward_length", config.decoder_ffn, {1, kMaxWidth, true});
    keys.count("dragoman.encoder.vocab_size", config.source_vocabulary, {0, kMaxVocabulary, true});
    keys.count("dragoman.decoder.vocab_size", config.target_vocabulary, {1, kMaxVocabulary, true});
    visit_stack(keys, "encoder", config.encoder);
    visit_stack(keys, "decoder", config.decoder);
    keys.flag("dragoman.decoder.start_from_zero_embedding", config.start_from_zero_embedding);
    keys.word("dragoman.decoder.autoregression", config.autoregression, Words<spec::Autoregression>(kAutoregressions));
    keys.flag("dragoman.decoder.recurrence.norm", config.recurrence_norm);
    keys.flag("dragoman.decoder.recurrence.output", config.recurrence_output);
    keys.count("dragoman.decoder.average.feed_forward_length", config.average_ffn, {0, kMaxWidth});
    keys.count("dragoman.decoder.average.feed_forward_depth", config.average_ffn_depth, {1, kMaxDepth});
    keys.flag("dragoman.decoder.average.gate", config.average_gate);
    keys.word("dragoman.decoder.average.activation", config.average_activation, Words<Activation>(kActivations));
    keys.real("dragoman.decoder.output_scale", config.output_scale);
    keys.flag("dragoman.wide_activations", config.wide_activations);
    keys.integer("dragoman.decoder.alignment_layer", config.alignment_layer, -int32_t(kMaxLayers), int32_t(kMaxLayers));
    keys.count("dragoman.decoder.alignment_first_head", config.alignment_first_head, {0, kMaxWidth});
    keys.count("dragoman.decoder.alignment_heads", config.alignment_heads, {0, kMaxWidth});
    keys.flag("dragoman.decoder.alignment_next_step", config.alignment_next_step);
}

template <class Keys, class Config>
void visit_recurrent(Keys& keys, Config& config) {
    keys.count("dragoman.embedding_length", config.embedding, {1, kMaxWidth, true});
    keys.count("dragoman.recurrent.state_length", config.state, {1, kMaxWidth, true});
    keys.count("dragoman.encoder.vocab_size", config.source_vocabulary, {1, kMaxVocabulary, true});
    keys.count("dragoman.decoder.vocab_size", config.target_vocabulary, {1, kMaxVocabulary, true});
    const auto unit = [&](const std::string& side, auto& unit) {
        keys.word(side + ".cell", unit.cell, Words<spec::RecurrentCell>(kCells));
        keys.word(side + ".cell_norm", unit.norm, Words<spec::CellNorm>(kCellNorms));
        keys.real(side + ".cell_norm_epsilon", unit.norm_epsilon);
    };
    unit("dragoman.recurrent.encoder", config.encoder);
    unit("dragoman.recurrent.decoder", config.decoder);
    const auto cells = [&](const std::string& name, auto& number, uint32_t least, bool required = false) {
        keys.count("dragoman.recurrent." + name, number, {least, kMaxCells, required});
    };
    cells("encoder.bidirectional_count", config.bidirectional_layers, 1, true);
    cells("encoder.forward_count", config.forward_layers, 0);
    keys.flag("dragoman.recurrent.encoder.alternating", config.alternating);
    cells("encoder.depth", config.encoder_depth, 1);
    cells("decoder.block_count", config.decoder_layers, 1, true);
    cells("decoder.base_depth", config.base_depth, 1);
    cells("decoder.high_depth", config.high_depth, 1);
    keys.flag("dragoman.recurrent.skip", config.skip);
    keys.flag("dragoman.recurrent.layer_norm", config.layer_norm);
    keys.real("dragoman.recurrent.layer_norm_epsilon", config.norm_epsilon);
}

// Visits one kind of network or the other.
template <class Keys, class Spec>
void visit_networks(Keys& keys, Spec& spec) {
    bool recurrent = spec.recurrent.has_value();
    keys.flag("dragoman.recurrent", recurrent);
    if (!recurrent) return visit_network(keys, spec.config);
    if constexpr (!std::is_const_v<Spec>) spec.recurrent.emplace();
    visit_recurrent(keys, *spec.recurrent);
    if constexpr (!std::is_const_v<Spec>) spec.config = spec::outline(*spec.recurrent);
}

inline std::vector<spec::TensorRule> network_tensors(const spec::ModelSpec& spec) {
    return spec.recurrent ? spec::recurrent_tensors(*spec.recurrent) : spec::transformer_tensors(spec.config);
}

template <class Keys, class Search>
void visit_search(Keys& keys, Search& search) {
#include "families/gguf/search_keys.inc"
}

template <class Keys, class Pattern>
void visit_prompts(Keys& keys, Pattern& pattern) {
    keys.text("dragoman.prompt.text_before", pattern.text_before);
    keys.texts("dragoman.prompt.source_before", pattern.source_before);
    keys.texts("dragoman.prompt.source_after", pattern.source_after);
    keys.texts("dragoman.prompt.target_begin", pattern.target_begin);
    keys.flag("dragoman.prompt.needs_languages", pattern.needs_languages);
    keys.flag("dragoman.prompt.plain_without", pattern.plain_without);
    keys.text("dragoman.prompt.default_target", pattern.default_target);
}

template <class Keys, class Weights>
void visit_quality(Keys& keys, Weights& weights) {
    // the library's own weights are not written, since later versions may have better ones
    if (std::is_const_v<Weights> && weights == Weights()) return;
    for (std::size_t i = 0; i < spec::kWordFeatures.size(); ++i)
        keys.real(std::string("dragoman.quality.word.") + spec::kWordFeatures[i], weights.word[i]);
    for (std::size_t i = 0; i < spec::kSentenceFeatures.size(); ++i)
        keys.real(std::string("dragoman.quality.sentence.") + spec::kSentenceFeatures[i], weights.sentence[i]);
}

// Visits everything but vocabularies, SentencePiece models, suppressed sequences and the shortlist.
template <class Keys, class Spec>
void visit_model(Keys& keys, Spec& spec) {
    keys.text("general.version", spec.version);
    keys.text("general.license", spec.license);
    keys.texts("dragoman.source_languages", spec.source_languages);
    keys.texts("dragoman.target_languages", spec.target_languages);
    keys.text("dragoman.family", spec.family);
    visit_networks(keys, spec);
    keys.text("dragoman.tokenizer.unknown_token", spec.unk_token);
    keys.text("dragoman.tokenizer.bos_token", spec.bos_token);
    keys.text("dragoman.tokenizer.eos_token", spec.eos_token);
    keys.optional_text("dragoman.tokenizer.decoder_start_token", spec.decoder_start_token);
    keys.flag("dragoman.tokenizer.add_source_bos", spec.add_source_bos);
    keys.flag("dragoman.tokenizer.add_source_eos", spec.add_source_eos);
    keys.flag("dragoman.tokenizer.add_text_eos", spec.add_text_eos);
    keys.flag("dragoman.tokenizer.right_to_left", spec.right_to_left);
    keys.texts("tokenizer.ggml.merges", spec.byte_bpe.merges);
    keys.flag("dragoman.tokenizer.space_before", spec.byte_bpe.space_before);
    keys.text("dragoman.tokenizer.steps", spec.tokenizer_steps.json);
    keys.flag("dragoman.tokenizer.clean_up_spaces", spec.clean_up_spaces);
    visit_prompts(keys, spec.prompts.pattern);
    visit_search(keys, spec.search);
    visit_quality(keys, spec.quality);
}

inline constexpr const char* kSourceTokens = "tokenizer.ggml.tokens";
inline constexpr const char* kTargetTokens = "tokenizer.ggml.target_tokens";  // missing: the source's
inline constexpr const char* kSourcePieces = "dragoman.tokenizer.source_sentencepiece";
inline constexpr const char* kTargetPieces = "dragoman.tokenizer.target_sentencepiece";
inline constexpr const char* kSharedPieces = "dragoman.tokenizer.shared_sentencepiece";
inline constexpr const char* kSuppressedTokens = "dragoman.suppressed.tokens";
inline constexpr const char* kSuppressedLengths = "dragoman.suppressed.lengths";
inline constexpr const char* kShortlist = "dragoman.shortlist";
inline constexpr const char* kShortlistShared = "dragoman.shortlist.shared_vocabulary";
inline constexpr const char* kAliasNames = "dragoman.aliases.names";
inline constexpr const char* kAliasTargets = "dragoman.aliases.targets";
inline constexpr std::string_view kScales = ".scales";  // tensors besides integers: value = stored / scale
inline constexpr std::string_view kInputScales = ".input_scales";

}  // namespace dragoman::families::gguf
