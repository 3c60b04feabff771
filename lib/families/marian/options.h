// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "formats/marian_file.h"
#include "formats/yaml_map.h"
#include "spec/transformer_config.h"

namespace dragoman::families {

// The content of special:model.yml about a model, with Marian's defaults. Names of parameters.
struct MarianEmbeddings {
    std::string source_embedding, target_embedding, projection;
};

struct MarianOptions : MarianEmbeddings {
    spec::TransformerConfig config;
    std::vector<uint32_t> decoder_layers;  // the number in the parameters' names, per layer
    bool output_bias = true;
    bool right_to_left = false;
};

// Sizes of vocabularies and tables come from the parameters. Throws bad_model for contradictions, and unsupported,
// with the option and its value, for what is not translated here.
MarianOptions read_marian_options(const formats::MarianFile& file);

// `output`: an output layer of its own, or with "t" behind it that which lies transposed.
MarianEmbeddings read_marian_embeddings(const formats::YamlMap& options, const formats::MarianFile& file,
                                        const std::string& output);
// Rows of an embedding of this width. Throws bad_model.
uint32_t marian_rows(const formats::MarianFile& file, const std::string& name, uint32_t width);

// Throws unsupported for inputs that are not sequences of tokens, one for the source and one for the target.
void refuse_marian_inputs(const formats::YamlMap& options);

}  // namespace dragoman::families
