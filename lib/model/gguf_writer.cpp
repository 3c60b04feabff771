// SPDX-License-Identifier: Apache-2.0
#include "model/gguf_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "base/block_quantization.h"
#include "base/error.h"
#include "base/half.h"
#include "base/log.h"
#include "base/new_file.h"
#include "model/gguf_key_writer.h"
#include "model/gguf_types.h"
#include "model/transformer_tensors.h"

namespace dragoman::model {
namespace {

using gguf::KeyWriter;

constexpr uint64_t kChunkElements = 1u << 20;  // of a tensor, in host memory at a time
constexpr uint32_t kQuantizationVersion = 2;

// A tensor on its way into the file.
struct Planned {
    std::string name;
    DType type{};
    nn::HostTensor tensor;
    uint64_t size = 0, offset = 0;
};

bool is_table(const std::string& name) {
    return name.ends_with("/position_encodings/encodings") || name.ends_with("/relative_attention_bias");
}

DType planned_type(const std::string& name, const nn::HostTensor& tensor, std::optional<DType> wanted) {
    const bool readable = gguf::tensor_type_id(tensor.dtype) != ~0u;
    if (!wanted) return readable ? tensor.dtype : DType::f32;
    if (tensor.shape.size() != 2 || is_table(name)) {
        const bool half = tensor.dtype == DType::f16 || tensor.dtype == DType::bf16;
        return *wanted != DType::f32 && half ? tensor.dtype : DType::f32;
    }
    if (!block_bytes(*wanted)) return *wanted;
    if (tensor.shape[1] % kBlockElements) {
        log(LogLevel::info, "{}: rows of {} are no multiple of {}, so it stays float16", name, tensor.shape[1],
            kBlockElements);
        return DType::f16;
    }
    return *wanted;
}

class Plan {
public:
    Plan(const ModelSpec& spec, std::optional<DType> type) {
        std::map<std::string, std::string, std::less<>> written_as;  // by the key of the tensor
        for (const TensorRule& rule : transformer_tensors(spec.config)) {
            const nn::HostTensor* tensor = spec.weights.find(rule.name);
            if (!tensor) continue;
            const auto [owner, first] = written_as.emplace(spec.weights.key(rule.name), rule.name);
            if (first) {
                add(rule.name, *tensor, planned_type(rule.name, *tensor, type));
            } else {
                alias_names_.push_back(rule.name);
                alias_targets_.push_back(owner->second);
            }
        }
    }

    std::vector<Planned>& tensors() { return tensors_; }
    uint64_t size() const { return size_; }

    void describe(KeyWriter& keys) const {
        keys.texts(gguf::kAliasNames, alias_names_);
        keys.texts(gguf::kAliasTargets, alias_targets_);
    }
    void list(KeyWriter& header) const {
        for (const Planned& planned : tensors_) {
            header.add_text(planned.name);
            header.add(static_cast<uint32_t>(planned.tensor.shape.size()));
            for (auto size = planned.tensor.shape.rbegin(); size != planned.tensor.shape.rend(); ++size)
                header.add(uint64_t{*size});
            header.add(gguf::tensor_type_id(planned.type));
            header.add(planned.offset);
        }
    }

private:
    void add(const std::string& name, const nn::HostTensor& tensor, DType type) {
        DRAGOMAN_ASSERT(name.size() <= gguf::kMostNameBytes);
        const uint64_t size = size_bytes(type, tensor.elements());
        tensors_.push_back({.name = name, .type = type, .tensor = tensor, .size = size, .offset = size_});
        size_ += (size + gguf::kAlignment - 1) / gguf::kAlignment * gguf::kAlignment;
        if (type != tensor.dtype) return;  // then the values are in it
        add_scales(name, gguf::kScales, tensor.scales);
        add_scales(name, gguf::kInputScales, tensor.input_scales);
    }

    void add_scales(const std::string& name, std::string_view end, const std::vector<float>& scales) {
        if (scales.empty()) return;
        // The bytes stay where they are: specs are not changed while they are written.
        add(name + std::string(end), {.dtype = DType::f32,
                                      .shape = {static_cast<uint32_t>(scales.size())},
                                      .bytes = std::as_bytes(std::span(scales))},
            DType::f32);
    }

