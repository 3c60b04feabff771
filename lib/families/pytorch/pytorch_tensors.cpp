// SPDX-License-Identifier: Apache-2.0
#include "families/pytorch/pytorch_tensors.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace dragoman::families {
namespace {

using Stack = PyTorchDescription::Stack;
using Positions = PyTorchDescription::Positions;

constexpr uint64_t kMaxComputed = 1u << 26;

// Sines and cosines of position * 10000^(-2k / width), in the arithmetic of PyTorch's tutorials.
std::vector<float> sinusoids(uint32_t length, uint32_t width, bool interleaved) {
    const uint32_t sines = (width + 1) / 2;
    const auto step = static_cast<float>(-std::log(10000.0) / width);
    std::vector<float> table(uint64_t(length) * width);
    for (uint32_t p = 0; p < length; ++p) {
        for (uint32_t i = 0; i < width; ++i) {
            const uint32_t k = interleaved ? i / 2 : i % sines;
            const bool sine = interleaved ? i % 2 == 0 : i < sines;
            const float angle = float(p) * std::exp(float(2 * k) * step);
            table[uint64_t(p) * width + i] = sine ? std::sin(angle) : std::cos(angle);
        }
    }
    return table;
}

spec::HostTensor rows(spec::HostTensor tensor, uint32_t first, uint32_t count) {
    const std::size_t row = tensor.bytes.size() / tensor.shape[0];
    tensor.bytes = tensor.bytes.subspan(first * row, count * row);
    tensor.shape[0] = count;
    return tensor;
}

template <class T>
void compare(const std::string& key, const std::string& file, const std::optional<T>& told, const T& found) {
    if (told && *told != found)
        fail(Status::bad_model, "{}: expected {} as in {}, file has {}", key, found, file, *told);
}

class PytorchTaker {
public:
    PytorchTaker(const PyTorchState& state, const PyTorchDescription& description, spec::ModelSpec& spec)
        : state_(state), description_(description), spec_(spec) {}

    void take() {
        const uint32_t source_width = read_stack(description_.encoder, spec_.config.encoder, spec_.config.encoder_ffn);
        const uint32_t width = read_stack(description_.decoder, spec_.config.decoder, spec_.config.decoder_ffn);
        spec_.config.d_model = width;
        spec_.config.encoder_width = source_width == width ? 0 : source_width;
        spec_.config.source_vocabulary = embedding("source_embedding", description_.source_embedding, source_width,
                                                   "encoder/embeddings_0/weight");
        spec_.config.target_vocabulary = embedding("target_embedding", description_.target_embedding, width,
                                                   "decoder/embeddings/weight");
        output(width);
        positions(description_.source_positions, source_width, spec_.config.encoder, "encoder");
        positions(description_.target_positions, width, spec_.config.decoder, "decoder");
        spec_.config.alignment_heads = 0;  // nn.MultiheadAttention averages them, too
        take_stack(description_.encoder, spec_.config.encoder, source_width, source_width, false);
        take_stack(description_.decoder, spec_.config.decoder, width, source_width, true);
    }

private:
    // Gives the width.
    uint32_t read_stack(const Stack& told, spec::StackConfig& stack, uint32_t& ffn) const {
        const auto key = [&](const char* name) { return told.place + name; };
        stack.layers = state_.count_layers(told.name, key("name"));
        compare(key(told.layers_key), state_.file(), told.layers, stack.layers);
        const std::string linear = told.name + "layers.0.linear1";
        const auto& shape = state_.matrix_shape(linear + ".weight");
        ffn = shape[0];
        compare(key("dim_feedforward"), state_.file(), told.ffn, ffn);
        compare(key("d_model"), state_.file(), told.d_model, shape[1]);
        compare(key("bias"), state_.file(), told.bias, state_.has(linear + ".bias"));
        if (shape[1] % told.heads != 0)
            fail(Status::bad_model, "{}: expected a divisor of the width {} in {}, file has {}", key("nhead"), shape[1],
                 state_.file(), told.heads);
        stack.heads = told.heads;
        stack.head_dim = shape[1] / told.heads;
        stack.pre_norm = told.norm_first;
        stack.final_norm = state_.has(told.name + "norm.weight");
        stack.activation = told.activation;
        stack.norm_epsilon = told.norm_epsilon;
        stack.embedding_scale = float(description_.embedding_scale.value_or(std::sqrt(double(shape[1]))));
        return shape[1];
    }

