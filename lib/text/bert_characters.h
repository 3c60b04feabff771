// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

// Characters as BERT's tokenizer sees them, with the categories of Unicode 8 that the tokenizers library still has.
namespace dragoman::text {

bool is_of_unicode(int32_t c, uint8_t version);  // or of an earlier one
bool is_bert_dropped(int32_t c);      // by cleaning
bool is_bert_white(int32_t c);
bool is_bert_punctuation(int32_t c);
bool is_bert_ideograph(int32_t c);    // gets spaces around it
// The lower case of a character alone, at most two.
void append_lower(std::vector<int32_t>& to, int32_t c);
// A character without its accents, in canonical parts.
void append_without_accents(std::vector<int32_t>& to, int32_t c);

}  // namespace dragoman::text
