// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/environment.h"
#include "store/installed.h"
#include "support/environment.h"
#include "support/temp_dir.h"

namespace dragoman::test {

// A user of this machine who has nothing yet: a folder of their own, and no variables that name others. The process's
// variables come back at the end.
class User {
public:
    User() {
        for (const char* name :
             {"XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "DRAGOMAN_MODELS_DIR", "LLAMA_CACHE",
              "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "ARGOS_PACKAGES_DIR", "ARGOS_TRANSLATE_PACKAGES_DIR",
              "SNAP", "SNAP_USER_DATA", "OLLAMA_MODELS"})
            set(name, nullptr);
        for (const char* name : {"HOME", "USERPROFILE"}) set(name, text_of(home()).c_str());
#ifdef _WIN32
        set("LOCALAPPDATA", text_of(home() / ".local/share").c_str());
        set("APPDATA", text_of(home() / ".config").c_str());
#endif
    }
    ~User() {
        for (const auto& [name, value] : before_)
            set_environment(name.c_str(), value.empty() ? nullptr : value.c_str());
    }

    const Path& home() const { return folder_.path(); }

    void set(const char* name, const char* value) {
        before_.emplace(name, environment(name));
        set_environment(name, value);
    }

    // A file in the user's folder, with the folders above it.
    std::filesystem::path write(const std::string& name, std::string_view content) const {
        std::filesystem::create_directories((home() / name).parent_path());
        return folder_.write(name, content);
    }

    // A link in the user's folder to a path that is relative to it.
    void link(const std::string& name, const std::string& target) const {
        std::filesystem::create_directories((home() / name).parent_path());
        std::filesystem::create_symlink(target, home() / name);
    }

private:
    TempDir folder_;
    std::map<std::string, std::string> before_;
};

inline std::vector<std::string> names_of(const std::vector<store::Installed>& models) {
    std::vector<std::string> names;
    for (const store::Installed& model : models) names.push_back(model.name);
    return names;
}

// All that a folder holds, with the bytes and the times of change; what only reads leaves it as it is.
inline std::string state_of(const std::filesystem::path& folder) {
    std::map<std::string, std::string> state;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const auto status = entry.symlink_status();
        std::string& line = state[text_of(entry.path())];
        if (std::filesystem::is_symlink(status)) line = "-> " + text_of(std::filesystem::read_symlink(entry.path()));
        else if (std::filesystem::is_regular_file(status))
            line = std::to_string(entry.file_size()) + " " +
                   std::to_string(entry.last_write_time().time_since_epoch().count());
    }
    std::string text;
    for (const auto& [path, line] : state) text += path + " " + line + "\n";
    return text;
}

// The beginning of a GGUF file: other keys, then the architecture.
inline std::string gguf_head(std::string_view architecture) {
    std::string head = "GGUF";
    const auto number = [&](uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) head += static_cast<char>(value >> (8 * i) & 0xff);
    };
    const auto text = [&](std::string_view value) {
        number(value.size(), 8);
        head += value;
    };
    number(3, 4), number(0, 8), number(3, 8);
    text("general.alignment"), number(4, 4), number(32, 4);
    text("general.name"), number(8, 4), text("a model");
    text("general.architecture"), number(8, 4), text(architecture);
    return head;
}

}  // namespace dragoman::test
