// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "serve/router.h"
#include "serve/services.h"

namespace serve::api {

// What a request for texts and one for a document have in common.
struct DeeplParameters {
    std::string from;  // a served tag; empty: to be found
    std::string to;
    std::string source_code;              // what answers name as the source; empty: what was found
    std::vector<std::string> glossaries;  // ids
    std::string memory;                   // id; empty: none
};

// Reads and checks them. What cannot be heeded is refused by its name: formality more and less, style_id,
// custom_instructions. Segments of a translation memory count where they are equal to a sentence, whatever
// translation_memory_threshold says.
DeeplParameters deepl_parameters(const Services& services, const Json& fields);

}  // namespace serve::api
