// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/causal.h"

#include <algorithm>

#include "base/error.h"
#include "families/huggingface/config.h"
#include "families/huggingface/search.h"

namespace dragoman::families {
namespace {

constexpr std::string_view kCausalProjection = "lm_head.weight";
constexpr const char *kEmbedding = "decoder/embeddings/weight", *kLogits = "decoder/projection/weight";

class CausalWeights {
public:
    CausalWeights(const FileSet& files, const CausalNames& names, spec::ModelSpec& spec)
        : tensors_(files, spec), names_(names), spec_(spec) {
        for (const std::string_view before : names.before)
            if (tensors_.has(fmt::format("{}{}.weight", before, names.embedding))) before_ = before;
    }

    void take() {
        const std::vector<uint32_t> shape{spec_.config.target_vocabulary, spec_.config.d_model};
        tensors_.add(kEmbedding, tensors_.read(stored(names_.embedding, "weight"), shape));
        projection(shape);
        for (const spec::TensorRule& rule : spec::transformer_tensors(spec_.config)) {
            if (spec_.weights.has(rule.name) || rule.name.starts_with("decoder/projection")) continue;
            if (rule.name.ends_with("/position_encodings/encodings"))
                tensors_.add_rows_from(names_.unused_positions, rule, stored(names_.positions, "weight"));
            else if (names_.biases || !rule.name.ends_with("/bias"))
                tensors_.join(rule, stored(CanonicalName(rule.name)), names_.columns);
        }
        tensors_.report();
    }

private:
    std::string stored(std::string_view name, std::string_view kind) const {
        return fmt::format("{}{}.{}", before_, name, kind);
    }

    void projection(const std::vector<uint32_t>& shape) {
        const std::string name(kCausalProjection);
        if (names_.tied && !tensors_.has(name)) return spec_.weights.alias(kLogits, kEmbedding);
        spec::HostTensor tensor = tensors_.read(name, shape);
        const spec::HostTensor& embedding = spec_.weights.get(kEmbedding);
        if (tensor.dtype == embedding.dtype && spec::equal_bytes(tensor, embedding))
            return spec_.weights.alias(kLogits, kEmbedding);
        tensors_.add(kLogits, std::move(tensor));
    }

    // "decoder/layer_0/ffn/linear_0/weight" -> {"layers.0.fc1.weight"}
    std::vector<std::string> stored(const CanonicalName& name) const {
        if (name.layer.empty()) return {stored(names_.final_norm, name.torch_kind())};
        std::vector<std::string> names;
        for (const std::string_view part : stored_parts(names_.parts, name.block))
            names.push_back(stored(fmt::format("{}.{}.{}", names_.layers, name.layer, part), name.torch_kind()));
        return names;
    }

    StoredTensors tensors_;
    const CausalNames& names_;
    spec::ModelSpec& spec_;
    std::string_view before_;
};

constexpr KeyRule kCausalKeys[] = {
    heeded("tie_word_embeddings"),
    heeded("activation_function"),
    refused("add_cross_attention", "[false]"),
    refused("is_encoder_decoder", "[false]"),
    ignored("is_decoder", "they are decoders whatever it says"),
    ignored("prefix", "only pipelines of transformers use it"),
    ignored("task_specific_params", "only pipelines of transformers use it"),
    of_generation(ignored("decoder_start_token_id", "not used by these families")),
    of_generation(heeded("bos_token_id", "what a text without tokens begins with")),
    of_generation(ignored("pad_token_id", "nothing is padded")),
    of_generation(refused("forced_bos_token_id", "[]")),
    of_generation(refused("begin_suppress_tokens", "[[]]")),
};

}  // namespace

KeyRules causal_keys() { return kCausalKeys; }

spec::StackConfig causal_stack(const HuggingFaceSettings& settings, const char* layers, const char* heads,
                               uint32_t d_model, const std::string& activation) {
    const char* function = "activation_function";
    spec::StackConfig stack{
        .layers = settings.number(layers, 1, kMaxLayers),
        .heads = settings.number(heads, 1, d_model),
        .final_norm = true,
        .activation = huggingface_activation(settings, function, settings.text(function, activation)),
    };
    if (d_model % stack.heads) {
        fail(Status::bad_model, "{}: {}: expected a divisor of the width ({}), file has {}", settings.config_file(),
             heads, d_model, stack.heads);
    }
    stack.head_dim = d_model / stack.heads;
    return stack;
}

spec::TransformerConfig causal_config(const HuggingFaceSettings& settings, uint32_t d_model, uint32_t ffn,
                                      const spec::StackConfig& stack) {
    return {.d_model = d_model,
            .decoder_ffn = ffn,
            .target_vocabulary = settings.number("vocab_size", 1, kMaxVocabulary),
            .decoder = stack};
}

void take_causal_vocabulary(const HuggingFaceSettings& settings, const TokenizerSettings& tokenizer,
                            HuggingFaceVocabulary vocabulary, spec::ModelSpec& spec) {
    const uint32_t size = spec.config.target_vocabulary;
    const auto ends = settings.end_ids(size);
    const uint32_t end = ends.empty() ? settings.token_id("eos_token_id", size) : ends.front();
    // Byte-level BPE makes no unknown tokens, and GPT-2's vocabulary has none.
    if (!spec.byte_bpe.merges.empty() && end < vocabulary.tokens.size()) spec.unk_token = vocabulary.tokens[end];
    take_vocabulary(std::move(vocabulary), tokenizer, spec);
    const auto& tokens = spec.target.tokens;
    spec.eos_token = tokens[end];
    spec.bos_token = tokens[settings.optional_token_id("bos_token_id", size).value_or(end)];
    read_suppressed_tokens(settings, spec);
    spec.search = read_huggingface_search(settings, tokens, true);
}

void take_causal_weights(const FileSet& files, const CausalNames& names, spec::ModelSpec& spec) {
    CausalWeights(files, names, spec).take();
}

}  // namespace dragoman::families
