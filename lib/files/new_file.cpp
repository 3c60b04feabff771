// SPDX-License-Identifier: Apache-2.0
#include "files/new_file.h"

#include "base/error.h"
#include "base/os/path_text.h"

namespace dragoman {

NewFile::NewFile(const std::filesystem::path& path, bool replace) : path_(path) { check(file_.open(path_, replace)); }

void NewFile::write(std::span<const std::byte> bytes) { check(file_.write(bytes)); }

void NewFile::finish() { check(file_.finish()); }

void NewFile::check(const std::string& why) const {
    if (!why.empty()) fail(Status::io_error, "cannot write {}: {}", text_of(path_), why);
}

}  // namespace dragoman
