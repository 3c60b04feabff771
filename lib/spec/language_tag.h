// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman::spec {

// A language tag of BCP 47: "de", "pt-BR", "zh-Hant", "sr-Latn".
class LanguageTag {
public:
    LanguageTag() = default;  // "und": unknown
    // Understands any case, '-' and '_', ISO 639-1, 639-2 and 639-3 ("deu", "ger"), codes of model families
    // ("deu_Latn", "de_DE", "en_XX"), individual languages that stand for a macrolanguage ("cmn", "pes"), old codes
    // ("iw") and names of locales ("de_DE.UTF-8"). Variants and extensions are dropped. So is the script in which a
    // language is usually written, except for Chinese and Serbian. Any three letters may be a language; two letters
    // must be in ISO 639-1.
    static std::optional<LanguageTag> find(std::string_view text);
    // The same, or a name as language_named() has it. Throws invalid_argument, with the nearest codes.
    static LanguageTag parse(std::string_view text);

    const std::string& language() const { return language_; }  // two letters if the language has them; "und": unknown
    const std::string& script() const { return script_; }  // "Hant", or empty
    const std::string& region() const { return region_; }  // "BR", "419", or empty
    bool known() const { return language_ != "und"; }
    bool is_group() const;  // "gmw": several languages; so is "mul"
    std::string likely_script() const;  // its own, otherwise the usual one; empty: unknown
    std::string str() const;
    std::string language_name() const;  // in English; the code if there is no name
    std::string name() const;  // "Portuguese (BR)"

    auto operator<=>(const LanguageTag&) const = default;

private:
    std::string language_ = "und", script_, region_;
};

struct LanguageGuess {
    LanguageTag language;
    float probability = 0.0f;  // that all or most of a text is in this language
};

// Index of the closest one, in this order: the same tag; without the region; in the likely script; of the region that it
// follows or means ("es-MX" follows "es-419", "pt" means "pt-BR"); the only one of the language, unless both name
// scripts and these differ. Norwegian means Bokmål.
std::optional<std::size_t> best_match(const LanguageTag& wanted, std::span<const LanguageTag> available);

// Indices of the entries of `available` whose codes or English names are most similar to a text, best first, at most
// `most`.
std::vector<std::size_t> nearest(std::string_view text, std::span<const LanguageTag> available, std::size_t most = 5);

}  // namespace dragoman::spec
