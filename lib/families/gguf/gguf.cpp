// SPDX-License-Identifier: Apache-2.0
#include "families/gguf/gguf.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "base/error.h"
#include "families/gguf/gguf_keys.h"
#include "families/gguf/gguf_t5.h"
#include "formats/gguf_file.h"
#include "formats/shortlist_file.h"
#include "formats/tokenizer_steps.h"
#include "spec/operation_order.h"
#include "spec/transformer_tensors.h"

namespace dragoman::families {
namespace {

std::string shape_text(const std::vector<uint32_t>& shape) {
    return shape.empty() ? std::string("a scalar") : fmt::format("{}", fmt::join(shape, "x"));
}

// Puts values of keys into fields; a field whose key is missing is unchanged.
class Reader {
public:
    explicit Reader(const formats::GgufFile& file) : file_(file) {}

    void count(const std::string& key, uint32_t& field, gguf::Bounds range) const {
        const auto value = file_.integer(key);
        if (!value && range.required) file_.wrong(key, fmt::format("{} to {}", range.low, range.high), "none");
        if (value) field = uint32_t(checked(key, *value, range.low, range.high));
    }
    void integer(const std::string& key, int32_t& field, int32_t low, int32_t high) const {
        if (const auto value = file_.integer(key)) field = int32_t(checked(key, *value, low, high));
    }
    void real(const std::string& key, float& field) const {
        const auto value = file_.real(key);
        if (value && !std::isfinite(*value)) file_.wrong(key, "a finite number", fmt::format("{}", *value));
        field = value.value_or(field);
    }
    void flag(const std::string& key, bool& field) const { field = file_.flag(key).value_or(field); }
    void text(const std::string& key, std::string& field) const {
        if (auto value = file_.text(key)) field = std::move(*value);
    }
    void optional_text(const std::string& key, std::optional<std::string>& field) const { field = file_.text(key); }
    void texts(const std::string& key, std::vector<std::string>& field) const {
        if (auto value = file_.texts(key)) field = std::move(*value);
    }
    template <class Enum>
    void word(const std::string& key, Enum& field, gguf::Words<Enum> words) const {
        const auto text = file_.text(key);
        if (!text) return;
        std::string known;
        for (const auto& [word, value] : words) {
            if (*text == word) {
                field = value;
                return;
            }
            known += (known.empty() ? "" : ", ") + std::string(word);
        }
        fail(Status::unsupported, "{}: {}: expected one of {}, file has {}", file_.name(), key, known,
             text->substr(0, 60));
    }

private:
    int64_t checked(const std::string& key, int64_t value, int64_t low, int64_t high) const {
        if (value < low || value > high) file_.wrong(key, fmt::format("{} to {}", low, high), std::to_string(value));
        return value;
    }
    const formats::GgufFile& file_;
};

// Checks the relations that the network's code relies on, beyond single ranges.
void check_stack(const formats::GgufFile& file, const std::string& side, const spec::StackConfig& stack) {
    const auto key = [&](const char* name) { return "dragoman." + side + "." + name; };
    if (uint64_t(stack.heads) * stack.head_dim > gguf::kMaxWidth)
        file.wrong(key("attention.key_length"), fmt::format("{} in all heads at most", gguf::kMaxWidth),
                   fmt::format("{} heads of {}", stack.heads, stack.head_dim));
    if (stack.positions == spec::Positions::table && stack.max_positions == 0)
        file.wrong(key("context_length"), "rows of the table of positions", "0");
    if (!(stack.norm_epsilon > 0) || stack.norm_epsilon >= 1)
        file.wrong(key("attention.layer_norm_epsilon"), "a number between 0 and 1",
                   fmt::format("{}", stack.norm_epsilon));
    if (const uint32_t buckets = stack.relative_buckets) {
        const uint32_t exact = buckets / (side == "encoder" ? 4 : 2);
        if (exact < 1 || stack.relative_max_distance <= exact)
            file.wrong(key("attention.relative_buckets_count"),
                       "at least 4 and a maximum distance above the exact ones",
                       fmt::format("{} and {}", buckets, stack.relative_max_distance));
    }
    spec::operation_order(stack);
}

// Checks that a decoder-only model has nothing of an encoder.
void check_encoder(const formats::GgufFile& file, const spec::TransformerConfig& config) {
    const auto check = [&](const char* key, uint32_t value) {
        if ((value > 0) == config.has_encoder()) return;
        file.wrong(key, config.has_encoder() ? "1 or more" : "0, as there is no encoder", std::to_string(value));
    };
    check("dragoman.encoder.feed_forward_length", config.encoder_ffn);
    check("dragoman.encoder.vocab_size", config.source_vocabulary);
    if (config.has_encoder()) check_stack(file, "encoder", config.encoder);
}

void check_average(const formats::GgufFile& file, const spec::TransformerConfig& config) {
    if (config.autoregression == spec::Autoregression::average_attention && config.average_ffn_depth > 1 &&
        config.average_ffn == 0)
        file.wrong("dragoman.decoder.average.feed_forward_length", "a width", "0");
}

void check_search(const formats::GgufFile& file, const spec::SearchDefaults& search) {
#include "families/gguf/search_checks.inc"
}

void check_vocabulary(const formats::GgufFile& file, const char* key, const std::vector<std::string>& tokens,
                      uint32_t size, const std::string& unk_token) {
    if (tokens.size() != size)
        file.wrong(key, fmt::format("{} tokens (vocab_size)", size), std::to_string(tokens.size()));
    if (std::ranges::find(tokens, unk_token) == tokens.end())
        file.wrong(key, fmt::format("the unknown token \"{}\" among them", unk_token), "none");
}

void read_vocabularies(const formats::GgufFile& file, spec::ModelSpec& spec) {
    const auto source = file.texts(gguf::kSourceTokens);
    if (!source) file.wrong(gguf::kSourceTokens, "an array of texts", "none");
    const auto target = file.texts(gguf::kTargetTokens);
    spec.shared_vocabulary = !target;
    spec.source.tokens = *source;
    spec.target.tokens = target ? *target : *source;
    if (spec.config.has_encoder())
        check_vocabulary(file, gguf::kSourceTokens, spec.source.tokens, spec.config.source_vocabulary, spec.unk_token);
    check_vocabulary(file, target ? gguf::kTargetTokens : gguf::kSourceTokens, spec.target.tokens,
                     spec.config.target_vocabulary, spec.unk_token);
    if (const auto pieces = file.blob(gguf::kSourcePieces)) spec.source.sentencepiece = *pieces;
    if (const auto pieces = file.blob(gguf::kTargetPieces)) spec.target.sentencepiece = *pieces;
    if (file.flag(gguf::kSharedPieces).value_or(false)) spec.target.sentencepiece = spec.source.sentencepiece;
}

void read_suppressed(const formats::GgufFile& file, spec::ModelSpec& spec) {
    const auto tokens = file.texts(gguf::kSuppressedTokens).value_or(std::vector<std::string>());
    auto at = tokens.begin();
    for (const uint32_t length : file.numbers(gguf::kSuppressedLengths).value_or(std::vector<uint32_t>())) {
        if (length == 0 || length > std::size_t(tokens.end() - at))
            file.wrong(gguf::kSuppressedLengths, fmt::format("lengths that add up to {}", tokens.size()),
                       std::to_string(length));
        spec.never_generated.emplace_back(at, at + length);
        at += length;
    }
    if (at != tokens.end())
        file.wrong(gguf::kSuppressedLengths, fmt::format("lengths that add up to {}", tokens.size()),
                   std::to_string(at - tokens.begin()));
}

void read_shortlist(const formats::GgufFile& file, spec::ModelSpec& spec) {
    const auto list = file.blob(gguf::kShortlist);
    if (!list) return;
    spec.shortlist = formats::read_shortlist(*list, {.source = spec.config.source_vocabulary,
                                                     .target = spec.config.target_vocabulary,
                                                     .shared = file.flag(gguf::kShortlistShared).value_or(false)});
}

class TensorTaker {
public:
    TensorTaker(const formats::GgufFile& file, spec::ModelSpec& spec, bool mapped)
        : file_(file), spec_(spec), mapped_(mapped) {
        const auto names = file.texts(gguf::kAliasNames).value_or(std::vector<std::string>());
        const auto targets = file.texts(gguf::kAliasTargets).value_or(std::vector<std::string>());
        if (names.size() != targets.size())
            file.wrong(gguf::kAliasTargets, fmt::format("{} names", names.size()), std::to_string(targets.size()));
        for (std::size_t i = 0; i < names.size(); ++i) aliases_.emplace(names[i], targets[i]);
    }

