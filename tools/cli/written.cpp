// SPDX-License-Identifier: Apache-2.0
#include "written.h"

#include <fstream>

#include "base/os/path_text.h"
#include "commands.h"

namespace cli {

void write_file(const std::string& path, std::string_view bytes) {
    errno = 0;
    std::ofstream file(dragoman::path_of(path), std::ios::binary);
    file.write(bytes.data(), std::streamsize(bytes.size())).flush();
    if (!file) throw Failure(path + ": " + write_error());
}

}  // namespace cli
