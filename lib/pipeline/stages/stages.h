// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "pipeline/model/plan.h"
#include "pipeline/stages/stage.h"

// One stage, one file. `plan` must outlive the stages.
namespace dragoman::pipeline {

// With source_language "auto": finds the language of each sentence, and whether it is copied because of it.
std::unique_ptr<const Stage> languages_stage(const Plan& plan);
// Turns HTML or XML into its texts. In the end: puts their translations between the tags, which go with the words they
// stood around.
std::unique_ptr<const Stage> markup_stage(const Plan& plan);
// Finds a text's sentences. In the end: joins their translations, with the text between the sentences.
std::unique_ptr<const Stage> sentences_stage(const Plan& plan);
// Finds the languages of a sentence: the options', or the target that a code in the text names.
std::unique_ptr<const Stage> prompt_stage(const Plan& plan);
// On the way up, on request: aligns the words of source and translation.
std::unique_ptr<const Stage> alignment_stage(const Plan& plan);
// Looks sentences up in a translation memory, to replace a translation or to offer matches.
std::unique_ptr<const Stage> memory_stage(const Plan& plan);
// On the way up, on request: finds translations that leave out words, and asks for a retry.
std::unique_ptr<const Stage> uncovered_stage(const Plan& plan);
// On the way up, on request: scores each sentence and word of a translation.
std::unique_ptr<const Stage> quality_stage(const Plan& plan);
// Turns text into the model's pieces, with the bytes that they stand for; cuts sentences that are too long.
std::unique_ptr<const Stage> pieces_stage(const Plan& plan);
// On the way up: finds translations that lack numbers or repeat themselves, and corrects them or asks for a retry.
std::unique_ptr<const Stage> checks_stage(const Plan& plan);
// Protects spans of a sentence that the model cannot read or should not change, and changes capitals. On the way up:
// puts the originals back.
std::unique_ptr<const Stage> protected_spans_stage(const Plan& plan);
// On the way up: turns pieces into text.
std::unique_ptr<const Stage> words_stage(const Plan& plan);
// The same for a text that a decoder-only model continues: all of it is unchanged. On the way up: turns pieces into
// text that continues the given one.
std::unique_ptr<const Stage> beginning_stage(const Plan& plan);
// Takes an input of tokens as one sentence. On the way up: turns pieces into text, if the model has a tokenizer.
std::unique_ptr<const Stage> tokens_stage(const Plan& plan);
// Finds the terms of a glossary.
std::unique_ptr<const Stage> terms_stage(const Plan& plan);
// Copies sentences in which the model knows no token.
std::unique_ptr<const Stage> copies_stage(const Plan& plan);
// Turns tokens into ids, including those that begin and end every source. On the way up: turns ids into tokens, with
// scores and attention.
std::unique_ptr<const Stage> ids_stage(const Plan& plan);

// Whether a sentence may be translated more than once: not where translations are drawn at random, nor where the caller
// gave the beginning.
bool allows_retries(const Plan& plan, const Sentence& sentence);
// Whether a retry of this kind may follow the sentence's present attempt.
bool allows_retry(const Plan& plan, const Sentence& sentence, RetryKind kind);

// Makes a sentence its own translation.
void copy_sentence(const Plan& plan, const Document& document, Sentence& sentence);
// Copies a sentence with its terms in their places, which the search did not manage.
void copy_with_terms(const Plan& plan, const Document& document, Sentence& sentence);
// Copies a sentence whose best translation has less quality than min_quality, and marks it.
void copy_if_unsure(const Plan& plan, const Document& document, Sentence& sentence);
// Whether a result reports a term: a protected span between two models is not reported.
inline bool is_reported(const Plan& plan, const WantedTerm& term) { return plan.finds_terms || term.origin; }
// Whether a translation has the term. Protected spans are put back.
inline bool has_term(const decode::Hypothesis& hypothesis, const WantedTerm& term) {
    return term.stays || (term.place && (hypothesis.terms_met >> *term.place & 1) != 0);
}
// Makes texts and ranges of the hypotheses from their tokens.
void detokenize(const Plan& plan, Sentence& sentence);

}  // namespace dragoman::pipeline
