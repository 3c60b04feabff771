// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/config.h"

#include <cmath>

#include "base/error.h"

namespace dragoman::families {
namespace {

constexpr uint64_t kMaxPositionValues = uint64_t(1) << 26;  // for the generated table

spec::StackConfig read_stack(const HuggingFaceSettings& settings, const std::string& side, uint32_t d_model) {
    const std::string heads = side + "_attention_heads";
    const char* function = "activation_function";
    const bool scaled = settings.flag("scale_embedding", settings.text("model_type") == "m2m_100");
    spec::StackConfig stack{
        .layers = settings.number((side + "_layers").c_str(), 1, kMaxLayers),
        .heads = settings.number(heads.c_str(), 1, d_model),
        .pre_norm = false,
        .activation = huggingface_activation(settings, function, settings.text(function)),
        .positions = spec::Positions::table,
        .max_positions = settings.number("max_position_embeddings", 1, kMaxPositions),
        .embedding_scale = scaled ? std::sqrt(static_cast<float>(d_model)) : 1.0f,
    };
    if (d_model % stack.heads) {
        fail(Status::bad_model, "{}: {}: expected a divisor of d_model ({}), file has {}", settings.config_file(),
             heads, d_model, stack.heads);
    }
    stack.head_dim = d_model / stack.heads;
    if (uint64_t(stack.max_positions) * d_model > kMaxPositionValues) {
        fail(Status::bad_model, "{}: max_position_embeddings: expected at most {} with a d_model of {}, file has {}",
             settings.config_file(), kMaxPositionValues / d_model, d_model, stack.max_positions);
    }
    return stack;
}

constexpr KeyRule kBartKeys[] = {
    heeded("d_model"),
    heeded("tie_word_embeddings"),
    heeded("encoder_layers"),
    heeded("decoder_layers"),
    heeded("encoder_attention_heads"),
    heeded("decoder_attention_heads"),
    heeded("encoder_ffn_dim"),
    heeded("decoder_ffn_dim"),
    heeded("activation_function"),
    heeded("scale_embedding"),
    heeded("max_position_embeddings", "M2M-100: checked only, positions go on"),
    refused("hidden_size", "d_model", "another name"),
    refused("num_hidden_layers", "encoder_layers", "another name"),
    refused("num_attention_heads", "encoder_attention_heads", "another name"),
    ignored("prefix", "only pipelines of transformers use it"),
    ignored("task_specific_params", "only pipelines of transformers use it"),
};

}  // namespace

KeyRules bart_keys() { return kBartKeys; }

Activation huggingface_activation(const HuggingFaceSettings& settings, const char* key, std::string_view name) {
    constexpr std::pair<std::string_view, Activation> known[] = {
        {"relu", Activation::relu},
        {"gelu", Activation::gelu},
        {"gelu_python", Activation::gelu},
        {"gelu_new", Activation::gelu_tanh},
        {"gelu_fast", Activation::gelu_tanh},
        {"gelu_pytorch_tanh", Activation::gelu_tanh},
        {"silu", Activation::swish},
        {"swish", Activation::swish},
        {"quick_gelu", Activation::gelu_sigmoid},
        {"tanh", Activation::tanh},
    };
    for (const auto& [known_name, value] : known)
        if (known_name == name) return value;
    fail(Status::unsupported, "{}: {}: expected relu, gelu, gelu_new, swish, quick_gelu or tanh, file has {}",
         settings.config_file(), key, name);
}

spec::TransformerConfig read_bart_config(const HuggingFaceSettings& settings, bool shared) {
    spec::TransformerConfig config;
    config.d_model = settings.number("d_model", 1, kMaxWidth);
    config.source_vocabulary = settings.number("vocab_size", 1, kMaxVocabulary);
    config.target_vocabulary = shared
                                   ? config.source_vocabulary
                                   : settings.number("decoder_vocab_size", 1, kMaxVocabulary, config.source_vocabulary);
    config.encoder_ffn = settings.number("encoder_ffn_dim", 1, kMaxWidth);
    config.decoder_ffn = settings.number("decoder_ffn_dim", 1, kMaxWidth);
    config.encoder = read_stack(settings, "encoder", config.d_model);
    config.decoder = read_stack(settings, "decoder", config.d_model);
    read_alignment(settings, config);
    return config;
}

void read_alignment(const HuggingFaceSettings& settings, spec::TransformerConfig& config) {
    const auto& [layers, heads] = std::pair(config.decoder.layers, config.decoder.heads);
    const uint32_t layer = settings.number("alignment_layer", 0, layers - 1, layers - 1);
    if (layer != layers - 1) config.alignment_layer = int32_t(layer);
    config.alignment_first_head = settings.number("alignment_first_head", 0, heads - 1, 0);
    config.alignment_heads = settings.number("alignment_heads", 0, heads - config.alignment_first_head,
                                             config.alignment_heads);
    config.alignment_next_step = settings.flag("alignment_next_step", false);
}

}  // namespace dragoman::families
