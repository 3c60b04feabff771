// SPDX-License-Identifier: Apache-2.0
#include "nn/plain_transformer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "check/reference.h"

namespace dragoman::test {

namespace {

Rows columns(const Rows& x, std::size_t begin, std::size_t count) {
    Rows part;
    for (const Row& row : x)
        part.emplace_back(row.begin() + std::ptrdiff_t(begin), row.begin() + std::ptrdiff_t(begin + count));
    return part;
}

double sinusoid(std::size_t angle_of, std::size_t column, std::size_t d) {
    const std::size_t n = d / 2;
    if (column >= 2 * n) return 0;
    const double frequency = std::exp(-double(column % n) * std::log(10000.0) / double(n - 1));
    const double angle = double(angle_of) * frequency;
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

Rows rounded_rows(Rows rows) {
    for (Row& row : rows) {
        float largest = 0;
        for (const double value : row) largest = std::max(largest, std::abs(float(value)));
        const float scale = largest > 0 ? 127.0f / largest : 1.0f;
        for (double& value : row) value = std::nearbyint(float(value) * scale) / double(scale);
    }
    return rows;
}

Rows PlainTransformer::matrix(const std::string& name) const {
    return products_ == Products::rounded ? rounded_rows(tensor(name)) : tensor(name);
}

Rows PlainTransformer::tensor(const std::string& name) const {
    const spec::HostTensor& host = weights_.get(name);
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

Rows PlainTransformer::embed(const std::string& scope, const std::string& table, const spec::StackConfig& stack,
                             std::span<const uint32_t> ids, bool zero_first) const {
    const Rows embeddings = matrix(table);
    const std::size_t d = embeddings[0].size();
    Rows positions;
    if (stack.positions == spec::Positions::table) positions = tensor(scope + "/position_encodings/encodings");
    Rows x(ids.size(), Row(d));
    for (std::size_t t = 0; t < ids.size(); ++t) {
        for (std::size_t c = 0; c < d; ++c) {
            if (!(zero_first && t == 0)) x[t][c] = embeddings[ids[t]][c] * double(stack.embedding_scale);
            if (stack.positions == spec::Positions::sinusoid) x[t][c] += sinusoid(t + stack.first_position, c, d);
            if (stack.positions == spec::Positions::table)
                x[t][c] += positions[stack.repeat_last_position ? std::min(t, positions.size() - 1) : t][c];
        }
    }
    return x;
}

Row PlainTransformer::norm(const std::string& scope, bool rms, double epsilon, const Row& x) const {
    const Row gamma = tensor(scope + "/gamma")[0];
    const auto norm = reference::norm(0, uint32_t(x.size()), !rms, epsilon, [&](uint32_t c) { return x[c]; });
    Row y(x.size());
    for (std::size_t c = 0; c < x.size(); ++c) y[c] = norm(x[c]) * gamma[c];
    if (!rms && weights_.has(scope + "/beta")) {
        const Row beta = tensor(scope + "/beta")[0];
        for (std::size_t c = 0; c < x.size(); ++c) y[c] += beta[c];
    }
    return y;
}

Rows PlainTransformer::linear(const std::string& scope, const Rows& given, double scale) const {
    if (!weights_.get(scope + "/weight").input_scales.empty()) return int8_linear(scope, given, scale);
    const Rows x = products_ == Products::rounded ? rounded_rows(given) : given;
    const Rows weight = matrix(scope + "/weight");
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
    const spec::HostTensor& host = weights_.get(scope + "/weight");
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

PlainTransformer::Attended PlainTransformer::attend(const spec::StackConfig& stack, double scale, const Rows& q,
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

Rows PlainTransformer::activated(const std::string& scope, const Rows& x, Activation activation) const {
    Rows y = linear(scope, x);
    for (Row& row : y)
        for (double& value : row) value = reference::activated(value, activation);
    return y;
}

Rows PlainTransformer::operations(const std::string& letters, const std::string& norm_scope,
                                  const std::string& highway_scope, const spec::StackConfig& stack, Rows x,
                                  const Rows& previous) const {
    for (const char letter : letters) {
        const Rows gate = letter == 'h' ? linear(highway_scope, previous) : Rows();
        for (std::size_t r = 0; r < x.size(); ++r) {
            if (letter == 'n' || letter == 'r')
                x[r] = norm(norm_scope, letter == 'r', double(stack.norm_epsilon), x[r]);
            for (std::size_t c = 0; c < x[r].size(); ++c) {
                if (letter == 'a') x[r][c] += previous[r][c];
                const double share = letter == 'h' ? reference::sigmoid(gate[r][c]) : 1.0;
                if (letter == 'h') x[r][c] = share * x[r][c] + (1 - share) * previous[r][c];
            }
        }
    }
    return x;
}

Rows PlainTransformer::pre_process(const std::string& scope, const spec::StackConfig& stack, const Rows& x) const {
    std::string letters = stack.before;
    if (!stack.custom_order) letters = !stack.pre_norm ? "" : stack.rms_norm ? "r" : "n";
    return operations(letters, scope + "/layer_norm", "", stack, x, {});
}

Rows PlainTransformer::post_process(const std::string& scope, const spec::StackConfig& stack, const Rows& y,
                                    const Rows& x) const {
    std::string letters = stack.after;
    if (!stack.custom_order) letters = stack.pre_norm ? "a" : stack.rms_norm ? "ar" : "an";
    const bool second = stack.custom_order && stack.before.find_first_of("nr") != std::string::npos;
    return operations(letters, scope + (second ? "/output_layer_norm" : "/layer_norm"), scope + "/highway", stack, y,
                      x);
}

Rows PlainTransformer::embedding_operations(const std::string& scope, const spec::StackConfig& stack,
                                            const Rows& x) const {
    std::string letters = stack.after_embedding;
    if (!stack.custom_order) letters = !stack.embedding_norm ? "" : stack.rms_norm ? "r" : "n";
    return operations(letters, scope + "/layernorm_embedding", "", stack, x, {});
}

Rows PlainTransformer::top_operations(const std::string& scope, const spec::StackConfig& stack, const Rows& x,
                                      const Rows& embedded) const {
    std::string letters = stack.after_stack;
    if (!stack.custom_order) letters = !stack.final_norm ? "" : stack.rms_norm ? "r" : "n";
    return operations(letters, scope + "/layer_norm", scope + "/highway", stack, x, embedded);
}

PlainTransformer::Attended PlainTransformer::self_attention(const std::string& stack_scope, const std::string& scope,
                                                            const spec::StackConfig& stack, const Rows& x,
                                                            bool decoder) const {
    const std::size_t width = stack.heads * stack.head_dim;
    const double scale = stack.attention_scale ? stack.attention_scale : 1 / std::sqrt(double(stack.head_dim));
    Rows bias;
    if (stack.relative_buckets) bias = tensor(stack_scope + "/layer_0/self_attention/relative_attention_bias");
    const Rows qkv = linear(scope + "/linear_0", x);
    Attended attended = attend(stack, scale, columns(qkv, 0, width), columns(qkv, width, width),
                               columns(qkv, 2 * width, width), decoder, bias, !decoder);
    if (stack.attention_output) attended.y = linear(scope + "/linear_1", attended.y);
    return attended;
}

Rows PlainTransformer::feed_forward(const std::string& scope, const spec::StackConfig& stack, const Rows& x) const {
    Rows y = x;
    for (uint32_t i = 0; i + 1 < stack.ffn_depth; ++i) {
        y = activated(scope + "/linear_" + std::to_string(i), y, stack.activation);
        if (i > 0 || !stack.gated_ffn) continue;
        const Rows gate = linear(scope + "/linear_0_noact", x);
        for (std::size_t r = 0; r < y.size(); ++r)
            for (std::size_t c = 0; c < y[r].size(); ++c) y[r][c] *= gate[r][c];
    }
    return linear(scope + "/linear_" + std::to_string(stack.ffn_depth - 1), y);
}

Rows PlainTransformer::ssru(const std::string& scope, const Rows& x) const {
    const Rows u = pre_process(scope, config_.decoder, x);
    Rows z = linear(scope + "/candidate", u), f = linear(scope + "/forget", u);
    if (config_.recurrence_norm) {
        const Row bias = weights_.has(scope + "/forget/bias") ? tensor(scope + "/forget/bias")[0] : Row(z[0].size());
        for (Row& row : z) row = norm(scope + "/candidate_norm", false, 1e-9, row);
        for (Row& row : f) {
            for (std::size_t i = 0; i < row.size(); ++i) row[i] -= bias[i];  // it comes after the norm
            row = norm(scope + "/forget_norm", false, 1e-9, row);
            for (std::size_t i = 0; i < row.size(); ++i) row[i] += bias[i];
        }
    }
    Row c(config_.d_model);
    Rows o = x;
    for (std::size_t t = 0; t < x.size(); ++t)
        for (std::size_t i = 0; i < c.size(); ++i) {
            c[i] = reference::ssru(c[i], z[t][i], f[t][i]);
            o[t][i] = std::max(c[i], 0.0);
        }
    if (config_.recurrence_output) o = linear(scope + "/output", o);
    return post_process(scope, config_.decoder, o, x);
}

Rows PlainTransformer::gru(const std::string& scope, const Rows& x) const {
    const std::size_t d = config_.d_model;
    const Rows input = linear(scope + "/input", pre_process(scope, config_.decoder, x));
    Row s(d);
    Rows o = x;
    for (std::size_t t = 0; t < x.size(); ++t) {
        const Row u = linear(scope + "/state", {s})[0];
        for (std::size_t i = 0; i < d; ++i)
            o[t][i] = s[i] = reference::gru(
                s[i], [&](std::size_t part) { return input[t][part * d + i]; },
                [&](std::size_t part) { return u[part * d + i]; });
    }
    if (config_.recurrence_output) o = linear(scope + "/output", o);
    return post_process(scope, config_.decoder, o, x);
}

Rows PlainTransformer::average_attention(const std::string& scope, const Rows& x) const {
    Rows mean = x;
    for (std::size_t t = 0; t < x.size(); ++t)
        for (std::size_t c = 0; c < x[t].size(); ++c) {
            double sum = 0;
            for (std::size_t j = 0; j <= t; ++j) sum += x[j][c];
            mean[t][c] = sum / double(t + 1);
        }
    Rows y = pre_process(scope, config_.decoder, mean);
    for (uint32_t i = 0; i + 1 < config_.average_ffn_depth; ++i)
        y = activated(scope + "/ffn/linear_" + std::to_string(i), y, config_.average_activation);
    if (y[0].size() != x[0].size())
        y = linear(scope + "/ffn/linear_" + std::to_string(config_.average_ffn_depth - 1), y);
    if (config_.average_gate) {
        const Rows input = linear(scope + "/input_gate", x), forget = linear(scope + "/forget_gate", y);
        for (std::size_t t = 0; t < x.size(); ++t)
            for (std::size_t c = 0; c < x[t].size(); ++c)
                y[t][c] = reference::sigmoid(input[t][c]) * x[t][c] + reference::sigmoid(forget[t][c]) * y[t][c];
    }
    return post_process(scope, config_.decoder, y, x);
}

Rows PlainTransformer::earlier_tokens(const std::string& layer, const Rows& x) const {
    switch (config_.autoregression) {
        case spec::Autoregression::ssru: return ssru(layer + "/rnn", x);
        case spec::Autoregression::gru: return gru(layer + "/rnn", x);
        case spec::Autoregression::average_attention: return average_attention(layer + "/average", x);
        case spec::Autoregression::self_attention: break;
    }
    const std::string scope = layer + "/self_attention";
    const Rows input = pre_process(scope, config_.decoder, x);
    return post_process(scope, config_.decoder, self_attention("decoder", scope, config_.decoder, input, true).y, x);
}

Rows PlainTransformer::encode(std::span<const uint32_t> source) const {
    const spec::StackConfig& stack = config_.encoder;
    const Rows embedded = embed("encoder", "encoder/embeddings_0/weight", stack, source, false);
    Rows x = embedding_operations("encoder", stack, embedded);
    for (uint32_t i = 0; i < stack.layers; ++i) {
        const std::string layer = "encoder/layer_" + std::to_string(i), attention = layer + "/self_attention";
        const Rows context = self_attention("encoder", attention, stack, pre_process(attention, stack, x), false).y;
        x = post_process(attention, stack, context, x);
        const std::string ffn = layer + "/ffn";
        x = post_process(ffn, stack, feed_forward(ffn, stack, pre_process(ffn, stack, x)), x);
    }
    return top_operations("encoder", stack, x, embedded);
}

PlainTransformer::Prediction PlainTransformer::predict(std::span<const uint32_t> source,
                                                       std::span<const uint32_t> target) const {
    const spec::StackConfig& stack = config_.decoder;
    const std::size_t width = stack.heads * stack.head_dim;
    const double cross_scale = stack.cross_attention_scale ? stack.cross_attention_scale
                                                           : 1 / std::sqrt(double(stack.head_dim));
    const int32_t from_last = config_.alignment_layer < 0 ? int32_t(stack.layers) : 0;
    const auto alignment_layer = uint32_t(from_last + config_.alignment_layer);
    const uint32_t alignment_heads = config_.alignment_heads ? config_.alignment_heads : stack.heads;
    const uint32_t first = config_.alignment_heads ? config_.alignment_first_head : 0;
    Prediction prediction{{}, Row(source.size(), 0.0)};

    const Rows memory = config_.has_encoder() ? encode(source) : Rows();
    const Rows embedded = embed("decoder", "decoder/embeddings/weight", stack, target,
                                config_.start_from_zero_embedding);
    Rows x = embedding_operations("decoder", stack, embedded);
    for (uint32_t i = 0; i < stack.layers; ++i) {
        const std::string layer = "decoder/layer_" + std::to_string(i), cross = layer + "/attention";
        x = earlier_tokens(layer, x);
        if (config_.has_encoder()) {
            const Rows kv = linear(cross + "/linear_1", memory);
            Attended attended = attend(stack, cross_scale, linear(cross + "/linear_0", pre_process(cross, stack, x)),
                                       columns(kv, 0, width), columns(kv, width, width), false, {}, false);
            if (i == alignment_layer)
                for (std::size_t h = first; h < first + alignment_heads; ++h)
                    for (std::size_t j = 0; j < source.size(); ++j)
                        prediction.attention[j] += attended.probabilities[h].back()[j] / double(alignment_heads);
            if (stack.attention_output) attended.y = linear(cross + "/linear_2", attended.y);
            x = post_process(cross, stack, attended.y, x);
        }
        const std::string ffn = layer + "/ffn";
        x = post_process(ffn, stack, feed_forward(ffn, stack, pre_process(ffn, stack, x)), x);
    }
    const Rows top = top_operations("decoder", stack, x, embedded);
    prediction.logits = linear("decoder/projection", {top.back()}, double(config_.output_scale))[0];
    return prediction;
}

}  // namespace dragoman::test