    void take() {
        const auto rules = gguf::network_tensors(spec_);
        for (const spec::TensorRule& rule : rules) {
            if (file_.tensors().contains(rule.name)) spec_.weights.add(rule.name, tensor(rule));
        }
        for (const spec::TensorRule& rule : rules) {
            if (spec_.weights.has(rule.name)) continue;
            if (const auto alias = aliases_.find(rule.name); alias != aliases_.end()) {
                take_alias(rule, alias->second);
            } else if (rule.required) {
                fail(Status::bad_model, "{}: {}: expected {}, the file has no such tensor", file_.name(), rule.name,
                     shape_text(rule.shape));
            }
        }
    }

private:
    void take_alias(const spec::TensorRule& rule, const std::string& target) {
        const spec::HostTensor* tensor = file_.tensors().contains(target) ? spec_.weights.find(target) : nullptr;
        if (!tensor) file_.wrong(gguf::kAliasTargets, fmt::format("a tensor for {}", rule.name), target.substr(0, 60));
        if (tensor->shape != rule.shape)
            fail(Status::bad_model, "{}: {}: expected {}, file has {} ({})", file_.name(), rule.name,
                 shape_text(rule.shape), shape_text(tensor->shape), target.substr(0, 60));
        spec_.weights.alias(rule.name, target);
    }

