// SPDX-License-Identifier: Apache-2.0
#include "nn/plain_transformer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ops/activation_reference.h"

namespace dragoman::test {

namespace {

Rows columns(const Rows& x, std::size_t begin, std::size_t count) {
    Rows part;
    for (const Row& row : x)
        part.emplace_back(row.begin() + std::ptrdiff_t(begin), row.begin() + std::ptrdiff_t(begin + count));
    return part;
}

double sinusoid(std::size_t position, std::size_t column, std::size_t d) {
    const std::size_t n = d / 2;
    if (column >= 2 * n) return 0;
    const double frequency = std::exp(-double(column % n) * std::log(10000.0) / double(n - 1));
    const double angle = double(position + 1) * frequency;
    return column < n ? std::sin(angle) : std::cos(angle);
}

}  // namespace

uint32_t plain_bucket(int64_t distance, bool bidirectional, uint32_t buckets, uint32_t max_distance) {
    uint32_t first = 0;
    if (bidirectional) {
        buckets /= 2;
        if (distance > 0) first = buckets;
    }
    const double far = bidirectional ? double(std::abs(distance)) : double(std::max<int64_t>(-distance, 0));
    const double exact = buckets / 2;
    if (far < exact) return first + uint32_t(far);
    const double place = std::log(far / exact) / std::log(max_distance / exact) * (buckets - exact);
    return first + uint32_t(std::min(exact + std::floor(place), buckets - 1.0));
}

Rows PlainTransformer::tensor(const std::string& name) const {
    const nn::HostTensor& host = weights_.get(name);
    const std::size_t cols = host.shape.back(), rows = host.shape.size() == 1 ? 1 : host.shape[0];
    Rows values(rows, Row(cols));
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c) {
            if (host.dtype == DType::i8) {
                const double scale = host.scales[host.scales.size() == 1 ? 0 : r];
                values[r][c] = double(int8_t(host.bytes[r * cols + c])) / scale;
                continue;
            }
            float value;
            std::memcpy(&value, host.bytes.data() + (r * cols + c) * sizeof value, sizeof value);
            values[r][c] = value;
        }
    return values;
}

Rows PlainTransformer::embed(const std::string& scope, const std::string& table, const nn::StackConfig& stack,
                             std::span<const uint32_t> ids, bool zero_first) const {
    const Rows embeddings = tensor(table);
    const std::size_t d = config_.d_model;
    Rows positions;
    if (stack.positions == nn::Positions::table) positions = tensor(scope + "/position_encodings/encodings");
    Rows x(ids.size(), Row(d));
    for (std::size_t t = 0; t < ids.size(); ++t) {
        for (std::size_t c = 0; c < d; ++c) {
            if (!(zero_first && t == 0)) x[t][c] = embeddings[ids[t]][c] * double(stack.embedding_scale);
            if (stack.positions == nn::Positions::sinusoid) x[t][c] += sinusoid(t, c, d);
            if (stack.positions == nn::Positions::table) x[t][c] += positions[t][c];
        }
        if (stack.embedding_norm) x[t] = norm(scope + "/layernorm_embedding", stack, x[t]);
    }
    return x;
}

Row PlainTransformer::norm(const std::string& scope, const nn::StackConfig& stack, const Row& x) const {
    const Row gamma = tensor(scope + "/gamma")[0];
    double mean = 0, square = 0;
    if (!stack.rms_norm)
        for (const double value : x) mean += value / double(x.size());
    for (const double value : x) square += (value - mean) * (value - mean) / double(x.size());
    Row y(x.size());
    for (std::size_t c = 0; c < x.size(); ++c)
        y[c] = (x[c] - mean) / std::sqrt(square + double(stack.norm_epsilon)) * gamma[c];
    if (!stack.rms_norm) {
        const Row beta = tensor(scope + "/beta")[0];
        for (std::size_t c = 0; c < x.size(); ++c) y[c] += beta[c];
    }
    return y;
}

Rows PlainTransformer::linear(const std::string& scope, const Rows& x, double scale) const {
    if (!weights_.get(scope + "/weight").input_scales.empty()) return int8_linear(scope, x, scale);
    const Rows weight = tensor(scope + "/weight");
    const Row bias = weights_.has(scope + "/bias") ? tensor(scope + "/bias")[0] : Row(weight.size(), 0.0);
    Rows y(x.size(), Row(weight.size()));
    for (std::size_t r = 0; r < x.size(); ++r)
        for (std::size_t o = 0; o < weight.size(); ++o) {
            double sum = 0;
            for (std::size_t i = 0; i < x[r].size(); ++i) sum += x[r][i] * weight[o][i];
            y[r][o] = scale * sum + bias[o];
        }
    return y;
}

