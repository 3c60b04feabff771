// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface_tensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/log.h"
#include "spec/transformer_tensors.h"

namespace dragoman::families {
namespace {

constexpr std::string_view kShared = "model.shared.weight";
constexpr std::string_view kSource = "model.encoder.embed_tokens.weight";
constexpr std::string_view kTarget = "model.decoder.embed_tokens.weight";
constexpr std::string_view kProjection = "lm_head.weight";

// A part of a layer under both names; several parts lie one after the other in the canonical tensor.
struct LayerPart {
    std::string_view canonical;
    std::vector<std::string_view> parts;
};

const LayerPart kLayerParts[] = {
    {"self_attention/layer_norm", {"self_attn_layer_norm"}},
    {"self_attention/linear_0", {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}},
    {"self_attention/linear_1", {"self_attn.out_proj"}},
    {"attention/layer_norm", {"encoder_attn_layer_norm"}},
    {"attention/linear_0", {"encoder_attn.q_proj"}},
    {"attention/linear_1", {"encoder_attn.k_proj", "encoder_attn.v_proj"}},
    {"attention/linear_2", {"encoder_attn.out_proj"}},
    {"ffn/layer_norm", {"final_layer_norm"}},
    {"ffn/linear_0", {"fc1"}},
    {"ffn/linear_1", {"fc2"}},
};

// "encoder/layer_0/ffn/linear_0/weight" -> {"model.encoder.layers.0.fc1.weight"}; empty: not a tensor of a layer.
std::vector<std::string> stored_names(std::string_view name) {
    const auto stack_end = name.find('/');
    const std::string_view stack = name.substr(0, stack_end);
    std::string_view rest = name.substr(stack_end + 1);
    constexpr std::string_view kLayer = "layer_";
    const auto layer_end = rest.find('/');
    if (!rest.starts_with(kLayer) || layer_end == std::string_view::npos) return {};
    const std::string_view layer = rest.substr(kLayer.size(), layer_end - kLayer.size());
    rest.remove_prefix(layer_end + 1);
    const auto kind_begin = rest.rfind('/');
    std::string_view kind = rest.substr(kind_begin + 1);
    if (kind == "gamma") kind = "weight";
    if (kind == "beta") kind = "bias";
    for (const auto& [canonical, parts] : kLayerParts) {
        if (canonical != rest.substr(0, kind_begin)) continue;
        std::vector<std::string> names;
        for (const auto part : parts)
            names.push_back(fmt::format("model.{}.layers.{}.{}.{}", stack, layer, part, kind));
        return names;
    }
    return {};
}

class Taker {
public:
    Taker(const formats::Checkpoint& file, HuggingFaceTies ties, spec::ModelSpec& spec)
        : file_(file), ties_(ties), spec_(spec) {}

    void take() {
        embeddings();
        for (const spec::TensorRule& rule : spec::transformer_tensors(spec_.config)) {
            if (spec_.weights.has(rule.name)) continue;
            if (rule.name == "decoder/projection/bias") projection_bias(rule);
            else if (rule.name.ends_with("/position_encodings/encodings")) positions(rule);
            else layer_tensor(rule);
        }
        log(LogLevel::debug, "{}: {} of {} tensors are weights", file_.file(), taken_, file_.tensors().size());
    }

private:
    // Tied tensors are stored once, under any of their names.
    std::string first_present(std::initializer_list<std::string_view> names) const {
        for (const auto name : names)
            if (file_.has(name)) return std::string(name);
        fail(Status::bad_model, "{}: expected {}, the file has none of them", file_.file(), fmt::join(names, " or "));
    }

    void embeddings() {
        const spec::TransformerConfig& config = spec_.config;
        const bool own_projection = !ties_.projection && file_.has(kProjection);
        std::string source, target;
        if (ties_.shared) {
            source = target = own_projection ? first_present({kShared, kSource, kTarget})
                                             : first_present({kShared, kSource, kTarget, kProjection});
        } else {
            source = first_present({kSource});
            target = own_projection ? first_present({kTarget}) : first_present({kTarget, kProjection});
        }
        const std::string source_name = "encoder/embeddings_0/weight", target_name = "decoder/embeddings/weight";
        add(source_name, floats(source, {config.source_vocabulary, config.d_model}));
        if (ties_.shared) spec_.weights.alias(target_name, source_name);
        else add(target_name, floats(target, {config.target_vocabulary, config.d_model}));
        const std::string projection = "decoder/projection/weight";
        if (own_projection)
            add(projection, floats(std::string(kProjection), {config.target_vocabulary, config.d_model}));
        else
            spec_.weights.alias(projection, ties_.shared ? source_name : target_name);
    }

