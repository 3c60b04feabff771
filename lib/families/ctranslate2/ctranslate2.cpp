// SPDX-License-Identifier: Apache-2.0
#include "families/ctranslate2/ctranslate2.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "base/utf8.h"
#include "families/common/t5_model.h"
#include "families/ctranslate2/ctranslate2_config.h"
#include "families/huggingface/huggingface_vocabulary.h"
#include "formats/byte_bpe_file.h"
#include "formats/ctranslate2_container.h"
#include "formats/tokenizer_json.h"
#include "formats/vocabulary_files.h"
#include "spec/transformer_tensors.h"

namespace dragoman::families {
namespace {

constexpr float kInt16DefaultScale = 1000.0f;
constexpr const char* kModel = "model.bin";
constexpr const char* kMerges = "merges.txt";  // accompanies conversions of BART
constexpr const char* kTokenizer = "tokenizer.json";
constexpr uint32_t kFirstVersionWithConfigJson = 6;

// config.json, read with messages that name the key.
class JsonConfig {
public:
    explicit JsonConfig(const FileBytes& file) : file_(file.name) {
        json_ = nlohmann::json::parse(file.text(), nullptr, /*allow_exceptions=*/false);
        if (json_.is_discarded()) fail(Status::bad_model, "{}: not valid JSON in UTF-8", file_);
        if (!json_.is_object()) {
            fail(Status::bad_model, "{}: expected an object, file has {}", file_, json_.type_name());
        }
    }

    // Null when the key is missing or null.
    const nlohmann::json* find(const char* key) const {
        const auto found = json_.find(key);
        return found == json_.end() || found->is_null() ? nullptr : &*found;
    }

    bool has(const char* key) const { return json_.contains(key); }

    void read(const char* key, std::string& value) const {
        if (const auto* item = find(key)) value = checked(key, item, item->is_string(), "a string").get<std::string>();
    }

    void read(const char* key, bool& value) const {
        if (const auto* item = find(key)) value = checked(key, item, item->is_boolean(), "a boolean").get<bool>();
    }

    std::optional<double> number(const char* key) const {
        const auto* item = find(key);
        if (!item) return std::nullopt;
        return checked(key, item, item->is_number(), "a number").get<double>();
    }

    const std::string& file() const { return file_; }

private:
    const nlohmann::json& checked(const char* key, const nlohmann::json* item, bool fits, const char* expected) const {
        if (!fits) fail(Status::bad_model, "{}: {}: expected {}, file has {}", file_, key, expected, item->type_name());
        return *item;
    }

