// SPDX-License-Identifier: Apache-2.0
// Encoder attention: each row attends to its own sentence. QUERIES rows share a workgroup; those of several sentences are
// taken sentence by sentence, so that a row's sums do not depend on the rows around it.
#ifndef DRAGOMAN_ATTENTION_OF_SENTENCES_GLSL
#define DRAGOMAN_ATTENTION_OF_SENTENCES_GLSL

layout(push_constant) uniform Push { EncoderAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
INPUT(1, Qkv, qkv);
layout(binding = 2) readonly buffer RowSentence { uint row_sentence[]; };
layout(binding = 3) readonly buffer SentenceBegin { uint sentence_begin[]; };
layout(binding = 4) readonly buffer RelativeBias { float relative_bias[]; };
OUTPUT(5, Y, y);

uint first_row, begin;  // of those that are attended together, of their sentence

float query_scale() { return pc.scale; }
uint values_offset() { return pc.heads * HEAD_DIM; }
uint key_at(uint key, uint head) { return (begin + key) * pc.qkv_stride + (pc.heads + head) * HEAD_DIM; }
CHUNK load_query(uint r, uint head, uint chunk) {
    return LOAD(qkv, (first_row + r) * pc.qkv_stride + head * HEAD_DIM, chunk);
}
CHUNK load_key(uint at, uint chunk) { return LOAD(qkv, at, chunk); }
CHUNK load_value(uint at, uint chunk) { return LOAD(qkv, at, chunk); }

float bias_of(uint r, uint key, uint head) {
    if (pc.has_bias == 0) return 0.0;
    return relative_bias[bias_place(head, first_row + r, begin + key, int(pc.bias_reach))];
}

void store_result(uint r, uint head, uint chunk, CHUNK x) {
    STORE(y, (first_row + r) * pc.y_stride + head * HEAD_DIM, chunk, x);
}

void main() {
    const uint end = min((gl_WorkGroupID.x + 1) * QUERIES, count);
    for (first_row = gl_WorkGroupID.x * QUERIES; first_row < end;) {
        const uint sentence = row_sentence[first_row], last = sentence_begin[sentence + 1];
        const uint queries = min(end, last) - first_row;
        begin = sentence_begin[sentence];
        attend(queries, last - begin, gl_WorkGroupID.y);
        first_row += queries;
    }
}

#endif
