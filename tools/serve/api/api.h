// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/router.h"
#include "serve/services.h"

// The room of interfaces: one file for each service that is imitated, and the own one. Each adds its routes.
namespace serve::api {

void add_libretranslate(Router& router, Services& services);  // /detect, /languages, /translate_file, /suggest ...
void add_translate_path(Router& router, Services& services);  // /translate of many services: told apart by fields
void add_deepl(Router& router, Services& services);           // /v2, /v3 of DeepL
void add_azure(Router& router, Services& services);  // /translate?api-version=..., before other routes of these paths
void add_mtranserver(Router& router, Services& services);  // /translate/batch, /imme, /kiss ...
void add_google(Router& router, Services& services);  // /language/translate/v2
void add_nllb_api(Router& router, Services& services);  // /api/v4/translator
void add_lingva(Router& router, Services& services);  // /api/v1/{source}/{target}/{text}
void add_huggingface(Router& router, Services& services);  // /models/..., and POST of {inputs} to /
void add_openai(Router& router,
                Services& services);  // /v1/chat/completions, /chat/completions, /models; add_own has /v1/models
void add_own(Router& router, Services& services);  // /v1
void add_specification(Router& router, Services& services);  // /v1/openapi.json, /spec, /docs
void add_page(Router& router, Services& services);  // /, its files
// For a path that no route has: whether a person in a browser asks, and the page that says so.
bool wants_page(const http::Request& request);
http::Response page_not_found(const http::Request& request);
void add_watching(Router& router, Services& services);  // /health

}  // namespace serve::api
