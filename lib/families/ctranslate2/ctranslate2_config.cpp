// SPDX-License-Identifier: Apache-2.0
#include "families/ctranslate2/ctranslate2_config.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"

namespace dragoman::families {
namespace {

constexpr uint32_t kNewestRevision = 7;
constexpr uint32_t kMaxStoredLayers = 1u << 10;
constexpr uint32_t kFirstRevisionWithHeads = 3;       // in earlier revisions, the spec name says how many
constexpr uint32_t kFirstRevisionWithStackScalars = 5;  // in earlier revisions, both stacks share top-level ones

// Revision 1 has OpenNMT-tf's names. Each rule replaces the first occurrence, in this order, on the result so far.
std::string current_name(std::string name) {
    const auto replace = [&name](std::string_view from, std::string_view to) {
        if (const auto at = name.find(from); at != std::string::npos) name.replace(at, from.size(), to);
    };
    constexpr std::pair<std::string_view, std::string_view> rules[] = {
        {"transformer/", ""},
        {":0", ""},
        {"w_embs", "embeddings/weight"},
        {"kernel", "weight"},
        {"LayerNorm", "layer_norm"},
        {"dense", "projection"},
        {"conv1d_", "linear_"},
        {"conv1d", "linear_0"},
    };
    for (const auto& [from, to] : rules) replace(from, to);
    if (name.find("encoder") != std::string::npos) {
        replace("multi_head", "self_attention");
    } else {
        replace("masked_multi_head", "self_attention");
        replace("multi_head", "attention");
    }
    return name;
}

void check_spec(const formats::Ct2Container& container) {
    constexpr std::string_view known[] = {"", "TransformerBase", "TransformerBig", "TransformerSpec"};
    if (std::find(std::begin(known), std::end(known), container.spec) == std::end(known)) {
        fail(Status::unsupported, "{}: only encoder-decoder Transformers are supported (TransformerSpec)",
             container.spec);
    }
    if (container.revision < 1 || container.revision > kNewestRevision) {
        fail(Status::unsupported, "{}: expected a revision from 1 to {}, file has {}", container.spec, kNewestRevision,
             container.revision);
    }
}

struct UnsupportedFeature {
    std::string_view component;  // of a variable's path
    bool only_if_set;            // for a switch that may be present and off
    std::string_view what;
};

constexpr UnsupportedFeature kUnsupported[] = {
    {"relative_position_keys", false, "relative position vectors"},
    {"relative_position_values", false, "relative position vectors"},
    {"relative_asymmetric_position_embeddings", false, "relative position vectors"},
    {"relative_left_max_position", false, "relative position vectors"},
    {"rotary_dim", false, "rotary positions"},
    {"rotary_interleave", false, "rotary positions"},
    {"rotary_scaling_type", false, "rotary positions"},
    {"rotary_base", false, "rotary positions"},
    {"alibi", true, "ALiBi positions"},
    {"sliding_window", true, "sliding window attention"},
    {"multi_query_attention", true, "multi-query attention"},
    {"multi_query", true, "multi-query attention"},
    {"num_heads_kv", false, "grouped-query attention"},
    {"q_norm", false, "normalised queries and keys"},
    {"k_norm", false, "normalised queries and keys"},
    {"layer_norm_use_residual", true, "norms with a residual gain"},
    {"shared_layer_norm", false, "parallel layers"},
    {"input_layer_norm", false, "parallel layers or extra norms"},
    {"post_attention_layer_norm", false, "parallel layers or extra norms"},
    {"pre_feedforward_layer_norm", false, "parallel layers or extra norms"},
    {"post_feedforward_layer_norm", false, "parallel layers or extra norms"},
    {"project_in", false, "projected embeddings"},
    {"project_out", false, "projected outputs"},
    {"final_logit_softcapping", true, "soft-capped logits"},
    {"embeddings_1", false, "several source features"},
    {"weight_zero", false, "AWQ weights"},
};

bool has_component(std::string_view path, std::string_view component) {
    while (true) {
        const auto end = path.find('/');
        if (path.substr(0, end) == component) return true;
        if (end == std::string_view::npos) return false;
        path.remove_prefix(end + 1);
    }
}

void check_features(const Ct2Variables& variables) {
    for (const auto& [name, variable] : variables.all()) {
        if (!name.starts_with("encoder/") && !name.starts_with("decoder/")) continue;
        for (const UnsupportedFeature& feature : kUnsupported) {
            if (!has_component(name, feature.component)) continue;
            if (feature.only_if_set && *variables.scalar(name) == 0) continue;
            fail(Status::unsupported, "{}: {} are not supported", name, feature.what);
        }
    }
}

class ConfigReader {
public:
    ConfigReader(const Ct2Variables& variables, std::optional<float> norm_epsilon)
        : variables_(variables), norm_epsilon_(norm_epsilon) {}

