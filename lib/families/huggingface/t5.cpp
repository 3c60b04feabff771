// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/os/path_text.h"
#include "families/common/t5_model.h"
#include "families/huggingface/config.h"
#include "families/huggingface/family.h"
#include "families/huggingface/huggingface_vocabulary.h"
#include "families/huggingface/search.h"
#include "families/huggingface/unused_tensors.h"
#include "formats/checkpoint.h"
#include "formats/sentencepiece_model.h"
#include "formats/vocabulary_files.h"

namespace dragoman::families {
namespace {

constexpr uint32_t kMaxT5Buckets = 1u << 12, kMaxDistance = 1u << 16, kMaxSentinels = 1u << 12;
constexpr uint32_t kUsualSentinels = 100, kFirstByteSentinel = 259, kByteSentinels = 125;

spec::StackConfig read_stack(const HuggingFaceSettings& settings, const std::string& type, bool decoder,
                             uint32_t layers) {
    spec::StackConfig stack = t5_stack(decoder);
    stack.layers = layers;
    stack.heads = settings.number("num_heads", 1, 1u << 10);
    stack.head_dim = settings.number("d_kv", 1, kMaxWidth);
    stack.relative_buckets = settings.number("relative_attention_num_buckets", 1, kMaxT5Buckets, 32);
    stack.relative_max_distance = settings.number("relative_attention_max_distance", 1, kMaxDistance, 128);
    stack.relative_bias_everywhere = type == "umt5";
    stack.norm_epsilon = float(settings.real("layer_norm_epsilon", 1e-12, 0.1, 1e-6));
    std::string activation = settings.text("feed_forward_proj", type == "t5" ? "relu" : "gated-gelu");
    constexpr std::string_view gated = "gated-";
    stack.gated_ffn = activation.starts_with(gated);
    if (stack.gated_ffn) activation.erase(0, gated.size());
    if (stack.gated_ffn && activation == "gelu") activation = "gelu_new";  // what these models were trained with
    stack.activation = huggingface_activation(settings, "feed_forward_proj", activation);
    return stack;
}

// The first T5 shares one matrix between embedding and projection, and scales what goes into the latter. Later files
// say so in one of two ways; mT5 never did. transformers 5 scales UMT5 whatever its file says; the published models,
// whose files say that nothing is tied, were trained without.
float output_scale(const HuggingFaceSettings& settings, const std::string& type, uint32_t d_model) {
    if (type == "mt5") return 1.0f;
    const bool tied = settings.flag("tie_word_embeddings", true);
    const bool scaled = settings.flag("scale_decoder_outputs", tied);
    return scaled ? 1.0f / std::sqrt(float(d_model)) : 1.0f;
}

spec::TransformerConfig read_config(const HuggingFaceSettings& settings, const std::string& type) {
    spec::TransformerConfig config;
    config.d_model = settings.number("d_model", 1, kMaxWidth);
    config.source_vocabulary = config.target_vocabulary = settings.number("vocab_size", 1, kMaxVocabulary);
    config.encoder_ffn = config.decoder_ffn = settings.number("d_ff", 1, kMaxWidth);
    const uint32_t layers = settings.number("num_layers", 1, kMaxLayers);
    config.encoder = read_stack(settings, type, false, layers);
    config.decoder = read_stack(settings, type, true, settings.number("num_decoder_layers", 1, kMaxLayers, layers));
    config.output_scale = output_scale(settings, type, config.d_model);
    check_t5_bias(settings.config_file(), config);
    read_alignment(settings, config);
    return config;
}

// Tokens of tokenizer.json, of tokenizer_config.json, or the sentinels.
std::vector<formats::AddedToken> listed_tokens(const FileSet& files, uint32_t pieces, uint32_t rows) {
    if (files.has("tokenizer.json")) {
        auto added = formats::added_tokens(files.read("tokenizer.json"));
        if (!added.empty()) return added;
    }
    uint32_t sentinels = kUsualSentinels;
    if (files.has("tokenizer_config.json")) {
        const FileBytes file = files.read("tokenizer_config.json");
        auto added = formats::added_tokens_decoder(file);
        if (!added.empty()) return added;
        sentinels = formats::number_in(file, "extra_ids", kMaxSentinels).value_or(sentinels);
    }
    return t5_sentinels(pieces, sentinels, rows);
}

// All that the tokenizer's files add to the pieces, and of `others` what these leave room for: older files do not name
// sentinels, and have further tokens in added_tokens.json.
std::vector<formats::AddedToken> with_all_added(const FileSet& files, const std::vector<formats::AddedToken>& others) {
    auto tokens = TokenizerSettings(files).added_list();
    std::set<uint32_t> taken;
    for (const auto& token : tokens) taken.insert(token.id);
    for (const auto& token : others)
        if (!taken.contains(token.id)) tokens.push_back(token);
    return tokens;
}

// ByT5's tokens are the bytes of the text.
FileBytes byte_pieces() {
    using Kind = formats::SentencePieceModel::Kind;
    formats::SentencePieceModel model{.type = formats::SentencePieceModel::Type::bpe,
                                      .pieces = {{.text = "<pad>", .kind = Kind::control},
                                                 {.text = "</s>", .kind = Kind::control},
                                                 {.text = "<unk>", .kind = Kind::unknown}},
                                      .add_dummy_prefix = false,
                                      .remove_extra_whitespaces = false,
                                      .escape_whitespaces = false,
                                      .byte_fallback = true};
    for (int byte = 0; byte < 256; ++byte)
        model.pieces.push_back({.text = fmt::format("<0x{:02X}>", byte), .kind = Kind::byte});
    return formats::sentencepiece_file(model, "bytes");
}

// Counted up, unlike those of the others.
std::vector<formats::AddedToken> byte_sentinels(uint32_t rows) {
    auto added = t5_sentinels(kFirstByteSentinel, kByteSentinels, rows);
    for (auto& token : added) token.text = fmt::format("<extra_id_{}>", token.id - kFirstByteSentinel);
    return added;
}

bool is_byt5(const FileSet& files) { return tokenizer_class(files) == "ByT5Tokenizer"; }

std::vector<formats::AddedToken> read_vocabulary(const FileSet& files, spec::ModelSpec& spec) {
    const uint32_t rows = spec.config.source_vocabulary;
    const std::string name = formats::find_sentencepiece(files, "source");
    if (is_byt5(files)) {
        spec.family = "ByT5";
        auto added = with_all_added(files, byte_sentinels(rows));
        set_t5_vocabulary(byte_pieces(), added, rows, spec);
        return added;
    }
    if (name.empty() && !files.has("tokenizer.json"))
        fail(Status::bad_model, "{}: expected spiece.model or tokenizer.json, neither is there", text_of(files.path()));
    const FileBytes file = name.empty() ? FileBytes{} : files.read(name);
    const auto pieces = name.empty() ? 0 : uint32_t(formats::sentencepiece_pieces(file).texts.size());
    if (name.empty() || (pieces > rows && files.has("tokenizer.json"))) {
        formats::TokenizerJson tokenizer = formats::read_tokenizer_json(files.read("tokenizer.json"));
        set_t5_vocabulary(tokenizer.sentencepiece, {}, rows, spec);
        spec.tokenizer_steps = std::move(tokenizer.steps);
        return tokenizer.added;
    }
    auto added = with_all_added(files, listed_tokens(files, pieces, rows));
    set_t5_vocabulary(file, added, rows, spec);
    return added;
}

void read_t5_tokens(const HuggingFaceSettings& settings, const std::string& type, spec::ModelSpec& spec) {
    const auto& tokens = spec.target.tokens;
    const auto size = static_cast<uint32_t>(tokens.size());
    const auto ends = settings.end_ids(size);
    spec.eos_token = tokens[ends.empty() ? std::min(1u, size - 1) : ends.front()];
    spec.add_source_eos = true;
    const uint32_t pad = type == "t5" ? settings.optional_token_id("pad_token_id", size).value_or(0) : 0;
    spec.decoder_start_token = tokens[settings.optional_token_id("decoder_start_token_id", size).value_or(pad)];
    if (const auto id = settings.optional_token_id("forced_bos_token_id", size))
        spec.prompts.pattern.target_begin = {tokens[*id]};
    read_suppressed_tokens(settings, spec);
    read_suppressed_beginnings(settings, false, spec);
}

// "translation_en_to_de": {"prefix": "translate English to German: "}
std::vector<T5Task> read_tasks(const HuggingFaceSettings& settings) {
    std::vector<T5Task> tasks;
    constexpr std::string_view begin = "translation_", middle = "_to_";
    for (const auto& [name, prefix] : settings.task_prefixes()) {
        const auto at = name.find(middle, begin.size());
        if (!name.starts_with(begin) || at == std::string::npos || prefix.empty()) continue;
        tasks.push_back({name.substr(begin.size(), at - begin.size()), name.substr(at + middle.size()), prefix});
    }
    return tasks;
}

constexpr KeyRule kT5FamilyKeys[] = {
    heeded("d_model"),
    heeded("d_kv"),
    heeded("d_ff"),
    heeded("num_layers"),
    heeded("num_decoder_layers"),
    heeded("num_heads"),
    heeded("relative_attention_num_buckets"),
    heeded("relative_attention_max_distance"),
    heeded("feed_forward_proj"),
    heeded("layer_norm_epsilon"),
    ignored("dense_act_fn", "transformers takes it from feed_forward_proj"),
    ignored("is_gated_act", "transformers takes it from feed_forward_proj"),
    refused("hidden_size", "d_model", "another name"),
    refused("num_hidden_layers", "num_layers", "another name"),
    refused("num_attention_heads", "num_heads", "another name"),
    refused("head_dim", "d_kv", "another name"),
    heeded("prefix", "before a text, where the model has no languages"),
    heeded("task_specific_params", "the prefixes; only pipelines of transformers use the others"),
    of_generation(ignored("bos_token_id", "not used by these families")),
};

constexpr KeyRule kT5Keys[] = {
    of_generation(heeded("pad_token_id", "the start, where decoder_start_token_id is absent")),
    heeded("tie_word_embeddings", "also whether the output is scaled"),
    heeded("scale_decoder_outputs"),
};

constexpr KeyRule kMt5Keys[] = {
    of_generation(ignored("pad_token_id", "nothing is padded")),
    ignored("tie_word_embeddings", "transformers ties whatever the file says"),
};

constexpr KeyRule kUmt5Keys[] = {
    of_generation(ignored("pad_token_id", "nothing is padded")),
    heeded("tie_word_embeddings", "whether the output is scaled, where scale_decoder_outputs is absent"),
    heeded("scale_decoder_outputs"),
};

// Where nothing is tied, no other matrix is the projection.
void check_projection(const HuggingFaceSettings& settings, const std::string& type, const formats::Checkpoint& file) {
    const char *name = "lm_head.weight", *key = "tie_word_embeddings";
    if (type == "mt5" || settings.flag(key, true) || file.has(name)) return;
    fail(Status::bad_model, "{}: expected {} ({} is false), the file has none", file.file(), name, key);
}

spec::ModelSpec load_t5(const FileSet& files, const HuggingFaceSettings& settings) {
    const std::string type = settings.text("model_type");
    spec::ModelSpec spec;
    spec.family = type == "umt5" ? "UMT5" : type == "mt5" ? "mT5" : "T5";
    spec.config = read_config(settings, type);
    const auto added = read_vocabulary(files, spec);
    read_t5_tokens(settings, type, spec);
    spec.clean_up_spaces = cleans_up_spaces(files, has_bpe_json);
    const std::vector<std::string> forced = spec.prompts.pattern.target_begin;
    const std::string prefix = settings.text("prefix", "");
    std::vector<T5Task> tasks = read_tasks(settings);
    if (tasks.empty() && prefix.empty() && spec.family == "T5") tasks = usual_t5_tasks(spec.source.tokens);
    set_t5_prompts(tasks, added, spec);
    if (!spec.prompts.pattern.source_before.empty() || spec.prompts.pattern.text_before.starts_with("<2"))
        spec.family = "MADLAD-400";
    if (!forced.empty()) spec.prompts.pattern.target_begin = forced;
    if (spec.target_languages.empty()) spec.prompts.pattern.text_before = prefix;
    spec.search = read_huggingface_search(settings, spec.target.tokens);

    const auto checkpoint =
        formats::without_wrappers(formats::open_checkpoint(files, *formats::find_checkpoint(files)));
    spec.owners.push_back(checkpoint);
    refuse_adapter_tensors(*checkpoint);
    check_projection(settings, type, *checkpoint);
    TensorNames taken;
    const T5Tensors tensors{.names = T5Tensors::Names::huggingface,
                            .has = [&](const std::string& name) { return checkpoint->has(name); },
                            .read =
                                [&](const std::string& name, const auto& shape) {
                                    taken.insert(name);
                                    return checkpoint->floats(name, shape);
                                }};
    take_t5_weights(tensors, spec);
    report_unused_tensors(*checkpoint, taken, {});
    return spec;
}

}  // namespace

// T5 (1.0 and 1.1, Flan), MADLAD-400 (a T5 whose vocabulary has tokens for languages), mT5 and UMT5, with tokenizers in
// spiece.model, or tokenizer.json alone; ByT5, which needs none.
Family t5() {
    return {.model_type = "t5",
            .architectures = {"T5ForConditionalGeneration", "T5WithLMHeadModel"},
            .load = load_t5,
            .keys = {kT5Keys, kT5FamilyKeys, translator_keys(), everywhere_keys(), name_keys(), common_keys(),
                     generation_keys()}};
}

Family mt5() {
    return {.model_type = "mt5",
            .architectures = {"MT5ForConditionalGeneration", "T5ForConditionalGeneration"},
            .load = load_t5,
            .keys = {kMt5Keys, kT5FamilyKeys, translator_keys(), everywhere_keys(), name_keys(), common_keys(),
                     generation_keys()}};
}

Family umt5() {
    return {.model_type = "umt5",
            .architectures = {"UMT5ForConditionalGeneration"},
            .load = load_t5,
            .keys = {kUmt5Keys, kT5FamilyKeys, translator_keys(), everywhere_keys(), name_keys(), common_keys(),
                     generation_keys()}};
}

}  // namespace dragoman::families
