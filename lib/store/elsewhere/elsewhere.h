// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "store/installed.h"

// Models that other programs brought. Each function adds what one of them has, and leaves everything as it is.
// A cache that is missing or broken adds nothing.
namespace dragoman::store {

void add_hub_cache(std::vector<Installed>& models);         // Hugging Face's, and llama.cpp's, which writes the same
void add_fxtranslate(std::vector<Installed>& models);       // Firefox' models
void add_argos(std::vector<Installed>& models);
void add_translatelocally(std::vector<Installed>& models);
void add_ollama(std::vector<Installed>& models);            // GGUF files among its blobs

}  // namespace dragoman::store
