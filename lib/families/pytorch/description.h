// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/activation.h"
#include "files/file_set.h"

namespace dragoman::families {

// The content of dragoman.json about a state dict (docs/pytorch.md). Nothing here has been compared with the tensors.
struct PyTorchDescription {
    struct Stack {
        std::string place;  // of its keys, for messages: "dragoman.json: transformer."
        std::string name;   // what stands before "layers.0.", with its point
        uint32_t heads = 0;
        Activation activation = Activation::relu;
        float norm_epsilon = 1e-5f;
        bool norm_first = false;
        // Told by the tensors, too; compared.
        const char* layers_key = "";
        std::optional<uint32_t> d_model, ffn, layers;
        std::optional<bool> bias;
    };
    struct Positions {
        enum class Kind { none, table, interleaved, halves } kind = Kind::none;
        std::string table;    // a tensor
        uint32_t length = 0;  // of the others
        bool operator==(const Positions&) const = default;
    };
    struct Vocabulary {
        std::string file;                 // empty: the tokens, or none
        std::vector<std::string> tokens;  // none: ids as numbers
    };

    std::string file;  // for messages
    std::string weights;
    Stack encoder, decoder;
    std::string source_embedding, target_embedding, output;
    std::optional<double> embedding_scale;  // none: the root of the width
    Positions source_positions, target_positions;
    Vocabulary source, target;
    bool shared_vocabulary = false;
    bool characters = false;  // tokens are the characters of texts
    uint32_t start = 0, end = 0, unknown = 0;
    std::optional<uint32_t> pad, source_begin, source_end;
    std::vector<uint32_t> never;
    std::optional<uint32_t> max_length;
    std::vector<std::string> ignored;  // beginnings of tensors' names
};

inline constexpr const char* kPyTorchDescription = "dragoman.json";

// Throws bad_model for keys that are missing, wrong or not known, unsupported for networks of one stack.
PyTorchDescription read_pytorch_description(const FileSet& files);

}  // namespace dragoman::families
