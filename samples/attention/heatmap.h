// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "picture/picture.h"

struct Label {
    std::string text;
    bool begins_word = true;
    bool control = false;  // a language code, the end of the sentence: pale
};

// Weights from 0 to 1, a row for each row label, a column for each column label.
struct Heatmap {
    std::string above, title;
    std::vector<Label> columns, rows;
    std::vector<float> weights;  // row-major
};

// Side by side as far as there is room, over a scale and a note. Throws std::invalid_argument for more than a picture
// can hold.
dragoman::picture::Picture draw(const std::vector<Heatmap>& maps, const std::string& note);