    // Gives the rows. Tied matrices are one, as in PyTorch's files, which have all of their names.
    uint32_t embedding(const char* key, const std::string& name, uint32_t width, const std::string& to) {
        const std::string stored = state_.weight_name(name, fmt::format("{}: {}", description_.file, key));
        const uint32_t count = state_.matrix_shape(stored)[0];
        spec::HostTensor tensor = state_.take(stored, {count, width});
        for (const auto& [other, known] : spec_.weights.tensors()) {
            if (known.dtype != tensor.dtype || known.shape != tensor.shape) continue;
            if (!spec::equal_bytes(known, tensor)) continue;
            spec_.weights.alias(to, other);
            return count;
        }
        spec_.weights.add(to, std::move(tensor));
        return count;
    }

    void output(uint32_t width) {
        const std::string to = "decoder/projection", key = "output";
        const uint32_t count = embedding(key.c_str(), description_.output, width, to + "/weight");
        if (count != spec_.config.target_vocabulary)
            fail(Status::bad_model, "{}: {}: expected {} outputs (rows of {}), {} has {}", description_.file, key,
                 spec_.config.target_vocabulary, description_.target_embedding, state_.file(), count);
        if (const std::string bias = description_.output + ".bias"; state_.has(bias))
            spec_.weights.add(to + "/bias", state_.take(bias, {count}));
    }

    void positions(const Positions& told, uint32_t width, spec::StackConfig& stack, const std::string& side) {
        stack.positions = told.kind == Positions::Kind::none ? spec::Positions::none : spec::Positions::table;
        if (told.kind == Positions::Kind::none) return;
        const std::string to = side + "/position_encodings/encodings", other = "encoder/position_encodings/encodings";
        spec::HostTensor table = told.kind == Positions::Kind::table ? learned(told.table, width, side)
                                                                     : computed(told, width);
        stack.max_positions = table.shape[0];
        const bool same = spec_.weights.has(other) && told == description_.source_positions &&
                          spec_.weights.get(other).shape == table.shape;
        if (same) spec_.weights.alias(to, other);
        else spec_.weights.add(to, std::move(table));
    }

    // [length, width]; buffers of PyTorch's examples have another dimension for the batch.
    spec::HostTensor learned(const std::string& name, uint32_t width, const std::string& side) {
        const std::string stored = state_.weight_name(name,
                                                      fmt::format("{}: positions of the {}", description_.file, side));
        std::vector<uint32_t> shape = state_.shape(stored), matrix = shape;
        if (matrix.size() == 3 && matrix[0] == 1) matrix.erase(matrix.begin());
        else if (matrix.size() == 3 && matrix[1] == 1) matrix.erase(matrix.begin() + 1);
        if (matrix.size() != 2 || matrix[0] == 0 || matrix[1] != width)
            fail(Status::bad_model, "{}: {}: expected rows of {}, file has {}", state_.file(), stored, width,
                 formats::describe_shape(shape));
        spec::HostTensor table = state_.take(stored, shape);
        table.shape = matrix;
        return table;
    }

    spec::HostTensor computed(const Positions& told, uint32_t width) {
        if (uint64_t(told.length) * width > kMaxComputed)
            fail(Status::bad_model, "{}: sinusoid: expected at most {} numbers, file has {} rows of {}",
                 description_.file, kMaxComputed, told.length, width);
        const bool interleaved = told.kind == Positions::Kind::interleaved;
        const auto table = std::make_shared<const std::vector<float>>(sinusoids(told.length, width, interleaved));
        spec_.owners.push_back(table);
        return {.dtype = DType::f32,
                .shape = {told.length, width},
                .bytes = std::as_bytes(std::span(*table)),
                .scales = {}};
    }

