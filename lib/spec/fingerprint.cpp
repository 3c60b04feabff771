// SPDX-License-Identifier: Apache-2.0
#include "spec/fingerprint.h"

#include "spec/model_spec.h"

namespace dragoman::spec {
namespace {

void add_all(Fingerprint& to, const auto&... values) { (to.add(values), ...); }

// Bindings name every member, so that a new one does not compile until it is added here.
void add(Fingerprint& to, const StackConfig& stack) {
    const auto& [layers, heads, head_dim, pre_norm, final_norm, embedding_norm, rms_norm, custom_order, before, after,
                 after_embedding, after_stack, gated_ffn, activation, ffn_depth, attention_output, positions,
                 first_position, repeat_last_position, max_positions, embedding_scale, norm_epsilon, attention_scale,
                 cross_attention_scale, relative_buckets, relative_max_distance, relative_bias_everywhere] = stack;
    add_all(to, layers, heads, head_dim, pre_norm, final_norm, embedding_norm, rms_norm, custom_order,
            std::string_view(before), std::string_view(after), std::string_view(after_embedding),
            std::string_view(after_stack), gated_ffn, activation, ffn_depth, attention_output, positions,
            first_position, repeat_last_position, max_positions, embedding_scale, norm_epsilon, attention_scale,
            cross_attention_scale, relative_buckets, relative_max_distance, relative_bias_everywhere);
}

void add(Fingerprint& to, const RecurrentUnit& unit) {
    const auto& [cell, norm, norm_epsilon] = unit;
    add_all(to, cell, norm, norm_epsilon);
}

}  // namespace

void add(Fingerprint& to, const TransformerConfig& config) {
    const auto& [d_model, encoder_width, encoder_ffn, decoder_ffn, source_vocabulary, target_vocabulary, encoder,
                 decoder, start_from_zero_embedding, autoregression, recurrence_norm, recurrence_output, average_ffn,
                 average_ffn_depth, average_gate, average_activation, output_scale, wide_activations, alignment_layer,
                 alignment_first_head, alignment_heads, alignment_next_step] = config;
    add_all(to, d_model, encoder_width, encoder_ffn, decoder_ffn, source_vocabulary, target_vocabulary);
    add(to, encoder);
    add(to, decoder);
    add_all(to, start_from_zero_embedding, autoregression, recurrence_norm, recurrence_output, average_ffn,
            average_ffn_depth, average_gate, average_activation, output_scale, wide_activations, alignment_layer,
            alignment_first_head, alignment_heads, alignment_next_step);
}

void add(Fingerprint& to, const RecurrentConfig& config) {
    const auto& [source_vocabulary, target_vocabulary, embedding, state, encoder, decoder, bidirectional_layers,
                 alternating, forward_layers, encoder_depth, decoder_layers, base_depth, high_depth, skip, layer_norm,
                 norm_epsilon] = config;
    add_all(to, source_vocabulary, target_vocabulary, embedding, state);
    add(to, encoder);
    add(to, decoder);
    add_all(to, bidirectional_layers, alternating, forward_layers, encoder_depth, decoder_layers, base_depth,
            high_depth, skip, layer_norm, norm_epsilon);
}

namespace {

void add(Fingerprint& to, const std::string& text) { to.add(std::string_view(text)); }
void add(Fingerprint& to, const std::vector<std::string>& texts) {
    to.add(texts.size());
    for (const std::string& text : texts) add(to, text);
}

void add(Fingerprint& to, const VocabularySpec& vocabulary) {
    const auto& [tokens, sentencepiece] = vocabulary;
    add(to, tokens);
    to.add(sentencepiece.text());
}

void add(Fingerprint& to, const std::vector<Language>& languages) {
    to.add(languages.size());
    for (const auto& [tag, code] : languages) {
        add(to, tag.str());
        add(to, code);
    }
}

void add(Fingerprint& to, const Prompts& prompts) {
    const auto& [languages, pattern, decoder_start, end, said] = prompts;  // said: of messages
    const auto& [source, target] = languages;
    const auto& [text_before, source_before, source_after, target_begin, needs_languages, plain_without,
                 default_target] = pattern;
    for (const auto* list : {&source, &target}) add(to, *list);
    for (const auto* list : {&source_before, &source_after, &target_begin}) add(to, *list);
    for (const std::string* text : {&text_before, &default_target, &end}) add(to, *text);
    add(to, decoder_start.value_or(std::string()));
    add_all(to, decoder_start.has_value(), needs_languages, plain_without);
}

void add(Fingerprint& to, const std::optional<Shortlist>& shortlist) {
    to.add(shortlist.has_value());
    if (!shortlist) return;
    to.add(shortlist->first());
    to.add(std::as_bytes(shortlist->begins()));
    to.add(std::as_bytes(shortlist->targets()));
}

void add(Fingerprint& to, const ByteBpeSpec& bpe) {
    const auto& [merges, space_before] = bpe;
    add(to, merges);
    to.add(space_before);
}

void add(Fingerprint& to, const WordPieceSpec& pieces) {
    const auto& [used, unk_token, continuation, most_characters, clean, chinese_characters, strip_accents,
                 lower_case] = pieces;
    add(to, unk_token);
    add(to, continuation);
    add_all(to, used, most_characters, clean, chinese_characters, strip_accents, lower_case);
}

}  // namespace

// Left out: names and sizes, what networks compute with (above), vectors, and search, which a plan resolves.
void add_text(Fingerprint& to, const ModelSpec& spec) {
    const auto& [format, family, path, file_bytes, config, recurrent, weights, ensemble, source, target, byte_bpe,
                 word_piece, tokenizer_steps, clean_up_spaces, embedding, shared_vocabulary, unk_token, bos_token,
                 eos_token, decoder_start_token, add_source_bos, add_source_eos, add_text_eos, never_generated,
                 right_to_left, search, quality, shortlist, source_languages, target_languages, prompts, no_tokenizer,
                 version, license, owners] = spec;
    for (const VocabularySpec* vocabulary : {&source, &target}) add(to, *vocabulary);
    add(to, byte_bpe);
    add(to, word_piece);
    add(to, tokenizer_steps.json);
    to.add(clean_up_spaces);
    for (const std::string* token : {&unk_token, &bos_token, &eos_token}) add(to, *token);
    add(to, decoder_start_token.value_or(std::string()));
    add_all(to, decoder_start_token.has_value(), shared_vocabulary, add_source_bos, add_source_eos, add_text_eos,
            right_to_left);
    to.add(never_generated.size());
    for (const auto& sequence : never_generated) add(to, sequence);
    to.add(std::as_bytes(std::span(quality.word)));
    to.add(std::as_bytes(std::span(quality.sentence)));
    add(to, shortlist);
    for (const auto* codes : {&source_languages, &target_languages}) add(to, *codes);
    add(to, prompts);
}

}  // namespace dragoman::spec