    spec::HostTensor tensor(const spec::TensorRule& rule) const {
        const formats::GgufFile::Tensor& stored = file_.tensors().find(rule.name)->second;
        if (stored.shape != rule.shape)
            fail(Status::bad_model, "{}: {}: expected {}, file has {}", file_.name(), rule.name, shape_text(rule.shape),
                 shape_text(stored.shape));
        spec::HostTensor tensor{.dtype = *formats::gguf::tensor_type(stored.type),
                                .shape = stored.shape,
                                .bytes = stored.bytes,
                                .scales = scales(rule, gguf::kScales),
                                .input_scales = scales(rule, gguf::kInputScales),
                                .mapped = mapped_};
        const bool whole = tensor.dtype == DType::i8 || tensor.dtype == DType::i16;
        if (!whole && !tensor.scales.empty())
            fail(Status::bad_model, "{}: {}{}: expected no scales beside {}, file has {}", file_.name(), rule.name,
                 gguf::kScales, name(tensor.dtype), tensor.scales.size());
        return tensor;
    }

    // No scale, one for all rows, or one for each row.
    std::vector<float> scales(const spec::TensorRule& rule, std::string_view end) const {
        const auto found = file_.tensors().find(rule.name + std::string(end));
        if (found == file_.tensors().end()) return {};
        const auto& [full_name, stored] = *found;
        const bool fits = formats::gguf::tensor_type(stored.type) == DType::f32 && stored.shape.size() == 1 &&
                          (stored.shape[0] == 1 || stored.shape[0] == rule.shape[0]);
        if (!fits)
            fail(Status::bad_model, "{}: {}: expected 1 or {} values of F32, file has {} of {}", file_.name(),
                 full_name, rule.shape[0], shape_text(stored.shape), formats::gguf::tensor_type_name(stored.type));
        std::vector<float> values(stored.shape[0]);
        spec::to_f32({.dtype = DType::f32, .shape = stored.shape, .bytes = stored.bytes, .mapped = mapped_}, 0, values);
        const bool zero_allowed = end == gguf::kInputScales;
        for (const float value : values)
            if (!std::isfinite(value) || value < 0 || (value == 0 && !zero_allowed))
                fail(Status::bad_model, "{}: {}: expected values above 0, file has {}", file_.name(), full_name, value);
        return values;
    }

