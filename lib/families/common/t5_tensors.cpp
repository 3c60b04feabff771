// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.h"
#include "families/common/t5_model.h"
#include "spec/transformer_tensors.h"

namespace dragoman::families {
namespace {

// A part of a layer under its three names; several parts lie one after the other in the canonical tensor. N is the
// number of the feed-forward sub-layer.
struct T5Part {
    std::string_view canonical;
    std::vector<std::string_view> huggingface, gguf;
};

const T5Part kT5Parts[] = {
    {"self_attention/layer_norm", {"layer.0.layer_norm"}, {"attn_norm"}},
    {"self_attention/linear_0",
     {"layer.0.SelfAttention.q", "layer.0.SelfAttention.k", "layer.0.SelfAttention.v"},
     {"attn_q", "attn_k", "attn_v"}},
    {"self_attention/linear_1", {"layer.0.SelfAttention.o"}, {"attn_o"}},
    {"self_attention/relative_attention_bias", {"layer.0.SelfAttention.relative_attention_bias"}, {"attn_rel_b"}},
    {"attention/layer_norm", {"layer.1.layer_norm"}, {"cross_attn_norm"}},
    {"attention/linear_0", {"layer.1.EncDecAttention.q"}, {"cross_attn_q"}},
    {"attention/linear_1",
     {"layer.1.EncDecAttention.k", "layer.1.EncDecAttention.v"},
     {"cross_attn_k", "cross_attn_v"}},
    {"attention/linear_2", {"layer.1.EncDecAttention.o"}, {"cross_attn_o"}},
    {"ffn/layer_norm", {"layer.N.layer_norm"}, {"ffn_norm"}},
    {"ffn/linear_1", {"layer.N.DenseReluDense.wo"}, {"ffn_down"}},
};
const T5Part kPlain[] = {{"ffn/linear_0", {"layer.N.DenseReluDense.wi"}, {"ffn_up"}}};
const T5Part kGated[] = {{"ffn/linear_0", {"layer.N.DenseReluDense.wi_0"}, {"ffn_gate"}},
                         {"ffn/linear_0_noact", {"layer.N.DenseReluDense.wi_1"}, {"ffn_up"}}};

class T5Taker {
public:
    T5Taker(const T5Tensors& tensors, spec::ModelSpec& spec)
        : tensors_(tensors), spec_(spec), gguf_(tensors.names == T5Tensors::Names::gguf) {}

    void take() {
        embeddings();
        for (const spec::TensorRule& rule : spec::transformer_tensors(spec_.config)) {
            if (spec_.weights.has(rule.name) || !rule.required) continue;
            std::vector<uint32_t> shape = rule.shape;
            const auto names = stored(rule.name);
            DRAGOMAN_ASSERT(!names.empty());
            shape[0] /= static_cast<uint32_t>(names.size());
            std::vector<spec::HostTensor> parts;
            for (const auto& name : names) parts.push_back(tensors_.read(name, shape));
            spec_.weights.add(rule.name, spec::joined_rows(std::move(parts)));
        }
    }

private:
    void embeddings() {
        const std::vector<uint32_t> shape{spec_.config.source_vocabulary, spec_.config.d_model};
        const std::vector<std::string> names =
            gguf_ ? std::vector<std::string>{"token_embd.weight", "", "", "output.weight"}
                  : std::vector<std::string>{"shared.weight", "encoder.embed_tokens.weight",
                                             "decoder.embed_tokens.weight", "lm_head.weight"};
        const auto is_there = [&](const std::string& name) { return !name.empty() && tensors_.has(name); };
        const auto first = std::ranges::find_if(names, is_there);
        const std::string common = first == names.end() ? names.front() : *first;
        const std::string canonical[] = {"encoder/embeddings_0/weight", "decoder/embeddings/weight",
                                         "decoder/projection/weight"};
        for (std::size_t i = 0; i < std::size(canonical); ++i)
            add_tied(canonical[i], is_there(names[i + 1]) ? names[i + 1] : common, shape);
    }

    void add_tied(const std::string& canonical, const std::string& name, const std::vector<uint32_t>& shape) {
        spec::HostTensor tensor = tensors_.read(name, shape);
        for (const auto& [other, known] : spec_.weights.tensors())
            if (known.dtype == tensor.dtype && spec::equal_bytes(known, tensor))
                return spec_.weights.alias(canonical, other);
        spec_.weights.add(canonical, std::move(tensor));
    }

    // "encoder/layer_0/ffn/linear_1/weight" -> {"encoder.block.0.layer.1.DenseReluDense.wo.weight"}
    std::vector<std::string> stored(std::string_view name) const {
        const auto stack_end = name.find('/');
        const std::string stack(name.substr(0, stack_end));
        const std::string block = gguf_ ? stack.substr(0, 3) + ".blk." : stack + ".block.";
        std::string_view rest = name.substr(stack_end + 1);
        if (rest == "layer_norm/gamma")
            return {gguf_ ? stack.substr(0, 3) + ".output_norm.weight" : stack + ".final_layer_norm.weight"};
        const auto layer_end = rest.find('/');
        const std::string layer(rest.substr(std::string_view("layer_").size(), layer_end - 6));
        rest.remove_prefix(layer_end + 1);
        for (const std::string_view end : {"/weight", "/gamma"})
            if (rest.ends_with(end)) rest.remove_suffix(end.size());
        std::vector<std::string> names;
        for (std::string part : parts(stack, rest)) {
            const auto number = part.find(".N.");
            if (number != std::string::npos) part[number + 1] = stack == "encoder" ? '1' : '2';
            names.push_back(block + layer + "." + part + ".weight");
        }
        return names;
    }

    std::vector<std::string> parts(const std::string& stack, std::string_view canonical) const {
        const bool gated = (stack == "encoder" ? spec_.config.encoder : spec_.config.decoder).gated_ffn;
        const auto ffn = gated ? std::span<const T5Part>(kGated) : std::span<const T5Part>(kPlain);
        for (const std::span<const T5Part> list : {std::span<const T5Part>(kT5Parts), ffn})
            for (const T5Part& part : list)
                if (part.canonical == canonical) {
                    const auto& names = gguf_ ? part.gguf : part.huggingface;
                    return {names.begin(), names.end()};
                }
        return {};
    }

    const T5Tensors& tensors_;
    spec::ModelSpec& spec_;
    const bool gguf_;
};

}  // namespace

void take_t5_weights(const T5Tensors& tensors, spec::ModelSpec& spec) { T5Taker(tensors, spec).take(); }

}  // namespace dragoman::families
