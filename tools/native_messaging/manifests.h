// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

// Files by which browsers find this program as translateLocally's engine.
namespace native_messaging {

struct Installation {
    std::filesystem::path home;     // the user's folder
    std::filesystem::path config;   // settings of programs: ~/.config
    std::filesystem::path data;     // where the script that browsers start is put
    std::filesystem::path program;  // this one
    std::vector<std::string> arguments;   // for native-messaging: models, --device ...
    std::vector<std::string> browsers;    // "firefox", "chromium", "chrome"
    std::vector<std::string> extensions;  // that may use it, of any browser; empty: those that are known
};

// The names that --install and --uninstall take.
const std::vector<std::string>& browsers();
// Those of `where.extensions` that a browser can have.
std::vector<std::string> allowed_extensions(const Installation& where, const std::string& browser);
// The file that a browser looks for.
std::filesystem::path manifest_path(const Installation& where, const std::string& browser);
std::string manifest(const Installation& where, const std::string& browser);
// The script that a manifest names: manifests take no arguments, and browsers give some of their own.
std::filesystem::path script_path(const Installation& where);
std::string script(const Installation& where);

// Both write or remove, and give the files that they did that to. Throw std::runtime_error.
std::vector<std::filesystem::path> install(const Installation& where);
std::vector<std::filesystem::path> uninstall(const Installation& where);

}  // namespace native_messaging
