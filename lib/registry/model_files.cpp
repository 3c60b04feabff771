// SPDX-License-Identifier: Apache-2.0
#include "registry/model_files.h"

#include <set>

#include "base/error.h"
#include "base/os/durable.h"
#include "base/os/path_text.h"
#include "download/unpack.h"
#include "registry/first_use.h"
#include "registry/model_place.h"
#include "registry/packing.h"
#include "registry/safe_text.h"

namespace dragoman::registry {
namespace fs = std::filesystem;
namespace {

std::string proof_of(const RemoteFile& file) { return has_published_hash(file) ? "published" : "first use"; }

// The hash belongs to the bytes that came: whoever sent others sends them again.
void drop_transferred(const fs::path& file) {
    std::error_code none;
    fs::remove(file, none);
    fs::path state = file;
    fs::remove(state += ".state", none);
}

void check_unpacked(const RemoteFile& file, const download::Unpacked& unpacked) {
    if (file.unpacked_bytes > 0 && unpacked.bytes != file.unpacked_bytes)
        fail(Status::bad_model, "{}: expected {} bytes when unpacked, it has {}", file.name, file.unpacked_bytes,
             unpacked.bytes);
    if (!file.unpacked_sha256.empty() && unpacked.sha256 != file.unpacked_sha256)
        fail(Status::bad_model, "{}: expected SHA-256 {} when unpacked, it has {}", file.name, file.unpacked_sha256,
             unpacked.sha256);
}

// One file becomes what its registry says, and no more.
download::UnpackLimits limits_of(const RemoteFile& file) {
    download::UnpackLimits limits;
    if (file.packing == Packing::file && file.unpacked_bytes > 0) limits.bytes = file.unpacked_bytes;
    return limits;
}

}  // namespace

std::string stored_name(const RemoteFile& file) {
    return file.packing == Packing::file ? unpacked_name(file.name) : file.name;
}

void check_names(const Entry& entry) {
    std::set<std::string> names;
    for (const RemoteFile& file : entry.files) {
        checked_file_name(entry.name(), file.name);
        std::string folded = file.packing == Packing::archive ? file.name : stored_name(file);
        for (char& c : folded)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (folded == store::kMetadataFile || !names.insert(folded).second)
            fail(Status::bad_model, "{}: two files would be called {}", entry.name(), file.name);
    }
}

// What is transferred has one folder of its own: names of files come from a registry.
fs::path ModelFiles::transferred(const RemoteFile& file) const { return partial / "files" / path_of(file.name); }

store::StoredFile ModelFiles::keep(const RemoteFile& file, const download::FileResult& came) const {
    const fs::path from = transferred(file), to = fresh / path_of(file.name);
    make_folder(to.parent_path());
    // A second name for the same bytes: should this process end now, the transferred file is still there.
    std::error_code error;
    fs::create_hard_link(from, to, error);
    if (error) fs::copy_file(from, to, error);
    if (!error) error = os::sync_file(to);
    if (error) fail(Status::io_error, "cannot write {}: {}", text_of(to), error.message());
    return {.name = file.name, .bytes = came.bytes, .sha256 = came.sha256, .url = file.url, .proof = proof_of(file)};
}

store::StoredFile ModelFiles::unpack(const RemoteFile& file, const std::function<bool()>& go_on) const {
    const std::string name = stored_name(file);
    const auto unpacked = download::unpack_file(transferred(file), fresh / path_of(name), limits_of(file), go_on);
    check_unpacked(file, unpacked);
    return {.name = name, .bytes = unpacked.bytes, .sha256 = unpacked.sha256, .url = file.url, .proof = proof_of(file)};
}

std::vector<store::StoredFile> ModelFiles::unpack_all(const RemoteFile& file,
                                                      const std::function<bool()>& go_on) const {
    const fs::path inside = fresh / ".archive";
    const auto members = download::unpack_archive(transferred(file), inside, limits_of(file), go_on);
    std::vector<store::StoredFile> files;
    for (const download::Unpacked& member : members) {
        const fs::path to = fresh / path_of(member.name);
        std::error_code error;
        if (fs::exists(to, error) || member.name == store::kMetadataFile)
            fail(Status::bad_model, "{}: its member {} would replace another file", file.name, member.name);
        make_folder(to.parent_path());
        fs::rename(inside / path_of(member.name), to, error);
        if (error) fail(Status::io_error, "cannot write {}: {}", text_of(to), error.message());
        files.push_back(
            {.name = member.name, .bytes = member.bytes, .sha256 = member.sha256, .url = "", .proof = proof_of(file)});
    }
    remove_folder(inside);
    return files;
}

std::vector<store::StoredFile> ModelFiles::place(const Entry& entry, const std::vector<download::FileResult>& came,
                                                 const std::function<bool()>& go_on) const {
    std::vector<store::StoredFile> files;
    for (std::size_t i = 0; i < entry.files.size(); ++i) {
        const RemoteFile& file = entry.files[i];
        try {
            if (file.packing == Packing::none) files.push_back(keep(file, came[i]));
            if (file.packing == Packing::file) files.push_back(unpack(file, go_on));
            if (file.packing == Packing::archive)
                for (store::StoredFile& member : unpack_all(file, go_on)) files.push_back(std::move(member));
        } catch (const Error& error) {
            if (error.status() == Status::bad_model) drop_transferred(transferred(file));
            throw;
        }
    }
    return files;
}

}  // namespace dragoman::registry
