// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/attention.h"
#include "ops/embed.h"
#include "ops/matmul.h"
#include "ops/norm.h"
#include "ops/topk.h"

// What the operations do, for profiles. FLOPs are those of products: matrices and attention.
namespace dragoman::ops {

void count_work(Recorder& rec, const MatmulArgs& args);
void count_work(Recorder& rec, const EncoderAttentionArgs& args);
void count_work(Recorder& rec, const StepSelfAttentionArgs& args);
void count_work(Recorder& rec, const StepCrossAttentionArgs& args);
void count_work(Recorder& rec, const NormArgs& args);
void count_work(Recorder& rec, const EmbedArgs& args);
void count_work(Recorder& rec, const TopkArgs& args);
void count_work(Recorder& rec, const Tensor& x, const Tensor& y, const Extent& rows);  // element by element

}  // namespace dragoman::ops
