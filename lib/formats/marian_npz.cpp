// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/log.h"
#include "files/file_map.h"
#include "files/zip_archive.h"
#include "formats/marian_file.h"
#include "formats/npy.h"

namespace dragoman::formats {
namespace {

constexpr std::string_view kSuffix = ".npy";

}  // namespace

std::string marian_options_text(std::span<const std::byte> bytes) {
    const auto end = std::ranges::find(bytes, std::byte{0});
    return {reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(end - bytes.begin())};
}

MarianFile read_marian_npz(const FileBytes& file) {
    const ZipArchive archive(file);
    MarianFile result;
    result.name = file.name;
    bool has_options = false;
    for (const std::string& member : archive.names()) {
        if (!member.ends_with(kSuffix)) continue;
        const std::string name = member.substr(0, member.size() - kSuffix.size());
        const FileBytes content = archive.read(member);
        const NpyArray array = read_npy(content);
        if (name == kMarianOptions) {
            if (array.type != "i1" && array.type != "u1") {
                fail(Status::bad_model, "{}: expected bytes, file has {}", content.name, array.type);
            }
            fetch(array.bytes);
            result.options = marian_options_text(array.bytes);
            has_options = true;
            continue;
        }
        spec::HostTensor tensor{
            .dtype = DType::f32, .shape = array.shape, .bytes = array.bytes, .scales = {}, .mapped = content.mapped};
        std::shared_ptr<const void> owner = content.owner;
        if (array.type == "f2") {
            tensor.dtype = DType::f16;
        } else if (array.type == "f8") {
            const auto floats = std::make_shared<std::vector<float>>(array.elements);
            const std::vector<std::byte> doubles = spec::copy_of(tensor);
            for (uint64_t i = 0; i < array.elements; ++i) {
                double value;
                std::memcpy(&value, doubles.data() + i * sizeof value, sizeof value);
                (*floats)[i] = static_cast<float>(value);
            }
            tensor.bytes = std::as_bytes(std::span(*floats));
            tensor.mapped = false;
            owner = floats;
        } else if (array.type != "f4") {
            log(LogLevel::debug, "{}: {} is not a weight", content.name, array.type);
            continue;
        }
        result.parameters.emplace(name, MarianParameter{.tensor = std::move(tensor)});
        result.owners.push_back(std::move(owner));
    }
    if (!has_options) {
        fail(Status::bad_model,
             "{}: expected a member {}, the file has none: not a model of Marian's, or one from "
             "before it kept its options in the file",
             file.name, kMarianOptions);
    }
    return result;
}

}  // namespace dragoman::formats
