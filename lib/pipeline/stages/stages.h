// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "pipeline/model/plan.h"
#include "pipeline/stages/stage.h"

// One stage, one file. `plan` must outlive the stages.
namespace dragoman::pipeline {

// With source_language "auto": the language of each sentence, and whether it is to be copied for that.
std::unique_ptr<const Stage> languages_stage(const Plan& plan);
// HTML or XML to its texts. In the end: their translations between the tags, which go with the words they stood around.
std::unique_ptr<const Stage> markup_stage(const Plan& plan);
// Finds a text's sentences. In the end: joins their translations, with what lies between the sentences.
std::unique_ptr<const Stage> sentences_stage(const Plan& plan);
// The languages of a sentence: those of the options, or the target that a code in the text names.
std::unique_ptr<const Stage> prompt_stage(const Plan& plan);
// On the way up, where it is asked for: which source words each word of a translation stands for.
std::unique_ptr<const Stage> alignment_stage(const Plan& plan);
// What a translation memory has for a sentence, in place of a translation or beside it.
std::unique_ptr<const Stage> memory_stage(const Plan& plan);
// On the way up, where it is asked for: how sure each sentence and word of a translation is.
std::unique_ptr<const Stage> quality_stage(const Plan& plan);
// Text to the model's pieces, with the bytes that they stand for; cuts what is too long.
std::unique_ptr<const Stage> pieces_stage(const Plan& plan);
// On the way up: finds translations that lack numbers or repeat themselves, mends them or says what to try.
std::unique_ptr<const Stage> checks_stage(const Plan& plan);
// Takes out of a sentence what the model cannot read or should not change, and capitals. On the way up: puts it back.
std::unique_ptr<const Stage> carried_stage(const Plan& plan);
// On the way up: pieces to text.
std::unique_ptr<const Stage> words_stage(const Plan& plan);
// The same for a text that a decoder alone continues: all of it as it is. On the way up: pieces to text, which goes on
// where the given one ends.
std::unique_ptr<const Stage> beginning_stage(const Plan& plan);
// An input of tokens as one sentence. On the way up: pieces to text, if the model has a tokenizer.
std::unique_ptr<const Stage> tokens_stage(const Plan& plan);
// Finds the terms of a glossary.
std::unique_ptr<const Stage> terms_stage(const Plan& plan);
// Copies sentences in which the model knows no token.
std::unique_ptr<const Stage> copies_stage(const Plan& plan);
// Tokens to ids, with those that begin and end every source. On the way up: ids to tokens, with scores and attention.
std::unique_ptr<const Stage> ids_stage(const Plan& plan);

inline constexpr std::size_t kShortestPart = 8;  // tokens of a sentence that is translated once more in parts

// Whether a sentence may be translated more than once: not where translations are drawn at random, nor where the caller
// gave the beginning.
bool allows_retries(const Plan& plan, const Sentence& sentence);
// Whether a retry of this kind may follow the sentence's present attempt.
bool allows_retry(const Plan& plan, const Sentence& sentence, RetryKind kind);

// A sentence that is its own translation.
void copy_sentence(const Plan& plan, const Document& document, Sentence& sentence);
// Of what stays as it is (Document::kept), what lies in a stretch of the document.
std::span<const text::Range> kept_in(const Document& document, text::Range body);
// Likewise, with its terms in their places: what the search did not manage.
void copy_with_terms(const Plan& plan, const Document& document, Sentence& sentence);
// Likewise, where the quality of its best translation is below min_quality.
void copy_if_unsure(const Plan& plan, const Document& document, Sentence& sentence);
// Whether a result tells of a term: not of what stays in a text between two models.
inline bool is_told(const Plan& plan, const WantedTerm& term) { return plan.finds_terms || term.origin; }
// Whether a translation has it. What stays is put back.
inline bool has_term(const decode::Hypothesis& hypothesis, const WantedTerm& term) {
    return term.stays || (term.place && (hypothesis.terms_met >> *term.place & 1) != 0);
}
// Texts and ranges of the hypotheses, from their tokens.
void detokenize(const Plan& plan, Sentence& sentence);

// What belongs between two translations, given what lies between their sources in `text`. `left` and `right` are the
// translations.
std::string_view gap_between(std::string_view text, text::Range gap, bool same_sentence, std::string_view left,
                             std::string_view right);

}  // namespace dragoman::pipeline
