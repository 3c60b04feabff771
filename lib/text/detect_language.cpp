// SPDX-License-Identifier: Apache-2.0
#include "text/detect_language.h"

#include <cstdio>  // missing in CLD2's header

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "text/characters.h"
#include "text/function_words.h"

namespace dragoman::text {
namespace {

constexpr std::size_t kMaxBytes = 64 * 1024;  // the beginning of a long text: later bytes change nothing
constexpr std::size_t kMaxHints = 8;          // CLD2 uses only a few
constexpr std::size_t kMostGuesses = 3;
constexpr int kBestEffort = 0x4000;            // CLD2's flag for an answer to short texts, too

struct ScriptLanguage {
    UScriptCode script;
    const char* language;
};

// Scripts in which nearly all texts are in one language.
constexpr ScriptLanguage kScripts[] = {{USCRIPT_HANGUL, "ko"},   {USCRIPT_HIRAGANA, "ja"},  {USCRIPT_KATAKANA, "ja"},
                                       {USCRIPT_GREEK, "el"},    {USCRIPT_THAI, "th"},      {USCRIPT_GEORGIAN, "ka"},
                                       {USCRIPT_ARMENIAN, "hy"}, {USCRIPT_LAO, "lo"},       {USCRIPT_KHMER, "km"},
                                       {USCRIPT_MYANMAR, "my"},  {USCRIPT_TAMIL, "ta"},     {USCRIPT_TELUGU, "te"},
                                       {USCRIPT_KANNADA, "kn"},  {USCRIPT_MALAYALAM, "ml"}, {USCRIPT_GUJARATI, "gu"},
                                       {USCRIPT_GURMUKHI, "pa"}, {USCRIPT_ORIYA, "or"},     {USCRIPT_SINHALA, "si"},
                                       {USCRIPT_THAANA, "dv"},   {USCRIPT_HEBREW, "he"}};
constexpr float kSureOfScript = 0.99f;

// Japanese is written in Han and kana together; a tenth of kana tells it apart.
constexpr std::size_t kShareOfKana = 10;

UScriptCode script_of(int32_t c) {
    UErrorCode error = U_ZERO_ERROR;
    return uscript_getScript(UChar32(c), &error);
}

struct Letters {
    std::size_t all = 0;
    std::array<std::size_t, std::size(kScripts)> of_script{};
};

Letters count_letters(std::string_view text) {
    Letters letters;
    for (std::size_t at = 0; at < text.size();) {
        const int32_t c = next_character(text, at);
        if (!is_letter(c)) continue;
        ++letters.all;
        if (c < 0x370) continue;  // Latin
        const UScriptCode script = script_of(c);
        for (std::size_t i = 0; i < std::size(kScripts); ++i) letters.of_script[i] += kScripts[i].script == script;
    }
    return letters;
}

std::optional<spec::LanguageTag> language_of_script(const Letters& letters) {
    for (std::size_t i = 0; i < std::size(kScripts); ++i) {
        const bool japanese = std::string_view(kScripts[i].language) == "ja";
        const std::size_t share = japanese ? kShareOfKana : 2;
        if (letters.of_script[i] * share > letters.all) return spec::LanguageTag::find(kScripts[i].language);
    }
    return std::nullopt;
}

std::string hints(std::span<const spec::LanguageTag> expected) {
    std::string list;
    if (expected.size() > kMaxHints) return list;
    for (const spec::LanguageTag& tag : expected) list += (list.empty() ? "" : ",") + tag.language();
    return list;
}

// The probability of the first answer, by the bytes of its letters and CLD2's score per 1,024 bytes. Fitted to the
// beginnings (5 to 150 characters) of 1,500 sentences of ntrex128 in each of en, de, fr, es
// (bench/results/2026-11-23-detection.md).
float probability(int bytes, double score, bool hinted) {
    struct Weights {
        double constant, log_bytes, score;
    };
    const Weights w = hinted ? Weights{-12.906, 3.085, 5.284} : Weights{-7.124, 1.932, 2.944};
    const double x = w.constant + w.log_bytes * std::log(std::max(bytes, 1)) + w.score * std::min(score, 1500.0) / 1000;
    return float(1.0 / (1.0 + std::exp(-x)));
}

// Puts another language first where function words speak for it, and hardly any for the first one. Both must be ones
// whose words are known. The weights lose nothing on the beginnings of 400 sentences of ntrex128 in each of en, de, fr,
// es (bench/results/2026-11-26-detection.md), of which such an answer is right in 80 of 100.
void ask_function_words(std::string_view text, std::span<const spec::LanguageTag> expected,
                        std::vector<spec::LanguageGuess>& guesses) {
    constexpr double kLeast = 1.2, kLead = 0.9;
    constexpr float kSure = 0.8f;
    if (guesses.empty()) return;
    const std::vector<FunctionWordVote> votes = function_word_votes(text);
    const auto first = std::ranges::find(votes, guesses.front().language.language(), &FunctionWordVote::language);
    if (first == votes.end()) return;
    const FunctionWordVote* best = nullptr;
    for (const FunctionWordVote& vote : votes) {
        const bool wanted = expected.empty() || std::ranges::any_of(expected, [&](const spec::LanguageTag& tag) {
                                return tag.language() == vote.language;
                            });
        if (wanted && (!best || vote.weight > best->weight)) best = &vote;
    }
    if (!best || best->weight < kLeast || best->weight < first->weight + kLead) return;
    const auto tag = spec::LanguageTag::find(best->language);
    if (!tag) return;
    std::erase_if(guesses,
                  [&](const spec::LanguageGuess& guess) { return guess.language.language() == best->language; });
    for (spec::LanguageGuess& guess : guesses) guess.probability *= 1 - kSure;
    guesses.insert(guesses.begin(), {*tag, kSure});
    if (guesses.size() > kMostGuesses) guesses.resize(kMostGuesses);
}

std::string_view beginning(std::string_view text) {
    if (text.size() <= kMaxBytes) return text;
    std::size_t end = kMaxBytes;
    while ((static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end);
}

std::vector<spec::LanguageGuess> ask(std::string_view text, const std::string& hint) {
    CLD2::CLDHints with{hint.empty() ? nullptr : hint.c_str(), nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
    CLD2::Language languages[3];
    int percent[3], bytes = 0, valid = 0;
    double scores[3];
    bool reliable = false;
    CLD2::ExtDetectLanguageSummaryCheckUTF8(text.data(), int(text.size()), true, &with, kBestEffort, languages, percent,
                                            scores, nullptr, &bytes, &reliable, &valid);
    std::vector<spec::LanguageGuess> guesses;
    float left = 1.0f;
    for (int i = 0; i < 3; ++i) {
        if (languages[i] == CLD2::UNKNOWN_LANGUAGE || percent[i] == 0) continue;
        const auto tag = spec::LanguageTag::find(CLD2::LanguageCode(languages[i]));
        if (!tag) continue;
        const float p = guesses.empty() ? probability(bytes, scores[i], !hint.empty()) : left * float(percent[i]) / 100;
        guesses.push_back({*tag, p});
        left -= p;
    }
    return guesses;
}

}  // namespace

std::vector<spec::LanguageGuess> detect_language(std::string_view text, std::span<const spec::LanguageTag> expected) {
    const std::string_view part = beginning(text);
    const Letters letters = count_letters(part);
    if (letters.all == 0) return {};
    if (const auto tag = language_of_script(letters)) return {{*tag, kSureOfScript}};
    std::vector<spec::LanguageGuess> guesses = ask(part, hints(expected));
    std::ranges::stable_sort(guesses, std::greater(), &spec::LanguageGuess::probability);
    ask_function_words(part, expected, guesses);
    return guesses;
}

}  // namespace dragoman::text