    std::vector<Planned> tensors_;
    std::vector<std::string> alias_names_, alias_targets_;
    uint64_t size_ = 0;
};

void add_vocabularies(KeyWriter& keys, const ModelSpec& spec) {
    keys.text("tokenizer.ggml.model", "dragoman");
    keys.texts(gguf::kSourceTokens, spec.source.tokens);
    if (spec.target.tokens != spec.source.tokens) keys.texts(gguf::kTargetTokens, spec.target.tokens);
    const auto source = spec.source.sentencepiece.bytes, target = spec.target.sentencepiece.bytes;
    const bool shared = !source.empty() && std::ranges::equal(source, target);
    if (!source.empty()) keys.blob(gguf::kSourcePieces, source);
    if (!target.empty() && !shared) keys.blob(gguf::kTargetPieces, target);
    keys.flag(gguf::kSharedPieces, shared);
    if (spec.never_generated.empty()) return;
    std::vector<std::string> tokens;
    std::vector<uint32_t> lengths;
    for (const auto& sequence : spec.never_generated) {
        if (sequence.empty()) continue;
        tokens.insert(tokens.end(), sequence.begin(), sequence.end());
        lengths.push_back(static_cast<uint32_t>(sequence.size()));
    }
    keys.texts(gguf::kSuppressedTokens, tokens);
    keys.numbers(gguf::kSuppressedLengths, lengths);
}

// Numbers of llama.cpp's table of file types.
std::optional<uint32_t> file_type(std::optional<DType> type) {
    if (!type) return std::nullopt;
    switch (*type) {
        case DType::f32: return 0;
        case DType::f16: return 1;
        case DType::q4: return 3;
        case DType::q8: return 7;
        default: fail(Status::invalid_argument, "type: expected float32, float16, q8 or q4, got {}", name(*type));
    }
}

KeyWriter model_keys(const ModelSpec& spec, const Plan& plan, std::optional<DType> type) {
    KeyWriter keys;
    keys.text("general.architecture", gguf::kArchitecture);
    keys.text("general.type", "model");
    const auto languages = [](const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, "+")); };
    const std::string name = spec.source_languages.empty() || spec.target_languages.empty()
                                 ? spec.family
                                 : languages(spec.source_languages) + "-" + languages(spec.target_languages);
    keys.text("general.name", name.substr(0, 64));
    std::set<std::string> all(spec.source_languages.begin(), spec.source_languages.end());
    all.insert(spec.target_languages.begin(), spec.target_languages.end());
    keys.texts("general.languages", std::vector<std::string>(all.begin(), all.end()));
    if (const auto number = file_type(type)) keys.count("general.file_type", *number);
    keys.count("general.quantization_version", kQuantizationVersion);
    keys.count("general.alignment", uint32_t{gguf::kAlignment});
    keys.text("dragoman.source_format", spec.format);
    gguf::visit_model(keys, spec);
    add_vocabularies(keys, spec);
    plan.describe(keys);
    if (spec.shortlist) {
        keys.blob(gguf::kShortlist, spec.shortlist->to_binary());
        keys.flag(gguf::kShortlistShared, spec.shortlist->sizes().shared);
    }
    return keys;
}

// Elements in their new type.
void convert(const Planned& planned, std::span<const float> values, std::span<std::byte> out) {
    if (planned.type == DType::f32) {
        std::memcpy(out.data(), values.data(), out.size());
        return;
    }
    const auto refuse = [&](float value) {
        fail(Status::unsupported, "{}: holds {}, which {} cannot; use float32", planned.name, value,
             name(planned.type));
    };
    if (block_bytes(planned.type)) {
        if (quantize(planned.type, values, out)) return;
        const auto size = [](float v) { return std::isfinite(v) ? std::abs(v) : HUGE_VALF; };
        refuse(*std::ranges::max_element(values, {}, size));
    }
    DRAGOMAN_ASSERT(planned.type == DType::f16);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const uint16_t half = to_half(values[i]);
        if ((half & 0x7c00) == 0x7c00) refuse(values[i]);
        std::memcpy(out.data() + i * sizeof half, &half, sizeof half);
    }
}

