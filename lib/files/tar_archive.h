// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_bytes.h"

namespace dragoman {

// The files of a tar archive in memory (ustar, with the long names of pax and GNU tar). Links and devices are left out.
// Immutable.
class TarArchive {
public:
    static bool has_name_of_one(std::string_view name);  // "x.tar", "x.tar.gz", "x.tgz", "x.tar.zst"

    // Unpacks it first if its name says so. Throws bad_model, naming the file and the byte, for a broken archive, and
    // what unpacking throws.
    explicit TarArchive(FileBytes file);

    const std::string& file() const { return file_.name; }
    std::vector<std::string> names() const;  // sorted, without folders
    FileBytes read(std::string_view name) const;  // `name` is one of names()

private:
    FileBytes file_;
    std::map<std::string, std::span<const std::byte>, std::less<>> members_;
};

}  // namespace dragoman