    std::string file_;
    nlohmann::json json_;
};

void read_options_from_json(const FileBytes& file, spec::ModelSpec& spec, std::optional<float>& norm_epsilon) {
    const JsonConfig json(file);
    json.read("unk_token", spec.unk_token);
    json.read("bos_token", spec.bos_token);
    json.read("eos_token", spec.eos_token);
    json.read("add_source_bos", spec.add_source_bos);
    json.read("add_source_eos", spec.add_source_eos);
    std::string start = "<s>";
    json.read("decoder_start_token", start);
    const bool caller_starts = json.has("decoder_start_token") && !json.find("decoder_start_token");
    spec.decoder_start_token = caller_starts ? std::nullopt : std::optional(start);
    if (const auto epsilon = json.number("layer_norm_epsilon")) {
        if (!(*epsilon > 0 && *epsilon < 1)) {
            fail(Status::bad_model, "{}: layer_norm_epsilon: expected a number between 0 and 1, file has {}",
                 json.file(), *epsilon);
        }
        norm_epsilon = static_cast<float>(*epsilon);
    }
    if (const auto type = json.number("quantization_type"); type && *type != 0) {
        fail(Status::unsupported, "{}: quantization_type {}: AWQ weights are not supported", json.file(), *type);
    }
}

constexpr std::size_t kMaxTokenBytes = 4096;

void read_options_from_variables(const Ct2Variables& variables, spec::ModelSpec& spec) {
    const auto read_token = [&](const char* name, std::string& token) {
        const auto* found = variables.find(name);
        if (!found) return;
        const auto& tensor = found->tensor;
        if (tensor.bytes.size() > kMaxTokenBytes)
            fail(Status::bad_model, "{}: expected a token of at most {} bytes, file has {}", name, kMaxTokenBytes,
                 tensor.bytes.size());
        token.resize(tensor.bytes.size());
        spec::copy_of(tensor, 0, std::as_writable_bytes(std::span(token)));
        if (tensor.dtype != DType::i8 || token.empty() || first_invalid_utf8(token)) {
            fail(Status::bad_model, "{}: expected the UTF-8 bytes of a token as int8, file has {} bytes of {}", name,
                 tensor.bytes.size(), dragoman::name(tensor.dtype));
        }
    };
    read_token("unk_token", spec.unk_token);
    read_token("bos_token", spec.bos_token);
    read_token("eos_token", spec.eos_token);
    spec.add_source_bos = variables.flag("with_source_bos", false);
    spec.add_source_eos = variables.flag("with_source_eos", false);
    if (variables.flag("user_decoder_start_tokens", false)) {
        spec.decoder_start_token = std::nullopt;
    } else {
        spec.decoder_start_token = variables.flag("with_target_bos", true) ? spec.bos_token : spec.eos_token;
    }
}

// The file with the tokens of a side, which may be the one of both; "" for none.
std::string vocabulary_of(const FileSet& files, std::string_view side) {
    for (const std::string& stem : {std::string("shared"), std::string(side) + "_1", std::string(side)})
        if (const auto name = formats::find_vocabulary(files, stem + "_vocabulary")) return *name;
    return {};
}

void read_vocabularies(const FileSet& files, spec::ModelSpec& spec) {
    const auto read = [&](const std::string& name) {
        std::vector<std::string> tokens = formats::read_vocabulary(files, name);
        // By the format's convention, a list without the unknown token gets it as an additional last id.
        if (std::find(tokens.begin(), tokens.end(), spec.unk_token) == tokens.end()) tokens.push_back(spec.unk_token);
        return tokens;
    };
    const auto require = [&](std::string_view stem) {
        const auto file = formats::find_vocabulary(files, stem);
        if (!file) {
            fail(Status::bad_model, "{0}: expected {1}.json or {1}.txt, found neither", text_of(spec.path), stem);
        }
        return *file;
    };
    if (const auto shared = formats::find_vocabulary(files, "shared_vocabulary")) {
        spec.source.tokens = read(*shared);
        spec.target.tokens = spec.source.tokens;
        spec.shared_vocabulary = true;
    } else {
        if (formats::find_vocabulary(files, "source_2_vocabulary")) {
            fail(Status::unsupported, "{}: models with several source features are not supported", text_of(spec.path));
        }
        const auto first = formats::find_vocabulary(files, "source_1_vocabulary");
        spec.source.tokens = read(first ? *first : require("source_vocabulary"));
        spec.target.tokens = read(require("target_vocabulary"));
    }
    formats::read_sentencepiece(files, spec);
}

void check_vocabulary_size(const FileSet& files, std::string_view side, std::string_view tensor, std::size_t tokens,
                           uint32_t rows) {
    if (tokens == rows) return;
    fail(
        Status::bad_model,
        "{}: {}: expected a row for each of the {} {} tokens (the unknown token included), file has {}; the tokens are "
        "those of {}",
        files.label(kModel), tensor, tokens, side, rows, files.label(vocabulary_of(files, side)));
}

std::vector<float> read_scales(const Ct2Variables& variables, const std::string& name, const spec::HostTensor& tensor) {
    const std::string scale_name = name + "_scale";
    const auto* found = variables.find(scale_name);
    if (!found) {
        if (tensor.dtype == DType::i16) return {kInt16DefaultScale};
        fail(Status::bad_model, "{}: expected the scales of {}, the model has none", scale_name, name);
    }
    const uint64_t count = found->tensor.elements();
    const uint64_t rows = tensor.shape.empty() ? 1 : tensor.shape[0];
    if (count != 1 && count != rows) {
        fail(Status::bad_model, "{}: expected 1 or {} values, file has {}", scale_name, rows, count);
    }
    std::vector<float> scales(count);
    spec::to_f32(found->tensor, 0, scales);
    for (const float scale : scales) {
        if (!(scale > 0) || !std::isfinite(scale)) {
            fail(Status::bad_model, "{}: expected scales above 0, file has {}", scale_name, scale);
        }
    }
    return scales;
}

std::string describe(const std::vector<uint32_t>& shape) {
    return shape.empty() ? std::string("a scalar") : fmt::format("{}", fmt::join(shape, "x"));
}

// Moves the tensors that the configuration needs into the map, after checking them.
void take_weights(const Ct2Variables& variables, spec::ModelSpec& spec) {
    std::map<std::string, std::string> canonical;  // by stored name
    std::size_t taken = 0;
    for (const spec::TensorRule& rule : spec::transformer_tensors(spec.config)) {
        const auto* found = variables.find(rule.name);
        if (!found && !rule.required) continue;
        if (!found) {
            fail(Status::bad_model, "{}: expected {}, the model has no such tensor", rule.name, describe(rule.shape));
        }
        if (found->tensor.shape != rule.shape) {
            fail(Status::bad_model, "{}: expected {}, file has {}", rule.name, describe(rule.shape),
                 describe(found->tensor.shape));
        }
        if (found->tensor.dtype == DType::i32) {
            fail(Status::unsupported, "{}: expected float, int8 or int16, file has int32 (AWQ is not supported)",
                 rule.name);
        }
        ++taken;
        const auto [owner, first] = canonical.emplace(found->stored_as, rule.name);
        if (!first) {
            spec.weights.alias(rule.name, owner->second);
            continue;
        }
        spec::HostTensor tensor = found->tensor;
        if (tensor.dtype == DType::i8 || tensor.dtype == DType::i16) {
            tensor.scales = read_scales(variables, rule.name, tensor);
        }
        spec.weights.add(rule.name, std::move(tensor));
    }
    log(LogLevel::debug, "{}: {} of {} variables are weights", text_of(spec.path), taken, variables.size());
}

// mBART with 25 languages leaves the decoder's start to the caller, and NLLB's old order is known from its tokenizer.
bool language_is_last(const FileSet& files, const spec::ModelSpec& spec) {
    return !spec.decoder_start_token || TokenizerSettings(files).flag("legacy_behaviour");
}

bool is_small100(const FileSet& files, const spec::TransformerConfig& config) {
    if (files.has("tokenization_small100.py") || has_small100_shape(config)) return true;
    return names_small100(TokenizerSettings(files).tokenizer_class());
}

// The original's tokenizer.json beside model.bin, where there is no SentencePiece model: as one, or as byte-level BPE.
std::optional<spec::ByteBpeSpec> read_tokenizer_json(const FileSet& files, spec::ModelSpec& spec) {
    const FileBytes file = files.read(kTokenizer);
    try {
        auto tokenizer = formats::read_tokenizer_json(file);
        spec.source.sentencepiece = spec.target.sentencepiece = tokenizer.sentencepiece;
        spec.tokenizer_steps = std::move(tokenizer.steps);
        return std::nullopt;
    } catch (const Error& error) {
        if (error.status() != Status::unsupported) throw;
        spec.no_tokenizer = error.what();
    }
    try {
        auto tokenizer = formats::read_byte_bpe_json(file, TokenizerSettings(files).stated_flag("add_prefix_space"));
        spec.no_tokenizer.clear();
        spec.tokenizer_steps = std::move(tokenizer.steps);
        return std::move(tokenizer.bpe);
    } catch (const Error& error) {
        if (error.status() != Status::unsupported) throw;
    }
    log(LogLevel::warning, "{}; the model takes and gives tokens", spec.no_tokenizer);
    return std::nullopt;
}

std::optional<spec::ByteBpeSpec> read_byte_bpe(const FileSet& files, spec::ModelSpec& spec) {
    if (files.has(kMerges))
        return spec::ByteBpeSpec{.merges = formats::read_merges(files.read(kMerges)),
                                 .space_before = TokenizerSettings(files).flag("add_prefix_space")};
    if (spec.has_tokenizer() || !files.has(kTokenizer)) return std::nullopt;
    return read_tokenizer_json(files, spec);
}

// NLLB's tokenizer, GPT-2's and its relatives', or a tokenizer.json that says so.
bool has_bpe_texts(const FileSet& files) {
    return files.has(kMerges) || has_bpe_json(files) || tokenizer_class(files) == "NllbTokenizer";
}

// Conversions of Hugging Face models leave the source's special tokens to the caller: its end, language codes where the
// vocabulary has them, BART's beginning. Where nothing says which, pieces alone make no source.
void complete_texts(const FileSet& files, spec::ModelSpec& spec) {
    auto byte_bpe = read_byte_bpe(files, spec);
    spec.clean_up_spaces = cleans_up_spaces(files, has_bpe_texts);
    if (spec.add_source_eos) return;
    const bool starts_with_end = spec.decoder_start_token == spec.eos_token;
    const auto form = find_language_tokens(spec.source.tokens);
    if (spec.config.start_from_zero_embedding || spec.config.encoder.relative_buckets > 0) {
        spec.add_text_eos = true;
        if (spec.config.encoder.relative_buckets > 0) complete_t5_texts(spec);
    } else if (form && spec.has_tokenizer() && (starts_with_end || !spec.decoder_start_token)) {
        spec.source_languages = spec.target_languages = languages_of(*form, spec.source.tokens);
        const bool small100 = *form == LanguageTokens::m2m && is_small100(files, spec.config);
        spec.prompts.pattern = small100 ? target_first_prompt(*form, spec.eos_token)
                                        : language_prompt(*form, spec.eos_token, language_is_last(files, spec));
        hide_special_tokens(spec, TokenizerSettings(files).added_list());
    } else if (starts_with_end && byte_bpe) {
        spec.byte_bpe = *std::move(byte_bpe);
        spec.prompts.pattern = {.source_before = {spec.bos_token},
                                .source_after = {spec.eos_token},
                                .needs_languages = false};
    } else if (starts_with_end || !spec.decoder_start_token) {
        spec.source.sentencepiece = {};
        spec.target.sentencepiece = {};
    }
}

}  // namespace

bool is_ctranslate2(const FileSet& files) {
    return files.chosen().empty() ? files.has(kModel) : files.chosen() == kModel;
}

spec::ModelSpec load_ctranslate2(const FileSet& files) {
    spec::ModelSpec spec;
    spec.format = "ctranslate2";
    spec.path = files.folder_path();
    const FileBytes model = files.map(kModel);
    spec.owners.push_back(model.owner);
    const formats::Ct2Container container = formats::read_ct2_container(model);
    spec.family = container.spec.empty() ? "TransformerBase" : container.spec;

    const Ct2Variables variables(container);
    std::optional<float> norm_epsilon;
    if (container.binary_version >= kFirstVersionWithConfigJson) {
        read_options_from_json(files.read("config.json"), spec, norm_epsilon);
    } else {
        read_options_from_variables(variables, spec);
    }
    spec.config = read_transformer_config(variables, norm_epsilon);
    read_vocabularies(files, spec);
    check_vocabulary_size(files, "source", "encoder/embeddings_0/weight", spec.source.tokens.size(),
                          spec.config.source_vocabulary);
    check_vocabulary_size(files, "target", "decoder/embeddings/weight", spec.target.tokens.size(),
                          spec.config.target_vocabulary);
    complete_texts(files, spec);
    take_weights(variables, spec);
    return spec;
}

}  // namespace dragoman::families
