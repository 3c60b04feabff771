// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/compute_type.h"
#include "spec/prompt.h"

namespace dragoman::engine {
class Device;
}

namespace dragoman::pipeline {

using engine::ComputeType;

struct ModelOptions {
    std::shared_ptr<engine::Device> device{};  // null: engine::Device::shared()
    ComputeType compute_type = ComputeType::automatic;
    // Paths of models of the same vocabulary that predict together with the one that is loaded.
    std::vector<std::string> more_models{};
    std::vector<float> weights{};  // one for each model; empty: those of its files, else 1 each
    bool average_probabilities = false;  // adds up weighted probabilities, not their logarithms
};

struct ModelInfo {
    std::string path, format, family;
    uint32_t d_model = 0, heads = 0, encoder_layers = 0, decoder_layers = 0, decoder_heads = 0;
    uint32_t attention_layers = 0;  // of the decoder: the first ones
    uint32_t encoder_ffn = 0, decoder_ffn = 0;
    uint32_t source_vocabulary = 0, target_vocabulary = 0;
    uint64_t parameters = 0, file_bytes = 0, device_bytes = 0;
    std::string stored_types;    // "float32", "int8, float32" ...
    std::string compute_type;    // "float32", "float16", "int8" or "int8_float16"
    bool has_tokenizer = false;  // text can go in and out; else only tokens
    spec::Languages languages;   // empty: its files say nothing
    std::string version, license;  // "" if not known; the beginning of the licence, or its name
    std::string prompt;  // "{from} TEXT </s> => </s> {to} TEXT </s>"
    uint32_t networks = 1;       // more: an ensemble; the sizes above are the first one's
    uint32_t max_source_tokens = 0, max_target_tokens = 0;  // that its positions allow, special ones included; 0: any
    std::string compute_reason;  // why: "asked for", "fastest on GPUs"
    std::vector<std::string> unsupported;  // what the library offers and the model does not
};

}  // namespace dragoman::pipeline
