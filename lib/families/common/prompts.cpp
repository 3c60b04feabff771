// SPDX-License-Identifier: Apache-2.0
#include "families/common/prompts.h"

#include <algorithm>

#include "formats/sentencepiece_file.h"
#include "spec/model_card.h"

namespace dragoman::families {
namespace {

constexpr const char* kMark = ">>{to}<<";

std::vector<spec::Language> languages(const std::vector<std::string>& codes) {
    return std::vector<spec::Language>(codes.begin(), codes.end());
}

// Marian reads a mark as a word of its line where SentencePiece knows it; otherwise a script put it before the pieces.
bool is_word_of_text(const spec::ModelSpec& spec, const std::vector<std::string>& codes) {
    if (spec.search.style != spec::SearchStyle::marian || spec.source.sentencepiece.empty()) return false;
    std::vector<std::string> marks;
    for (const std::string& code : codes) marks.push_back(">>" + code + "<<");
    return formats::has_any_piece(spec.source.sentencepiece, marks);
}

spec::PromptPattern pattern(const spec::ModelSpec& spec, const std::vector<std::string>& codes) {
    spec::PromptPattern pattern{.needs_languages = false};
    if (spec.add_source_bos) pattern.source_before.push_back(spec.bos_token);
    if (!codes.empty()) {
        if (is_word_of_text(spec, codes)) pattern.text_before = std::string(kMark) + " ";
        // such models read their sources in this way, too
        else if (spec.right_to_left) pattern.source_after.push_back(kMark);
        else pattern.source_before.push_back(kMark);
    }
    if (spec.add_source_eos || spec.add_text_eos) pattern.source_after.push_back(spec.eos_token);
    return pattern;
}

}  // namespace

void complete_prompts(spec::ModelSpec& spec) {
    // a text to continue begins with the start token, and has no languages
    if (!spec.config.has_encoder() && spec.config.decoder.layers > 0) {
        if (spec.decoder_start_token) spec.prompts.pattern.source_before = {*spec.decoder_start_token};
        spec.prompts.pattern.needs_languages = false;
        spec.prompts.end = spec.eos_token;
        return;
    }
    const std::vector<std::string> codes = spec::languages_in(spec.source.tokens);
    spec::Prompts& prompts = spec.prompts;
    if (prompts.languages.source.empty()) prompts.languages.source = languages(spec.source_languages);
    if (prompts.languages.target.empty())
        prompts.languages.target = languages(codes.empty() ? spec.target_languages : codes);
    prompts.decoder_start = spec.decoder_start_token;
    prompts.end = spec.eos_token;
    spec::PromptPattern told = std::move(prompts.pattern);
    const bool complete = !told.text_before.empty() || !told.source_before.empty() || !told.source_after.empty();
    prompts.pattern = complete ? std::move(told) : pattern(spec, codes);
    if (!complete) prompts.pattern.target_begin = std::move(told.target_begin);
}

}  // namespace dragoman::families