class Output {
public:
    Output(const std::filesystem::path& path, const GgufOptions& options, uint64_t total)
        : file_(path, options.replace), options_(options), total_(total) {}

    void header(std::string bytes) {
        bytes.resize((bytes.size() + gguf::kAlignment - 1) / gguf::kAlignment * gguf::kAlignment);
        file_.write(std::as_bytes(std::span(bytes)));
    }

    void tensor(const Planned& planned) {
        if (planned.type == planned.tensor.dtype && !planned.tensor.transposed) {
            for (uint64_t at = 0; at < planned.size; at += kChunkElements)
                put(planned.tensor.bytes.subspan(at, std::min(kChunkElements, planned.size - at)));
        } else if (planned.type == planned.tensor.dtype) {
            turned(planned);
        } else {
            converted(planned);
        }
        static constexpr std::byte zeros[gguf::kAlignment]{};
        if (const uint64_t over = planned.size % gguf::kAlignment)
            put(std::span(zeros).first(gguf::kAlignment - over));
    }

    void finish() { file_.finish(); }

private:
    void put(std::span<const std::byte> bytes) {
        file_.write(bytes);
        done_ += bytes.size();
        if (options_.progress && !options_.progress(done_, total_)) fail(Status::cancelled, "writing was stopped");
    }

    uint64_t chunk_rows(const nn::HostTensor& tensor) const {
        const uint64_t rows = tensor.shape.size() == 2 ? tensor.shape[0] : 1;
        const uint64_t width = std::max<uint64_t>(tensor.elements() / std::max<uint64_t>(rows, 1), 1);
        return std::max<uint64_t>(kChunkElements / width, 1) * width;
    }

    void converted(const Planned& planned) {
        const uint64_t elements = planned.tensor.elements(), step = chunk_rows(planned.tensor);
        std::vector<float> values;
        std::vector<std::byte> bytes;
        for (uint64_t at = 0; at < elements; at += step) {
            values.resize(std::min(step, elements - at));
            nn::to_f32(planned.tensor, at, values);
            bytes.resize(size_bytes(planned.type, values.size()));
            convert(planned, values, bytes);
            put(bytes);
        }
    }

    // Rows of a matrix that lies in columns, whatever its elements are.
    void turned(const Planned& planned) {
        const nn::HostTensor& tensor = planned.tensor;
        const uint64_t height = tensor.shape[0], width = tensor.shape[1], size = size_bytes(tensor.dtype);
        const uint64_t step = std::max<uint64_t>(kChunkElements / std::max<uint64_t>(width, 1), 1);
        std::vector<std::byte> rows;
        for (uint64_t first = 0; first < height; first += step) {
            const uint64_t count = std::min(step, height - first);
            rows.resize(count * width * size);
            for (uint64_t column = 0; column < width; ++column)
                for (uint64_t row = 0; row < count; ++row)
                    std::memcpy(rows.data() + (row * width + column) * size,
                                tensor.bytes.data() + (column * height + first + row) * size, size);
            put(rows);
        }
    }

    NewFile file_;
    const GgufOptions& options_;
    uint64_t done_ = 0, total_;
};

}  // namespace

void write_gguf(const ModelSpec& spec, const std::filesystem::path& path, const GgufOptions& options) {
    file_type(options.type);
    Plan plan(spec, options.type);
    const KeyWriter keys = model_keys(spec, plan, options.type);
    KeyWriter header;
    header.add(gguf::kMagic);
    header.add(gguf::kVersion);
    header.add(uint64_t{plan.tensors().size()});
    header.add(keys.count());
    KeyWriter list;
    plan.list(list);
    Output output(path, options, plan.size());
    output.header(header.bytes() + keys.bytes() + list.bytes());
    for (const Planned& planned : plan.tensors()) output.tensor(planned);
    output.finish();
}

}  // namespace dragoman::model
