// SPDX-License-Identifier: Apache-2.0
#include "families/marian/marian_tensors.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/log.h"
#include "families/marian/names.h"
#include "spec/transformer_tensors.h"

namespace dragoman::families {
namespace {

constexpr std::string_view kAlpha = "_QuantMultA";

using Shape = std::vector<uint32_t>;

std::string describe_shape(const Shape& shape) { return fmt::format("{}", fmt::join(shape, "x")); }

class MarianTaker {
public:
    MarianTaker(const formats::MarianFile& file, const MarianOptions& options, spec::ModelSpec& spec)
        : file_(file), options_(options), spec_(spec) {}

    void take() {
        embeddings();
        for (const spec::TensorRule& rule : spec::transformer_tensors(spec_.config)) {
            if (spec_.weights.has(rule.name)) continue;
            if (rule.name == "decoder/projection/bias") {
                if (options_.output_bias) add_vector(rule, {"decoder_ff_logit_out_b"});
            } else if (rule.name.ends_with("/position_encodings/encodings")) {
                share("Wpos", rule.name, [&] { return rows("Wpos", rule.shape); });
            } else {
                layer_tensor(rule);
            }
        }
    }

private:
    const formats::MarianParameter& get(const std::string& name, std::string_view expected) const {
        const formats::MarianParameter* parameter = file_.find(name);
        if (!parameter) {
            fail(Status::bad_model, "{}: {}: expected {}, the file has no such parameter", file_.name, name, expected);
        }
        return *parameter;
    }

    [[noreturn]] void wrong_shape(const std::string& name, const Shape& expected,
                                  const formats::MarianParameter& found) const {
        Shape shape = found.tensor.shape;
        if (found.rows_are_outputs) std::ranges::reverse(shape);
        fail(Status::bad_model, "{}: {}: expected {}, file has {}", file_.name, name, describe_shape(expected),
             describe_shape(shape));
    }

    // Adds make() under a canonical name, or another name for what the same parameters made before.
    template <class Make>
    void share(const std::string& source, const std::string& canonical, Make make) {
        const auto [owner, first] = canonical_.emplace(source, canonical);
        if (first) spec_.weights.add(canonical, make());
        else spec_.weights.alias(canonical, owner->second);
    }

    void embeddings() {
        const spec::TransformerConfig& config = spec_.config;
        const auto add = [&](const std::string& parameter, const std::string& canonical, uint32_t size) {
            share(parameter, canonical, [&] {
                spec::HostTensor tensor = parameter == "decoder_ff_logit_out_W"
                                              ? matrix(parameter, {config.d_model, size})
                                              : rows(parameter, {size, config.d_model});
                if (parameter == options_.projection && get(parameter, "").for_integer_products)
                    tensor.input_scales = {input_scale(parameter)};
                return tensor;
            });
        };
        add(options_.source_embedding, "encoder/embeddings_0/weight", config.source_vocabulary);
        add(options_.target_embedding, "decoder/embeddings/weight", config.target_vocabulary);
        add(options_.projection, "decoder/projection/weight", config.target_vocabulary);
    }

    // A stored matrix whose rows are the canonical ones.
    spec::HostTensor rows(const std::string& name, const Shape& shape) {
        const formats::MarianParameter& parameter = get(name, describe_shape(shape));
        spec::HostTensor tensor = parameter.tensor;
        if (!parameter.rows_are_outputs) {
            if (tensor.shape != shape) wrong_shape(name, shape, parameter);
            return tensor;
        }
        // Integers are stored transposed, which is wrong here.
        if (tensor.shape != Shape{shape[1], shape[0]}) wrong_shape(name, shape, parameter);
        return turned(tensor);
    }

    // A matrix [in, out] as rows of outputs.
    spec::HostTensor matrix(const std::string& name, const Shape& shape) {
        const formats::MarianParameter& parameter = get(name, describe_shape(shape));
        spec::HostTensor tensor = parameter.tensor;
        const Shape canonical{shape[1], shape[0]};
        if (tensor.shape != (parameter.rows_are_outputs ? canonical : shape)) wrong_shape(name, shape, parameter);
        if (!parameter.rows_are_outputs) {
            tensor.shape = canonical;
            tensor.transposed = true;
        }
        if (parameter.for_integer_products) tensor.input_scales = {input_scale(name)};
        return tensor;
    }

    spec::HostTensor turned(const spec::HostTensor& tensor) {
        const uint32_t size = size_bytes(tensor.dtype), height = tensor.shape[0], width = tensor.shape[1];
        const std::vector<std::byte> stored = spec::copy_of(tensor);
        std::vector<std::byte> bytes(stored.size());
        for (uint64_t row = 0; row < height; ++row)
            for (uint64_t column = 0; column < width; ++column)
                std::ranges::copy(std::span(stored).subspan((row * width + column) * size, size),
                                  bytes.begin() + static_cast<std::ptrdiff_t>((column * height + row) * size));
        spec::HostTensor result = owned(tensor.dtype, {width, height}, std::move(bytes));
        result.scales = tensor.scales;
        return result;
    }