    void take_stack(const Stack& told, const spec::StackConfig& stack, uint32_t width, uint32_t memory_width,
                    bool decoder) {
        const std::string side = decoder ? "decoder/" : "encoder/";
        const uint32_t ffn = decoder ? spec_.config.decoder_ffn : spec_.config.encoder_ffn;
        biased_ = state_.has(told.name + "layers.0.linear1.bias");
        for (uint32_t i = 0; i < stack.layers; ++i) {
            const std::string from = fmt::format("{}layers.{}.", told.name, i);
            const std::string to = fmt::format("{}layer_{}/", side, i);
            attention(from + "self_attn.", to + "self_attention", width, width, {3});
            norm(from + "norm1", to + "self_attention/layer_norm", width);
            if (decoder) {
                attention(from + "multihead_attn.", to + "attention", width, memory_width, {1, 2});
                norm(from + "norm2", to + "attention/layer_norm", width);
            }
            linear(from + "linear1", to + "ffn/linear_0", ffn, width);
            linear(from + "linear2", to + "ffn/linear_1", width, ffn);
            norm(from + (decoder ? "norm3" : "norm2"), to + "ffn/layer_norm", width);
        }
        if (stack.final_norm) norm(told.name + "norm", side + "layer_norm", width);
    }

    // in_proj gives query, key and value; `split`: how many of them each linear layer here gives.
    void attention(const std::string& from, const std::string& to, uint32_t width, uint32_t memory_width,
                   std::initializer_list<uint32_t> split) {
        uint32_t first = 0, number = 0;
        for (const uint32_t count : split) {
            const std::string scope = fmt::format("{}/linear_{}", to, number++);
            spec_.weights.add(scope + "/weight", in_projection(from, width, memory_width, first, count));
            if (const std::string bias = from + "in_proj_bias"; state_.has(bias))
                spec_.weights.add(scope + "/bias", rows(state_.take(bias, {3 * width}), first * width, count * width));
            first += count;
        }
        linear(from + "out_proj", fmt::format("{}/linear_{}", to, number), width, width);
    }

    spec::HostTensor in_projection(const std::string& from, uint32_t width, uint32_t memory_width, uint32_t first,
                                   uint32_t count) {
        const std::string separate[] = {from + "q_proj_weight", from + "k_proj_weight", from + "v_proj_weight"};
        if (memory_width == width && !state_.has(separate[0]))
            return rows(state_.take(from + "in_proj_weight", {3 * width, width}), first * width, count * width);
        std::vector<spec::HostTensor> parts;
        for (uint32_t i = first; i < first + count; ++i)
            parts.push_back(state_.take(separate[i], {width, i == 0 ? width : memory_width}));
        return spec::joined_rows(std::move(parts));
    }

    void linear(const std::string& from, const std::string& to, uint32_t out, uint32_t in) {
        spec_.weights.add(to + "/weight", state_.take(from + ".weight", {out, in}));
        if (state_.has(from + ".bias")) spec_.weights.add(to + "/bias", state_.take(from + ".bias", {out}));
    }

    void norm(const std::string& from, const std::string& to, uint32_t width) {
        spec_.weights.add(to + "/gamma", state_.take(from + ".weight", {width}));
        if (state_.has(from + ".bias")) return spec_.weights.add(to + "/beta", state_.take(from + ".bias", {width}));
        if (biased_)
            fail(Status::unsupported,
                 "{}: {}.bias: expected one as in the other layers, file has none (norms other "
                 "than nn.LayerNorm are not supported)",
                 state_.file(), from);
        const auto zeros = std::make_shared<const std::vector<float>>(width);
        spec_.owners.push_back(zeros);
        spec_.weights.add(to + "/beta", {.dtype = DType::f32,
                                         .shape = {width},
                                         .bytes = std::as_bytes(std::span(*zeros)),
                                         .scales = {}});
    }

    const PyTorchState& state_;
    const PyTorchDescription& description_;
    spec::ModelSpec& spec_;
    bool biased_ = true;
};

}  // namespace

void take_pytorch_weights(const PyTorchState& state, const PyTorchDescription& description, spec::ModelSpec& spec) {
    PytorchTaker(state, description, spec).take();
    state.finish(description.ignored, description.file);
}

}  // namespace dragoman::families
