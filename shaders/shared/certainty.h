// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_CERTAINTY_H
#define DRAGOMAN_SHARED_CERTAINTY_H
#include "shared/scalar.h"
DRAGOMAN_SHARED_BEGIN

// The place for the numbers of a step: after the weights of its attention.
struct CertaintyPush {
    // in state, as in SearchPush
    uint live_rows_at;
    uint position_at;
    uint scores_at;
    uint max_steps;
    // of the logits
    uint cols;
    uint stride;
    // of the attention
    uint attention_stride;
    uint certainty_at;  // in a step's floats
};

// words of a step
#define CERTAINTY_SCORE 0u    // cumulative log-probability before it
#define CERTAINTY_ENTROPY 1u  // of its distribution, in nats
#define CERTAINTY_MARGIN 2u   // between its best token and the second, in log-probability; at most CERTAINTY_FAR
#define CERTAINTY_BEST 3u     // log-probability of the best
#define CERTAINTY_WORDS 4u

// Tokens that are so much less probable than the best one are left out.
#define CERTAINTY_FAR 20.0

DRAGOMAN_SHARED_END
#endif
