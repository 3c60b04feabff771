// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace dragoman::documents {

// The key of what readers see in a catalogue of JSON whose entries say more than that: "message" in those of browsers'
// extensions ({"hi": {"message": "Hi", "description": "for translators"}}), "defaultMessage" in those of FormatJS. Empty:
// it is another document. `source` is valid JSON.
std::string_view message_key(std::string_view source);

}  // namespace dragoman::documents
