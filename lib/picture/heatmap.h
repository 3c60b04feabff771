// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "picture/picture.h"

namespace dragoman::picture {

struct Label {
    std::string text;
    bool begins_word = true;
    bool control = false;  // a language code, the end of the sentence: pale
};

// The label of a model's piece, whose first one of a word is marked as SentencePiece does it.
Label piece_label(std::string_view piece);

// Weights from 0 to 1, a row for each row label, a column for each column label.
struct Heatmap {
    std::string above, title;
    std::vector<Label> columns, rows;
    std::vector<float> weights;  // row-major
};

// Most models read an end token after the source's pieces, and with it a row's weights add up to 1. If one was read, adds
// its column.
void add_end_of_source(Heatmap& map);

// Side by side as far as there is room, over a scale and a note. Throws std::invalid_argument for more than a picture
// can hold.
Picture draw_heatmaps(const std::vector<Heatmap>& maps, const std::string& note);

}  // namespace dragoman::picture
