// SPDX-License-Identifier: Apache-2.0
#include "formats/gguf_output.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/half.h"
#include "files/new_file.h"
#include "formats/gguf_types.h"
#include "spec/block_quantization.h"

namespace dragoman::formats {
namespace {

using Progress = std::function<bool(uint64_t done, uint64_t total)>;

constexpr uint64_t kChunkElements = 1u << 20;  // elements of a tensor that are in host memory at a time

// A tensor and its place among all of them.
struct Planned {
    const GgufTensor& item;
    uint64_t size = 0, offset = 0;
};

constexpr uint64_t aligned(uint64_t size) {
    return (size + gguf::kAlignment - 1) / gguf::kAlignment * gguf::kAlignment;
}

// Converts elements to their new type.
void convert(const GgufTensor& item, std::span<const float> values, std::span<std::byte> out) {
    if (item.type == DType::f32) {
        std::memcpy(out.data(), values.data(), out.size());
        return;
    }
    const auto refuse = [&](float value) {
        fail(Status::unsupported, "{}: holds {}, which {} cannot; use float32", item.name, value, name(item.type));
    };
    if (block_bytes(item.type)) {
        if (spec::quantize(item.type, values, out)) return;
        const auto size = [](float v) { return std::isfinite(v) ? std::abs(v) : HUGE_VALF; };
        refuse(*std::ranges::max_element(values, {}, size));
    }
    DRAGOMAN_ASSERT(item.type == DType::f16);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const uint16_t half = to_half(values[i]);
        if ((half & 0x7c00) == 0x7c00) refuse(values[i]);
        std::memcpy(out.data() + i * sizeof half, &half, sizeof half);
    }
}

class Output {
public:
    Output(const std::filesystem::path& path, bool replace, const Progress& progress, uint64_t total)
        : file_(path, replace), progress_(progress), total_(total) {}

    void header(std::string bytes) {
        bytes.resize(aligned(bytes.size()));
        file_.write(std::as_bytes(std::span(bytes)));
    }

    void tensor(const Planned& planned) {
        content(planned.item);
        static constexpr std::byte zeros[gguf::kAlignment]{};
        if (const uint64_t over = planned.size % gguf::kAlignment) put(std::span(zeros).first(gguf::kAlignment - over));
    }

    void finish() { file_.finish(); }

private:
    void put(std::span<const std::byte> bytes) {
        file_.write(bytes);
        done_ += bytes.size();
        if (progress_ && !progress_(done_, total_)) fail(Status::cancelled, "writing was stopped");
    }

    void content(const GgufTensor& item) {
        for (const spec::HostTensor& part : item.tensor.parts)
            content({.name = item.name, .type = item.type, .tensor = part});
        if (!item.tensor.parts.empty()) return;
        if (item.type != item.tensor.dtype) converted(item);
        else if (item.tensor.transposed) turned(item.tensor);
        else copied(item.tensor);
    }

    void copied(const spec::HostTensor& tensor) {
        std::vector<std::byte> chunk;
        for (uint64_t at = 0; at < tensor.bytes.size(); at += kChunkElements) {
            chunk.resize(std::min(kChunkElements, tensor.bytes.size() - at));
            spec::copy_of(tensor, at, chunk);
            put(chunk);
        }
    }

    uint64_t chunk_rows(const spec::HostTensor& tensor) const {
        const uint64_t rows = tensor.shape.size() == 2 ? tensor.shape[0] : 1;
        const uint64_t width = std::max<uint64_t>(tensor.elements() / std::max<uint64_t>(rows, 1), 1);
        return std::max<uint64_t>(kChunkElements / width, 1) * width;
    }

    void converted(const GgufTensor& item) {
        const uint64_t elements = item.tensor.elements(), step = chunk_rows(item.tensor);
        std::vector<float> values;
        std::vector<std::byte> bytes;
        for (uint64_t at = 0; at < elements; at += step) {
            values.resize(std::min(step, elements - at));
            spec::to_f32(item.tensor, at, values);
            bytes.resize(size_bytes(item.type, values.size()));
            convert(item, values, bytes);
            put(bytes);
        }
    }

    // Gathers rows of a matrix that is stored by columns, whatever its type is.
    void turned(const spec::HostTensor& tensor) {
        const uint64_t height = tensor.shape[0], width = tensor.shape[1], size = size_bytes(tensor.dtype);
        const uint64_t step = std::max<uint64_t>(kChunkElements / std::max<uint64_t>(width, 1), 1);
        std::vector<std::byte> rows, part;
        for (uint64_t first = 0; first < height; first += step) {
            const uint64_t count = std::min(step, height - first);
            rows.resize(count * width * size);
            part.resize(count * size);
            for (uint64_t column = 0; column < width; ++column) {
                spec::copy_of(tensor, (column * height + first) * size, part);
                for (uint64_t row = 0; row < count; ++row)
                    std::memcpy(rows.data() + (row * width + column) * size, part.data() + row * size, size);
            }
            put(rows);
        }
    }

    NewFile file_;
    const Progress& progress_;
    uint64_t done_ = 0, total_;
};

std::string listed(std::span<const Planned> tensors) {
    gguf::KeyWriter list;
    for (const Planned& planned : tensors) {
        DRAGOMAN_ASSERT(planned.item.name.size() <= gguf::kMaxNameBytes);
        const std::vector<uint32_t>& shape = planned.item.tensor.shape;
        list.add_text(planned.item.name);
        list.add(static_cast<uint32_t>(shape.size()));
        for (auto size = shape.rbegin(); size != shape.rend(); ++size) list.add(uint64_t{*size});
        list.add(gguf::tensor_type_id(planned.item.type));
        list.add(planned.offset);
    }
    return list.bytes();
}

}  // namespace

void write_gguf_file(const std::filesystem::path& path, bool replace, const gguf::KeyWriter& keys,
                     std::span<const GgufTensor> tensors, const Progress& progress) {
    std::vector<Planned> plan;
    uint64_t total = 0;
    for (const GgufTensor& tensor : tensors) {
        const uint64_t size = size_bytes(tensor.type, tensor.tensor.elements());
        plan.push_back({.item = tensor, .size = size, .offset = total});
        total += aligned(size);
    }
    gguf::KeyWriter header;
    header.add(gguf::kMagic);
    header.add(gguf::kVersion);
    header.add(uint64_t{plan.size()});
    header.add(keys.count());
    Output output(path, replace, progress, total);
    output.header(header.bytes() + keys.bytes() + listed(plan));
    for (const Planned& planned : plan) output.tensor(planned);
    output.finish();
}

}  // namespace dragoman::formats
