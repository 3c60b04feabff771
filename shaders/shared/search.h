// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_SEARCH_H
#define DRAGOMAN_SHARED_SEARCH_H
#include "shared/scalar.h"
DRAGOMAN_SHARED_BEGIN

// The search lives in three buffers of uints (floats as bits): `state` stays on the device, `parameters` is uploaded
// with a batch, `outcome` is read by the host. Offsets below are in uints.
struct SearchPush {
    // state
    uint live_rows_at;   // [rows]: cache row of each live row, ascending
    uint live_slots_at;  // [slots]: slots still searching, ascending
    uint counts_at;      // [0] live rows; [counts_stride] live slots
    uint counts_stride;
    uint slots_at;       // [slots][kSlotWords]
    uint tokens_at;      // [rows]: token to feed next
    uint position_at;    // [rows]: its position
    uint scores_at;      // [rows]: cumulative log-probability
    uint ancestry_at;    // [2][rows][max_steps]: beam that held this hypothesis at step j; halves by step parity
    uint history_at;     // [rows][max_steps]: token fed at step j
    // parameters
    uint inputs_at;      // [slots][kInputWords]
    uint end_tokens_at;
    uint end_tokens;
    uint suppress_at;    // sequences: length, then tokens; `suppressed` of them
    uint suppressed;
    uint rules_at;       // [RULE_WORDS]
    // outcome
    uint finished_at;    // [slots][finished_capacity][kFinishedWords + max_length]
    uint finished_capacity;
    uint forced_scores_at;  // [slots][max_length]: log-probability of forced tokens; ~0: not recorded
    // shapes
    uint slots;
    uint beam;
    uint max_steps;      // capacity of ancestry and history
    uint max_length;     // capacity of an outcome's tokens
    uint logits_stride;  // vocabulary, padded so that rows can be read in vectors
    uint candidates;     // entries per row from top-k
    uint attention_stride;  // floats per step; 0: no attention
    // rules
    uint max_candidates; // finished hypotheses that end a sentence; 0: the first finished top beam ends it
    uint num_hypotheses;
    uint no_repeat_ngram_size;
    float repetition_penalty;
    float prefix_bias_beta;
};

// slot state words
#define SLOT_ACTIVE 0u         // 0: free or finished; else its urgency
#define SLOT_WIDTH 1u         // rows expanded at this step: 1 until the first free step, then beam
#define SLOT_FINISHED 2u      // hypotheses finished so far
#define SLOT_TOP_FINISHED 3u
#define SLOT_FIRST_ROW 4u     // index of its first live row
#define SLOT_DIVERGED_LOW 5u  // bit k: beam k left the biased prefix
#define SLOT_DIVERGED_HIGH 6u
#define SLOT_STEPS 7u         // it stalls at this position, where its caches are full
#define SLOT_WORDS 8u

// slot input words
#define INPUT_CONTEXT 0u     // tokens fed before the search begins, not part of its rules
#define INPUT_PREFIX 1u      // tokens then forced (hard prefix)
#define INPUT_BIASED 2u      // or tokens then favoured (biased prefix)
#define INPUT_FORCED_AT 3u   // where these tokens are, in parameters
#define INPUT_MAX_LENGTH 4u  // tokens, context and prefix included
#define INPUT_MIN_LENGTH 5u  // end tokens are disabled before, after what is forced
#define INPUT_START 6u       // token fed at step 0
#define INPUT_PARTIAL 7u     // 1: its best hypothesis is told at every step
#define INPUT_WORDS 8u

// rule words: what only some search styles ask for
#define RULE_FROM_START 0u      // 1: the start token and the context count as tokens of a hypothesis
#define RULE_PENALISE_LOG 1u    // 1: the repetition penalty acts on log-probabilities, else on logits
#define RULE_EARLY_STOPPING 2u
#define RULE_LENGTH_PENALTY 3u  // bits of a float
#define RULE_FORCED_END 4u      // the only token at the length limit; ~0: none
#define RULE_PARTIAL_AT 5u      // in outcome, [slots][max_length]: tokens of the best hypothesis that goes on
#define RULE_VOCABULARY 6u      // of the target: columns of the logits
#define RULE_TERMS_AT 7u        // in parameters, [slots][TERM_SLOT_WORDS]
#define RULE_TERM_STATE_AT 8u   // in state, [rows][TERM_STATE_WORDS]
#define RULE_KINDS_AT 9u        // in parameters, TOKEN_KIND_BITS of each token; ~0: not known
#define RULE_GATE_AT 10u        // in attention: where what a step attends to begins
#define RULE_LISTED_APART 11u   // 1: what is live is listed by compact after each step, else by the step itself
#define RULE_WORDS 12u

