// SPDX-License-Identifier: Apache-2.0
#include "model/huggingface.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/file_map.h"
#include "model/huggingface_json.h"
#include "model/huggingface_search.h"
#include "model/huggingface_tensors.h"
#include "model/safetensors.h"
#include "model/vocabulary_files.h"

namespace dragoman::model {
namespace fs = std::filesystem;
namespace {

// No model comes near these; they keep forged numbers from costing memory.
constexpr uint32_t kMostWidth = 1u << 16;
constexpr uint32_t kMostLayers = 1u << 10;
constexpr uint32_t kMostVocabulary = 1u << 26;
constexpr uint32_t kMostPositions = 1u << 14;

constexpr const char* kWeights = "model.safetensors";

bool is_there(const fs::path& file) {
    std::error_code error;
    return fs::exists(file, error);
}

ops::Activation activation(const HuggingFaceSettings& settings) {
    using ops::Activation;
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

nn::StackConfig read_stack(const HuggingFaceSettings& settings, const std::string& side, uint32_t d_model) {
    const std::string heads = side + "_attention_heads";
    nn::StackConfig stack{
        .layers = settings.number((side + "_layers").c_str(), 1, kMostLayers),
        .heads = settings.number(heads.c_str(), 1, d_model),
        .pre_norm = false,
        .activation = activation(settings),
        .positions = nn::Positions::table,
        .max_positions = settings.number("max_position_embeddings", 1, kMostPositions),
        .embedding_scale = settings.flag("scale_embedding", false) ? std::sqrt(static_cast<float>(d_model)) : 1.0f,
    };
    if (d_model % stack.heads) {
        fail(Status::bad_model, "{}: {}: expected a divisor of d_model ({}), file has {}", settings.config_file(),
             heads, d_model, stack.heads);
    }
    stack.head_dim = d_model / stack.heads;
    return stack;
}

nn::TransformerConfig read_config(const HuggingFaceSettings& settings, bool shared) {
    nn::TransformerConfig config;
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
std::vector<std::string> read_pieces(const fs::path& file, uint32_t size, const char* size_key,
                                     const std::string& unk_token) {
    const FileMap map(file);
    const std::string_view text(reinterpret_cast<const char*>(map.bytes().data()), map.bytes().size());
    const auto pieces = parse_json_object(file.string(), text);
    if (pieces.size() != size) {
        fail(Status::bad_model, "{}: expected {} pieces ({}), file has {}", file.string(), size, size_key,
             pieces.size());
    }
    std::vector<std::string> tokens(size);
    std::vector<bool> taken(size);
    for (const auto& [piece, id] : pieces.items()) {
        if (!id.is_number_unsigned() || id.get<uint64_t>() >= size) {
            fail(Status::bad_model, "{}: \"{}\": expected an id from 0 to {}, file has {}", file.string(), piece,
                 size - 1, id.is_number() ? id.dump() : std::string(id.type_name()));
        }
        const auto place = id.get<uint32_t>();
        if (taken[place]) {
            fail(Status::bad_model, "{}: id {}: expected one piece, file has \"{}\" and \"{}\"", file.string(), place,
                 tokens[place], piece);
        }
        tokens[place] = piece;
        taken[place] = true;
    }
    if (!pieces.contains(unk_token)) {
        fail(Status::bad_model, "{}: expected a piece {}, the file has none", file.string(), unk_token);
    }
    return tokens;
}

void read_vocabularies(bool shared, ModelSpec& spec) {
    const nn::TransformerConfig& config = spec.config;
    spec.source.tokens = read_pieces(spec.path / "vocab.json", config.source_vocabulary, "vocab_size", spec.unk_token);
    const fs::path target = spec.path / "target_vocab.json";
    spec.shared_vocabulary = shared || !is_there(target);
    const char* size_key = shared ? "vocab_size" : "decoder_vocab_size";
    spec.target.tokens = read_pieces(spec.shared_vocabulary ? spec.path / "vocab.json" : target,
                                     config.target_vocabulary, size_key, spec.unk_token);
    spec.source.sentencepiece = find_sentencepiece(spec.path, "source");
    spec.target.sentencepiece = find_sentencepiece(spec.path, "target");
}

void read_special_tokens(const HuggingFaceSettings& settings, ModelSpec& spec) {
    const auto& tokens = spec.target.tokens;
    const auto size = static_cast<uint32_t>(tokens.size());
    spec.eos_token = tokens[settings.token_id("eos_token_id", size)];
    if (std::ranges::find(spec.source.tokens, spec.eos_token) == spec.source.tokens.end()) {
        fail(Status::bad_model, "{}: expected a piece {} (the target's eos_token_id), the file has none",
             (spec.path / "vocab.json").string(), spec.eos_token);
    }
    spec.add_source_eos = true;
    spec.decoder_start_token = tokens[settings.token_id("decoder_start_token_id", size)];
    if (const auto pad = settings.optional_token_id("pad_token_id", size))
        spec.never_generated.push_back({tokens[*pad]});
    for (const auto& ids : settings.token_sequences("bad_words_ids", size)) {
        std::vector<std::string> sequence;
        for (const uint32_t id : ids) sequence.push_back(tokens[id]);
        if (sequence == std::vector{spec.eos_token}) continue;  // transformers passes over it
        if (std::ranges::find(spec.never_generated, sequence) == spec.never_generated.end())
            spec.never_generated.push_back(std::move(sequence));
    }
}

}  // namespace

bool is_huggingface(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return path.filename() == kWeights;
    return is_there(path / kWeights) || is_there(path / "model.safetensors.index.json") ||
           is_there(path / "pytorch_model.bin");
}

ModelSpec load_huggingface(const fs::path& path) {
    ModelSpec spec;
    std::error_code error;
    const bool is_directory = fs::is_directory(path, error);
    spec.path = is_directory ? path : path.has_parent_path() ? path.parent_path() : fs::path(".");
    spec.format = "huggingface";
    if (!is_there(spec.path / kWeights)) {
        fail(Status::unsupported, "{}: expected {}; weights in several files or in PyTorch's own format are not read",
             spec.path.string(), kWeights);
    }
    const HuggingFaceSettings settings(spec.path);
    if (const std::string type = settings.text("model_type"); type != "marian") {
        fail(Status::unsupported, "{}: model_type: expected marian, file has {}", settings.config_file(), type);
    }
    spec.family = "MarianMT";
    const HuggingFaceTies ties{.shared = settings.flag("share_encoder_decoder_embeddings", true),
                               .projection = settings.flag("tie_word_embeddings", true)};
    spec.config = read_config(settings, ties.shared);
    read_vocabularies(ties.shared, spec);
    read_special_tokens(settings, spec);
    spec.search = read_huggingface_search(settings, spec.target.tokens);

    const auto map = std::make_shared<const FileMap>(spec.path / kWeights);
    spec.owners.push_back(map);
    take_huggingface_weights(Safetensors(*map), ties, spec);
    return spec;
}

}  // namespace dragoman::model
