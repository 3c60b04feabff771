// SPDX-License-Identifier: Apache-2.0
#include "registry/access_token.h"

#include <filesystem>
#include <fstream>

#include "base/environment.h"
#include "store/elsewhere/user_folders.h"

namespace dragoman::registry {
namespace {

std::filesystem::path token_file() {
    if (const auto named = store::named_folder("HF_TOKEN_PATH"); !named.empty()) return named;
    if (const auto home = store::named_folder("HF_HOME"); !home.empty()) return home / "token";
    return store::below(store::named_folder_or("XDG_CACHE_HOME", ".cache"), "huggingface/token");
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
