// SPDX-License-Identifier: Apache-2.0
#include "spec/recurrent_tensors.h"

#include <fmt/format.h>

namespace dragoman::spec {
namespace {

class RecurrentRules {
public:
    explicit RecurrentRules(const RecurrentConfig& config) : config_(config) {}

    std::vector<TensorRule> build() {
        const uint32_t d = config_.state, e = config_.embedding, c = config_.context();
        rules_.push_back({"encoder/embeddings_0/weight", {config_.source_vocabulary, e}});
        rules_.push_back({"decoder/embeddings/weight", {config_.target_vocabulary, e}});
        for (const char* direction : {"forward", "backward"})
            for (uint32_t i = 0; i < config_.bidirectional_layers; ++i)
                encoder_layer(fmt::format("encoder/{}_{}", direction, i), i == 0 ? e : d);
        for (uint32_t i = 0; i < config_.forward_layers; ++i)
            encoder_layer(fmt::format("encoder/upper_{}", i), i == 0 ? 2 * d : d);
        for (uint32_t i = 0; i < config_.decoder_layers; ++i) decoder_layer(i);
        product("decoder/attention/query", c, d, config_.layer_norm);
        product("decoder/attention/key", c, c, config_.layer_norm);
        rules_.push_back({"decoder/attention/vector", {c}});
        product("decoder/start", d, c, config_.layer_norm);
        product("decoder/output/embedding", e, e, config_.layer_norm);
        product("decoder/output/state", e, d, config_.layer_norm);
        product("decoder/output/context", e, c, config_.layer_norm);
        rules_.push_back({"decoder/projection/weight", {config_.target_vocabulary, e}});
        rules_.push_back({"decoder/projection/bias", {config_.target_vocabulary}, false});
        return std::move(rules_);
    }

private:
    void product(const std::string& scope, uint32_t outputs, uint32_t inputs, bool norm) {
        rules_.push_back({scope + "/weight", {outputs, inputs}});
        rules_.push_back({scope + "/bias", {outputs}, false});
        if (!norm) return;
        rules_.push_back({scope + "/norm/gamma", {outputs}});
        rules_.push_back({scope + "/norm/beta", {outputs}, false});
    }

    // inputs 0: the cell has none.
    void cell(const std::string& scope, const RecurrentUnit& unit, uint32_t inputs) {
        const uint32_t wide = unit.gates() * config_.state;
        if (inputs > 0) product(scope + "/input", wide, inputs, unit.norm != CellNorm::none);
        else rules_.push_back({scope + "/constant", {wide}});
        product(scope + "/state", wide, config_.state, unit.norm != CellNorm::none);
    }

    void encoder_layer(const std::string& scope, uint32_t inputs) {
        for (uint32_t j = 0; j < config_.encoder_depth; ++j)
            cell(fmt::format("{}/cell_{}", scope, j), config_.encoder, j == 0 ? inputs : 0);
    }

    void decoder_layer(uint32_t i) {
        const uint32_t depth = i == 0 ? config_.base_depth : config_.high_depth;
        for (uint32_t j = 0; j < depth; ++j) {
            const uint32_t inputs = j == 0             ? (i == 0 ? config_.embedding : config_.state)
                                    : i == 0 && j == 1 ? config_.context()
                                                       : 0;
            cell(fmt::format("decoder/layer_{}/cell_{}", i, j), config_.decoder, inputs);
        }
    }

    const RecurrentConfig& config_;
    std::vector<TensorRule> rules_;
};

}  // namespace

std::vector<TensorRule> recurrent_tensors(const RecurrentConfig& config) { return RecurrentRules(config).build(); }

}  // namespace dragoman::spec
