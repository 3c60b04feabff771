// SPDX-License-Identifier: Apache-2.0
// Values that are no candidates, and columns that are none.
#ifndef DRAGOMAN_CANDIDATE_VALUE_GLSL
#define DRAGOMAN_CANDIDATE_VALUE_GLSL

const float kDisabled = -1e30;           // this and below, and NaN, is no candidate
const float kNothing = -3.402823466e38;  // value of an empty place; its column is kNoColumn
const uint kNoColumn = 0xffffffffu;

#endif
