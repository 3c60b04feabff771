// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace dragoman::download {

// How far a download is. The files of a model may come side by side; numbers are of all of them together.
struct Progress {
    std::string file;          // the one that moved
    uint64_t done_bytes = 0;   // transferred, with what was there before
    uint64_t total_bytes = 0;  // 0: not known
    std::string note;          // a sentence for people: "tries again after 429, in 8 s"; "" otherwise
};

// Called from one thread at a time, at most ten times a second apart from notes; false stops the download (Status::cancelled),
// which can be gone on with later.
using ProgressFn = std::function<bool(const Progress&)>;

}  // namespace dragoman::download
