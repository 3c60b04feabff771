// SPDX-License-Identifier: Apache-2.0
#include "formats/tokenizer_steps.h"

#include <string_view>
#include <utility>

#include "base/error.h"
#include "formats/base64.h"
#include "formats/json_object.h"
#include "formats/tokenizer_file.h"

namespace dragoman::formats {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxSteps = 256, kMaxStepNesting = 16;

class StepsReader : public TokenizerFields {
public:
    StepsReader(std::string file, const json& tokenizer) : TokenizerFields(std::move(file)), json_(tokenizer) {}

    spec::TokenizerSteps read() {
        if (const json* step = find(json_, "normalizer")) read_normalizer(*step, 0);
        if (const json* step = find(json_, "pre_tokenizer")) read_split(*step, 0);
        json added = json::array();
        if (const json* tokens = find(json_, "added_tokens")) {
            if (!tokens->is_array()) wrong("added_tokens", "a list", tokens);
            for (const json& token : *tokens)
                if (read_added(token)) added.push_back(token);
        }
        json kept = {{"added_tokens", std::move(added)}};
        for (const char* key : {"normalizer", "pre_tokenizer"})
            if (const json* step = find(json_, key)) kept[key] = *step;
        steps_.json = kept.dump(-1, ' ', false, json::error_handler_t::replace);
        return std::move(steps_);
    }

private:
    [[noreturn]] void refuse(std::string_view where, std::string_view what, const json& value) const {
        fail(Status::unsupported, "{}: {}: {} is not supported: {}", file_, where, what, short_text(value));
    }

    // Visits the steps of a Sequence.
    void each(const json& step, const char* where, const char* members, std::size_t depth, const auto& read) const {
        const json& steps = list(step, where, members);
        if (depth > kMaxStepNesting || steps.size() > kMaxSteps) refuse(where, "so long a Sequence", step.at("type"));
        for (const json& member : steps) read(member);
    }

    spec::StepPattern pattern(const json& step, const char* where) const {
        const json* object = find(step, "pattern");
        const json* regex = object ? find(*object, "Regex") : nullptr;
        const json* plain = object ? find(*object, "String") : nullptr;
        const json* found = regex ? regex : plain;
        if (!found || !found->is_string() || found->get_ref<const std::string&>().empty())
            wrong(fmt::format("{}: pattern", where), "a string or an expression", object);
        return {.text = found->get<std::string>(), .regex = regex != nullptr};
    }

    void read_normalizer(const json& step, std::size_t depth) {
        const char* where = "normalizer";
        using Form = spec::UnicodeForm::Form;
        constexpr std::pair<std::string_view, Form> kForms[] = {
            {"NFC", Form::nfc}, {"NFD", Form::nfd}, {"NFKC", Form::nfkc}, {"NFKD", Form::nfkd}};
        const std::string type = text(step, where, "type");
        auto& to = steps_.normalizers;
        for (const auto& [name, form] : kForms)
            if (type == name) return to.emplace_back(spec::UnicodeForm{form}), void();
        if (type == "Sequence") {
            each(step, where, "normalizers", depth, [&](const json& member) { read_normalizer(member, depth + 1); });
        } else if (type == "Lowercase") {
            to.emplace_back(spec::Lowercase());
        } else if (type == "StripAccents") {
            to.emplace_back(spec::StripAccents());
        } else if (type == "Nmt") {
            to.emplace_back(spec::NmtCharacters());
        } else if (type == "ByteLevel") {
            to.emplace_back(spec::ByteCharacters());
        } else if (type == "Strip") {
            to.emplace_back(spec::StripBlanks{.left = flag(step, where, "strip_left", true),
                                              .right = flag(step, where, "strip_right", true)});
        } else if (type == "Precompiled") {
            auto rules = from_base64(text(step, where, "precompiled_charsmap"));
            if (!rules) wrong("normalizer: precompiled_charsmap", "base64", find(step, "precompiled_charsmap"));
            if (!rules->empty()) to.emplace_back(spec::PrecompiledRules{std::move(*rules)});
        } else if (type == "Replace") {
            to.emplace_back(spec::ReplaceText{pattern(step, "normalizer: Replace"), text(step, where, "content")});
        } else if (type == "Prepend") {
            to.emplace_back(spec::PrependText{text(step, where, "prepend")});
        } else if (type == "BertNormalizer") {
            spec::BertCleaning bert{.clean = flag(step, where, "clean_text", true),
                                    .chinese_characters = flag(step, where, "handle_chinese_chars", true),
                                    .strip_accents = true,
                                    .lower_case = flag(step, where, "lowercase", true)};
            bert.strip_accents = flag(step, where, "strip_accents", bert.lower_case);
            to.emplace_back(bert);
        } else {
            refuse(where, type, step);
        }
    }

