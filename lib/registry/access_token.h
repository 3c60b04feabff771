// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dragoman::registry {

// What requests to the registry of this id prove their user with; "" for all but "hf". There it is HF_TOKEN,
// HUGGING_FACE_HUB_TOKEN or what the file HF_TOKEN_PATH holds, as Hugging Face's own programs have it; none goes to a
// mirror of DRAGOMAN_MIRROR_HF.
std::string access_token(const std::string& registry);

}  // namespace dragoman::registry
