// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "translate/translator.h"

namespace bench {

// What went through a model: sources, and hypotheses per decoder step.
struct Traffic {
    uint64_t source_tokens = 0;
    uint64_t batches = 0;
    uint64_t steps = 0;
    uint64_t row_steps = 0;  // rows of every step, summed
};

struct PassWork {
    double flops = 0;         // of the matrix products
    double weight_bytes = 0;  // when every use of a layer reads its weights once
};

// Attention itself, norms and gates are left out: they are small beside the products at usual lengths.
inline PassWork pass_work(const dragoman::translate::ModelInfo& m, const Traffic& t, std::string_view pass) {
    const double d = m.d_model, size = m.compute_type == "int8" ? 1 : m.compute_type == "float16" ? 2 : 4;
    const auto of = [&](double weights, double rows, double uses) {
        return PassWork{2 * weights * rows, weights * size * uses};
    };
    const double source = double(t.source_tokens), batches = double(t.batches);
    const double rows = double(t.row_steps), steps = double(t.steps);
    if (pass == "encoder/self_attention") return of(m.encoder_layers * 4 * d * d, source, batches);
    if (pass == "encoder/ffn") return of(m.encoder_layers * 2 * d * m.encoder_ffn, source, batches);
    if (pass == "encoder/memory") return of(m.decoder_layers * 2 * d * d, source, batches);
    if (pass == "decoder/self_attention") return of(m.decoder_layers * 4 * d * d, rows, steps);
    if (pass == "decoder/cross_attention") return of(m.decoder_layers * 2 * d * d, rows, steps);
    if (pass == "decoder/ffn") return of(m.decoder_layers * 2 * d * m.decoder_ffn, rows, steps);
    if (pass == "decoder/output") return of(d * m.target_vocabulary, rows, steps);
    return {};
}

}  // namespace bench
