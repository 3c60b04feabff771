// SPDX-License-Identifier: Apache-2.0
// Lines that are no sentences, but several texts beside each other, or one in brackets.
#pragma once

#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// The texts of a row, in order; none for other texts. They are a table's cells between bars ("| Name | Age |"), the steps
// of a path ("Home > Products > Dogs"), alternatives (lists.h: "Yes/No"), and what stands between bullets ("Milk • Bread •
// Eggs") or behind emoji that each begin one ("✅ Done ❌ Not done").
std::vector<Range> cells(std::string_view text, Range sentence);

// The fields of a line: what is between its leaders ("Chapter 1 ..... 5"), its lines to write on ("Name: _____"), the line
// breaks and tabs that it has as escapes (escapes.h) and, if asked for, its tabs.
std::vector<Range> fields(std::string_view text, Range sentence, bool tabs);

// Whether blanks at `at` stand between two columns of a line, of which the left one begins at `from`.
bool is_column_gap(std::string_view line, std::size_t from, std::size_t at);

// Bytes at a sentence's beginning that are not part of it: the dash of another speaker in its line ("- At home."), the
// dots of one that goes on ("...that I love you."), the box or the number of an item ("- [x] ", "2) ").
std::size_t sentence_lead(std::string_view text, Range sentence);

// Signs between steps of a path in a sentence, with the blanks around them: " > " in "Choose File > Save as now."
std::vector<Range> path_signs(std::string_view text);

// The sentence without a pair of brackets or stars that encloses all of it: "[Please wait.]", "*Please wait.*", or without
// the bracket of a pair whose other one is in another sentence. Others stay whole.
Range enclosed(std::string_view text, Range sentence);

// The end of the number of a list's item at the beginning of a text, with the blank behind it ("1. ", "iv. "); 0: there is
// none.
std::size_t label_end(std::string_view text);
// Whether a text is nothing but such a Roman number: "iv.".
bool is_roman_label(std::string_view text);
// Whether an ordinal number mostly stands in front of a German noun: "2. Weltkrieg", "3. Tag"; not "2. Grundlagen".
bool is_counted_noun(std::string_view noun);
// Whether a text begins with an English ordinal number in figures: "1st".
bool begins_with_ordinal(std::string_view text);
// Whether a translation begins with the figures of its source's label ("2. Log in"), and no stop behind them: "2 log in".
bool loses_stop_of_label(std::string_view source, std::string_view translation);

// What a bracket of another script holds at the beginning of a sentence in another script that is glued to it:
// "Note" in "【Note】The dog"; empty: nothing.
Range bracketed_label(std::string_view text, Range sentence);
// The end of the bracket that closes at `at`.
std::size_t bracketed_end(std::string_view text, std::size_t at);

}  // namespace dragoman::text
