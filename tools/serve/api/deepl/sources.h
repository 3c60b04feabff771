// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "serve/work/models.h"

namespace serve::api {

// Texts of a request that are in one language.
struct DeeplSource {
    std::string language;            // a served tag; empty: the translation itself finds it
    std::vector<std::size_t> texts;  // which
};

// `from` is the language of all of them where it is given. Otherwise it is the one that all texts together are in, but
// for texts that are long and clear enough to say something else of themselves. `tagged`: they are HTML or XML.
std::vector<DeeplSource> deepl_sources(const work::Models& models, const std::vector<std::string>& texts,
                                       const std::string& from, const std::string& to, bool tagged);

}  // namespace serve::api