    spec::TransformerConfig read() {
        spec::TransformerConfig config;
        const auto source = matrix("encoder/embeddings_0/weight");
        const auto target = matrix("decoder/embeddings/weight");
        config.source_vocabulary = source[0];
        config.target_vocabulary = target[0];
        config.d_model = target[1];
        if (source[1] != config.d_model || config.d_model == 0) {
            fail(Status::bad_model, "encoder/embeddings_0/weight: expected {}x{} (the decoder's width), file has {}x{}",
                 source[0], config.d_model, source[0], source[1]);
        }
        config.encoder = stack("encoder", config.d_model, config.encoder_ffn);
        config.decoder = stack("decoder", config.d_model, config.decoder_ffn);
        config.decoder.cross_attention_scale = queries_scale("decoder", "attention", config.decoder.layers);
        config.start_from_zero_embedding = variables_.flag("decoder/start_from_zero_embedding", false);
        if (const auto scale = variables_.scalar("decoder/scale_outputs")) {
            config.output_scale = factor("decoder/scale_outputs", *scale);
        }
        const auto layers = static_cast<int>(config.decoder.layers);
        config.alignment_layer = integer("decoder", "alignment_layer", -1, -layers, layers - 1);
        config.alignment_heads =
            static_cast<uint32_t>(integer("decoder", "alignment_heads", 1, 0, static_cast<int>(config.decoder.heads)));
        return config;
    }

private:
    std::array<uint32_t, 2> matrix(const std::string& name) const {
        const auto* found = variables_.find(name);
        if (!found) fail(Status::bad_model, "{}: expected a matrix, the model has no such tensor", name);
        const auto& shape = found->tensor.shape;
        if (shape.size() != 2) {
            fail(Status::bad_model, "{}: expected 2 dimensions, file has {}", name, shape.size());
        }
        return {shape[0], shape[1]};
    }

    // "<stack>/<key>", or in old revisions "<key>" for both stacks.
    std::optional<double> stack_scalar(const std::string& stack, const std::string& key) const {
        if (const auto value = variables_.scalar(stack + "/" + key)) return value;
        if (variables_.revision() < kFirstRevisionWithStackScalars) return variables_.scalar(key);
        return std::nullopt;
    }

    int integer(const std::string& stack, const std::string& key, int absent, int low, int high) const {
        const auto value = stack_scalar(stack, key);
        if (!value) return absent;
        if (!(*value >= low && *value <= high) || *value != std::floor(*value)) {
            fail(Status::bad_model, "{}/{}: expected an integer from {} to {}, file has {}", stack, key, low, high,
                 *value);
        }
        return static_cast<int>(*value);
    }

    static float factor(const std::string& name, double value) {
        if (value == 0 || !std::isfinite(value)) {
            fail(Status::bad_model, "{}: expected a finite factor other than 0, file has {}", name, value);
        }
        return static_cast<float>(value);
    }

