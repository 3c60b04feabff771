// SPDX-License-Identifier: Apache-2.0
// The file of defaults, config.toml.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/commands.h"
#include "cli/config_file.h"

namespace {

void require(bool sound, const char* what) {
    if (sound) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

// In memory where the system has such a folder.
const std::filesystem::path& folder() {
    static const std::filesystem::path made = [] {
        std::error_code none;
        const std::filesystem::path shared = "/dev/shm";
        std::string name =
            ((std::filesystem::exists(shared, none) ? shared : std::filesystem::temp_directory_path()) / "fuzz-XXXXXX")
                .string();
        require(mkdtemp(name.data()), "mkdtemp");
        std::filesystem::create_directories(std::filesystem::path(name) / "dragoman");
        setenv("XDG_CONFIG_HOME", name.c_str(), 1);
        return std::filesystem::path(name);
    }();
    static const struct Remove {
        ~Remove() { std::filesystem::remove_all(made); }
    } remove;
    return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    std::ofstream(folder() / "dragoman" / "config.toml", std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    CLI::App app;
    std::string model, to;
    std::vector<std::string> models;
    int beam = 0;
    bool keep = false;
    app.add_option("--model", model)->excludes(app.add_option("--models", models));
    app.add_option("--to", to);
    app.add_option("--beam-size", beam);
    app.add_flag("--keep", keep);
    try {
        cli::read_config(app);
    } catch (const cli::Failure& failure) {
        require(std::string_view(failure.what()).find("config.toml") != std::string_view::npos, failure.what());
    }
    return 0;
}
