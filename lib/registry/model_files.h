// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "download/transfer.h"
#include "registry/entry.h"
#include "store/installed.h"

namespace dragoman::registry {

// The files of a model on their way from where they were transferred to the folder that becomes the model.
struct ModelFiles {
    std::filesystem::path partial, fresh;

    std::filesystem::path transferred(const RemoteFile& file) const;
    // Places, unpacks and checks them; throws io_error or bad_model, after removing a transferred file that is wrong.
    std::vector<store::StoredFile> place(const Entry& entry, const std::vector<download::FileResult>& came,
                                         const std::function<bool()>& go_on) const;

private:
    store::StoredFile keep(const RemoteFile& file, const download::FileResult& came) const;
    store::StoredFile unpack(const RemoteFile& file, const std::function<bool()>& go_on) const;
    std::vector<store::StoredFile> unpack_all(const RemoteFile& file, const std::function<bool()>& go_on) const;
};

// The name that a file has in the model's folder.
std::string stored_name(const RemoteFile& file);
// Refuses names that lead out of the folder or that two files have.
void check_names(const Entry& entry);

}  // namespace dragoman::registry
