// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/huggingface_tensors.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "families/huggingface/stored_tensors.h"

namespace dragoman::families {
namespace {

constexpr std::string_view kShared = "shared.weight";
constexpr std::string_view kSource = "encoder.embed_tokens.weight";
constexpr std::string_view kTarget = "decoder.embed_tokens.weight";
constexpr std::string_view kProjection = "lm_head.weight";
constexpr std::string_view kSeq2SeqModel =
    "model.";  // before all others, unless the network was saved without its head
constexpr uint32_t kUnusedPositions = 2;       // rows for padding

// "encoder/layer_0/ffn/linear_0/weight" -> {"encoder.layers.0.fc1.weight"}
std::vector<std::string> stored_names(const CanonicalName& name) {
    if (name.layer.empty()) return {fmt::format("{}.{}.{}", name.stack, name.block, name.torch_kind())};
    std::vector<std::string> names;
    for (const std::string_view part : stored_parts(bart_parts(), name.block))
        names.push_back(fmt::format("{}.layers.{}.{}.{}", name.stack, name.layer, part, name.torch_kind()));
    return names;
}

class Seq2SeqWeights {
public:
    Seq2SeqWeights(const FileSet& files, HuggingFaceTensors kind, spec::ModelSpec& spec)
        : tensors_(files, spec), kind_(kind), spec_(spec) {
        const auto& all = tensors_.file().tensors();
        const auto first = all.lower_bound(kSeq2SeqModel);
        if (first != all.end() && first->first.starts_with(kSeq2SeqModel)) model_ = kSeq2SeqModel;
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
        constexpr std::string_view kHeads[] = {"classification_head.", "qa_outputs."};
        tensors_.report(kHeads);
    }

private:
    std::string stored(std::string_view name) const {
        return name == kProjection ? std::string(name) : fmt::format("{}{}", model_, name);
    }

    // Tied tensors are stored once, under any of their names; if stored under several, each is used under its own name.
    std::string first_present(std::initializer_list<std::string_view> names) const {
        std::vector<std::string> known;
        for (const auto name : names) {
            known.push_back(stored(name));
            if (tensors_.has(known.back())) return known.back();
        }
        fail(Status::bad_model, "{}: expected {}, the file has none of them", tensors_.file().file(),
             fmt::join(known, " or "));
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

    // Equal embeddings are stored once: files of torch have a tied tensor under every name.
    void add_embedding(const std::string& name, uint32_t rows, const std::string& from) {
        spec::HostTensor tensor = tensors_.read(from, {rows, spec_.config.d_model});
        for (const auto& [other, known] : spec_.weights.tensors()) {
            if (known.dtype != tensor.dtype || known.shape != tensor.shape) continue;
            if (spec::equal_bytes(known, tensor)) return spec_.weights.alias(name, other);
        }
        tensors_.add(name, std::move(tensor));
    }

    void projection_bias(const spec::TensorRule& rule) {
        const std::string name = "final_logits_bias";
        if (!kind_.logits_bias || !tensors_.has(name)) return;
        spec::HostTensor tensor = tensors_.read(name, {1, rule.shape[0]});
        tensor.shape = rule.shape;
        tensors_.add(rule.name, std::move(tensor));
    }

    void learned_positions(const spec::TensorRule& rule) {
        tensors_.add_rows_from(kUnusedPositions, rule,
                               stored(fmt::format("{}.embed_positions.weight", CanonicalName(rule.name).stack)));
    }

    void positions(const spec::TensorRule& rule) {
        const std::string other = "encoder/position_encodings/encodings";
        if (spec_.weights.has(other)) return spec_.weights.alias(rule.name, other);
        const auto table =
            std::make_shared<const std::vector<float>>(huggingface_sinusoids(rule.shape[0], rule.shape[1]));
        spec_.owners.push_back(table);
        tensors_.add(rule.name, {.dtype = DType::f32,
                                 .shape = rule.shape,
                                 .bytes = std::as_bytes(std::span(*table)),
                                 .scales = {}});
    }

    void tensor(const spec::TensorRule& rule) {
        std::vector<std::string> names = stored_names(CanonicalName(rule.name));
        for (std::string& name : names) name = stored(name);
        tensors_.join(rule, names);
    }

    StoredTensors tensors_;
    const HuggingFaceTensors kind_;
    spec::ModelSpec& spec_;
    std::string_view model_;
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
    Seq2SeqWeights(files, tensors, spec).take();
}

}  // namespace dragoman::families