    uint32_t count_layers(const std::string& stack) const {
        uint32_t layers = 0;
        while (variables_.has_scope(fmt::format("{}/layer_{}/", stack, layers))) ++layers;
        const std::string prefix = stack + "/layer_";
        for (auto at = variables_.all().lower_bound(prefix);
             at != variables_.all().end() && at->first.starts_with(prefix); ++at) {
            const std::size_t end = at->first.find('/', prefix.size());
            const std::string number = at->first.substr(prefix.size(), end - prefix.size());
            const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
            if (is_number && (number.size() > 9 || std::stoul(number) >= layers)) {
                fail(Status::bad_model, "{}: expected {}/layer_{} before it, the model has none", at->first, stack,
                     layers);
            }
        }
        if (layers == 0) fail(Status::bad_model, "{}/layer_0: expected a layer, the model has none", stack);
        if (layers > kMaxStoredLayers) {
            fail(Status::bad_model, "{}: expected at most {} layers, the model has {}", stack, kMaxStoredLayers,
                 layers);
        }
        return layers;
    }

    uint32_t read_heads(const std::string& stack) const {
        const bool big = variables_.spec() == "TransformerBig";
        if (variables_.revision() < kFirstRevisionWithHeads) return big ? 16 : 8;
        return static_cast<uint32_t>(integer(stack, "num_heads", big ? 16 : 8, 1, 1024));
    }

    uint32_t read_head_dim(const std::string& stack, uint32_t heads, uint32_t d_model) const {
        const std::string scope = stack + "/layer_0/self_attention";
        if (const int stated = integer(scope, "head_dim", 0, 1, 65536)) return static_cast<uint32_t>(stated);
        if (d_model % heads != 0) {
            fail(Status::bad_model, "{}/num_heads: expected a divisor of the width {}, file has {}", stack, d_model,
                 heads);
        }
        return d_model / heads;
    }

    // 0 when the model keeps the usual 1 / sqrt(head_dim).
    float queries_scale(const std::string& stack, const std::string& block, uint32_t layers) const {
        const auto name = [&](uint32_t i) { return fmt::format("{}/layer_{}/{}/queries_scale", stack, i, block); };
        const auto first = variables_.scalar(name(0));
        for (uint32_t i = 1; i < layers; ++i) {
            if (variables_.scalar(name(i)) != first) {
                fail(Status::unsupported, "{}: scales that differ between layers are not supported", name(i));
            }
        }
        return first ? factor(name(0), *first) : 0.0f;
    }

    float read_embedding_scale(const std::string& stack, uint32_t d_model) const {
        const float sqrt_width = std::sqrt(static_cast<float>(d_model));
        const std::string embeddings = stack == "encoder" ? "encoder/embeddings_0" : "decoder/embeddings";
        for (const std::string& name : {stack + "/scale_embeddings", embeddings + "/multiply_by_sqrt_depth"}) {
            const auto value = variables_.scalar(name);
            if (!value) continue;
            if (variables_.find(name)->tensor.dtype == DType::i8) return *value != 0 ? sqrt_width : 1.0f;
            return factor(name, *value);
        }
        return sqrt_width;
    }

    void read_positions(const std::string& stack, uint32_t d_model, spec::StackConfig& config) const {
        const std::string attention = stack + "/layer_0/self_attention";
        const std::string bias = attention + "/relative_attention_bias";
        const std::string table = stack + "/position_encodings/encodings";
        if (variables_.find(bias)) {
            config.positions = spec::Positions::none;
            config.relative_buckets = matrix(bias)[0];
            config.relative_max_distance =
                static_cast<uint32_t>(integer(attention, "relative_attention_max_distance", 128, 1, 1 << 16));
            // The first half of the buckets are single distances; the others need room up to the maximum.
            const uint32_t exact = config.relative_buckets / (stack == "encoder" ? 4 : 2);
            if (exact < 1 || config.relative_max_distance <= exact) {
                fail(Status::bad_model,
                     "{}: expected at least 4 buckets and a maximum distance above {}, file has {} and {}", bias, exact,
                     config.relative_buckets, config.relative_max_distance);
            }
        } else if (variables_.find(table)) {
            config.positions = spec::Positions::table;
            config.max_positions = matrix(table)[0];
            if (config.max_positions == 0) fail(Status::bad_model, "{}: expected positions, file has none", table);
        } else if (d_model < 4 || d_model % 2 != 0) {
            fail(Status::unsupported, "{}: sinusoids need an even width of at least 4, the model has {}", stack,
                 d_model);
        }
    }

