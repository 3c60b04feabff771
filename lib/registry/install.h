// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "download/transfer.h"
#include "registry/entry.h"
#include "store/installed.h"

namespace dragoman::registry {

struct InstallOptions {
    bool again = false;             // even if the same version is there
    int parallel = 4;
    download::Settings transfer;
    download::ProgressFn progress;
};

// Brings the files of an entry (resolved) to the store: locked against other processes, transferred beside, checked,
// unpacked into a hidden folder of the store, synchronised to the disk, renamed, metadata last. The old version of the model is
// replaced only when the new one is whole. A call after any interruption goes on. Throws io_error, cancelled, bad_model.
store::Installed install(const Entry& entry, const InstallOptions& options);

struct Verified {
    std::string file;
    std::string problem;  // "" right; "missing", "12 bytes, expected 34", "SHA-256 ab..., expected cd..."
};
// Hashes the files again. For models of the own store only: throws invalid_argument for others.
std::vector<Verified> verify(const store::Installed& model, const download::ProgressFn& progress);

// Keeps a copy of one file (a GGUF file made of the model) instead of what was downloaded; the same way of hidden folder,
// synchronising and renaming. Its proof says its type: "converted q8". Throws invalid_argument for a model of another
// program, bad_model and unsupported for another file, io_error, cancelled.
void keep_file(const store::Installed& model, const std::filesystem::path& file, const download::ProgressFn& progress);

// Removes a model of the own store; throws invalid_argument for those of other programs, which are left alone.
void remove(const store::Installed& model);

// Removes partial files older than `days`, and hidden folders that no process is writing.
uint64_t remove_leftovers(double days);

}  // namespace dragoman::registry
