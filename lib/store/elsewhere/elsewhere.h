// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/installed.h"

// Models that other programs brought. Each function adds what one of them has, and leaves everything as it is.
// A cache that is missing or broken adds nothing. Languages are the codes that are found there ("eng", "ace_Arab",
// "pb"): callers make BCP 47 of them.
namespace dragoman::store {

void add_hub_cache(std::vector<Installed>& models);  // Hugging Face's, and llama.cpp's, which writes the same
void add_fxtranslate(std::vector<Installed>& models);  // Firefox' models
void add_argos(std::vector<Installed>& models);
void add_translatelocally(std::vector<Installed>& models);
void add_ollama(std::vector<Installed>& models);  // GGUF files among its blobs

// Why a repository ("org/name", "org/name:FILE") that lies in the cache is not among them; "" where it is not there.
std::string hub_refusal(std::string_view model);

}  // namespace dragoman::store
