// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace dragoman::test {

// A model of tests/data for each kind of network and file, and what is asked of it.
struct Family {
    std::string_view name;
    const char* path;
    std::string_view input;  // a text; of a model without tokenizer, its tokens with spaces between
    const char *source_language = nullptr, *target_language = nullptr;
    bool has_tokenizer = true, translates = true, embeds = true;
    bool gpu_kernels = false;  // with what GPUs get, measured at the load
    bool fresh = false;        // nothing is known from before: kernels are checked before their first use
};

constexpr Family kFamilies[] = {
    {.name = "marian", .path = "marian/pre", .input = "s3 s2 s2 s4 s7", .has_tokenizer = false, .embeds = false},
    {.name = "ssru", .path = "marian/ssru", .input = "s0 s3 s7 s0 s3 s9", .has_tokenizer = false, .embeds = false},
    {.name = "rnn", .path = "marian/s2s", .input = "s11 s7 s7 s2 s6", .has_tokenizer = false, .embeds = false},
    {.name = "nematus", .path = "marian/nematus", .input = "s9 s6 s13 s10 s4", .has_tokenizer = false, .embeds = false},
    {.name = "int8", .path = "marian/int8-firefox", .input = "banan batira"},
    {.name = "opus", .path = "marian/opus/opus.zip", .input = "ban banan"},
    {.name = "m2m100",
     .path = "huggingface/m2m100",
     .input = "brall wall stord stan brall brard weerd.",
     .source_language = "en",
     .target_language = "de"},
    {.name = "nllb",
     .path = "huggingface/nllb",
     .input = "brall wall stord",
     .source_language = "en",
     .target_language = "de"},
    {.name = "mbart",
     .path = "huggingface/mbart50",
     .input = "brall wall stord",
     .source_language = "en",
     .target_language = "de"},
    {.name = "t5",
     .path = "t5/t5",
     .input = "the river loves the green river?",
     .source_language = "en",
     .target_language = "de"},
    {.name = "gguf",
     .path = "t5/t5.gguf",
     .input = "the river loves the green river?",
     .source_language = "en",
     .target_language = "de"},
    {.name = "gpt2", .path = "huggingface/gpt2", .input = "the river", .embeds = false},
    {.name = "labse", .path = "encoders/labse", .input = "the river loves", .translates = false},
    {.name = "measured",
     .path = "marian/pre",
     .input = "s3 s2 s2 s4 s7",
     .has_tokenizer = false,
     .embeds = false,
     .gpu_kernels = true},
    {.name = "checked",
     .path = "marian/pre",
     .input = "s3 s2 s2 s4 s7",
     .has_tokenizer = false,
     .embeds = false,
     .fresh = true},
};

}  // namespace dragoman::test