// Both sides as whole numbers, one output after the other. Dynamic scales: the encoder's are over the sentence, and so
// are those of what the decoder reads of it; a step of the decoder with one beam has one row.
Rows PlainTransformer::int8_linear(const std::string& scope, const Rows& x, double scale) const {
    const nn::HostTensor& host = weights_.get(scope + "/weight");
    const std::size_t n = host.shape[0], k = host.shape[1];
    const Row bias = weights_.has(scope + "/bias") ? tensor(scope + "/bias")[0] : Row(n, 0.0);
    const bool whole = scope.starts_with("encoder/") || scope.ends_with("/attention/linear_1");
    const auto largest = [](const Row& row) {
        double most = 0;
        for (const double value : row) most = std::max(most, std::abs(value));
        return most;
    };
    double sentence = 0;
    for (const Row& row : x) sentence = std::max(sentence, largest(row));
    Rows y(x.size(), Row(n));
    for (std::size_t r = 0; r < x.size(); ++r)
        for (std::size_t o = 0; o < n; ++o) {
            double input_scale = host.input_scales[host.input_scales.size() == 1 ? 0 : o];
            if (input_scale == 0) input_scale = 127.0 / (whole ? sentence : largest(x[r]));
            int64_t sum = 0;
            for (std::size_t i = 0; i < k; ++i) {
                const double rounded = std::nearbyint(x[r][i] * input_scale);
                sum += int64_t(std::clamp(rounded, -127.0, 127.0)) * int64_t(int8_t(host.bytes[o * k + i]));
            }
            const double weight_scale = host.scales[host.scales.size() == 1 ? 0 : o];
            y[r][o] = scale * double(sum) / (weight_scale * input_scale) + bias[o];
        }
    return y;
}

PlainTransformer::Attended PlainTransformer::attend(const nn::StackConfig& stack, double scale, const Rows& q,
                                                    const Rows& k, const Rows& v, bool causal, const Rows& bias_table,
                                                    bool bidirectional) const {
    const std::size_t dim = stack.head_dim;
    Attended result{Rows(q.size(), Row(stack.heads * dim)), {}};
    for (std::size_t h = 0; h < stack.heads; ++h) {
        Rows& probabilities = result.probabilities.emplace_back(q.size(), Row(k.size()));
        for (std::size_t i = 0; i < q.size(); ++i) {
            const std::size_t keys = causal ? i + 1 : k.size();
            Row& p = probabilities[i];
            double maximum = -1e300, sum = 0;
            for (std::size_t j = 0; j < keys; ++j) {
                for (std::size_t c = h * dim; c < (h + 1) * dim; ++c) p[j] += scale * q[i][c] * k[j][c];
                if (!bias_table.empty()) {
                    const int64_t distance = int64_t(j) - int64_t(i);
                    p[j] += bias_table[plain_bucket(distance, bidirectional, stack.relative_buckets,
                                                    stack.relative_max_distance)][h];
                }
                maximum = std::max(maximum, p[j]);
            }
            for (std::size_t j = 0; j < keys; ++j) sum += p[j] = std::exp(p[j] - maximum);
            for (std::size_t j = 0; j < keys; ++j) {
                p[j] /= sum;
                for (std::size_t c = h * dim; c < (h + 1) * dim; ++c) result.y[i][c] += p[j] * v[j][c];
            }
        }
    }
    return result;
}

template <class F>
void PlainTransformer::block(const std::string& scope, const nn::StackConfig& stack, Rows& x, F&& f) const {
    const auto normalised = [&](Rows rows) {
        for (Row& row : rows) row = norm(scope + "/layer_norm", stack, row);
        return rows;
    };
    const Rows y = f(stack.pre_norm ? normalised(x) : x);
    for (std::size_t r = 0; r < x.size(); ++r)
        for (std::size_t c = 0; c < x[r].size(); ++c) x[r][c] += y[r][c];
    if (!stack.pre_norm) x = normalised(x);
}

