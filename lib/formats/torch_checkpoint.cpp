// SPDX-License-Identifier: Apache-2.0
#include "formats/torch_checkpoint.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "files/file_map.h"
#include "formats/byte_reader.h"

namespace dragoman::formats {
namespace {

constexpr std::string_view kPickle = "/data.pkl";

// The magic number 0x1950a86a20f9469cfc6c and the version 1001, each as a pickle.
constexpr std::string_view kOldBegin{"\x80\2\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\2M\xe9\3.", 21};

bool begins_as_old(std::span<const std::byte> bytes) {
    if (bytes.size() < kOldBegin.size()) return false;
    std::byte begin[kOldBegin.size()];
    copy_bytes(bytes.first(kOldBegin.size()), begin);
    return std::memcmp(begin, kOldBegin.data(), kOldBegin.size()) == 0;
}

FileBytes fetched(FileBytes file) {
    fetch(file);
    return file;
}

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

// Copies a view in C order, from a storage that holds all of it.
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

TorchCheckpoint::TorchCheckpoint(const FileBytes& file) : Checkpoint(file.name), owner_(file.owner) {
    if (begins_as_old(file.bytes)) {
        open_old(file);
    } else if (ZipArchive::looks_like_one(file.bytes)) {
        open_archive(file);
    } else {
        fail(Status::bad_model,
             "{}: not a checkpoint of PyTorch: expected a zip archive or a pickle, file has {} bytes of "
             "another kind",
             file_, file.bytes.size());
    }
    for (const auto& [name, view] : views_)
        tensors_.emplace(name, Tensor{.file = file_, .type = view.type, .shape = view.shape, .bytes = {}});
}

void TorchCheckpoint::open_archive(const FileBytes& file) {
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
        const FileBytes order = fetched(archive_->read(folder_ + "byteorder"));
        if (order.text() != "little") {
            fail(Status::unsupported, "{}: byteorder: expected little, file has {}", file_, order.text().substr(0, 20));
        }
    }
    const FileBytes pickle = fetched(archive_->read(folder_ + "data.pkl"));
    views_ = read_torch_pickle(pickle.name, pickle.bytes).tensors;
}

// A magic number, a version, facts about the machine, the state dict and the storages' names, each a pickle; then the
// storages in the order of their names, each after its number of elements.
void TorchCheckpoint::open_old(const FileBytes& file) {
    auto rest = file.bytes.subspan(kOldBegin.size());
    const auto next = [&](const char* what, TorchRoot root) {
        TorchPickle pickle = read_torch_pickle(file_ + ": " + what, rest, root);
        rest = rest.subspan(pickle.size_bytes);
        return pickle;
    };
    const auto machine = next("machine", TorchRoot::dictionary).numbers;
    if (const auto little = machine.find("little_endian"); little == machine.end() || little->second != 1) {
        fail(Status::unsupported, "{}: little_endian: expected true, file has {}", file_,
             little == machine.end() ? "none" : "false");
    }
    TorchPickle state = next("tensors", TorchRoot::dictionary);
    const auto names = next("storages", TorchRoot::list).texts;
    ByteReader in(rest, file_ + ": storages' content");
    for (const std::string& name : names) {
        const auto storage = state.storages.find(name);
        if (storage == state.storages.end()) {
            fail(Status::bad_model, "{}: storage {}: expected one that a tensor refers to", file_, name);
        }
        const auto& [type, elements] = storage->second;
        if (const auto stated = in.read<uint64_t>(name); stated != elements) {
            fail(Status::bad_model, "{}: storage {}: expected {} elements, file has {}", file_, name, elements, stated);
        }
        const auto bytes = in.pass(elements * *item_bytes(type), name);
        FileBytes content{.name = file_, .bytes = bytes, .owner = owner_, .mapped = file.mapped};
        if (!storages_.emplace(name, std::move(content)).second) {
            fail(Status::bad_model, "{}: storage {}: expected once, file has it twice", file_, name);
        }
    }
    if (in.remaining()) {
        fail(Status::bad_model, "{}: expected the end after the storages, file has {} more bytes", file_,
             in.remaining());
    }
    views_ = std::move(state.tensors);
}

const FileBytes& TorchCheckpoint::storage(const TorchTensor& tensor) const {
    if (!archive_) {
        const auto found = storages_.find(tensor.storage);
        if (found == storages_.end()) fail(Status::bad_model, "{}: storage {}: not in the file", file_, tensor.storage);
        return found->second;
    }
    const std::string name = folder_ + "data/" + tensor.storage;
    if (!archive_->has(name)) fail(Status::bad_model, "{}: expected {}, the archive has no such file", file_, name);
    const uint64_t expected = tensor.storage_elements * *item_bytes(tensor.type);
    if (const uint64_t size = archive_->unpacked_bytes(name); size != expected) {
        fail(Status::bad_model, "{}: {}: expected {} bytes ({} of {}), file has {}", file_, name, expected,
             tensor.storage_elements, tensor.type, size);
    }
    FileBytes& file = storages_[tensor.storage];
    if (!file.owner) file = archive_->read(name);
    return file;
}

Checkpoint::Content TorchCheckpoint::content(const std::string& name, const Tensor&) const {
    const TorchTensor& view = views_.find(name)->second;
    const uint64_t item = *item_bytes(view.type);
    const FileBytes& file = storage(view);
    if (in_one_piece(view)) return {file.bytes.subspan(view.offset * item, elements_of(view) * item), file.mapped};
    auto& gathered = gathered_[name];
    if (gathered.empty()) {
        std::vector<std::byte> all(file.mapped ? file.bytes.size() : 0);
        if (file.mapped) copy_bytes(file.bytes, all.data());
        gathered = gather(view, file.mapped ? std::span<const std::byte>(all) : file.bytes, item);
    }
    return {gathered};
}

}  // namespace dragoman::formats
