// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model/model.h"
#include "pipeline/run/job.h"
#include "spec/embedding_spec.h"
#include "text/characters.h"

namespace dragoman::pipeline {

struct EmbedOptions {
    std::optional<spec::Pooling> pooling{};  // nullopt: the model's
    std::optional<bool> normalize{};         // scales vectors to a length of 1; nullopt: as the model says
    std::string source_language{}, target_language{};  // for models whose encoder is given them
    uint32_t max_tokens = 0;  // for a text with the tokens around it; 0: as many as the model takes
    bool truncate = false;    // longer texts are cut; otherwise they are an error
};

// The vectors of a text.
struct Embedding {
    std::vector<float> values;        // one vector, or one for each token, one after the other
    Tokens tokens;                    // read by the encoder, in its order
    std::vector<text::Range> ranges;  // the bytes of the text that each stands for
};
struct Embeddings {
    uint32_t width = 0;  // width of a vector
    bool of_tokens = false;
    std::vector<Embedding> texts;
};

// Vectors of texts, each as one sequence, whatever sentences it has. `progress` counts texts. Safe from any thread.
// Throws invalid_argument (options, invalid UTF-8, a text that is too long), unsupported (no tokenizer, no such layer,
// no encoder of its own), out_of_memory, device_lost, cancelled.
Embeddings embed_texts(const Model& model, std::span<const std::string_view> texts, const EmbedOptions& options,
                       const Progress& progress = {});

}  // namespace dragoman::pipeline
