// SPDX-License-Identifier: Apache-2.0
#include "files/new_file.h"

#include "base/error.h"
#include "base/os/path_text.h"

namespace dragoman {
namespace fs = std::filesystem;
namespace {

void refuse_old(const fs::path& path, bool replace) {
    std::error_code error;
    if (fs::is_directory(path, error)) fail(Status::io_error, "cannot write {}: it is a directory", text_of(path));
    if (!replace && fs::exists(path, error))
        fail(Status::io_error, "cannot write {}: it exists, and replacing it was not asked for", text_of(path));
}

}  // namespace

NewFile::NewFile(const fs::path& path, bool replace) : path_(path), replace_(replace) {
    refuse_old(path_, replace_);
    check(file_.create(path_));
}

void NewFile::write(std::span<const std::byte> bytes) { check(file_.write(bytes)); }

void NewFile::finish() { check(file_.publish(replace_)); }

void NewFile::check(std::error_code error) const {
    if (error) fail(Status::io_error, "cannot write {}: {}", text_of(path_), error.message());
}

}  // namespace dragoman
