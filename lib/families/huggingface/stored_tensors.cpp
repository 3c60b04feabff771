// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/stored_tensors.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/log.h"

namespace dragoman::families {
namespace {

const LayerPart kBartParts[] = {
    {"self_attention/layer_norm", {"self_attn_layer_norm"}},
    {"self_attention/linear_0", {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}},
    {"self_attention/linear_1", {"self_attn.out_proj"}},
    {"attention/layer_norm", {"encoder_attn_layer_norm"}},
    {"attention/linear_0", {"encoder_attn.q_proj"}},
    {"attention/linear_1", {"encoder_attn.k_proj", "encoder_attn.v_proj"}},
    {"attention/linear_2", {"encoder_attn.out_proj"}},
    {"ffn/layer_norm", {"final_layer_norm"}},
    {"ffn/linear_0", {"fc1"}},
    {"ffn/linear_1", {"fc2"}},
};

}  // namespace

std::span<const LayerPart> bart_parts() { return kBartParts; }

const std::vector<std::string_view>& stored_parts(std::span<const LayerPart> parts, std::string_view block) {
    const auto found = std::ranges::find(parts, block, &LayerPart::canonical);
    DRAGOMAN_ASSERT(found != parts.end());
    return found->stored;
}

CanonicalName::CanonicalName(std::string_view name) {
    constexpr std::string_view kLayer = "layer_";
    const auto stack_end = name.find('/'), kind_begin = name.rfind('/');
    DRAGOMAN_ASSERT(stack_end < kind_begin);
    stack = name.substr(0, stack_end);
    kind = name.substr(kind_begin + 1);
    block = name.substr(stack_end + 1, kind_begin - stack_end - 1);
    const auto layer_end = block.find('/');
    if (!block.starts_with(kLayer) || layer_end == std::string_view::npos) return;
    layer = block.substr(kLayer.size(), layer_end - kLayer.size());
    block.remove_prefix(layer_end + 1);
}

std::string_view CanonicalName::torch_kind() const {
    return kind == "gamma" ? "weight" : kind == "beta" ? "bias" : kind;
}

StoredTensors::StoredTensors(const FileSet& files, spec::ModelSpec& spec)
    : file_(formats::without_wrappers(formats::open_checkpoint(files, *formats::find_checkpoint(files)))), spec_(spec) {
    refuse_adapter_tensors(*file_);
    spec.owners.push_back(file_);
}

spec::HostTensor StoredTensors::read(const std::string& name, const std::vector<uint32_t>& shape) {
    taken_.insert(name);
    return file_->floats(name, shape);
}

void StoredTensors::add(const std::string& canonical, spec::HostTensor tensor) {
    spec_.weights.add(canonical, std::move(tensor));
}

void StoredTensors::join(const spec::TensorRule& rule, const std::vector<std::string>& names, bool columns) {
    DRAGOMAN_ASSERT(!names.empty());
    std::vector<uint32_t> shape = rule.shape;
    shape[0] /= uint32_t(names.size());
    columns = columns && shape.size() == 2;
    if (columns) std::swap(shape[0], shape[1]);
    std::vector<spec::HostTensor> parts;
    for (const std::string& name : names) parts.push_back(read(name, shape));
    spec::HostTensor whole = spec::joined_rows(std::move(parts));
    whole.shape = rule.shape;
    whole.transposed = columns;
    add(rule.name, std::move(whole));
}

void StoredTensors::add_rows_from(uint32_t first, const spec::TensorRule& rule, const std::string& name) {
    spec::HostTensor tensor = read(name, {rule.shape[0] + first, rule.shape[1]});
    tensor.bytes = tensor.bytes.subspan(tensor.bytes.size() / tensor.shape[0] * first);
    tensor.shape = rule.shape;
    add(rule.name, std::move(tensor));
}

void StoredTensors::report(std::span<const std::string_view> heads) const {
    log(LogLevel::debug, "{}: {} of {} tensors are weights", file_->file(), taken_.size(), file_->tensors().size());
    report_unused_tensors(*file_, taken_, heads);
}

}  // namespace dragoman::families
