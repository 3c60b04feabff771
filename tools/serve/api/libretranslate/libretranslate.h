// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/router.h"
#include "serve/services.h"

// What the files of LibreTranslate's interface share.
namespace serve::api {

// A route with its form of errors and its field for the key.
Route libretranslate_route(const char* method, const char* path, std::function<void(Call&)> handler);

void add_libretranslate_files(Router& router, Services& services);        // /translate_file, /download_file/NAME
void add_libretranslate_suggestions(Router& router, Services& services);  // /suggest

}  // namespace serve::api
