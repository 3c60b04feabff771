// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/encoder.h"

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "families/huggingface/config.h"
#include "formats/checkpoint.h"
#include "spec/transformer_tensors.h"

namespace dragoman::families {
namespace {

// A part of a layer under both names; several parts lie one after the other in the canonical tensor.
struct EncoderLayerPart {
    std::string_view canonical;
    std::vector<std::string_view> parts;
};

const EncoderLayerPart kEncoderLayerParts[] = {
    {"self_attention/layer_norm", {"attention.output.LayerNorm"}},
    {"self_attention/linear_0", {"attention.self.query", "attention.self.key", "attention.self.value"}},
    {"self_attention/linear_1", {"attention.output.dense"}},
    {"ffn/layer_norm", {"output.LayerNorm"}},
    {"ffn/linear_0", {"intermediate.dense"}},
    {"ffn/linear_1", {"output.dense"}},
};

class EncoderTaker {
public:
    EncoderTaker(const formats::Checkpoint& file, std::string_view model, uint32_t skipped, spec::ModelSpec& spec)
        : file_(file), skipped_(skipped), spec_(spec) {
        const auto first = file.tensors().lower_bound(model);
        if (first != file.tensors().end() && first->first.starts_with(model)) model_ = model;
    }

    void take() {
        for (const spec::TensorRule& rule : spec::transformer_tensors(spec_.config)) {
            if (rule.name == "encoder/embeddings_0/weight")
                add(rule, floats("embeddings.word_embeddings.weight", rule.shape));
            else if (rule.name == "encoder/position_encodings/encodings") positions(rule);
            else tensor(rule);
        }
        pooler();
        log(LogLevel::debug, "{}: {} of {} tensors are weights", file_.file(), taken_, file_.tensors().size());
    }

private:
    // "encoder/layer_0/ffn/linear_0/weight" -> {"encoder.layer.0.intermediate.dense.weight"}
    static std::vector<std::string> stored_names(std::string_view name) {
        constexpr std::string_view kLayer = "encoder/layer_", kEmbeddingNorm = "encoder/layernorm_embedding/";
        const std::size_t kind_begin = name.rfind('/');
        const std::string kind(name.substr(kind_begin + 1));
        if (name.starts_with(kEmbeddingNorm)) return {"embeddings.LayerNorm." + kind};
        const std::size_t layer_end = name.find('/', kLayer.size());
        DRAGOMAN_ASSERT(name.starts_with(kLayer) && layer_end < kind_begin);
        const std::string_view layer = name.substr(kLayer.size(), layer_end - kLayer.size());
        const std::string_view block = name.substr(layer_end + 1, kind_begin - layer_end - 1);
        const auto found = std::ranges::find(kEncoderLayerParts, block, &EncoderLayerPart::canonical);
        DRAGOMAN_ASSERT(found != std::end(kEncoderLayerParts));
        std::vector<std::string> names;
        for (const auto part : found->parts) names.push_back(fmt::format("encoder.layer.{}.{}.{}", layer, part, kind));
        return names;
    }

    // Norms are "weight" and "bias", in old checkpoints "gamma" and "beta".
    std::string stored(std::string name) const {
        name.insert(0, model_);
        if (file_.has(name)) return name;
        const auto renamed = [&](std::string_view from, std::string_view to) {
            if (name.ends_with(from)) name.replace(name.size() - from.size(), from.size(), to);
        };
        renamed(".gamma", ".weight");
        renamed(".beta", ".bias");
        return name;
    }

    spec::HostTensor floats(const std::string& name, const std::vector<uint32_t>& shape) {
        ++taken_;
        return file_.floats(stored(name), shape);
    }

    void add(const spec::TensorRule& rule, spec::HostTensor tensor) { spec_.weights.add(rule.name, std::move(tensor)); }

    void tensor(const spec::TensorRule& rule) {
        const auto names = stored_names(rule.name);
        std::vector<uint32_t> shape = rule.shape;
        shape[0] /= static_cast<uint32_t>(names.size());
        std::vector<spec::HostTensor> parts;
        for (const auto& name : names) parts.push_back(floats(name, shape));
        add(rule, spec::joined_rows(std::move(parts)));
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
        if (file_.has(types_name)) {
            const auto types = file_.tensors().find(types_name)->second.shape;
            const uint32_t count = types.empty() ? 1 : std::max(types.front(), 1u);
            const auto type = values("embeddings.token_type_embeddings.weight", {count, width});
            for (std::size_t i = 0; i < table->size(); ++i) (*table)[i] += type[i % width];
        }
        spec_.owners.push_back(table);
        add(rule, {.dtype = DType::f32, .shape = rule.shape, .bytes = std::as_bytes(std::span(*table)), .scales = {}});
    }

    void pooler() {
        const uint32_t d = spec_.config.d_model;
        spec_.embedding.pooler = file_.has(stored("pooler.dense.weight"));
        if (!spec_.embedding.pooler) return;
        spec_.weights.add("embedding/pooler/weight", floats("pooler.dense.weight", {d, d}));
        spec_.weights.add("embedding/pooler/bias", floats("pooler.dense.bias", {d}));
    }

    const formats::Checkpoint& file_;
    const uint32_t skipped_;
    spec::ModelSpec& spec_;
    std::string_view model_;
    std::size_t taken_ = 0;
};

}  // namespace

spec::TransformerConfig read_encoder_config(const HuggingFaceSettings& settings, uint32_t skipped) {
    spec::TransformerConfig config;
    config.d_model = settings.number("hidden_size", 1, kMostWidth);
    config.source_vocabulary = settings.number("vocab_size", 1, kMostVocabulary);
    config.encoder_ffn = settings.number("intermediate_size", 1, kMostWidth);
    settings.number("type_vocab_size", 0, kMostVocabulary, 2);  // texts are of the first type
    const char *heads = "num_attention_heads", *function = "hidden_act";
    spec::StackConfig& stack = config.encoder;
    stack.layers = settings.number("num_hidden_layers", 1, kMostLayers);
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
    stack.max_positions = settings.number("max_position_embeddings", skipped + 1, kMostPositions) - skipped;
    config.decoder.heads = 0;
    return config;
}

void take_encoder_weights(const FileSet& files, std::string_view model, uint32_t skipped, spec::ModelSpec& spec) {
    const auto checkpoint = formats::open_checkpoint(files, *formats::find_checkpoint(files));
    spec.owners.push_back(checkpoint);
    EncoderTaker(*checkpoint, model, skipped, spec).take();
}

void set_encoder_prompt(const TokenizerSettings& tokenizer, const std::string& first, const std::string& last,
                        spec::ModelSpec& spec) {
    const auto token = [&](const char* key, const std::string& absent) {
        const std::string named = tokenizer.text(key), text = named.empty() ? absent : named;
        if (std::ranges::find(spec.source.tokens, text) == spec.source.tokens.end())
            fail(Status::bad_model, "{}: {}: expected a token of the vocabulary, \"{}\" is none",
                 text_of(spec.path), key, text);
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
