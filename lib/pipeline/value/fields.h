// SPDX-License-Identifier: Apache-2.0
// What the functions of value/translation.h do to each field. A new kind of field has the same four functions, in a file of
// its own that translation.cpp includes.
#pragma once

#include "pipeline/value/translation.h"

namespace dragoman::pipeline {

// Two translations one after the other: the second one's ranges are moved by then.
struct Seam {
    std::string_view gap;  // text between
};

// Two translations over a text between.
struct Pivot {
    const Translation& first;
    const Translation& second;
    std::span<const text::Range> between;  // bytes of the text between, for each source token of `second`
};

void shift(std::string&, std::ptrdiff_t by);
void append(std::string& all, std::string&& more, const Seam& seam);
std::string compose(const std::string& first, const std::string& second, const Pivot& pivot);
std::string cut(const std::string& whole, const Stretch& stretch, const Translation& of);

void shift(Tokens&, std::ptrdiff_t by);
void append(Tokens& all, Tokens&& more, const Seam& seam);
Tokens compose(const Tokens& first, const Tokens& second, const Pivot& pivot);
Tokens cut(const Tokens& whole, const Stretch& stretch, const Translation& of);

void shift(std::vector<text::Range>& ranges, std::ptrdiff_t by);
void append(std::vector<text::Range>& all, std::vector<text::Range>&& more, const Seam& seam);
std::vector<text::Range> compose(const std::vector<text::Range>& first, const std::vector<text::Range>& second,
                                 const Pivot& pivot);
std::vector<text::Range> cut(const std::vector<text::Range>& whole, const Stretch& stretch, const Translation& of);

void shift(MeanScore&, std::ptrdiff_t by);
void append(MeanScore& all, MeanScore&& more, const Seam& seam);
MeanScore compose(const MeanScore& first, const MeanScore& second, const Pivot& pivot);
MeanScore cut(const MeanScore& whole, const Stretch& stretch, const Translation& of);

void shift(Matrix&, std::ptrdiff_t by);
void append(Matrix& all, Matrix&& more, const Seam& seam);
Matrix compose(const Matrix& first, const Matrix& second, const Pivot& pivot);
Matrix cut(const Matrix& whole, const Stretch& stretch, const Translation& of);

void shift(text::WordAlignment& alignment, std::ptrdiff_t by);
void append(text::WordAlignment& all, text::WordAlignment&& more, const Seam& seam);
text::WordAlignment compose(const text::WordAlignment& first, const text::WordAlignment& second, const Pivot& pivot);
text::WordAlignment cut(const text::WordAlignment& whole, const Stretch& stretch, const Translation& of);

void shift(std::vector<TermUse>&, std::ptrdiff_t by);
void append(std::vector<TermUse>& all, std::vector<TermUse>&& more, const Seam& seam);
std::vector<TermUse> compose(const std::vector<TermUse>& first, const std::vector<TermUse>& second, const Pivot& pivot);
std::vector<TermUse> cut(const std::vector<TermUse>& whole, const Stretch& stretch, const Translation& of);

void shift(std::vector<Unchanged>& unchanged, std::ptrdiff_t by);
void append(std::vector<Unchanged>& all, std::vector<Unchanged>&& more, const Seam& seam);
std::vector<Unchanged> compose(const std::vector<Unchanged>& first, const std::vector<Unchanged>& second,
                               const Pivot& pivot);
std::vector<Unchanged> cut(const std::vector<Unchanged>& whole, const Stretch& stretch, const Translation& of);

void shift(Quality& quality, std::ptrdiff_t by);
void append(Quality& all, Quality&& more, const Seam& seam);
Quality compose(const Quality& first, const Quality& second, const Pivot& pivot);
Quality cut(const Quality& whole, const Stretch& stretch, const Translation& of);

void shift(SearchNotes& notes, std::ptrdiff_t by);
void append(SearchNotes& all, SearchNotes&& more, const Seam& seam);
SearchNotes compose(const SearchNotes& first, const SearchNotes& second, const Pivot& pivot);
SearchNotes cut(const SearchNotes& whole, const Stretch& stretch, const Translation& of);

}  // namespace dragoman::pipeline
