// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/encoder.h"

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/os/path_text.h"
#include "families/huggingface/config.h"
#include "families/huggingface/stored_tensors.h"

namespace dragoman::families {
namespace {

const LayerPart kEncoderParts[] = {
    {"self_attention/layer_norm", {"attention.output.LayerNorm"}},
    {"self_attention/linear_0", {"attention.self.query", "attention.self.key", "attention.self.value"}},
    {"self_attention/linear_1", {"attention.output.dense"}},
    {"ffn/layer_norm", {"output.LayerNorm"}},
    {"ffn/linear_0", {"intermediate.dense"}},
    {"ffn/linear_1", {"output.dense"}},
};

class EncoderWeights {
public:
    EncoderWeights(const FileSet& files, std::string_view model, uint32_t skipped, spec::ModelSpec& spec)
        : tensors_(files, spec), skipped_(skipped), spec_(spec) {
        const auto& all = tensors_.file().tensors();
        const auto first = all.lower_bound(model);
        if (first != all.end() && first->first.starts_with(model)) model_ = model;
    }

    void take() {
        for (const spec::TensorRule& rule : spec::transformer_tensors(spec_.config)) {
            if (rule.name == "encoder/embeddings_0/weight")
                tensors_.add(rule.name, floats("embeddings.word_embeddings.weight", rule.shape));
            else if (rule.name == "encoder/position_encodings/encodings") positions(rule);
            else tensors_.join(rule, stored_names(CanonicalName(rule.name)));
        }
        pooler();
        constexpr std::string_view kHeads[] = {"cls.", "lm_head.", "classifier.", "qa_outputs.", "score."};
        tensors_.report(kHeads);
    }

private:
    // "encoder/layer_0/ffn/linear_0/weight" -> {"encoder.layer.0.intermediate.dense.weight"}
    std::vector<std::string> stored_names(const CanonicalName& name) const {
        if (name.block == "layernorm_embedding") return {stored(fmt::format("embeddings.LayerNorm.{}", name.kind))};
        std::vector<std::string> names;
        for (const std::string_view part : stored_parts(kEncoderParts, name.block))
            names.push_back(stored(fmt::format("encoder.layer.{}.{}.{}", name.layer, part, name.kind)));
        return names;
    }

    // Norms are "weight" and "bias", in old checkpoints "gamma" and "beta".
    std::string stored(std::string name) const {
        name.insert(0, model_);
        if (tensors_.has(name)) return name;
        const auto renamed = [&](std::string_view from, std::string_view to) {
            if (name.ends_with(from)) name.replace(name.size() - from.size(), from.size(), to);
        };
        renamed(".gamma", ".weight");
        renamed(".beta", ".bias");
        return name;
    }

    spec::HostTensor floats(const std::string& name, const std::vector<uint32_t>& shape) {
        return tensors_.read(stored(name), shape);
    }

    std::vector<float> values(const std::string& name, const std::vector<uint32_t>& shape) {
        const spec::HostTensor tensor = floats(name, shape);
        std::vector<float> values(tensor.elements());
        spec::to_f32(tensor, 0, values);
        return values;
    }

    void positions(const spec::TensorRule& rule) {
        const uint32_t rows = rule.shape[0], width = rule.shape[1];
        const auto stored_rows = values("embeddings.position_embeddings.weight", {rows + skipped_, width});
        const auto table = std::make_shared<std::vector<float>>(stored_rows.begin() + std::ptrdiff_t(skipped_) * width,
                                                                stored_rows.end());
        const std::string types_name = stored("embeddings.token_type_embeddings.weight");
        if (tensors_.has(types_name)) {
            const auto types = tensors_.file().tensors().find(types_name)->second.shape;
            const uint32_t count = types.empty() ? 1 : std::max(types.front(), 1u);
            const auto type = values("embeddings.token_type_embeddings.weight", {count, width});
            for (std::size_t i = 0; i < table->size(); ++i) (*table)[i] += type[i % width];
        }
        spec_.owners.push_back(table);
        tensors_.add(rule.name, {.dtype = DType::f32,
                                 .shape = rule.shape,
                                 .bytes = std::as_bytes(std::span(*table)),
                                 .scales = {}});
    }

    void pooler() {
        const uint32_t d = spec_.config.d_model;
        spec_.embedding.pooler = tensors_.has(stored("pooler.dense.weight"));
        if (!spec_.embedding.pooler) return;
        tensors_.add("embedding/pooler/weight", floats("pooler.dense.weight", {d, d}));
        tensors_.add("embedding/pooler/bias", floats("pooler.dense.bias", {d}));
    }

    StoredTensors tensors_;
    const uint32_t skipped_;
    spec::ModelSpec& spec_;
    std::string_view model_;
};

}  // namespace

spec::TransformerConfig read_encoder_config(const HuggingFaceSettings& settings, uint32_t skipped) {
    spec::TransformerConfig config;
    config.d_model = settings.number("hidden_size", 1, kMaxWidth);
    config.source_vocabulary = settings.number("vocab_size", 1, kMaxVocabulary);
    config.encoder_ffn = settings.number("intermediate_size", 1, kMaxWidth);
    settings.number("type_vocab_size", 0, kMaxVocabulary, 2);  // texts are of the first type
    const char *heads = "num_attention_heads", *function = "hidden_act";
    spec::StackConfig& stack = config.encoder;
    stack.layers = settings.number("num_hidden_layers", 1, kMaxLayers);
    stack.heads = settings.number(heads, 1, config.d_model);
    if (config.d_model % stack.heads) {
        fail(Status::bad_model, "{}: {}: expected a divisor of hidden_size ({}), file has {}", settings.config_file(),
             heads, config.d_model, stack.heads);
    }
    stack.head_dim = config.d_model / stack.heads;
    stack.pre_norm = false;
    stack.embedding_norm = true;
    stack.activation = huggingface_activation(settings, function, settings.text(function, "gelu"));
    stack.norm_epsilon = static_cast<float>(settings.real("layer_norm_eps", 0, 1, 1e-12));
    stack.positions = spec::Positions::table;
    stack.max_positions = settings.number("max_position_embeddings", skipped + 1, kMaxPositions) - skipped;
    config.decoder.heads = 0;
    return config;
}

void take_encoder_weights(const FileSet& files, std::string_view model, uint32_t skipped, spec::ModelSpec& spec) {
    EncoderWeights(files, model, skipped, spec).take();
}

void set_encoder_prompt(const TokenizerSettings& tokenizer, const std::string& first, const std::string& last,
                        spec::ModelSpec& spec) {
    const auto token = [&](const char* key, const std::string& absent) {
        const std::string named = tokenizer.text(key), text = named.empty() ? absent : named;
        if (std::ranges::find(spec.source.tokens, text) == spec.source.tokens.end())
            fail(Status::bad_model, "{}: {}: expected a token of the vocabulary, \"{}\" is none", text_of(spec.path),
                 key, text);
        return text;
    };
    spec.bos_token = token("cls_token", first);
    spec.eos_token = token("sep_token", last);
    spec.add_source_bos = spec.add_source_eos = true;
    spec.prompts.pattern.source_before = {spec.bos_token};
    spec.prompts.pattern.source_after = {spec.eos_token};
    spec.prompts.pattern.needs_languages = false;
}

}  // namespace dragoman::families
