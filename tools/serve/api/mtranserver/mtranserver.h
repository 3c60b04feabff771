// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/api/api.h"
#include "serve/api/shapes/groups.h"

// MTranServer's interface, and the ones that it has for add-ons of browsers, at paths of their own.
namespace serve::api {

// A route with its form of errors and all places where a client may have its token.
Route mtranserver_route(const char* method, const std::string& path, std::function<void(Call&)> handler);

// Translates `texts` from `from` to `to`, of which each text may be in a language of its own where `from` is "auto".
void translate_mtranserver(Services& services, Call& call, const Texts& texts, const char* field, GroupsDone done);

void mtranserver_add_plugins(Router& router, Services& services);  // /imme, /kiss, /deepl, /deeplx, /google/...
void mtranserver_add_hcfy(Router& router, Services& services);

}  // namespace serve::api
