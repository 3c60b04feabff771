// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include "base/error.h"
#include "base/os/durable.h"
#include "base/os/path_text.h"
#include "download/lock.h"
#include "download/sha256.h"
#include "download/space.h"
#include "files/file_map.h"
#include "formats/gguf_file.h"
#include "registry/install.h"
#include "registry/model_place.h"

namespace dragoman::registry {
namespace fs = std::filesystem;
namespace {

// As `dragoman convert --type` has them, by their numbers in GGUF files. A file whose matrices kept their types has none.
std::string weight_type(const formats::GgufFile& file) {
    switch (file.integer("general.file_type").value_or(-1)) {
        case 0: return "f32";
        case 1: return "f16";
        case 3: return "q4";
        case 7: return "q8";
        default: return "keep";
    }
}

constexpr std::size_t kCopied = std::size_t{1} << 20;  // bytes at a time

// Hashes the bytes that are written.
store::StoredFile copy(const fs::path& from, const fs::path& to, const download::ProgressFn& progress) {
    const uint64_t bytes = fs::file_size(from);
    std::ifstream in(from, std::ios::binary);
    std::ofstream out(to, std::ios::binary);
    download::Sha256 hash;
    std::vector<char> block(kCopied);
    uint64_t done = 0;
    while (in && out && done < bytes) {
        in.read(block.data(), static_cast<std::streamsize>(block.size()));
        const auto count = static_cast<std::size_t>(in.gcount());
        hash.add(std::as_bytes(std::span(block.data(), count)));
        out.write(block.data(), static_cast<std::streamsize>(count));
        done += count;
        if (progress &&
            !progress({.file = text_of(from.filename()), .done_bytes = done, .total_bytes = bytes, .note = {}}))
            fail(Status::cancelled, "{}: the copy was stopped; the model stays as it was", text_of(from));
    }
    out.close();
    if (done != bytes) fail(Status::io_error, "{}: expected {} bytes, read {}", text_of(from), bytes, done);
    if (!out) fail(Status::io_error, "{}: cannot be written", text_of(to));
    if (const std::error_code error = os::sync_file(to)) fail(Status::io_error, "{}: {}", text_of(to), error.message());
    return {.name = text_of(to.filename()), .bytes = bytes, .sha256 = hash.hex(), .url = {}, .proof = {}};
}

}  // namespace

void keep_file(const store::Installed& model, const fs::path& file, const download::ProgressFn& progress) {
    const ModelPlace place = ModelPlace::of(model);
    std::error_code missing;
    const uint64_t bytes = fs::file_size(file, missing);
    if (missing) fail(Status::io_error, "{}: {}", text_of(file), missing.message());
    const std::string type = weight_type(formats::GgufFile(map_file(file)));
    const download::Lock lock(place.lock, [&] {
        return !progress || progress({.file = model.name,
                                      .done_bytes = 0,
                                      .total_bytes = bytes,
                                      .note = "waits for another process that changes " + model.name});
    });
    place.recover();
    download::need_space(place.target.parent_path(), bytes);
    make_folder(place.fresh);
    store::Installed kept = store::read_metadata(place.target);
    kept.files = {copy(file, place.fresh / "model.gguf", progress)};
    kept.files.front().proof = "converted " + type;
    kept.bytes = kept.files.front().bytes;
    kept.path = place.fresh / "model.gguf";
    store::write_metadata(place.fresh, kept);
    sync_tree(place.fresh);
    place.put_in_place();
}

}  // namespace dragoman::registry
