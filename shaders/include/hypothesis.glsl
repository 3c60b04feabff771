// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_HYPOTHESIS_GLSL
#define DRAGOMAN_HYPOTHESIS_GLSL

// A macro because GLSL cannot pass a buffer: `s` is the search state, `pc` its SearchPush.
// Cache row that held, at step j, the hypothesis of beam `beam` of `slot`, which is now at step t >= j.
#define HYPOTHESIS_ROW(slot, beam_now, t, j) \
    ((slot) * pc.beam +                      \
     ((j) == (t) ? (beam_now)                \
                 : s[pc.ancestry_at +        \
                     (((t) & 1u) * pc.slots * pc.beam + (slot) * pc.beam + (beam_now)) * pc.max_steps + (j)]))
// The token this hypothesis was fed at step j.
#define HYPOTHESIS_TOKEN(slot, beam_now, t, j) \
    s[pc.history_at + HYPOTHESIS_ROW(slot, beam_now, t, j) * pc.max_steps + (j)]

#endif
