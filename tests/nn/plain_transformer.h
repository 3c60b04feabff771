// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "spec/transformer_config.h"
#include "spec/weights.h"

namespace dragoman::test {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

// How products of other matrices than those made for int8 are computed, and lookups: as they are, or with every row of
// inputs and weights rounded to int8 by a scale of its own.
enum class Products : uint8_t { exact, rounded };
// The values of such rows.
Rows rounded_rows(Rows rows);

// The Transformer of TransformerConfig, or its decoder alone, in double precision: one sentence at a time, no caches, whole
// score matrices, straight from the equations. Reads f32 tensors, and int8 ones with one scale or one per row.
class PlainTransformer {
public:
    PlainTransformer(const spec::TransformerConfig& config, const spec::WeightMap& weights,
                     Products products = Products::exact)
        : config_(config), weights_(weights), products_(products) {}

    struct Prediction {
        Row logits;  // [target_vocabulary]
        Row attention;  // [source tokens]: mean over the alignment heads
    };
    // Predicts what follows `target` (not empty, its first token is the start token).
    Prediction predict(std::span<const uint32_t> source, std::span<const uint32_t> target) const;

private:
    struct Attended {
        Rows y;
        std::vector<Rows> probabilities;  // [heads][queries][keys]
    };
    Rows tensor(const std::string& name) const;
    Rows matrix(const std::string& name) const;
    // After the position, before any norm.
    Rows embed(const std::string& scope, const std::string& table, const spec::StackConfig& stack,
               std::span<const uint32_t> ids, bool zero_first) const;
    Row norm(const std::string& scope, bool rms, double epsilon, const Row& x) const;
    Rows linear(const std::string& scope, const Rows& x, double scale = 1.0) const;
    Rows activated(const std::string& scope, const Rows& x, Activation activation) const;
    // Marian's letters one after the other; `previous` is the input of the sub-layer.
    Rows operations(const std::string& letters, const std::string& norm_scope, const std::string& highway_scope,
                    const spec::StackConfig& stack, Rows x, const Rows& previous) const;
    Rows pre_process(const std::string& scope, const spec::StackConfig& stack, const Rows& x) const;
    Rows post_process(const std::string& scope, const spec::StackConfig& stack, const Rows& y, const Rows& x) const;
    Rows embedding_operations(const std::string& scope, const spec::StackConfig& stack, const Rows& x) const;
    Rows top_operations(const std::string& scope, const spec::StackConfig& stack, const Rows& x,
                        const Rows& embedded) const;
    Rows int8_linear(const std::string& scope, const Rows& x, double scale) const;
    Attended attend(const spec::StackConfig& stack, double scale, const Rows& q, const Rows& k, const Rows& v,
                    bool causal, const Rows& bias_table, bool bidirectional) const;
    Attended self_attention(const std::string& stack_scope, const std::string& scope, const spec::StackConfig& stack,
                            const Rows& x, bool decoder) const;
    Rows feed_forward(const std::string& scope, const spec::StackConfig& stack, const Rows& x) const;
    // The sub-layers below map the whole target, norms and residual included.
    Rows ssru(const std::string& scope, const Rows& x) const;
    Rows gru(const std::string& scope, const Rows& x) const;
    Rows average_attention(const std::string& scope, const Rows& x) const;
    Rows earlier_tokens(const std::string& layer, const Rows& x) const;
    Rows encode(std::span<const uint32_t> source) const;

    spec::TransformerConfig config_;
    const spec::WeightMap& weights_;
    Products products_;
};

// T5's bucket of key - query, in double precision.
uint32_t plain_bucket(int64_t distance, bool bidirectional, uint32_t buckets, uint32_t max_distance);

}  // namespace dragoman::test
