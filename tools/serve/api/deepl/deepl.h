// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/api/api.h"

// The parts of DeepL's API, which add_deepl() adds.
namespace serve::api {

void deepl_add_translate(Router& router, Services& services);
void deepl_add_documents(Router& router, Services& services);
void deepl_add_glossaries(Router& router, Services& services);     // v2: one pair each
void deepl_add_glossaries_v3(Router& router, Services& services);  // several pairs each
void deepl_add_languages(Router& router, Services& services);
void deepl_add_usage(Router& router, Services& services);
void deepl_add_memories(Router& router, Services& services);
void deepl_add_memory_jobs(Router& router, Services& services);

}  // namespace serve::api
