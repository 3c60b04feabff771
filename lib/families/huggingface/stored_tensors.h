// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "families/huggingface/unused_tensors.h"
#include "formats/checkpoint.h"
#include "spec/model_spec.h"
#include "spec/transformer_tensors.h"

namespace dragoman::families {

// A part of a layer under its canonical name and those of a checkpoint, whose tensors lie one after the other in the
// canonical one.
struct LayerPart {
    std::string_view canonical;
    std::vector<std::string_view> stored;
};

// BART and its relatives, also those with a decoder alone.
std::span<const LayerPart> bart_parts();
// The parts' names in a checkpoint; throws internal where `block` is none of them.
const std::vector<std::string_view>& stored_parts(std::span<const LayerPart> parts, std::string_view block);

// The pieces of a canonical name: "decoder/layer_3/ffn/linear_0/weight", "encoder/layer_norm/gamma".
struct CanonicalName {
    explicit CanonicalName(std::string_view name);
    std::string_view stack;  // "decoder"
    std::string_view layer;  // "3"; empty: of no layer
    std::string_view block;  // "ffn/linear_0", "layer_norm"
    std::string_view kind;   // "weight", "bias", "gamma", "beta"
    // Named as in torch: norms, too, have a weight and a bias.
    std::string_view torch_kind() const;
};

// Tensors of a checkpoint on their way into a model.
class StoredTensors {
public:
    // The model keeps the checkpoint. Throws unsupported where that holds an adapter.
    StoredTensors(const FileSet& files, spec::ModelSpec& spec);

    const formats::Checkpoint& file() const { return *file_; }
    bool has(const std::string& name) const { return file_->has(name); }
    spec::HostTensor read(const std::string& name, const std::vector<uint32_t>& shape);
    void add(const std::string& canonical, spec::HostTensor tensor);
    // Several that lie one after the other; `columns`: matrices are stored as their columns.
    void join(const spec::TensorRule& rule, const std::vector<std::string>& names, bool columns = false);
    // A table without its first rows.
    void add_rows_from(uint32_t first, const spec::TensorRule& rule, const std::string& name);
    // What was not taken; `heads`: see report_unused_tensors().
    void report(std::span<const std::string_view> heads = {}) const;

private:
    const std::shared_ptr<const formats::Checkpoint> file_;
    spec::ModelSpec& spec_;
    TensorNames taken_;
};

}  // namespace dragoman::families
