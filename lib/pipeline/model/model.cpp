// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model/model.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "engine/replicas.h"
#include "families/families.h"
#include "pipeline/model/default_model.h"
#include "pipeline/model/model_info.h"
#include "pipeline/model/networks.h"
#include "pipeline/model/plan.h"
#include "pipeline/model/token_kinds.h"
#include "pipeline/model/unsupported.h"
#include "spec/ensemble.h"
#include "spec/fingerprint.h"
#include "text/characters.h"
#include "text/make_tokenizer.h"
#include "text/vocabulary.h"

namespace dragoman::pipeline {

namespace {

std::string stored_types(const spec::ModelSpec& spec) {
    std::set<DType> met;
    for (const auto& [name, tensor] : spec.weights.tensors()) met.insert(tensor.dtype);
    for (const spec::Member& member : spec.ensemble.others)
        for (const auto& [name, tensor] : member.weights.tensors()) met.insert(tensor.dtype);
    std::string list;
    for (const DType type : met) list += (list.empty() ? "" : ", ") + std::string(name(type));
    return list;
}

// The most positions; 0: any number.
uint32_t most_positions(const spec::StackConfig& stack) { return stack.repeat_last_position ? 0 : stack.max_positions; }

// The form of an encoder-only model's prompt has no target.
std::string describe_prompt(const spec::ModelSpec& spec) {
    std::string prompt = spec.prompts.describe();
    if (spec.config.decoder.layers == 0) prompt.resize(std::min(prompt.find(" =>"), prompt.size()));
    return prompt;
}

ModelInfo describe_spec(const spec::ModelSpec& spec) {
    const spec::TransformerConfig& config = spec.config;
    ModelInfo info{.path = text_of(spec.path),
                   .format = spec.format,
                   .family = spec.family,
                   .d_model = config.d_model,
                   .heads = config.has_encoder() ? config.encoder.heads : config.decoder.heads,
                   .encoder_layers = config.encoder.layers,
                   .decoder_layers = config.decoder.layers,
                   .decoder_heads = config.decoder.heads,
                   .attention_layers = spec.recurrent ? 1 : config.decoder.layers,
                   .encoder_ffn = config.encoder_ffn,
                   .decoder_ffn = config.decoder_ffn,
                   .source_vocabulary = config.source_vocabulary,
                   .target_vocabulary = config.target_vocabulary,
                   .file_bytes = spec.file_bytes,
                   .stored_types = stored_types(spec),
                   .compute_type = {},
                   .has_tokenizer = spec.has_tokenizer(),
                   .languages = spec.languages(),
                   .version = spec.version,
                   .license = spec.license,
                   .prompt = describe_prompt(spec),
                   .networks = uint32_t(spec.ensemble.others.size()) + 1,
                   .max_source_tokens = most_positions(config.encoder),
                   .max_target_tokens = most_positions(config.decoder),
                   .compute_reason = {},
                   .unsupported = unsupported(spec)};
    const auto count = [&](const spec::WeightMap& weights) {
        for (const auto& [name, tensor] : weights.tensors()) info.parameters += tensor.elements();
    };
    count(spec.weights);
    for (const spec::Member& member : spec.ensemble.others) count(member.weights);
    return info;
}

Fingerprint fingerprint_of(const spec::ModelSpec& spec, const engine::Replicas& replicas,
                           const engine::Model& network) {
    Fingerprint result;
    add_network(result, spec, network);
    result.add(replicas.device_names());
    for (const auto* vocabulary : {&spec.source, &spec.target})
        for (const std::string& token : vocabulary->tokens) result.add(token);
    return result;
}

// The tokens before a text that name its target language: ">>de<<".
Tokens marks(const spec::Prompts& prompts) {
    Tokens marks;
    for (const spec::Language& language : prompts.languages.target)
        if (std::string mark = prompts.pattern.target_mark(language); !mark.empty()) marks.push_back(std::move(mark));
    return marks;
}

// For an unknown token the vocabulary gives the unknown token's id, with which translations would silently start or
// end.
void check_special_tokens(const spec::ModelSpec& spec, const text::Vocabulary& source, const text::Vocabulary& target) {
    const auto need = [&](const std::string& token, const char* use) {
        if (!target.find(token))
            fail(Status::bad_model, "{}: expected the {} \"{}\" in the target vocabulary of {} tokens, which lacks it",
                 text_of(spec.path), use, token, target.size());
    };
    need(spec.eos_token, "end token");
    // Conversions of Marian models name a start token that they do not have.
    if (spec.decoder_start_token && !spec.config.start_from_zero_embedding)
        need(*spec.decoder_start_token, "decoder start token");
    for (const std::string& end : spec.search.more_ends) need(end, "end token");
    if (spec.search.forced_end) need(*spec.search.forced_end, "forced end token");
    const auto warn = [&](bool added, const std::string& token) {
        if (added && !source.find(token))
            log(LogLevel::warning, "{}: sources get the token \"{}\", which their vocabulary of {} tokens lacks",
                text_of(spec.path), token, source.size());
    };
    warn(spec.add_source_bos, spec.bos_token);
    warn(spec.add_source_eos, spec.eos_token);
}

}  // namespace

struct Model::Parts {
    Parts(const spec::ModelSpec& spec, const ModelOptions& options, ReadAgain read_again);
    const text::Tokenizer& tokenizer() const;

