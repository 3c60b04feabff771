// SPDX-License-Identifier: Apache-2.0
#include "registry/access_token.h"

#include <filesystem>
#include <fstream>

#include "base/environment.h"
#include "base/os/path_text.h"

namespace dragoman::registry {
namespace {

std::filesystem::path token_file() {
    if (const std::string path = environment("HF_TOKEN_PATH"); !path.empty()) return path_of(path);
    if (const std::string home = environment("HF_HOME"); !home.empty()) return path_of(home) / "token";
    std::string cache = environment("XDG_CACHE_HOME");
    if (!cache.empty()) return path_of(cache) / "huggingface" / "token";
    std::string home = environment("HOME");
    if (home.empty()) home = environment("USERPROFILE");
    return home.empty() ? std::filesystem::path() : path_of(home) / ".cache" / "huggingface" / "token";
}

std::string trimmed(const std::string& text) {
    const char* spaces = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(spaces);
    return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

}  // namespace

std::string access_token(const std::string& registry) {
    if (registry != "hf" || !environment("DRAGOMAN_MIRROR_HF").empty()) return "";
    for (const char* variable : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"})
        if (std::string token = trimmed(environment(variable)); !token.empty()) return token;
    if (environment_flag("HF_HUB_DISABLE_IMPLICIT_TOKEN")) return "";
    const std::filesystem::path path = token_file();
    if (path.empty()) return "";
    std::ifstream file(path, std::ios::binary);
    std::string line;
    std::getline(file, line);
    return line.size() > 4096 ? "" : trimmed(line);
}

}  // namespace dragoman::registry
