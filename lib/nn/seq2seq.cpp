// SPDX-License-Identifier: Apache-2.0
#include "nn/seq2seq.h"

#include "base/error.h"

namespace dragoman::nn {

std::unique_ptr<EncoderMemory> Seq2Seq::make_encoder_scratch(uint32_t) const {
    fail(Status::unsupported, "this model has no encoder whose output can be read");
}

Tensor Seq2Seq::encode_only(Recorder&, const EncodeInput&, EncoderMemory&) const {
    fail(Status::unsupported, "this model has no encoder whose output can be read");
}

std::unique_ptr<OutputSubset> Seq2Seq::make_output_subset(uint32_t) const {
    fail(Status::unsupported, "this model cannot be restricted to some of its target tokens");
}

void Seq2Seq::select_outputs(Recorder&, const BufferView&, const Extent&, OutputSubset&) const {
    fail(Status::unsupported, "this model cannot be restricted to some of its target tokens");
}

}  // namespace dragoman::nn
