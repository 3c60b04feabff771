// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace dragoman::store {

// general.architecture of a GGUF file, from its first bytes; "" for other files, and where it is not there.
std::string gguf_architecture(const std::filesystem::path& file);
// Whether GGUF files of that architecture are read; programs for chats keep many others.
bool is_read_architecture(std::string_view architecture);

}  // namespace dragoman::store
