// SPDX-License-Identifier: Apache-2.0
#include "spec/prompt.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.h"
#include "base/log.h"
#include "spec/language_names.h"

namespace dragoman::spec {
namespace {

constexpr std::size_t kMaxSaid = 1000;  // callers may think of any number of tags
// Languages of a model that an error message lists: those that are near to a wrong one, and where none was given.
constexpr std::size_t kShown = 5, kAllShown = 20;

bool same_letters(std::string_view a, std::string_view b) {
    const auto lower = [](unsigned char c) { return std::tolower(c); };
    return std::ranges::equal(a, b, {}, lower, lower);
}

std::vector<LanguageTag> tags_of(const std::vector<Language>& languages) {
    std::vector<LanguageTag> tags;
    for (const Language& language : languages) tags.push_back(language.tag);
    return tags;
}

[[noreturn]] void unknown(const char* option, std::string_view wanted, const std::vector<Language>& languages) {
    const auto tag = LanguageTag::find(wanted);
    const auto is_relative = [&](const Language& language) {
        return tag && tag->known() && language.tag.language() == tag->language();
    };
    std::vector<std::string> shown;
    for (const Language& language : languages)
        if (is_relative(language) && shown.size() < kShown)
            shown.push_back(fmt::format("{} ({})", language.code, language.tag.name()));
    for (const std::size_t i : nearest(wanted.substr(0, 64), tags_of(languages), kShown))
        if (!is_relative(languages[i]) && shown.size() < kShown) shown.push_back(languages[i].code);
    fail(Status::invalid_argument, "{}: \"{}\" is not one of the model's {}: {}{}", option, wanted,
         languages.size() == 1 ? "languages" : fmt::format("{} languages", languages.size()), fmt::join(shown, ", "),
         languages.size() > kShown ? " ..." : "");
}

[[noreturn]] void missing(const char* option, const std::vector<Language>& languages) {
    if (languages.empty())
        fail(Status::invalid_argument, "{}: expected one of the model's languages, none was given", option);
    std::vector<std::string> shown;
    for (const Language& language : languages) {
        if (shown.size() == kAllShown) break;
        const bool has_name = language.tag.known() && language.tag.language_name() != language.code;
        shown.push_back(has_name ? fmt::format("{} ({})", language.code, language.tag.name()) : language.code);
    }
    fail(Status::invalid_argument, "{}: expected one of the model's {} languages, none was given: {}{}", option,
         languages.size(), fmt::join(shown, ", "), languages.size() > shown.size() ? " ..." : "");
}

// Says which relative of the wanted language is used, where a reader may notice the difference: another language,
// another script, a variety of another region. Portuguese without a region is one of two.
void tell_relative(const char* option, std::string_view wanted, const Language* used, SaidOnce& said) {
    if (!used || same_letters(used->code, wanted)) return;
    const auto tag = LanguageTag::find(wanted);
    if (!tag || !tag->known()) return;
    const LanguageTag& has = used->tag;
    const auto bokmal = [](const LanguageTag& t) { return t.language() == "nb" || t.language() == "no"; };
    if (has == *tag || (bokmal(has) && bokmal(*tag))) return;
    const bool varieties = tag->language() == "pt" || !has.region().empty();
    const bool region = !tag->region().empty() && tag->region() != has.region() && varieties;
    if (has.language() == tag->language() && has.likely_script() == tag->likely_script() && !region) return;
    if (!said.is_first(fmt::format("{} {}", option, wanted))) return;
    log(LogLevel::warning, "{}: the model has no \"{}\"; its relative {} ({}) is used", option, wanted, used->code,
        has.name());
}

// The model's own spelling comes first: families disagree about the meaning of codes.
const Language* find(const std::vector<Language>& languages, std::string_view wanted, const char* option) {
    if (wanted.empty() || languages.empty()) return nullptr;
    for (const Language& language : languages)
        if (language.code == wanted) return &language;
    for (const Language& language : languages)
        if (same_letters(language.code, wanted)) return &language;
    if (const auto tag = LanguageTag::find(code_of_language(wanted)); tag && tag->known())
        if (const auto index = best_match(*tag, tags_of(languages))) return &languages[*index];
    const auto is_group = [](const Language& language) { return language.tag.is_group(); };
    if (std::ranges::all_of(languages, is_group)) return nullptr;
    unknown(option, wanted, languages);
}

using Values = std::array<std::pair<std::string_view, std::string>, 4>;

Values values(const Language* from, const Language* to) {
    return {{{"{from}", from ? from->code : ""},
             {"{to}", to ? to->code : ""},
             {"{from_name}", from ? from->tag.language_name() : ""},
             {"{to_name}", to ? to->tag.language_name() : ""}}};
}

// Nullopt: the text mentions a language that is not given.
std::optional<std::string> filled(std::string text, const Values& values) {
    for (const auto& [name, value] : values)
        for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += value.size()) {
            if (value.empty()) return std::nullopt;
            text.replace(at, name.size(), value);
        }
    return text;
}

bool mentions_side(std::string_view text, std::string_view side) {
    return text.find("{" + std::string(side) + "}") != std::string_view::npos ||
           text.find("{" + std::string(side) + "_name}") != std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

}  // namespace

bool SaidOnce::is_first(const std::string& what) {
    const std::scoped_lock lock(mutex_);
    return said_.size() < kMaxSaid && said_.insert(what).second;
}

const Language* Languages::find_source(std::string_view wanted) const {
    return find(source, wanted, "source_language");
}

const Language* Languages::find_target(std::string_view wanted) const {
    return find(target, wanted, "target_language");
}

bool PromptPattern::mentions(std::string_view side) const {
    if (mentions_side(text_before, side)) return true;
    for (const auto* tokens : {&source_before, &source_after, &target_begin})
        for (const std::string& token : *tokens)
            if (mentions_side(token, side)) return true;
    return false;
}

Prompt PromptPattern::make(const Language* from, const Language* to) const {
    const Values known = values(from, to);
    if (needs_languages && !from && mentions("from")) missing("source_language", {});
    if (needs_languages && !to && mentions("to")) missing("target_language", {});
    Prompt prompt;
    const auto put = [&](const std::vector<std::string>& tokens, std::vector<std::string>& into) {
        for (const std::string& token : tokens) {
            if (auto text = filled(token, known)) into.push_back(*std::move(text));
        }
    };
    prompt.text_before = filled(text_before, known).value_or("");
    put(source_before, prompt.source_before);
    put(source_after, prompt.source_after);
    put(target_begin, prompt.target_begin);
    return prompt;
}

std::string PromptPattern::target_mark(const Language& to) const {
    const Values known = values(nullptr, &to);
    const auto mark = [&](std::string_view text) {
        const bool marks = text.find("{to}") != std::string_view::npos && trimmed(text) != "{to}";
        return marks ? filled(std::string(trimmed(text)), known).value_or("") : std::string();
    };
    if (std::string text = mark(text_before); !text.empty()) return text;
    for (const auto* tokens : {&source_before, &source_after})
        for (const std::string& token : *tokens)
            if (std::string text = mark(token); !text.empty()) return text;
    return {};
}

const Language* Prompts::source(std::string_view wanted) const { return languages.find_source(wanted); }

const Language* Prompts::target(std::string_view wanted) const {
    if (wanted.empty()) return nullptr;
    if (languages.target.empty())
        fail(Status::invalid_argument, "target_language: \"{}\"; this model has no language codes", wanted);
    for (const Language& language : languages.target)
        if (pattern.target_mark(language) == wanted) return &language;
    return languages.find_target(wanted);
}

Prompt Prompts::make(std::string_view from, std::string_view to) const {
    const auto only = [&](const std::vector<Language>& list) {
        return pattern.needs_languages && list.size() == 1 ? &list.front() : nullptr;
    };
    const Language* const source_language = from.empty() ? only(languages.source) : source(from);
    const Language* target_language = to.empty() ? only(languages.target) : target(to);
    if (!target_language && to.empty() && !pattern.default_target.empty())
        target_language = languages.find_target(pattern.default_target);
    if (!from.empty()) tell_relative("source_language", from, source_language, *said);
    if (!to.empty()) tell_relative("target_language", to, target_language, *said);
    PromptPattern told = pattern;
    const bool plain = pattern.plain_without && from.empty() && to.empty();
    if (plain) told.needs_languages = false;
    if (told.needs_languages && !source_language && told.mentions("from")) missing("source_language", languages.source);
    if (told.needs_languages && !target_language && told.mentions("to")) missing("target_language", languages.target);
    Prompt prompt = plain ? told.make(nullptr, nullptr) : told.make(source_language, target_language);
    prompt.decoder_start = decoder_start;
    prompt.end = end;
    return prompt;
}

bool Prompts::needs_target() const {
    return languages.target.size() > 1 && pattern.default_target.empty() &&
           !pattern.target_mark(languages.target.front()).empty();
}

void Prompts::refuse_without_target() const { missing("target_language", languages.target); }

std::string Prompts::describe() const {
    constexpr const char* text = "TEXT";
    std::string line;
    const auto add = [&](std::string_view word) {
        if (!word.empty()) line += (line.empty() ? "" : " ") + std::string(word);
    };
    for (const std::string& token : pattern.source_before) add(token);
    add(pattern.text_before + text);
    for (const std::string& token : pattern.source_after) add(token);
    add("=>");
    add(decoder_start.value_or(""));
    for (const std::string& token : pattern.target_begin) add(token);
    add(text);
    add(end);
    return line;
}

std::optional<LeadingLanguage> leading_language(const Prompts& prompts, std::string_view text) {
    for (const Language& language : prompts.languages.target) {
        const std::string mark = prompts.pattern.target_mark(language);
        if (!mark.empty() && text.starts_with(mark)) return LeadingLanguage{&language, mark.size()};
    }
    return std::nullopt;
}

}  // namespace dragoman::spec
