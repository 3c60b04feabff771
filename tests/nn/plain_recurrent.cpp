// SPDX-License-Identifier: Apache-2.0
#include "nn/plain_recurrent.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "check/reference.h"

namespace dragoman::test {

namespace {

Row sum(Row a, const Row& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
}

}  // namespace

Rows PlainRecurrent::tensor(const std::string& name) const {
    const spec::HostTensor& host = weights_.get(name);
    const std::size_t cols = host.shape.back(), rows = host.shape.size() == 1 ? 1 : host.shape[0];
    Rows values(rows, Row(cols));
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c) {
            float value;
            std::memcpy(&value, host.bytes.data() + (r * cols + c) * sizeof value, sizeof value);
            values[r][c] = value;
        }
    return values;
}

Rows PlainRecurrent::matrix(const std::string& name) const {
    return products_ == Products::rounded ? rounded_rows(tensor(name)) : tensor(name);
}

// Norms, where there are any, are of the outputs before first_norm and of those from there on.
Row PlainRecurrent::product(const std::string& scope, const Row& given, std::size_t first_norm, double epsilon) const {
    const Rows weight = matrix(scope + "/weight");
    const Row x = products_ == Products::rounded ? rounded_rows({given}).front() : given;
    Row y(weight.size());
    for (std::size_t o = 0; o < y.size(); ++o)
        for (std::size_t i = 0; i < x.size(); ++i) y[o] += weight[o][i] * x[i];
    if (weights_.has(scope + "/bias")) y = sum(y, tensor(scope + "/bias")[0]);
    if (!weights_.has(scope + "/norm/gamma")) return y;
    const Row gamma = tensor(scope + "/norm/gamma")[0];
    const std::size_t bounds[] = {0, first_norm, y.size()};
    for (int part = 0; part < 2; ++part) {
        const std::size_t begin = bounds[part], end = bounds[part + 1];
        const auto norm = reference::norm(uint32_t(begin), uint32_t(end), true, epsilon,
                                          [&](uint32_t i) { return y[i]; });
        for (std::size_t i = begin; i < end; ++i) y[i] = norm(y[i]) * gamma[i];
    }
    return weights_.has(scope + "/norm/beta") ? sum(y, tensor(scope + "/norm/beta")[0]) : y;
}

void PlainRecurrent::step(const std::string& scope, const spec::RecurrentUnit& unit, const Row* x,
                          Memory& memory) const {
    const std::size_t d = config_.state, wide = unit.gates() * d;
    const std::size_t first = unit.norm == spec::CellNorm::parts ? 2 * d : wide;
    const Row in = x ? product(scope + "/input", *x, first, unit.norm_epsilon) : tensor(scope + "/constant")[0];
    const Row of = product(scope + "/state", memory.hidden, first, unit.norm_epsilon);
    for (std::size_t i = 0; i < d; ++i) {
        const auto input = [&](std::size_t gate) { return in[gate * d + i]; };
        const auto state = [&](std::size_t gate) { return of[gate * d + i]; };
        if (unit.cell == spec::RecurrentCell::gru) {
            memory.hidden[i] = reference::gru(memory.hidden[i], input, state);
        } else {
            const reference::LstmState next = reference::lstm(memory.cell[i], input, state);
            memory.hidden[i] = next.hidden;
            memory.cell[i] = next.cell;
        }
    }
}

Rows PlainRecurrent::run(const std::string& layer, const Rows& x, bool backward) const {
    Rows y(x.size());
    Memory memory{Row(config_.state), Row(config_.state)};
    for (std::size_t n = 0; n < x.size(); ++n) {
        const std::size_t t = backward ? x.size() - 1 - n : n;
        for (uint32_t j = 0; j < config_.encoder_depth; ++j)
            step(layer + "/cell_" + std::to_string(j), config_.encoder, j == 0 ? &x[t] : nullptr, memory);
        y[t] = memory.hidden;
    }
    return y;
}

Rows PlainRecurrent::encode(std::span<const uint32_t> source) const {
    const Rows table = matrix("encoder/embeddings_0/weight");
    Rows embedded;
    for (const uint32_t id : source) embedded.push_back(table[id]);
    const auto layers = [&](const std::string& name, uint32_t count, Rows x, bool backward) {
        for (uint32_t i = 0; i < count; ++i) {
            const bool turned = config_.alternating && name != "upper" && i % 2 == 1;
            Rows y = run("encoder/" + name + "_" + std::to_string(i), x, backward != turned);
            for (std::size_t t = 0; config_.skip && i > 0 && t < y.size(); ++t) y[t] = sum(y[t], x[t]);
            x = std::move(y);
        }
        return x;
    };
    Rows both = layers("forward", config_.bidirectional_layers, embedded, false);
    const Rows backward = layers("backward", config_.bidirectional_layers, embedded, true);
    for (std::size_t t = 0; t < both.size(); ++t) both[t].insert(both[t].end(), backward[t].begin(), backward[t].end());
    return layers("upper", config_.forward_layers, both, false);
}

PlainTransformer::Prediction PlainRecurrent::predict(std::span<const uint32_t> source,
                                                     std::span<const uint32_t> target) const {
    const double epsilon = config_.norm_epsilon;
    const auto dense = [&](const std::string& scope, const Row& x) {
        return product(scope, x, tensor(scope + "/weight").size(), epsilon);
    };
    const Rows context = encode(source);
    Rows keys;
    Row mean(config_.context());
    for (const Row& row : context) {
        keys.push_back(dense("decoder/attention/key", row));
        for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += row[i] / double(context.size());
    }
    Row start = dense("decoder/start", mean);
    for (double& value : start) value = std::tanh(value);
    const Row v = tensor("decoder/attention/vector")[0];
    const Rows table = matrix("decoder/embeddings/weight");
    std::vector<Memory> layers(config_.decoder_layers, Memory{start, start});
    PlainTransformer::Prediction prediction;
    for (std::size_t t = 0; t < target.size(); ++t) {
        const Row embedded = t == 0 ? Row(config_.embedding) : table[target[t]];
        Row x = embedded, attended(config_.context());
        for (uint32_t i = 0; i < config_.decoder_layers; ++i) {
            const uint32_t depth = i == 0 ? config_.base_depth : config_.high_depth;
            const Row before = x;
            for (uint32_t j = 0; j < depth; ++j) {
                const Row* in = j == 0 ? &before : i == 0 && j == 1 ? &attended : nullptr;
                step("decoder/layer_" + std::to_string(i) + "/cell_" + std::to_string(j), config_.decoder, in,
                     layers[i]);
                if (i > 0 || j > 0) continue;
                const Row query = dense("decoder/attention/query", layers[0].hidden);
                Row scores(context.size());
                for (std::size_t s = 0; s < context.size(); ++s)
                    for (std::size_t c = 0; c < v.size(); ++c) scores[s] += v[c] * std::tanh(keys[s][c] + query[c]);
                const Row& weights = prediction.attention = reference::softmax(std::move(scores));
                for (std::size_t s = 0; s < context.size(); ++s)
                    for (std::size_t c = 0; c < v.size(); ++c) attended[c] += weights[s] * context[s][c];
            }
            x = config_.skip && i > 0 ? sum(layers[i].hidden, before) : layers[i].hidden;
        }
        Row hidden = sum(sum(dense("decoder/output/embedding", embedded), dense("decoder/output/state", x)),
                         dense("decoder/output/context", attended));
        for (double& value : hidden) value = std::tanh(value);
        prediction.logits = dense("decoder/projection", hidden);
    }
    return prediction;
}

}  // namespace dragoman::test
