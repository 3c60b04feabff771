// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/additive_attention.h"
#include "ops/attention.h"
#include "ops/embed.h"
#include "ops/matmul.h"
#include "ops/matmul_int8.h"
#include "ops/norm.h"
#include "ops/sample.h"
#include "ops/topk.h"

// The work of operations, for profiles. FLOPs are those of products: matrices and attention.
namespace dragoman::ops {

void count_work(Recorder& rec, const MatmulArgs& args);
void count_work(Recorder& rec, const MatmulInt8Args& args);
void count_work(Recorder& rec, const EncoderAttentionArgs& args);
void count_work(Recorder& rec, const StepSelfAttentionArgs& args);
void count_work(Recorder& rec, const StepCrossAttentionArgs& args);
void count_work(Recorder& rec, const AdditiveAttentionArgs& args);
void count_work(Recorder& rec, const NormArgs& args);
void count_work(Recorder& rec, const EmbedArgs& args);
void count_work(Recorder& rec, const TopkArgs& args);
void count_work(Recorder& rec, const SampleArgs& args);  // counts the logits once, though thresholds read some again
void count_work(Recorder& rec, const Tensor& x, const Tensor& y, const Extent& rows);  // an element-wise operation
void count_read(Recorder& rec, const Tensor& x, const Extent& rows);
// Rows of a matrix in panels, read and written.
void count_gathered(Recorder& rec, const Weight& some, const Extent& count);
// Recurrent state read and written, besides the inputs and y.
void count_state(Recorder& rec, uint32_t state_cols, double input_bytes, const Tensor& y, const Extent& rows);

}  // namespace dragoman::ops