    const formats::GgufFile& file_;
    spec::ModelSpec& spec_;
    bool mapped_;
    std::map<std::string, std::string> aliases_;
};

bool is_gguf_name(const std::string& name) { return name.ends_with(".gguf"); }

// The files that one was split into, "NAME-00001-of-00003.gguf" and so on; the file itself where it was not.
std::vector<std::string> names_of_parts(const std::string& name) {
    constexpr std::string_view kForm = "-00000-of-00000.gguf";  // 0: any figure
    if (name.size() > 255 || name.size() < kForm.size()) return {name};
    const std::size_t begin = name.size() - kForm.size();
    const auto fits = [](char form, char c) { return form == '0' ? c >= '0' && c <= '9' : c == form; };
    if (!std::equal(kForm.begin(), kForm.end(), name.begin() + std::ptrdiff_t(begin), fits)) return {name};
    std::vector<std::string> names;
    const int count = std::stoi(name.substr(begin + kForm.find("-of-") + 4, 5));
    for (int i = 1; i <= count; ++i)
        names.push_back(fmt::format("{}-{:05}-of-{:05}.gguf", name.substr(0, begin), i, count));
    if (names.empty()) return {name};
    return names;
}

}  // namespace

bool is_gguf_file(const FileSet& files) {
    if (files.chosen().empty()) return false;
    if (is_gguf_name(files.chosen())) return true;
    const bool packed = files.path().extension() == ".gz";  // a packed file is not unpacked only to see its kind
    return !packed && formats::looks_like_gguf(files.beginning(files.chosen()).bytes);
}

bool is_gguf_folder(const FileSet& files) {
    if (!files.chosen().empty()) return false;
    std::vector<std::string> all;
    std::ranges::copy_if(files.names(), std::back_inserter(all), is_gguf_name);
    if (all.size() <= 1) return all.size() == 1;
    const std::vector<std::string> parts = names_of_parts(all.front());
    return std::ranges::all_of(all, [&](const std::string& name) { return std::ranges::count(parts, name) > 0; });
}

namespace {

void read_steps(const formats::GgufFile& file, spec::ModelSpec& spec) {
    const std::string json = std::move(spec.tokenizer_steps.json);
    spec.tokenizer_steps = {};
    if (json.empty()) return;
    spec.tokenizer_steps = formats::read_tokenizer_steps({.name = file.name() + ": dragoman.tokenizer.steps",
                                                          .bytes = std::as_bytes(std::span(json)),
                                                          .owner = {}});
}

// `bytes`: of the first of its files.
spec::ModelSpec load_file(const formats::GgufFile& file, const FileBytes& bytes) {
    if (file.architecture() == formats::gguf::kT5Architecture) return load_gguf_t5(file, bytes);
    spec::ModelSpec spec;
    spec.format = "gguf";
    spec.family = "transformer";
    spec.path = file.name();
    spec.file_bytes = bytes.bytes.size();
    if (const auto style = file.text("dragoman.search.style")) {
        for (const auto& [word, value] : gguf::kSearchStyles)
            if (*style == word) spec.search = spec::SearchDefaults::of(value);
    }
    Reader reader(file);
    gguf::visit_model(reader, spec);
    read_steps(file, spec);
    if (spec.recurrent) {
        spec.family = "recurrent";
    } else {
        check_encoder(file, spec.config);
        check_stack(file, "decoder", spec.config.decoder);
        check_average(file, spec.config);
    }
    check_search(file, spec.search);
    read_vocabularies(file, spec);
    read_suppressed(file, spec);
    read_shortlist(file, spec);
    TensorTaker(file, spec, bytes.mapped).take();
    spec.owners.push_back(bytes.owner);
    return spec;
}

}  // namespace

spec::ModelSpec load_gguf(const FileBytes& bytes) { return load_file(formats::GgufFile(bytes), bytes); }

spec::ModelSpec load_gguf(const FileSet& files) {
    const std::string name = files.chosen().empty() ? *std::ranges::find_if(files.names(), is_gguf_name)
                                                    : files.chosen();
    std::vector<std::string> names = names_of_parts(name);
    if (names.size() == 1) names = {name};
    for (const std::string& each : names)
        if (!files.has(each))
            fail(Status::bad_model, "{}: one of the {} files of a model is missing: {}", files.label(name),
                 names.size(), each);
    std::vector<FileBytes> parts;
    for (const std::string& each : names) parts.push_back(files.map(each));
    spec::ModelSpec spec = load_file(formats::GgufFile(parts), parts.front());
    for (const FileBytes& part : std::span(parts).subspan(1)) {
        spec.owners.push_back(part.owner);
        spec.file_bytes += part.bytes.size();
    }
    spec.path = files.path();
    return spec;
}

}  // namespace dragoman::families
