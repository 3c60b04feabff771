// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace serve::api {

// openapi.json and swagger.json, and the first as a page with its style.
extern const std::span<const unsigned char> kOpenApi, kSwagger, kDocs, kDocsStyle;

}  // namespace serve::api