// Terms that must come (docs/architecture.md). Those of a slot: a head, spans, and a trie of their forms whose root is
// node 0; the children of a node follow each other.
#define TERMS_ALL 0u       // a bit for each
#define TERMS_COUNT 1u
#define TERMS_OPEN_AT 2u   // from this step on each may begin
#define TERMS_WHOLE 3u     // whose last token must not be followed by a glued one
#define TERMS_FIRST 4u  // a bit for each token that may begin one, and for others, by the token modulo TERMS_FIRST_BITS
#define TERMS_FIRST_BITS 1024u
#define TERMS_HEAD_WORDS (TERMS_FIRST + TERMS_FIRST_BITS / 32u)
#define TERM_BEGIN 0u  // of the source tokens that it stands for,
#define TERM_END 1u  // and their end; equal: it may begin anywhere
#define TERM_LONGEST 2u  // tokens of its longest form
#define TERM_STOP 3u  // of the source tokens that close its sentence,
#define TERM_STOP_END 4u  // and their end
#define TERM_WORDS 5u
#define NODE_TOKEN 0u
#define NODE_CHILD 1u  // the first one
#define NODE_CHILDREN 2u
#define NODE_ENDS 3u  // terms of which a form ends here
#define NODE_BELOW 4u  // terms of which a form ends here or further on
#define NODE_WORDS 5u
#define MOST_TERMS 32u
#define MOST_TERM_NODES 512u  // without the root
#define MOST_TERM_CHILDREN 64u
#define MOST_TERM_BEAM 16u
#define MOST_TERM_CANDIDATES 64u  // that are picked
#define TERM_NODES_AT (TERMS_HEAD_WORDS + MOST_TERMS * TERM_WORDS)
#define TERM_SLOT_WORDS (TERM_NODES_AT + (MOST_TERM_NODES + 1u) * NODE_WORDS)

// of a row
#define TERM_MET 0u  // a bit for each term that its hypothesis has
#define TERM_NODE 1u  // where it is in the trie; with TERM_ENDED: its last token ended a form
#define TERM_STATE_WORDS 2u
#define TERM_ENDED 0x80000000u

// Kinds of target tokens.
#define TOKEN_GLUED 1u  // goes on with a word
#define TOKEN_OPEN 2u  // ends within a word
#define TOKEN_CLOSES 4u  // closes a sentence
#define TOKEN_KIND_BITS 4u

// The mass of attention on a term's span from which it may begin, and on what closes its sentence from which no token
// may close it without the term.
#define TERM_GATE 0.25

// The values are spec::EarlyStopping's.
#define EARLY_STOPPING_ON 2u
#define EARLY_STOPPING_NEVER 3u

// outcome header words, [slots][OUTCOME_WORDS] at 0
#define OUTCOME_FINISHED 0u  // stored hypotheses
#define OUTCOME_STEPS 1u  // steps done
#define OUTCOME_DONE 2u  // 1: the search of this sentence is over
#define OUTCOME_PARTIAL 3u  // tokens told
#define OUTCOME_OVERFLOW 4u  // 1: a row had no token that may follow: its logits are no numbers, or rules forbid all
#define OUTCOME_WORDS 5u

// finished hypothesis words, then its tokens
#define FINISHED_LENGTH 0u  // tokens, end token included
#define FINISHED_SCORE 1u  // cumulative log-probability
#define FINISHED_MET 2u  // terms, where a search has them
#define FINISHED_WORDS 3u

// progress words
#define PROGRESS_LIVE 0u  // slots listed for the next step
#define PROGRESS_ROWS 1u  // and their rows
#define PROGRESS_LEAST 2u  // by the host: least urgency that goes on
#define PROGRESS_STEPS 3u  // times that any slot was listed
#define PROGRESS_SLOT_STEPS 4u  // slots that were listed, times together
#define PROGRESS_ROW_STEPS 5u
#define PROGRESS_ENDED 6u  // workgroups of the step under way that have ended
#define PROGRESS_WORDS 8u

DRAGOMAN_SHARED_END
#endif