    spec::StackConfig stack(const std::string& name, uint32_t d_model, uint32_t& ffn) const {
        spec::StackConfig config;
        config.layers = count_layers(name);
        config.heads = read_heads(name);
        config.head_dim = read_head_dim(name, config.heads, d_model);
        config.pre_norm = stack_scalar(name, "pre_norm").value_or(1) != 0;
        config.final_norm = variables_.has_scope(name + "/layer_norm/");
        config.embedding_norm = variables_.has_scope(name + "/layernorm_embedding/");
        config.rms_norm = variables_.find(name + "/layer_0/self_attention/layer_norm/gamma") &&
                          !variables_.find(name + "/layer_0/self_attention/layer_norm/beta");
        config.gated_ffn = variables_.has_scope(name + "/layer_0/ffn/linear_0_noact/");
        config.activation = static_cast<Activation>(integer(name, "activation", 0, 0, 6));
        config.embedding_scale = read_embedding_scale(name, d_model);
        config.norm_epsilon = norm_epsilon_.value_or(config.rms_norm ? 1e-6f : 1e-5f);
        config.attention_scale = queries_scale(name, "self_attention", config.layers);
        read_positions(name, d_model, config);
        ffn = matrix(name + "/layer_0/ffn/linear_0/weight")[0];
        if (ffn == 0) fail(Status::bad_model, "{}/layer_0/ffn/linear_0/weight: expected rows, file has none", name);
        return config;
    }

    const Ct2Variables& variables_;
    std::optional<float> norm_epsilon_;
};

}  // namespace

Ct2Variables::Ct2Variables(const formats::Ct2Container& container)
    : spec_(container.spec), revision_(container.revision) {
    check_spec(container);
    for (const auto& [stored, variable] : container.variables) {
        std::string name = revision_ == 1 ? current_name(stored) : stored;
        constexpr std::string_view old_embeddings = "encoder/embeddings/";
        if (name.starts_with(old_embeddings)) {
            name.replace(0, old_embeddings.size(), "encoder/embeddings_0/");
        }
        const auto [at, added] = variables_.emplace(std::move(name), variable);
        if (!added) fail(Status::bad_model, "{}: expected one variable of this meaning, file has two", at->first);
    }
}

const formats::Ct2Container::Variable* Ct2Variables::find(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : &found->second;
}

bool Ct2Variables::has_scope(std::string_view scope) const {
    const auto first = variables_.lower_bound(scope);
    return first != variables_.end() && first->first.starts_with(scope);
}

std::optional<double> Ct2Variables::scalar(std::string_view name) const {
    const auto* found = find(name);
    if (!found) return std::nullopt;
    if (found->tensor.elements() != 1) {
        fail(Status::bad_model, "{}: expected one number, file has {}", name, found->tensor.elements());
    }
    float value = 0;
    spec::to_f32(found->tensor, 0, {&value, 1});
    return value;
}

bool Ct2Variables::flag(std::string_view name, bool absent) const { return scalar(name).value_or(absent) != 0; }

spec::TransformerConfig read_transformer_config(const Ct2Variables& variables, std::optional<float> norm_epsilon) {
    check_features(variables);
    return ConfigReader(variables, norm_epsilon).read();
}

}  // namespace dragoman::families
