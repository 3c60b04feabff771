// SPDX-License-Identifier: Apache-2.0
#include "device_options.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

namespace cli {

CLI::Option* add_device(CLI::App& app, std::string& device) {
    return app.add_option("-d,--device", device,
                          "Index, UUID or part of the name, see 'dragoman devices'; several: all, or 0,1");
}

CLI::Option* add_compute_type(CLI::App& app, std::string& type) {
    return app
        .add_option("--compute-type", type,
                    "auto: int8 for a model made for it, otherwise float16 on GPUs that have it")
        ->check(CLI::IsMember({"auto", "float32", "float16", "int8", "int8_float16"}))
        ->capture_default_str();
}

CLI::Option* take_size(CLI::Option* option) {
    // CLI11 reads a sign and what is beyond 64 bits as other numbers.
    const auto check = [](const std::string& said) {
        uint64_t number = 0;
        const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), number);
        return error == std::errc() ? std::string()
                                    : "expected bytes, 0 to 2^64 - 1, with a unit or without, got " + said;
    };
    return option->transform(CLI::AsSizeValue(false))->transform(CLI::Validator(check, ""))->type_name("SIZE");
}

CLI::Option* add_memory_limit(CLI::App& app, uint64_t& bytes) {
    return take_size(app.add_option("--memory-limit", bytes,
                                    "Most device memory to use, in bytes or with a unit: 512MB, 2GB; 0: no limit"))
        ->default_str("0");
}

CLI::Option* add_cache_dir(CLI::App& app, std::string& folder) {
    return app.add_option("--cache-dir", folder, "Folder for compiled pipelines; -: none");
}

}  // namespace cli