    std::vector<std::shared_ptr<engine::Model>> preparing;  // the replicas, while they may change
    std::shared_ptr<const engine::Replicas> replicas;
    spec::EmbeddingSpec embedding;
    text::Vocabulary source, target;
    std::unique_ptr<const text::Tokenizer> text_tokenizer;  // null: the model has none
    spec::Prompts prompts;
    std::string bos_token, eos_token;
    std::optional<std::string> decoder_start_token;
    bool add_source_bos, add_source_eos, add_text_eos, right_to_left;
    spec::SearchDefaults search;
    spec::QualityWeights quality_weights;
    std::optional<spec::Shortlist> shortlist;
    std::vector<std::vector<uint32_t>> never_generated;
    std::shared_ptr<const decode::TokenKinds> token_kinds;
    Fingerprint fingerprint, text_fingerprint;
    ModelInfo info;
};

Model::Parts::Parts(const spec::ModelSpec& spec, const ModelOptions& options, ReadAgain read_again)
    : embedding(spec.embedding), source(spec.source.tokens, spec.unk_token), target(spec.target.tokens, spec.unk_token),
      text_tokenizer(text::make_tokenizer({spec.source.sentencepiece, spec.target.sentencepiece, spec.byte_bpe,
                                           spec.word_piece, spec.source.tokens, spec.tokenizer_steps,
                                           spec.clean_up_spaces},
                                          marks(spec.prompts), spec.search.style == spec::SearchStyle::marian)),
      prompts(spec.prompts), bos_token(spec.bos_token), eos_token(spec.eos_token),
      decoder_start_token(spec.decoder_start_token), add_source_bos(spec.add_source_bos),
      add_source_eos(spec.add_source_eos), add_text_eos(spec.add_text_eos), right_to_left(spec.right_to_left),
      search(spec.search), quality_weights(spec.quality), shortlist(spec.shortlist), info(describe_spec(spec)) {
    check_special_tokens(spec, source, target);
    if (!right_to_left) token_kinds = pipeline::token_kinds(target);
    for (const Tokens& sequence : spec.never_generated) never_generated.push_back(target.ids(sequence));
    Networks networks = load_networks(spec, options.device ? options.device : engine::Device::shared(),
                                      options.compute_type, std::move(read_again));
    replicas = std::move(networks.replicas);
    preparing = std::move(networks.models);
    const engine::Model& network = *preparing.front();
    info.device_bytes = network.device_bytes() + replicas->at(0).embedder->device_bytes();
    info.compute_type = name(network.types());
    info.compute_reason = network.type_reason();
    fingerprint = fingerprint_of(spec, *replicas, network);
    spec::add_text(text_fingerprint, spec);
}

const text::Tokenizer& Model::Parts::tokenizer() const {
    if (!text_tokenizer)
        fail(Status::unsupported, "{}: has no tokenizer, so it takes and gives tokens, not text", info.path);
    return *text_tokenizer;
}

Model::Model(const spec::ModelSpec& spec, const ModelOptions& options, ReadAgain read_again) {
    auto parts = std::make_unique<Parts>(spec, options, std::move(read_again));
    const auto preparing = std::move(parts->preparing);
    parts_ = std::move(parts);
    for (const auto& replica : preparing) replica->prepare(usual_rules(*this));
}

Model::~Model() = default;

const ModelInfo& Model::info() const { return parts_->info; }

const spec::Languages& Model::languages() const { return info().languages; }
const spec::SearchDefaults& Model::search() const { return parts_->search; }
vulkan::Context& Model::context() const { return replicas()->device().context(); }
const std::shared_ptr<const engine::Replicas>& Model::replicas() const { return parts_->replicas; }
const Fingerprint& Model::fingerprint() const { return parts_->fingerprint; }
const Fingerprint& Model::text_fingerprint() const { return parts_->text_fingerprint; }
std::optional<double> Model::score(std::string_view text) const { return parts_->tokenizer().score(text); }
bool Model::continues() const { return info().encoder_layers == 0; }
const text::Vocabulary& Model::source() const { return parts_->source; }
const text::Vocabulary& Model::target() const { return parts_->target; }
const std::string& Model::bos_token() const { return parts_->bos_token; }
const std::string& Model::eos_token() const { return parts_->eos_token; }
const std::optional<std::string>& Model::decoder_start_token() const { return parts_->decoder_start_token; }
bool Model::add_source_bos() const { return parts_->add_source_bos; }
bool Model::add_source_eos() const { return parts_->add_source_eos; }
bool Model::add_text_eos() const { return parts_->add_text_eos; }
bool Model::right_to_left() const { return parts_->right_to_left; }
bool Model::encoder_alone() const { return info().decoder_layers == 0; }
const spec::EmbeddingSpec& Model::embedding() const { return parts_->embedding; }
const spec::QualityWeights& Model::quality_weights() const { return parts_->quality_weights; }
const spec::Shortlist* Model::shortlist() const { return parts_->shortlist ? &*parts_->shortlist : nullptr; }
const std::vector<std::vector<uint32_t>>& Model::never_generated() const { return parts_->never_generated; }
const std::shared_ptr<const decode::TokenKinds>& Model::token_kinds() const { return parts_->token_kinds; }

text::TokenizedText Model::tokenize(std::string_view text, text::Side side) const {
    return parts_->tokenizer().tokenize(text, side);
}

text::DetokenizedText Model::detokenize(std::span<const std::string> tokens, text::Side side) const {
    const std::string& unknown = parts_->target.token(parts_->target.unk_id());
    if (parts_->search.style != spec::SearchStyle::huggingface || std::ranges::find(tokens, unknown) == tokens.end())
        return parts_->tokenizer().detokenize(tokens, side);
    // transformers leaves them out, and blanks at the ends.
    Tokens known;
    std::ranges::copy_if(tokens, std::back_inserter(known), [&](const std::string& token) { return token != unknown; });
    text::DetokenizedText words = parts_->tokenizer().detokenize(known, side), result;
    const text::Range kept = text::trim(words.text, {0, words.text.size()});
    result.text = text::part(words.text, kept);
    const auto moved = [&](std::size_t at) { return std::clamp(at, kept.begin, kept.end) - kept.begin; };
    std::size_t next = 0, end = 0;
    for (const std::string& token : tokens) {
        if (token == unknown) {
            result.ranges.push_back({end, end});
            continue;
        }
        const text::Range range = words.ranges[next++];
        result.ranges.push_back({moved(range.begin), moved(range.end)});
        end = result.ranges.back().end;
    }
    return result;
}

text::DetokenizedText Model::detokenize_behind(std::span<const std::string> before,
                                               std::span<const std::string> tokens) const {
    const std::string& unknown = parts_->target.token(parts_->target.unk_id());
    const auto is_known = [&](const std::string& token) { return token != unknown; };
    Tokens known;
    std::ranges::copy_if(before, std::back_inserter(known), is_known);
    const std::string first = parts_->tokenizer().detokenize(known, text::Side::target).text;
    std::size_t next = known.size();
    std::ranges::copy_if(tokens, std::back_inserter(known), is_known);
    text::DetokenizedText words = parts_->tokenizer().detokenize(known, text::Side::target), result;
    // Both begin alike, unless the tokens before end within a character.
    std::size_t begin = std::size_t(std::ranges::mismatch(first, words.text).in1 - first.begin());
    while (begin > 0 && begin < words.text.size() && (words.text[begin] & 0xc0) == 0x80) --begin;
    result.text = words.text.substr(begin);
    std::size_t end = 0;
    for (const std::string& token : tokens) {
        text::Range range{end, end};
        if (is_known(token)) {
            range = words.ranges[next++];
            range = {std::max(range.begin, begin) - begin, std::max(range.end, begin) - begin};
        }
        end = range.end;
        result.ranges.push_back(range);
    }
    return result;
}

std::shared_ptr<const spec::Prompt> Model::prompt(const std::string& from, const std::string& to) const {
    return std::make_shared<const spec::Prompt>(parts_->prompts.make(from, to));
}

const spec::Language* Model::find_target(std::string_view wanted) const {
    return parts_->prompts.languages.target.empty() ? nullptr : parts_->prompts.target(wanted);
}

void Model::expect_target() const {
    if (parts_->prompts.needs_target()) parts_->prompts.refuse_without_target();
}

spec::Prompt Model::encoder_prompt(const std::string& from, const std::string& to) const {
    spec::Prompts prompts = parts_->prompts;
    prompts.pattern.target_begin.clear();
    return prompts.make(from, to);
}

std::optional<spec::LeadingLanguage> Model::leading_language(std::string_view text) const {
    return spec::leading_language(parts_->prompts, text);
}

bool Model::says_something(std::string_view token) const {
    const auto id = parts_->source.find(token);
    return id && *id != parts_->source.unk_id() && !(parts_->add_text_eos && token == parts_->eos_token);
}

uint32_t Model::max_source_tokens(uint32_t max_input_length) const {
    const uint32_t positions = replicas()->info().max_source_positions,
                   special = parts_->add_source_bos + parts_->add_source_eos;
    const uint32_t room = max_input_length > 0 ? std::min(positions, max_input_length) : positions;
    return room > special ? room - special : 0;
}

namespace {

// The model together with the models that predict with it.
spec::ModelSpec joined(spec::ModelSpec spec, const ModelOptions& options) {
    for (const std::string& path : options.more_models) spec::add_model(spec, families::load(place_of_model(path)));
    if (!options.weights.empty()) spec::set_weights(spec, options.weights, "weights", Status::invalid_argument);
    if (options.average_probabilities && spec.ensemble.others.empty())
        fail(Status::invalid_argument, "average_probabilities: expected several models, got 1");
    spec.ensemble.probabilities = options.average_probabilities;
    return spec;
}

}  // namespace

std::shared_ptr<const Model> Model::load(const std::string& path, const ModelOptions& options) {
    const std::filesystem::path place = place_of_model(path);
    ModelOptions later = options;  // without the device, which owns what is kept for later
    later.device = nullptr;
    return std::make_shared<Model>(joined(families::load(place), options), options,
                                   [place = std::filesystem::absolute(place), later] {
                                       return joined(families::load(place), later);
                                   });
}

std::shared_ptr<const Model> Model::load(const FileSet& files, const ModelOptions& options) {
    return std::make_shared<Model>(joined(families::load(files), options), options);
}

ModelInfo Model::describe(const std::string& path) { return describe_spec(families::load(place_of_model(path))); }

ModelInfo Model::describe(const FileSet& files) { return describe_spec(families::load(files)); }

}  // namespace dragoman::pipeline
