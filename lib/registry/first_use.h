// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "download/transfer.h"
#include "registry/entry.h"
#include "store/installed.h"

// Files that a registry has no hash of are what they are when they first come. From then on the same version of a model has
// to have the same bytes.
namespace dragoman::registry {

bool has_published_hash(const RemoteFile& file);

// What came of the files without a hash, to be kept with the model.
std::vector<store::FirstUse> first_use(const Entry& entry, const std::vector<download::FileResult>& came);

// Expects of each request what came from its address before, if that was this version of the model.
void expect_first_use(const std::optional<store::Installed>& before, const Entry& entry,
                      std::vector<download::FileRequest>& requests);

}  // namespace dragoman::registry
