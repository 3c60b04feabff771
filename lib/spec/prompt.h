// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/language_tag.h"

namespace dragoman::spec {

// A language of a model. The code is in the spelling of the model's files: "de", "deu_Latn", "de_DE".
struct Language {
    Language(std::string spelling)
        : tag(LanguageTag::find(spelling).value_or(LanguageTag())), code(std::move(spelling)) {}
    Language(const char* spelling) : Language(std::string(spelling)) {}
    LanguageTag tag;  // "und" where the code follows no standard
    std::string code;
    bool operator==(const Language&) const = default;
};

// The languages that a model may translate from and to; empty: its files do not say.
struct Languages {
    std::vector<Language> source{}, target{};
    // The language for a user's code or tag. Null: the files name no languages, or groups only ("gmw"). Throws
    // invalid_argument for a language that the model does not have, naming the nearest ones.
    const Language* find_source(std::string_view wanted) const;
    const Language* find_target(std::string_view wanted) const;
};

// The tokens and words around a text that a model needs for one pair of languages; tokens are spelt as in its
// vocabularies.
struct Prompt {
    std::string text_before{};  // put before the text and tokenised with it: T5's words, Marian's ">>de<< "
    std::vector<std::string> source_before{}, source_after{};  // tokens around its pieces
    std::optional<std::string> decoder_start{};              // nullopt: the caller's first target token
    std::vector<std::string> target_begin{};                 // forced after it, and no part of the translation
    std::string end{};                                       // the target's end token
    bool operator==(const Prompt&) const = default;
};

// A Prompt for any pair. {from} and {to} stand for the codes, {from_name} and {to_name} for English names.
struct PromptPattern {
    std::string text_before{};
    std::vector<std::string> source_before{}, source_after{}, target_begin{};
    bool needs_languages = true;  // false: parts with a language are left out when that language is not given
    bool plain_without = false;   // they are also left out when none is given, for texts that say it themselves
    std::string default_target{};  // the code of the language that is meant where none is given; empty: none
    bool operator==(const PromptPattern&) const = default;

    // Throws invalid_argument where the pattern needs a language that is null.
    Prompt make(const Language* from, const Language* to) const;
    bool mentions(std::string_view side) const;  // "from" or "to"
    // The mark of a language before a source, such as ">>de<<"; empty if the pattern has none.
    std::string target_mark(const Language& to) const;
};

// What was said about a model, so that it is said once. Any number of threads may use one.
class SaidOnce {
public:
    bool is_first(const std::string& what);

private:
    std::mutex mutex_;
    std::set<std::string> said_;
};

// The ways to give a model its languages.
struct Prompts {
    Languages languages{};
    PromptPattern pattern{};
    std::optional<std::string> decoder_start{};  // as in Prompt
    std::string end{};
    std::shared_ptr<SaidOnce> said = std::make_shared<SaidOnce>();  // of all copies

    // The language for a code, a tag, or the model's mark for it (">>de<<"). Null and invalid_argument as in Languages;
    // also invalid_argument for any target when neither the files nor the vocabulary name one.
    const Language* source(std::string_view wanted) const;
    const Language* target(std::string_view wanted) const;
    // An empty language is not given; a model that needs one then takes the only one it has. Throws invalid_argument.
    Prompt make(std::string_view from, std::string_view to) const;
    // Whether a text has to name its target where a caller names none: the model has several, and its sources say which.
    bool needs_target() const;
    // Throws invalid_argument with the languages to choose from.
    [[noreturn]] void refuse_without_target() const;
    // A form for people: "{from} TEXT </s> => </s> {to} TEXT </s>".
    std::string describe() const;
};

// The target language that a text begins with (">>de<< How are you?"), for models whose sources name it in this way.
struct LeadingLanguage {
    const Language* language;
    std::size_t bytes;  // length of the mark
};
std::optional<LeadingLanguage> leading_language(const Prompts& prompts, std::string_view text);

}  // namespace dragoman::spec