    // The multiplier of a matrix' input, 0 when the file has none: then it depends on the input.
    float input_scale(const std::string& name) const {
        const formats::MarianParameter* alpha = file_.find(name + std::string(kAlpha));
        if (!alpha && name == options_.projection) alpha = file_.find("none_QuantMultA");
        if (!alpha) return 0.0f;
        if (alpha->tensor.elements() != 1) {
            fail(Status::bad_model, "{}: {}{}: expected one value, file has {}", file_.name, name, kAlpha,
                 describe_shape(alpha->tensor.shape));
        }
        float value;
        spec::to_f32(alpha->tensor, 0, {&value, 1});
        if (!(value > 0) || !std::isfinite(value)) {
            fail(Status::bad_model, "{}: {}{}: expected a value above 0, file has {}", file_.name, name, kAlpha, value);
        }
        return value;
    }

    void layer_tensor(const spec::TensorRule& rule) {
        const auto names = marian_names(rule.name, spec_.config, options_.decoder_layers);
        if (names.empty() && !rule.required) return;
        DRAGOMAN_ASSERT(!names.empty());
        if (rule.shape.size() == 1) return add_vector(rule, names);
        share(fmt::format("{}", fmt::join(names, " ")), rule.name, [&] { return joined_matrix(rule, names); });
    }

    void add_vector(const spec::TensorRule& rule, const std::vector<std::string>& names) {
        share(fmt::format("{}", fmt::join(names, " ")), rule.name, [&] {
            std::vector<spec::HostTensor> parts;
            for (const std::string& name : names) {
                spec::HostTensor part = get(name, fmt::format("1x{}", rule.shape[0])).tensor;
                if (part.shape.size() == 2 && part.shape[0] == 1) part.shape.erase(part.shape.begin());
                if (part.shape.size() != 1) {
                    fail(Status::bad_model, "{}: {}: expected a vector, file has {}", file_.name, name,
                         describe_shape(part.shape));
                }
                parts.push_back(std::move(part));
            }
            return joined(rule.shape, parts, names);
        });
    }

    spec::HostTensor joined_matrix(const spec::TensorRule& rule, const std::vector<std::string>& names) {
        std::vector<spec::HostTensor> parts;
        for (const std::string& name : names) {
            // The widths of the parts differ in a GRU only.
            uint32_t width = rule.shape[0] / static_cast<uint32_t>(names.size());
            if (names.size() == 2 && names[1].ends_with('x'))
                width = &name == &names[0] ? rule.shape[0] / 3 * 2 : rule.shape[0] / 3;
            parts.push_back(matrix(name, {rule.shape[1], width}));
        }
        return joined(rule.shape, parts, names);
    }

    spec::HostTensor joined(const Shape& shape, const std::vector<spec::HostTensor>& parts,
                            const std::vector<std::string>& names) {
        uint64_t first_dimension = 0;
        for (const auto& part : parts) first_dimension += part.shape[0];
        if (first_dimension != shape[0]) {
            fail(Status::bad_model, "{}: {}: expected {} values, file has {}", file_.name, fmt::join(names, ", "),
                 shape[0], first_dimension);
        }
        if (parts.size() == 1) return parts[0];
        const bool integers = std::ranges::all_of(parts, [](const spec::HostTensor& part) {
            return part.dtype == DType::i8 && !part.transposed && !part.scales.empty() && !part.input_scales.empty();
        });
        if (!integers) return joined_floats(shape, parts);
        std::vector<std::byte> bytes;
        std::vector<float> scales, input_scales;
        for (const auto& part : parts) {
            const std::vector<std::byte> stored = spec::copy_of(part);
            bytes.insert(bytes.end(), stored.begin(), stored.end());
            scales.insert(scales.end(), part.shape[0], part.scales.at(0));
            input_scales.insert(input_scales.end(), part.shape[0], part.input_scales.at(0));
        }
        spec::HostTensor tensor = owned(DType::i8, shape, std::move(bytes));
        tensor.scales = std::move(scales);
        tensor.input_scales = std::move(input_scales);
        return tensor;
    }

    spec::HostTensor joined_floats(const Shape& shape, const std::vector<spec::HostTensor>& parts) {
        const auto values = std::make_shared<std::vector<float>>();
        uint64_t elements = 0;
        for (const auto& part : parts) elements += part.elements();
        values->resize(elements);
        std::span<float> rest(*values);
        for (const auto& part : parts) {
            spec::to_f32(part, 0, rest.first(part.elements()));
            rest = rest.subspan(part.elements());
        }
        spec_.owners.push_back(values);
        return {.dtype = DType::f32, .shape = shape, .bytes = std::as_bytes(std::span(*values)), .scales = {}};
    }

    spec::HostTensor owned(DType type, const Shape& shape, std::vector<std::byte> bytes) {
        const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
        spec_.owners.push_back(owner);
        return {.dtype = type, .shape = shape, .bytes = *owner, .scales = {}};
    }

    const formats::MarianFile& file_;
    const MarianOptions& options_;
    spec::ModelSpec& spec_;
    std::map<std::string, std::string> canonical_;  // by the parameters it is made of
};

}  // namespace

void take_marian_weights(const formats::MarianFile& file, const MarianOptions& options, spec::ModelSpec& spec) {
    spec.owners.insert(spec.owners.end(), file.owners.begin(), file.owners.end());
    MarianTaker(file, options, spec).take();
}

}  // namespace dragoman::families
