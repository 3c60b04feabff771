// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "store/elsewhere/folder_files.h"

namespace dragoman::store {

// What a folder of files looks like by their names and first bytes; who loads it looks closer.
struct Look {
    std::string architecture;  // "marian", "m2m_100", "TransformerSpec"; "" for none that can be loaded
    std::string refusal;       // what it is instead, naming the file; "" where files are missing
    uint64_t more_bytes = 0;   // of the files that it has in folders beneath it
};

// A model that can be loaded as a folder, other than one of GGUF files: whole weights, and a vocabulary.
Look look_at(const std::filesystem::path& folder, const FolderFiles& files);

}  // namespace dragoman::store
