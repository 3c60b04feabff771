// SPDX-License-Identifier: Apache-2.0
#include "formats/checkpoint.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "formats/json_object.h"
#include "formats/safetensors.h"
#include "formats/torch_checkpoint.h"

namespace dragoman::formats {
namespace {

constexpr std::string_view kIndexEnd = ".index.json";
constexpr const char* kNames[] = {"model.safetensors", "model.safetensors.index.json", "pytorch_model.bin",
                                  "pytorch_model.bin.index.json"};

std::shared_ptr<const Checkpoint> open_file(const FileBytes& file, std::string_view name) {
    if (name.ends_with(".safetensors")) return std::make_shared<const Safetensors>(file);
    return std::make_shared<const TorchCheckpoint>(file);
}

// Whether a tensor may be another one under a second name: embeddings, and what projects onto the vocabulary.
bool may_be_tied(std::string_view name) {
    constexpr std::string_view kEnds[] = {"embed_tokens.weight",    "shared.weight", "lm_head.weight",
                                          "word_embeddings.weight", "wte.weight",    "output_projection.weight",
                                          "decoder.weight",         "decoder.bias"};
    return std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

// Tensors in several files, with an index that names the file of each.
class ShardedCheckpoint final : public Checkpoint {
public:
    ShardedCheckpoint(const FileSet& files, const FileBytes& index) : Checkpoint(index.name) {
        const auto json = parse_json_object(file_, index.text());
        const auto map = json.find("weight_map");
        if (map == json.end() || !map->is_object()) {
            fail(Status::bad_model, "{}: weight_map: expected an object, file has {}", file_,
                 map == json.end() ? "none" : map->type_name());
        }
        for (const auto& [name, place] : map->items()) {
            if (!place.is_string()) {
                fail(Status::bad_model, "{}: weight_map: {}: expected a file's name, file has {}", file_, name,
                     short_text(place));
            }
            const Checkpoint& shard = open(files, place.get<std::string>());
            const auto found = shard.tensors().find(name);
            if (found == shard.tensors().end()) {
                if (may_be_tied(name)) continue;  // some writers list a tied tensor under every name, and store one
                fail(Status::bad_model, "{}: expected {} (says {}), the file has no such tensor", shard.file(), name,
                     file_);
            }
            tensors_.emplace(name, found->second);
            shard_of_.emplace(name, &shard);
        }
    }

private:
    const Checkpoint& open(const FileSet& files, const std::string& name) {
        auto& shard = shards_[name];
        if (!shard) {
            if (name.ends_with(kIndexEnd)) {
                fail(Status::bad_model, "{}: weight_map: expected files of weights, file has {}", file_, name);
            }
            shard = open_file(files.map(name), name);
        }
        return *shard;
    }

    Content content(const std::string& name, const Tensor& tensor) const override {
        const spec::HostTensor found = shard_of_.at(name)->floats(name, tensor.shape);
        return {found.bytes, found.mapped};
    }

    std::map<std::string, std::shared_ptr<const Checkpoint>> shards_;
    std::map<std::string, const Checkpoint*> shard_of_;
};

class UnwrappedCheckpoint final : public Checkpoint {
public:
    UnwrappedCheckpoint(std::shared_ptr<const Checkpoint> wrapped, std::string before)
        : Checkpoint(wrapped->file()), wrapped_(std::move(wrapped)), before_(std::move(before)) {
        for (const auto& [name, tensor] : wrapped_->tensors()) tensors_.emplace(name.substr(before_.size()), tensor);
    }

private:
    Content content(const std::string& name, const Tensor& tensor) const override {
        const spec::HostTensor found = wrapped_->floats(before_ + name, tensor.shape);
        return {found.bytes, found.mapped};
    }

    std::shared_ptr<const Checkpoint> wrapped_;
    std::string before_;
};

}  // namespace

std::optional<uint32_t> item_bytes(std::string_view type) {
    constexpr std::pair<std::string_view, uint32_t> types[] = {
        {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1}, {"I16", 2}, {"U16", 2}, {"F16", 2},
        {"BF16", 2}, {"I32", 4}, {"U32", 4}, {"F32", 4},     {"F64", 8},     {"I64", 8}, {"U64", 8},
    };
    for (const auto& [name, bytes] : types)
        if (name == type) return bytes;
    return std::nullopt;
}

std::string describe_shape(std::span<const uint32_t> shape) {
    return shape.empty() ? std::string("a scalar") : fmt::format("{}", fmt::join(shape, "x"));
}

spec::HostTensor Checkpoint::floats(std::string_view name, const std::vector<uint32_t>& shape) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) {
        fail(Status::bad_model, "{}: {}: expected {}, the file has no such tensor", file_, name, describe_shape(shape));
    }
    const Tensor& tensor = found->second;
    if (tensor.shape != shape) {
        fail(Status::bad_model, "{}: {}: expected {}, file has {}", tensor.file, name, describe_shape(shape),
             describe_shape(tensor.shape));
    }
    spec::HostTensor result{.dtype = DType::f32, .shape = shape, .bytes = {}, .scales = {}};
    if (tensor.type == "F16") result.dtype = DType::f16;
    else if (tensor.type == "BF16") result.dtype = DType::bf16;
    else if (tensor.type != "F32")
        fail(Status::bad_model, "{}: {}: expected F32, F16 or BF16, file has {}", tensor.file, name, tensor.type);
    const auto [bytes, mapped] = content(found->first, tensor);
    result.bytes = bytes;
    result.mapped = mapped;
    return result;
}

Checkpoint::Content Checkpoint::content(const std::string&, const Tensor& tensor) const {
    return {tensor.bytes, tensor.mapped};
}

std::optional<std::string> find_checkpoint(const FileSet& files) {
    for (const char* name : kNames)
        if (files.chosen() == name) return name;
    if (!files.chosen().empty()) return std::nullopt;
    for (const char* name : kNames)
        if (files.has(name)) return name;
    return std::nullopt;
}

std::shared_ptr<const Checkpoint> open_checkpoint(const FileSet& files, const std::string& name) {
    if (name.ends_with(kIndexEnd)) return std::make_shared<const ShardedCheckpoint>(files, files.read(name));
    return open_file(files.map(name), name);
}

std::shared_ptr<const Checkpoint> without_wrappers(std::shared_ptr<const Checkpoint> checkpoint) {
    constexpr std::string_view kWrappers[] = {"_orig_mod.", "module."};
    const Checkpoint::Tensors& tensors = checkpoint->tensors();
    std::string before;
    const auto all_have = [&](const std::string& begin) {
        return !tensors.empty() &&
               std::ranges::all_of(tensors, [&](const auto& entry) { return entry.first.starts_with(begin); });
    };
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view wrapper : kWrappers) {
            if (!all_have(before + std::string(wrapper))) continue;
            before += wrapper;
            found = true;
        }
    }
    if (before.empty()) return checkpoint;
    log(LogLevel::info, "{}: the names of tensors are read without \"{}\"", checkpoint->file(), before);
    return std::make_shared<const UnwrappedCheckpoint>(std::move(checkpoint), before);
}

}  // namespace dragoman::formats
