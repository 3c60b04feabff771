// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "decode/search.h"
#include "text/vocabulary.h"

namespace dragoman::pipeline {

// The text of a token without the sign for where words begin.
std::string_view without_word_mark(std::string_view token);

// The kind of each token of a target vocabulary.
std::shared_ptr<const decode::TokenKinds> token_kinds(const text::Vocabulary& target);

}  // namespace dragoman::pipeline
