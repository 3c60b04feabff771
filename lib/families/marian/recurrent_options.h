// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/marian/options.h"
#include "formats/marian_file.h"
#include "spec/recurrent_config.h"

namespace dragoman::families {

// The content of special:model.yml about a recurrent model (type s2s, nematus or amun), with Marian's defaults.
struct MarianRecurrentOptions : MarianEmbeddings {
    spec::RecurrentConfig config;
    bool nematus_norms = false;  // of attention, start state and output: with biases before them
    bool output_bias = true;
    bool right_to_left = false;
};

bool is_marian_recurrent(const formats::MarianFile& file);

// `file`: with the names of type s2s (marian_recurrent_names.h). Sizes of vocabularies come from the parameters. Throws
// bad_model for contradictions, and unsupported, with the option and its value, for what is not translated here.
MarianRecurrentOptions read_marian_recurrent_options(const formats::MarianFile& file);

}  // namespace dragoman::families
