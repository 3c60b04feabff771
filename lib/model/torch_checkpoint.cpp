// SPDX-License-Identifier: Apache-2.0
#include "model/torch_checkpoint.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace dragoman::model {
namespace {

constexpr std::string_view kPickle = "/data.pkl";

bool in_one_piece(const TorchTensor& tensor) {
    uint64_t stride = 1;
    for (std::size_t i = tensor.shape.size(); i-- > 0;) {
        if (tensor.shape[i] != 1 && tensor.strides[i] != stride) return false;
        stride *= tensor.shape[i];
    }
    return true;
}

uint64_t elements_of(const TorchTensor& tensor) {
    uint64_t elements = 1;
    for (const uint32_t size : tensor.shape) elements *= size;
    return elements;
}

// In C order, from a storage that holds the whole view.
std::vector<std::byte> gather(const TorchTensor& tensor, std::span<const std::byte> storage, uint64_t item) {
    const uint64_t elements = elements_of(tensor);
    std::vector<std::byte> result(elements * item);
    std::vector<uint32_t> index(tensor.shape.size());
    uint64_t from = tensor.offset;
    for (uint64_t i = 0; i < elements; ++i) {
        std::memcpy(result.data() + i * item, storage.data() + from * item, item);
        for (std::size_t d = index.size(); d-- > 0;) {
            from += tensor.strides[d];
            if (++index[d] < tensor.shape[d]) break;
            from -= tensor.strides[d] * tensor.shape[d];
            index[d] = 0;
        }
    }
    return result;
}

}  // namespace

TorchCheckpoint::TorchCheckpoint(const FileBytes& file) : Checkpoint(file.name) {
    if (!ZipArchive::looks_like_one(file.bytes)) {
        fail(Status::unsupported,
             "{}: not a zip archive, as torch.save writes since PyTorch 1.6; load it with torch.load and save it again, or "
             "as model.safetensors",
             file_);
    }
    archive_ = std::make_unique<const ZipArchive>(file);
    for (const std::string& name : archive_->names()) {
        if (!name.ends_with(kPickle) || name.find('/') != name.size() - kPickle.size()) continue;
        if (!folder_.empty()) {
            fail(Status::bad_model, "{}: expected one data.pkl, file has {}data.pkl and {}", file_, folder_, name);
        }
        folder_ = name.substr(0, name.size() - kPickle.size() + 1);
    }
    if (folder_.empty()) fail(Status::bad_model, "{}: expected data.pkl in the archive, the file has none", file_);
    if (archive_->has(folder_ + "byteorder")) {
        const FileBytes order = archive_->read(folder_ + "byteorder");
        if (order.text() != "little") {
            fail(Status::unsupported, "{}: byteorder: expected little, file has {}", file_, order.text().substr(0, 20));
        }
    }
    const FileBytes pickle = archive_->read(folder_ + "data.pkl");
    views_ = read_torch_pickle(pickle.name, pickle.bytes);
    for (const auto& [name, view] : views_)
        tensors_.emplace(name, Tensor{.file = file_, .type = view.type, .shape = view.shape, .bytes = {}});
}

std::span<const std::byte> TorchCheckpoint::storage(const TorchTensor& tensor) const {
    const std::string name = folder_ + "data/" + tensor.storage;
    if (!archive_->has(name)) fail(Status::bad_model, "{}: expected {}, the archive has no such file", file_, name);
    const uint64_t expected = tensor.storage_elements * *item_bytes(tensor.type);
    if (const uint64_t size = archive_->unpacked_bytes(name); size != expected) {
        fail(Status::bad_model, "{}: {}: expected {} bytes ({} of {}), file has {}", file_, name, expected,
             tensor.storage_elements, tensor.type, size);
    }
    FileBytes& file = storages_[tensor.storage];
    if (!file.owner) file = archive_->read(name);
    return file.bytes;
}

std::span<const std::byte> TorchCheckpoint::content(const std::string& name, const Tensor&) const {
    const TorchTensor& view = views_.find(name)->second;
    const uint64_t item = *item_bytes(view.type);
    const auto bytes = storage(view);
    if (in_one_piece(view)) return bytes.subspan(view.offset * item, elements_of(view) * item);
    auto& gathered = gathered_[name];
    if (gathered.empty()) gathered = gather(view, bytes, item);
    return gathered;
}

}  // namespace dragoman::model
