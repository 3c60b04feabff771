// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/characters.h"
#include "text/language_rules.h"

namespace dragoman::text {

// The meaning of a line break inside a text.
enum class LineBreaks {
    separate,  // the end of a sentence, always
    join,      // a space inside a paragraph; blank lines, form feeds and list items separate paragraphs
};

// Finds the sentences of texts in one language (a code as language_rules() takes it; empty: unknown). Immutable: any
// number of threads may use one.
class SentenceSplitter {
public:
    explicit SentenceSplitter(std::string_view language = {}, LineBreaks line_breaks = LineBreaks::separate);

    // Sentences of a UTF-8 text in order, without the white space around them; list bullets at the beginning of a line
    // belong to no sentence. A text without any sentence holds nothing but white space, invisible characters and
    // bullets.
    std::vector<Range> split(std::string_view text) const;

private:
    void split_paragraph(std::string_view text, Range paragraph, std::vector<Range>& sentences) const;
    bool ends_sentence(std::string_view text, std::size_t sentence_begin, Range stop, std::size_t next,
                       bool capitals) const;
    bool ends_with_full_stop(std::string_view text, std::size_t sentence_begin, std::size_t stop,
                             std::size_t next) const;

    const LanguageRules& rules_;
    bool greek_;
    LineBreaks line_breaks_;
};

}  // namespace dragoman::text
