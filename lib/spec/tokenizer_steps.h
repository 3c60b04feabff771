// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace dragoman::spec {

// What is looked for in a text: the text itself, or a regular expression.
struct StepPattern {
    std::string text;
    bool regex = false;
};

// What a text goes through before it is parted into words; the names are those of Hugging Face's tokenizers.
struct UnicodeForm {
    enum class Form : uint8_t { nfc, nfd, nfkc, nfkd } form = Form::nfc;
};
struct Lowercase {};
struct StripAccents {};
struct NmtCharacters {};  // controls vanish, special white space becomes a space
struct ByteCharacters {};  // a printable character for each byte
struct StripBlanks {
    bool left = true, right = true;
};
struct PrecompiledRules {
    std::string rules;  // as in a SentencePiece model
};
struct ReplaceText {
    StepPattern pattern;
    std::string content;
};
struct PrependText {
    std::string text;
};
struct BertCleaning {
    bool clean = true, chinese_characters = true, strip_accents = true, lower_case = true;
};
using NormalizerStep = std::variant<UnicodeForm, Lowercase, StripAccents, NmtCharacters, ByteCharacters, StripBlanks,
                                    PrecompiledRules, ReplaceText, PrependText, BertCleaning>;

// What becomes of a match where a text is parted at it.
enum class SplitBehavior : uint8_t { removed, isolated, merged_with_previous, merged_with_next, contiguous };

// How a text is parted into words.
struct SplitWhitespace {};  // at white space
struct SplitWordsAndSymbols {};  // words of letters and digits, and runs of other characters
struct SplitBert {};  // at white space and around punctuation
struct SplitPunctuation {
    SplitBehavior behavior = SplitBehavior::isolated;
};
struct SplitDigits {
    bool individual = false;
};
struct SplitMetaspace {
    std::string replacement = "\xe2\x96\x81";
    enum class Prepend : uint8_t { always, first, never } prepend = Prepend::always;
    bool split = true;
};
struct SplitByteLevel {
    bool space_before = true, words = true;
};
struct SplitAt {
    StepPattern pattern;
    SplitBehavior behavior = SplitBehavior::removed;
    bool invert = false;
};
using SplitStep = std::variant<SplitWhitespace, SplitWordsAndSymbols, SplitBert, SplitPunctuation, SplitDigits,
                               SplitMetaspace, SplitByteLevel, SplitAt>;

// A token that texts may contain; it is found before anything else happens to them.
struct AddedWord {
    std::string text;
    bool normalized = false;  // found in the text as the normalizers leave it
    bool single_word = false, blanks_before = false, blanks_after = false;  // the blanks belong to it
};

// How a tokenizer.json prepares a text for its model, where the model alone does not do the same.
struct TokenizerSteps {
    std::vector<NormalizerStep> normalizers;
    std::vector<SplitStep> splits;
    std::vector<AddedWord> words;
    std::string json;  // the same as a tokenizer.json without its model; empty: there are no steps
    bool used() const { return !json.empty(); }
};

}  // namespace dragoman::spec