    void projection_bias(const spec::TensorRule& rule) {
        constexpr std::string_view name = "final_logits_bias";
        if (!file_.has(name)) return;
        spec::HostTensor tensor = floats(std::string(name), {1, rule.shape[0]});
        tensor.shape = rule.shape;
        add(rule.name, std::move(tensor));
    }

    void positions(const spec::TensorRule& rule) {
        const std::string other = "encoder/position_encodings/encodings";
        if (spec_.weights.has(other)) return spec_.weights.alias(rule.name, other);
        const auto table =
            std::make_shared<const std::vector<float>>(huggingface_sinusoids(rule.shape[0], rule.shape[1]));
        spec_.owners.push_back(table);
        add(rule.name, {.dtype = DType::f32, .shape = rule.shape, .bytes = std::as_bytes(std::span(*table)),
                        .scales = {}});
    }

    void layer_tensor(const spec::TensorRule& rule) {
        const auto names = stored_names(rule.name);
        DRAGOMAN_ASSERT(!names.empty());
        std::vector<uint32_t> shape = rule.shape;
        shape[0] /= static_cast<uint32_t>(names.size());
        std::vector<spec::HostTensor> parts;
        for (const auto& name : names) parts.push_back(floats(name, shape));
        if (parts.size() == 1) return add(rule.name, std::move(parts[0]));
        add(rule.name, joined(rule.shape, parts));
    }

    spec::HostTensor joined(const std::vector<uint32_t>& shape, const std::vector<spec::HostTensor>& parts) {
        const DType type = parts[0].dtype;
        std::vector<std::byte> bytes;
        if (std::ranges::all_of(parts, [&](const auto& part) { return part.dtype == type; })) {
            for (const auto& part : parts) bytes.insert(bytes.end(), part.bytes.begin(), part.bytes.end());
            return owned(type, shape, std::move(bytes));
        }
        for (const auto& part : parts) {
            std::vector<float> values(part.elements());
            spec::to_f32(part, 0, values);
            const auto raw = std::as_bytes(std::span(values));
            bytes.insert(bytes.end(), raw.begin(), raw.end());
        }
        return owned(DType::f32, shape, std::move(bytes));
    }

    spec::HostTensor owned(DType type, const std::vector<uint32_t>& shape, std::vector<std::byte> bytes) {
        const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
        spec_.owners.push_back(owner);
        return {.dtype = type, .shape = shape, .bytes = *owner, .scales = {}};
    }

    spec::HostTensor floats(const std::string& name, const std::vector<uint32_t>& shape) {
        ++taken_;
        return file_.floats(name, shape);
    }

    void add(const std::string& name, spec::HostTensor tensor) { spec_.weights.add(name, std::move(tensor)); }

    const formats::Checkpoint& file_;
    const HuggingFaceTies ties_;
    spec::ModelSpec& spec_;
    std::size_t taken_ = 0;
};

}  // namespace

std::vector<float> huggingface_sinusoids(uint32_t positions, uint32_t d_model) {
    const uint32_t sines = (d_model + 1) / 2;
    std::vector<float> table;
    table.reserve(uint64_t(positions) * d_model);
    for (uint32_t p = 0; p < positions; ++p) {
        for (uint32_t i = 0; i < d_model; ++i) {
            const uint32_t k = i < sines ? i : i - sines;
            const double angle = p / std::pow(10000.0, 2.0 * k / d_model);
            table.push_back(static_cast<float>(i < sines ? std::sin(angle) : std::cos(angle)));
        }
    }
    return table;
}

void take_huggingface_weights(const formats::Checkpoint& file, HuggingFaceTies ties, spec::ModelSpec& spec) {
    Taker(file, ties, spec).take();
}

}  // namespace dragoman::families