PlainTransformer::Attended PlainTransformer::self_attention(const std::string& stack_scope, const std::string& scope,
                                                            const nn::StackConfig& stack, const Rows& x,
                                                            bool decoder) const {
    const std::size_t width = stack.heads * stack.head_dim;
    const double scale = stack.attention_scale ? stack.attention_scale : 1 / std::sqrt(double(stack.head_dim));
    Rows bias;
    if (stack.relative_buckets) bias = tensor(stack_scope + "/layer_0/self_attention/relative_attention_bias");
    const Rows qkv = linear(scope + "/linear_0", x);
    Attended attended = attend(stack, scale, columns(qkv, 0, width), columns(qkv, width, width),
                               columns(qkv, 2 * width, width), decoder, bias, !decoder);
    attended.y = linear(scope + "/linear_1", attended.y);
    return attended;
}

Rows PlainTransformer::feed_forward(const std::string& scope, const nn::StackConfig& stack, const Rows& x) const {
    Rows hidden = linear(scope + "/linear_0", x);
    for (Row& row : hidden)
        for (double& value : row) value = activation_reference(value, stack.activation);
    if (stack.gated_ffn) {
        const Rows gate = linear(scope + "/linear_0_noact", x);
        for (std::size_t r = 0; r < hidden.size(); ++r)
            for (std::size_t c = 0; c < hidden[r].size(); ++c) hidden[r][c] *= gate[r][c];
    }
    return linear(scope + "/linear_1", hidden);
}

Rows PlainTransformer::encode(std::span<const uint32_t> source) const {
    const nn::StackConfig& stack = config_.encoder;
    Rows x = embed("encoder", "encoder/embeddings_0/weight", stack, source, false);
    for (uint32_t i = 0; i < stack.layers; ++i) {
        const std::string layer = "encoder/layer_" + std::to_string(i);
        block(layer + "/self_attention", stack, x, [&](const Rows& rows) {
            return self_attention("encoder", layer + "/self_attention", stack, rows, false).y;
        });
        block(layer + "/ffn", stack, x, [&](const Rows& rows) { return feed_forward(layer + "/ffn", stack, rows); });
    }
    if (stack.final_norm)
        for (Row& row : x) row = norm("encoder/layer_norm", stack, row);
    return x;
}

PlainTransformer::Prediction PlainTransformer::predict(std::span<const uint32_t> source,
                                                       std::span<const uint32_t> target) const {
    const nn::StackConfig& stack = config_.decoder;
    const std::size_t width = stack.heads * stack.head_dim;
    const double cross_scale =
        stack.cross_attention_scale ? stack.cross_attention_scale : 1 / std::sqrt(double(stack.head_dim));
    const int32_t from_last = config_.alignment_layer < 0 ? int32_t(stack.layers) : 0;
    const auto alignment_layer = uint32_t(from_last + config_.alignment_layer);
    const uint32_t alignment_heads = config_.alignment_heads ? config_.alignment_heads : stack.heads;
    Prediction prediction{{}, Row(source.size(), 0.0)};

    const Rows memory = encode(source);
    Rows x = embed("decoder", "decoder/embeddings/weight", stack, target, config_.start_from_zero_embedding);
    for (uint32_t i = 0; i < stack.layers; ++i) {
        const std::string layer = "decoder/layer_" + std::to_string(i);
        block(layer + "/self_attention", stack, x, [&](const Rows& rows) {
            return self_attention("decoder", layer + "/self_attention", stack, rows, true).y;
        });
        block(layer + "/attention", stack, x, [&](const Rows& rows) {
            const Rows kv = linear(layer + "/attention/linear_1", memory);
            const Attended attended = attend(stack, cross_scale, linear(layer + "/attention/linear_0", rows),
                                             columns(kv, 0, width), columns(kv, width, width), false, {}, false);
            if (i == alignment_layer)
                for (std::size_t h = 0; h < alignment_heads; ++h)
                    for (std::size_t j = 0; j < source.size(); ++j)
                        prediction.attention[j] += attended.probabilities[h].back()[j] / double(alignment_heads);
            return linear(layer + "/attention/linear_2", attended.y);
        });
        block(layer + "/ffn", stack, x, [&](const Rows& rows) { return feed_forward(layer + "/ffn", stack, rows); });
    }
    Row last = x.back();
    if (stack.final_norm) last = norm("decoder/layer_norm", stack, last);
    prediction.logits = linear("decoder/projection", {last}, double(config_.output_scale))[0];
    return prediction;
}

}  // namespace dragoman::test
