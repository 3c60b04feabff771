// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/unused_tensors.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/log.h"

namespace dragoman::families {
namespace {

constexpr std::size_t kMaxNamedTensors = 3;  // tensors in a line of the log

constexpr std::string_view kHarmless[] = {
    // tables that are made anew
    "embed_positions.weight",
    "embed_positions.weights",
    "embed_positions._float_tensor",
    "position_ids",
    "token_type_ids",
    // tied copies
    "shared.weight",
    "embed_tokens.weight",
    "lm_head.weight",
    // GPT-2's causal masks
    "attn.bias",
    "attn.masked_bias",
    // of fairseq and of the first T5
    "encoder.version",
    "decoder.version",
    "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight",
};

// Whether a name ends with whole words of the other: "encoder.embed_tokens.weight" with "embed_tokens.weight".
bool ends_with_words(std::string_view name, std::string_view end) {
    return name.ends_with(end) && (name.size() == end.size() || name[name.size() - end.size() - 1] == '.');
}

bool is_harmless(std::string_view name, std::span<const std::string_view> heads) {
    return std::ranges::any_of(kHarmless, [&](std::string_view end) { return ends_with_words(name, end); }) ||
           std::ranges::any_of(heads, [&](std::string_view head) { return name.starts_with(head); });
}

}  // namespace

void refuse_adapter_tensors(const formats::Checkpoint& file) {
    for (const auto& [name, tensor] : file.tensors())
        if (name.find("lora_") != name.npos)
            fail(Status::unsupported,
                 "{}: {} is of an adapter (LoRA), which is not supported: merge it into its model "
                 "(merge_and_unload) and save that",
                 file.file(), name);
}

void report_unused_tensors(const formats::Checkpoint& file, const TensorNames& taken,
                           std::span<const std::string_view> heads) {
    std::vector<std::string> unused;
    std::size_t count = 0;
    for (const auto& [name, tensor] : file.tensors()) {
        if (taken.contains(name) || is_harmless(name, heads)) continue;
        if (++count <= kMaxNamedTensors) unused.push_back(name);
    }
    if (count > kMaxNamedTensors) unused.emplace_back("...");
    if (count > 0)
        log(LogLevel::warning, "{}: not used: {} of {} tensors: {}", file.file(), count, file.tensors().size(),
            fmt::join(unused, ", "));
}

}  // namespace dragoman::families
