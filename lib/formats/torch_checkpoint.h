// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/zip_archive.h"
#include "formats/checkpoint.h"
#include "formats/torch_pickle.h"

namespace dragoman::formats {

// A state dict as torch.save writes it: since PyTorch 1.6 a zip archive with a pickle and the storages, before that
// several pickles and the storages one after the other. Storages in archives are read when a tensor of theirs is asked
// for; tensors that do not lie in one piece are copied together.
class TorchCheckpoint final : public Checkpoint {
public:
    // Throws bad_model for what contradicts the format, unsupported for big-endian files and other things than tensors.
    explicit TorchCheckpoint(const FileBytes& file);

private:
    void open_archive(const FileBytes& file);
    void open_old(const FileBytes& file);
    Content content(const std::string& name, const Tensor& tensor) const override;
    const FileBytes& storage(const TorchTensor& tensor) const;

    std::shared_ptr<const void> owner_;
    std::unique_ptr<const ZipArchive> archive_;  // null: an old file
    std::string folder_;  // "archive/" or what torch.save was told
    TorchStateDict views_;
    mutable std::map<std::string, FileBytes> storages_;  // of old files all of them, else those that were read
    mutable std::map<std::string, std::vector<std::byte>> gathered_;
};

}  // namespace dragoman::formats
