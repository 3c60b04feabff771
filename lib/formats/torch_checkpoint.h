// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/zip_archive.h"
#include "formats/checkpoint.h"
#include "formats/torch_pickle.h"

namespace dragoman::formats {

// A state dict in a file that torch.save wrote: since PyTorch 1.6 a zip archive with a pickle and the storages, before
// that several pickles and the storages one after the other. Storages in archives are read when one of their tensors is
// asked for; tensors that are not contiguous are copied together.
class TorchCheckpoint final : public Checkpoint {
public:
    // Throws bad_model for files that contradict the format, unsupported for big-endian files and for objects other
    // than tensors.
    explicit TorchCheckpoint(const FileBytes& file);

private:
    void open_archive(const FileBytes& file);
    void open_old(const FileBytes& file);
    Content content(const std::string& name, const Tensor& tensor) const override;
    const FileBytes& storage(const TorchTensor& tensor) const;

    std::shared_ptr<const void> owner_;
    std::unique_ptr<const ZipArchive> archive_;  // null: an old file
    std::string folder_;  // "archive/", or the name that torch.save was given
    TorchStateDict views_;
    mutable std::map<std::string, FileBytes> storages_;  // all storages of old files, otherwise those read so far
    mutable std::map<std::string, std::vector<std::byte>> gathered_;
};

}  // namespace dragoman::formats
