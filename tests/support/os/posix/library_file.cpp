// SPDX-License-Identifier: Apache-2.0
#include "support/library_file.h"

#include <array>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace dragoman::test {
namespace {

std::vector<std::string> output_of(const std::string& command) {
    std::vector<std::string> lines;
    FILE* pipe = popen(command.c_str(), "r");
    if (!pipe) throw std::runtime_error(command);
    std::array<char, 1024> line;
    while (std::fgets(line.data(), line.size(), pipe)) lines.emplace_back(line.data());
    if (pclose(pipe) != 0) throw std::runtime_error(command);
    return lines;
}

}  // namespace

LibraryFile read_library(const std::string& path, const std::string& version) {
    LibraryFile file;
    for (const std::string& line : output_of("nm -D --defined-only '" + path + "'")) {
        std::istringstream words(line);
        std::string address, type, name;
        words >> address >> type >> name;
        if (type == "A" && name.starts_with(version)) continue;  // the version itself
        const std::size_t at = name.find("@@" + version);
        file.exports.insert(at + 2 + version.size() == name.size() ? name.substr(0, at) : name);
    }
    for (const std::string& line : output_of("readelf -d '" + path + "'")) {
        if (line.find("SONAME") == std::string::npos) continue;
        const std::size_t begin = line.find('[') + 1;
        file.own_name = line.substr(begin, line.find(']') - begin);
    }
    return file;
}

}  // namespace dragoman::test
