// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace dragoman::formats {

// A tensor in a PyTorch state dict: a strided view of a storage, all in elements.
struct TorchTensor {
    std::string type;     // of the storage, with the name that safetensors files use: "F32" ...
    std::string storage;  // the name of its file under data/
    uint64_t storage_elements = 0;
    uint64_t offset = 0;
    std::vector<uint32_t> shape;
    std::vector<uint64_t> strides;  // as many as shape
};

struct TorchStorage {
    std::string type;
    uint64_t elements = 0;
};

using TorchStateDict = std::map<std::string, TorchTensor, std::less<>>;

struct TorchPickle {
    TorchStateDict tensors;                // in a dictionary
    std::map<std::string, int64_t> numbers;  // whole numbers and booleans in a dictionary
    std::vector<std::string> texts;        // in a list
    std::map<std::string, TorchStorage> storages;
    uint64_t size_bytes = 0;               // size of the pickle, which may be followed by other data
};

enum class TorchRoot { dictionary, list };

// Reads a pickle of torch.save: the opcodes of protocol 2 that it writes for tensors in dictionaries. Nothing is
// executed; anything in a pickle besides tensors, parameters, storages and ordered dictionaries is refused by its name.
// Every view lies within its storage's described size and has at most as many elements. `file` begins the messages.
// Throws bad_model and unsupported.
TorchPickle read_torch_pickle(const std::string& file, std::span<const std::byte> pickle,
                              TorchRoot expected = TorchRoot::dictionary);

}  // namespace dragoman::formats
