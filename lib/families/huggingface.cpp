// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/error.h"
#include "families/huggingface_search.h"
#include "families/huggingface_settings.h"
#include "families/huggingface_tensors.h"
#include "formats/checkpoint.h"
#include "formats/vocabulary_files.h"
#include "spec/model_card.h"

namespace dragoman::families {
namespace {

// No model comes near these; they keep forged numbers from costing memory.
constexpr uint32_t kMostWidth = 1u << 16;
constexpr uint32_t kMostLayers = 1u << 10;
constexpr uint32_t kMostVocabulary = 1u << 26;
constexpr uint32_t kMostPositions = 1u << 14;
constexpr uint64_t kMostPositionValues = uint64_t(1) << 26;  // of the table made for them

constexpr const char* kVocabulary = "vocab.json";

Activation activation(const HuggingFaceSettings& settings) {
    constexpr std::pair<std::string_view, Activation> known[] = {
        {"relu", Activation::relu},           {"gelu", Activation::gelu},
        {"gelu_python", Activation::gelu},    {"gelu_new", Activation::gelu_tanh},
        {"gelu_fast", Activation::gelu_tanh}, {"gelu_pytorch_tanh", Activation::gelu_tanh},
        {"silu", Activation::swish},          {"swish", Activation::swish},
        {"quick_gelu", Activation::gelu_sigmoid},
    };
    const std::string name = settings.text("activation_function");
    for (const auto& [known_name, value] : known)
        if (known_name == name) return value;
    fail(Status::unsupported,
         "{}: activation_function: expected relu, gelu, gelu_new, swish or quick_gelu, file has {}",
         settings.config_file(), name);
}

spec::StackConfig read_stack(const HuggingFaceSettings& settings, const std::string& side, uint32_t d_model) {
    const std::string heads = side + "_attention_heads";
    spec::StackConfig stack{
        .layers = settings.number((side + "_layers").c_str(), 1, kMostLayers),
        .heads = settings.number(heads.c_str(), 1, d_model),
        .pre_norm = false,
        .activation = activation(settings),
        .positions = spec::Positions::table,
        .max_positions = settings.number("max_position_embeddings", 1, kMostPositions),
        .embedding_scale = settings.flag("scale_embedding", false) ? std::sqrt(static_cast<float>(d_model)) : 1.0f,
    };
    if (d_model % stack.heads) {
        fail(Status::bad_model, "{}: {}: expected a divisor of d_model ({}), file has {}", settings.config_file(),
             heads, d_model, stack.heads);
    }
    stack.head_dim = d_model / stack.heads;
    if (uint64_t(stack.max_positions) * d_model > kMostPositionValues) {
        fail(Status::bad_model, "{}: max_position_embeddings: expected at most {} with a d_model of {}, file has {}",
             settings.config_file(), kMostPositionValues / d_model, d_model, stack.max_positions);
    }
    return stack;
}

spec::TransformerConfig read_config(const HuggingFaceSettings& settings, bool shared) {
    spec::TransformerConfig config;
    config.d_model = settings.number("d_model", 1, kMostWidth);
    config.source_vocabulary = settings.number("vocab_size", 1, kMostVocabulary);
    config.target_vocabulary =
        shared ? config.source_vocabulary
               : settings.number("decoder_vocab_size", 1, kMostVocabulary, config.source_vocabulary);
    config.encoder_ffn = settings.number("encoder_ffn_dim", 1, kMostWidth);
    config.decoder_ffn = settings.number("decoder_ffn_dim", 1, kMostWidth);
    config.encoder = read_stack(settings, "encoder", config.d_model);
    config.decoder = read_stack(settings, "decoder", config.d_model);
    return config;
}

// {"piece": id, ...} with the ids 0 to size - 1, each once.
std::vector<std::string> read_pieces(const FileBytes& file, uint32_t size, const char* size_key,
                                     const std::string& unk_token) {
    const auto pieces = formats::parse_json_object(file.name, file.text());
    if (pieces.size() != size) {
        fail(Status::bad_model, "{}: expected {} pieces ({}), file has {}", file.name, size, size_key,
             pieces.size());
    }
    std::vector<std::string> tokens(size);
    std::vector<bool> taken(size);
    for (const auto& [piece, id] : pieces.items()) {
        if (!id.is_number_unsigned() || id.get<uint64_t>() >= size) {
            fail(Status::bad_model, "{}: \"{}\": expected an id from 0 to {}, file has {}", file.name, piece,
                 size - 1, id.is_number() ? id.dump() : std::string(id.type_name()));
        }
        const auto place = id.get<uint32_t>();
        if (taken[place]) {
            fail(Status::bad_model, "{}: id {}: expected one piece, file has \"{}\" and \"{}\"", file.name, place,
                 tokens[place], piece);
        }
        tokens[place] = piece;
        taken[place] = true;
    }
    if (!pieces.contains(unk_token)) {
        fail(Status::bad_model, "{}: expected a piece {}, the file has none", file.name, unk_token);
    }
    return tokens;
}

void read_vocabularies(const FileSet& files, bool shared, spec::ModelSpec& spec) {
    const spec::TransformerConfig& config = spec.config;
    spec.source.tokens = read_pieces(files.read(kVocabulary), config.source_vocabulary, "vocab_size", spec.unk_token);
    const char* target = "target_vocab.json";
    spec.shared_vocabulary = shared || !files.has(target);
    const char* size_key = shared ? "vocab_size" : "decoder_vocab_size";
    spec.target.tokens = read_pieces(files.read(spec.shared_vocabulary ? kVocabulary : target),
                                     config.target_vocabulary, size_key, spec.unk_token);
    formats::read_sentencepiece(files, spec);
}

void read_special_tokens(const FileSet& files, const HuggingFaceSettings& settings, spec::ModelSpec& spec) {
    const auto& tokens = spec.target.tokens;
    const auto size = static_cast<uint32_t>(tokens.size());
    spec.eos_token = tokens[settings.token_id("eos_token_id", size)];
    if (std::ranges::find(spec.source.tokens, spec.eos_token) == spec.source.tokens.end()) {
        fail(Status::bad_model, "{}: expected a piece {} (the target's eos_token_id), the file has none",
             files.label(kVocabulary), spec.eos_token);
    }
    spec.add_source_eos = true;
    spec.decoder_start_token = tokens[settings.token_id("decoder_start_token_id", size)];
    if (const auto id = settings.optional_token_id("forced_bos_token_id", size))
        spec.prompts.pattern.target_begin = {tokens[*id]};
    const auto never = [&](std::vector<std::string> sequence) {
        if (sequence == std::vector{spec.eos_token}) return;  // transformers passes over it
        if (std::ranges::find(spec.never_generated, sequence) == spec.never_generated.end())
            spec.never_generated.push_back(std::move(sequence));
    };
    if (const auto pad = settings.optional_token_id("pad_token_id", size)) never({tokens[*pad]});
    for (const uint32_t id : settings.token_ids("suppress_tokens", size)) never({tokens[id]});
    for (const auto& ids : settings.token_sequences("bad_words_ids", size)) {
        std::vector<std::string> sequence;
        for (const uint32_t id : ids) sequence.push_back(tokens[id]);
        never(std::move(sequence));
    }
}

// The tokenizer names its languages; one that can be told the target has codes for it instead.
void read_languages(const FileSet& files, spec::ModelSpec& spec) {
    const char* name = "tokenizer_config.json";
    if (!files.has(name)) return;
    const FileBytes file = files.read(name);
    const auto json = formats::parse_json_object(file.name, file.text());
    const auto read = [&](const char* key, std::vector<std::string>& languages) {
        const auto found = json.find(key);
        if (found == json.end() || !found->is_string()) return;
        languages.clear();
        std::istringstream list(found->get<std::string>());  // several: "de+en"
        for (std::string language; std::getline(list, language, '+');) languages.push_back(language);
    };
    spec.target_languages = spec::languages_in(spec.source.tokens);
    read("source_lang", spec.source_languages);
    if (spec.target_languages.empty()) read("target_lang", spec.target_languages);
}

}  // namespace

bool is_huggingface(const FileSet& files) { return formats::find_checkpoint(files).has_value(); }

spec::ModelSpec load_huggingface(const FileSet& files) {
    spec::ModelSpec spec;
    spec.path = files.folder_path();
    spec.format = "huggingface";
    const HuggingFaceSettings settings(files);
    if (const std::string type = settings.text("model_type"); type != "marian") {
        fail(Status::unsupported, "{}: model_type: expected marian, file has {}", settings.config_file(), type);
    }
    spec.family = "MarianMT";
    const HuggingFaceTies ties{.shared = settings.flag("share_encoder_decoder_embeddings", true),
                               .projection = settings.flag("tie_word_embeddings", true)};
    spec.config = read_config(settings, ties.shared);
    read_vocabularies(files, ties.shared, spec);
    read_special_tokens(files, settings, spec);
    spec.search = read_huggingface_search(settings, spec.target.tokens);
    read_languages(files, spec);

    const auto checkpoint = formats::open_checkpoint(files, *formats::find_checkpoint(files));
    spec.owners.push_back(checkpoint);
    take_huggingface_weights(*checkpoint, ties, spec);
    return spec;
}

}  // namespace dragoman::families
