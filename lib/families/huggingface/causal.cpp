// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/causal.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "families/huggingface/config.h"
#include "families/huggingface/search.h"
#include "formats/checkpoint.h"
#include "spec/transformer_tensors.h"

namespace dragoman::families {
namespace {

constexpr std::string_view kCausalProjection = "lm_head.weight";
constexpr const char *kEmbedding = "decoder/embeddings/weight", *kLogits = "decoder/projection/weight";

const CausalPart kBartParts[] = {
    {"self_attention/layer_norm", {"self_attn_layer_norm"}},
    {"self_attention/linear_0", {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}},
    {"self_attention/linear_1", {"self_attn.out_proj"}},
    {"ffn/layer_norm", {"final_layer_norm"}},
    {"ffn/linear_0", {"fc1"}},
    {"ffn/linear_1", {"fc2"}},
};

class CausalTaker {
public:
    CausalTaker(const formats::Checkpoint& file, const CausalNames& names, spec::ModelSpec& spec)
        : file_(file), names_(names), spec_(spec) {
        for (const std::string_view before : names.before)
            if (file.has(fmt::format("{}{}.weight", before, names.embedding))) before_ = before;
    }

    void take() {
        const std::vector<uint32_t> shape{spec_.config.target_vocabulary, spec_.config.d_model};
        add(kEmbedding, read(stored(names_.embedding, "weight"), shape));
        projection(shape);
        for (const spec::TensorRule& rule : spec::transformer_tensors(spec_.config)) {
            if (spec_.weights.has(rule.name) || rule.name.starts_with("decoder/projection")) continue;
            if (rule.name.ends_with("/position_encodings/encodings")) positions(rule);
            else if (names_.biases || !rule.name.ends_with("/bias")) tensor(rule);
        }
        log(LogLevel::debug, "{}: {} of {} tensors are weights", file_.file(), taken_, file_.tensors().size());
    }

private:
    std::string stored(std::string_view name, std::string_view kind) const {
        return fmt::format("{}{}.{}", before_, name, kind);
    }

    void projection(const std::vector<uint32_t>& shape) {
        if (names_.tied && !file_.has(kCausalProjection)) return spec_.weights.alias(kLogits, kEmbedding);
        spec::HostTensor tensor = read(std::string(kCausalProjection), shape);
        const spec::HostTensor& embedding = spec_.weights.get(kEmbedding);
        if (tensor.dtype == embedding.dtype && std::ranges::equal(tensor.bytes, embedding.bytes))
            return spec_.weights.alias(kLogits, kEmbedding);
        add(kLogits, std::move(tensor));
    }

    void positions(const spec::TensorRule& rule) {
        const uint32_t unused = names_.unused_positions;
        spec::HostTensor tensor = read(stored(names_.positions, "weight"), {rule.shape[0] + unused, rule.shape[1]});
        tensor.bytes = tensor.bytes.subspan(tensor.bytes.size() / tensor.shape[0] * unused);
        tensor.shape = rule.shape;
        add(rule.name, std::move(tensor));
    }

    // "decoder/layer_0/ffn/linear_0/weight" -> {"layers.0.fc1.weight"}
    std::vector<std::string> stored(std::string_view canonical) const {
        constexpr std::string_view kStack = "decoder/", kLayer = "layer_";
        canonical.remove_prefix(kStack.size());
        const auto kind_begin = canonical.rfind('/');
        std::string_view kind = canonical.substr(kind_begin + 1);
        if (kind == "gamma") kind = "weight";
        if (kind == "beta") kind = "bias";
        canonical = canonical.substr(0, kind_begin);
        if (canonical == "layer_norm") return {stored(names_.final_norm, kind)};
        const auto layer_end = canonical.find('/');
        const std::string_view layer = canonical.substr(kLayer.size(), layer_end - kLayer.size());
        const std::string_view block = canonical.substr(layer_end + 1);
        std::vector<std::string> names;
        for (const CausalPart& part : names_.parts)
            if (part.canonical == block)
                for (const std::string_view name : part.stored)
                    names.push_back(stored(fmt::format("{}.{}.{}", names_.layers, layer, name), kind));
        return names;
    }

    void tensor(const spec::TensorRule& rule) {
        const auto names = stored(rule.name);
        DRAGOMAN_ASSERT(!names.empty());
        const bool matrix = rule.shape.size() == 2, columns = matrix && names_.columns;
        std::vector<uint32_t> shape = rule.shape;
        shape[0] /= uint32_t(names.size());
        if (columns) std::swap(shape[0], shape[1]);
        std::vector<spec::HostTensor> parts;
        for (const std::string& name : names) parts.push_back(read(name, shape));
        spec::HostTensor whole = spec::joined_rows(std::move(parts));
        whole.shape = rule.shape;
        whole.transposed = columns;
        add(rule.name, std::move(whole));
    }

    spec::HostTensor read(const std::string& name, const std::vector<uint32_t>& shape) {
        ++taken_;
        return file_.floats(name, shape);
    }

    void add(const std::string& name, spec::HostTensor tensor) { spec_.weights.add(name, std::move(tensor)); }

    const formats::Checkpoint& file_;
    const CausalNames& names_;
    spec::ModelSpec& spec_;
    std::string_view before_;
    std::size_t taken_ = 0;
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
};

}  // namespace

KeyRules causal_keys() { return kCausalKeys; }

std::span<const CausalPart> bart_decoder_parts() { return kBartParts; }

spec::StackConfig causal_stack(const HuggingFaceSettings& settings, const char* layers, const char* heads,
                               uint32_t d_model, const std::string& activation) {
    const char* function = "activation_function";
    spec::StackConfig stack{
        .layers = settings.number(layers, 1, kMostLayers),
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
            .target_vocabulary = settings.number("vocab_size", 1, kMostVocabulary),
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
    const auto checkpoint = formats::open_checkpoint(files, *formats::find_checkpoint(files));
    spec.owners.push_back(checkpoint);
    CausalTaker(*checkpoint, names, spec).take();
}

}  // namespace dragoman::families
