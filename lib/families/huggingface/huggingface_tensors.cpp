// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/huggingface_tensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/log.h"
#include "spec/transformer_tensors.h"

namespace dragoman::families {
namespace {

constexpr std::string_view kShared = "shared.weight";
constexpr std::string_view kSource = "encoder.embed_tokens.weight";
constexpr std::string_view kTarget = "decoder.embed_tokens.weight";
constexpr std::string_view kProjection = "lm_head.weight";
constexpr std::string_view kSeq2SeqModel = "model.";  // before all others, unless the network was saved without its head
constexpr uint32_t kUnusedPositions = 2;       // rows for padding

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

// "encoder/layer_0/ffn/linear_0/weight" -> {"encoder.layers.0.fc1.weight"}; empty: no tensor of a stack.
std::vector<std::string> stored_names(std::string_view name) {
    const auto stack_end = name.find('/');
    const std::string_view stack = name.substr(0, stack_end);
    std::string_view rest = name.substr(stack_end + 1);
    const auto kind_begin = rest.rfind('/');
    if (kind_begin == std::string_view::npos) return {};
    std::string_view kind = rest.substr(kind_begin + 1);
    if (kind == "gamma") kind = "weight";
    if (kind == "beta") kind = "bias";
    for (const std::string_view norm : {"layer_norm", "layernorm_embedding"})
        if (rest.substr(0, kind_begin) == norm) return {fmt::format("{}.{}.{}", stack, norm, kind)};
    constexpr std::string_view kLayer = "layer_";
    const auto layer_end = rest.find('/');
    if (!rest.starts_with(kLayer) || layer_end == kind_begin) return {};
    const std::string_view layer = rest.substr(kLayer.size(), layer_end - kLayer.size());
    const std::string_view block = rest.substr(layer_end + 1, kind_begin - layer_end - 1);
    for (const auto& [canonical, parts] : kLayerParts) {
        if (canonical != block) continue;
        std::vector<std::string> names;
        for (const auto part : parts)
            names.push_back(fmt::format("{}.layers.{}.{}.{}", stack, layer, part, kind));
        return names;
    }
    return {};
}

class Seq2SeqTaker {
public:
    Seq2SeqTaker(const formats::Checkpoint& file, HuggingFaceTensors kind, spec::ModelSpec& spec)
        : file_(file), kind_(kind), spec_(spec) {
        const auto first = file.tensors().lower_bound(kSeq2SeqModel);
        if (first != file.tensors().end() && first->first.starts_with(kSeq2SeqModel)) model_ = kSeq2SeqModel;
    }

    void take() {
        embeddings();
        for (const spec::TensorRule& rule : spec::transformer_tensors(spec_.config)) {
            if (spec_.weights.has(rule.name)) continue;
            if (rule.name == "decoder/projection/bias") projection_bias(rule);
            else if (!rule.name.ends_with("/position_encodings/encodings")) tensor(rule);
            else if (kind_.learned_positions) learned_positions(rule);
            else positions(rule);
        }
        log(LogLevel::debug, "{}: {} of {} tensors are weights", file_.file(), taken_, file_.tensors().size());
    }

private:
    std::string stored(std::string_view name) const {
        return name == kProjection ? std::string(name) : fmt::format("{}{}", model_, name);
    }

    // Tied tensors are stored once, under any of their names; under several, each is used for what it is named for.
    std::string first_present(std::initializer_list<std::string_view> names) const {
        std::vector<std::string> known;
        for (const auto name : names) {
            known.push_back(stored(name));
            if (file_.has(known.back())) return known.back();
        }
        fail(Status::bad_model, "{}: expected {}, the file has none of them", file_.file(), fmt::join(known, " or "));
    }

    void embeddings() {
        const spec::TransformerConfig& config = spec_.config;
        const bool shared = kind_.shared;
        add_embedding("encoder/embeddings_0/weight", config.source_vocabulary,
                      shared ? first_present({kSource, kShared, kTarget, kProjection}) : first_present({kSource}));
        add_embedding("decoder/embeddings/weight", config.target_vocabulary,
                      shared ? first_present({kTarget, kShared, kSource, kProjection})
                             : first_present({kTarget, kProjection}));
        add_embedding("decoder/projection/weight", config.target_vocabulary,
                      !kind_.tied ? first_present({kProjection})
                      : shared    ? first_present({kProjection, kShared, kTarget, kSource})
                                  : first_present({kProjection, kTarget}));
    }

    // Equal ones are one: files of torch have every name of a tied tensor.
    void add_embedding(const std::string& name, uint32_t rows, const std::string& from) {
        spec::HostTensor tensor = floats(from, {rows, spec_.config.d_model});
        for (const auto& [other, known] : spec_.weights.tensors()) {
            if (known.dtype != tensor.dtype || known.shape != tensor.shape) continue;
            const bool same = known.bytes.data() == tensor.bytes.data();
            if (same || std::ranges::equal(known.bytes, tensor.bytes)) return spec_.weights.alias(name, other);
        }
        add(name, std::move(tensor));
    }

    void projection_bias(const spec::TensorRule& rule) {
        constexpr std::string_view name = "final_logits_bias";
        if (!file_.has(name)) return;
        spec::HostTensor tensor = floats(std::string(name), {1, rule.shape[0]});
        tensor.shape = rule.shape;
        add(rule.name, std::move(tensor));
    }

    void learned_positions(const spec::TensorRule& rule) {
        const std::string_view stack = std::string_view(rule.name).substr(0, rule.name.find('/'));
        spec::HostTensor tensor = floats(stored(fmt::format("{}.embed_positions.weight", stack)),
                                         {rule.shape[0] + kUnusedPositions, rule.shape[1]});
        const std::size_t row = tensor.bytes.size() / tensor.shape[0];
        tensor.bytes = tensor.bytes.subspan(kUnusedPositions * row);
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

    void tensor(const spec::TensorRule& rule) {
        const auto names = stored_names(rule.name);
        DRAGOMAN_ASSERT(!names.empty());
        std::vector<uint32_t> shape = rule.shape;
        shape[0] /= static_cast<uint32_t>(names.size());
        std::vector<spec::HostTensor> parts;
        for (const auto& name : names) parts.push_back(floats(stored(name), shape));
        add(rule.name, spec::joined_rows(std::move(parts)));
    }

    spec::HostTensor floats(const std::string& name, const std::vector<uint32_t>& shape) {
        ++taken_;
        return file_.floats(name, shape);
    }

    void add(const std::string& name, spec::HostTensor tensor) { spec_.weights.add(name, std::move(tensor)); }

    const formats::Checkpoint& file_;
    const HuggingFaceTensors kind_;
    spec::ModelSpec& spec_;
    std::string_view model_;
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

void take_huggingface_weights(const FileSet& files, HuggingFaceTensors tensors, spec::ModelSpec& spec) {
    const auto checkpoint = formats::open_checkpoint(files, *formats::find_checkpoint(files));
    spec.owners.push_back(checkpoint);
    Seq2SeqTaker(*checkpoint, tensors, spec).take();
}

}  // namespace dragoman::families
