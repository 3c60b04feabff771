// SPDX-License-Identifier: Apache-2.0
#include "written.h"

#include "base/os/path_text.h"
#include "commands.h"

namespace cli {

WrittenFile::WrittenFile(const std::string& path) : path_(path) { check(file_.open(dragoman::path_of(path))); }

void WrittenFile::write(std::string_view bytes) { check(file_.write(bytes)); }

void WrittenFile::finish() { check(file_.finish()); }

void WrittenFile::check(const std::string& why) const {
    if (!why.empty()) throw Failure(path_ + ": " + why);
}

void write_file(const std::string& path, std::string_view bytes) {
    WrittenFile file(path);
    file.write(bytes);
    file.finish();
}

void write_file(const std::string& path, std::span<const uint8_t> bytes) {
    write_file(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void check_can_be_written(const std::string& path) {
    if (path.empty()) return;
    const std::string why = dragoman::os::why_not_writable(dragoman::path_of(path));
    if (!why.empty()) throw Failure(path + ": " + why);
}

}  // namespace cli