    spec::SplitBehavior behavior(const json& step, const char* where) const {
        using Behavior = spec::SplitBehavior;
        constexpr std::pair<std::string_view, Behavior> kBehaviors[] = {{"Removed", Behavior::removed},
                                                                        {"Isolated", Behavior::isolated},
                                                                        {"MergedWithPrevious",
                                                                         Behavior::merged_with_previous},
                                                                        {"MergedWithNext", Behavior::merged_with_next},
                                                                        {"Contiguous", Behavior::contiguous}};
        const std::string name = text(step, where, "behavior");
        for (const auto& [each, behavior] : kBehaviors)
            if (name == each) return behavior;
        wrong(fmt::format("{}: behavior", where), "a way to part texts", find(step, "behavior"));
    }

    spec::SplitMetaspace metaspace(const json& step, const char* where) const {
        using Prepend = spec::SplitMetaspace::Prepend;
        spec::SplitMetaspace result{.replacement = text(step, where, "replacement")};
        if (result.replacement.empty()) wrong("pre_tokenizer: replacement", "a character", find(step, "replacement"));
        const bool old = flag(step, where, "add_prefix_space", true);
        const std::string scheme = find(step, "prepend_scheme") ? text(step, where, "prepend_scheme")
                                   : old                        ? "always"
                                                                : "never";
        if (scheme == "first") result.prepend = Prepend::first;
        else if (scheme == "never") result.prepend = Prepend::never;
        else if (scheme != "always")
            wrong("pre_tokenizer: prepend_scheme", "always, first or never", find(step, "prepend_scheme"));
        result.split = flag(step, where, "split", true);
        return result;
    }

    void read_split(const json& step, std::size_t depth) {
        const char* where = "pre_tokenizer";
        const std::string type = text(step, where, "type");
        auto& to = steps_.splits;
        if (type == "Sequence") {
            each(step, where, "pretokenizers", depth, [&](const json& member) { read_split(member, depth + 1); });
        } else if (type == "WhitespaceSplit") {
            to.emplace_back(spec::SplitWhitespace());
        } else if (type == "Whitespace") {
            to.emplace_back(spec::SplitWordsAndSymbols());
        } else if (type == "BertPreTokenizer") {
            to.emplace_back(spec::SplitBert());
        } else if (type == "Punctuation") {
            to.emplace_back(find(step, "behavior") ? spec::SplitPunctuation{behavior(step, where)}
                                                   : spec::SplitPunctuation());
        } else if (type == "Digits") {
            to.emplace_back(spec::SplitDigits{flag(step, where, "individual_digits", false)});
        } else if (type == "Metaspace") {
            to.emplace_back(metaspace(step, where));
        } else if (type == "ByteLevel") {
            to.emplace_back(spec::SplitByteLevel{.space_before = flag(step, where, "add_prefix_space", true),
                                                 .words = flag(step, where, "use_regex", true)});
        } else if (type == "Split") {
            to.emplace_back(spec::SplitAt{pattern(step, "pre_tokenizer: Split"), behavior(step, where),
                                          flag(step, where, "invert", false)});
        } else if (type == "CharDelimiterSplit") {
            to.emplace_back(spec::SplitAt{{.text = text(step, where, "delimiter")}, spec::SplitBehavior::removed});
        } else {
            refuse(where, type, step);
        }
    }

    bool read_added(const json& token) {
        const char* where = "added_tokens";
        const std::string content = text(token, where, "content");
        if (content.empty()) wrong(where, "a text and its id", &token);
        const bool special = flag(token, where, "special", false);
        if (!special)
            steps_.words.push_back({.text = content,
                                    .normalized = flag(token, where, "normalized", true),
                                    .single_word = flag(token, where, "single_word", false),
                                    .blanks_before = flag(token, where, "lstrip", false),
                                    .blanks_after = flag(token, where, "rstrip", false)});
        return !special;
    }

    const json& json_;
    spec::TokenizerSteps steps_;
};

}  // namespace

spec::TokenizerSteps read_tokenizer_steps(const std::string& file, const json& tokenizer) {
    return StepsReader(file, tokenizer).read();
}

spec::TokenizerSteps read_tokenizer_steps(const FileBytes& file) {
    return read_tokenizer_steps(file.name, parse_json_object(file.name, file.text()));
}

}  // namespace dragoman::formats
