// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/os/path_text.h"
#include "commands.h"
#include "inputs.h"

namespace cli {
namespace {

struct Percent {
    int shown = -1;
    static int32_t show(std::size_t done, std::size_t total, void* user) {
        int& shown = static_cast<Percent*>(user)->shown;
        const int percent = total ? static_cast<int>(done * 100.0 / static_cast<double>(total)) : 100;
        if (percent != shown) fmt::print(stderr, "\r{:3} %{}", percent, percent == 100 ? "\n" : "");
        shown = percent;
        return 0;
    }
};

std::string read(const std::string& path, const std::string& output) {
    check_input_stays(path, output);
    std::error_code none;
    if (std::filesystem::is_directory(dragoman::path_of(path), none))
        throw Failure(path + ": is a folder; expected a file");
    std::ifstream file(dragoman::path_of(path), std::ios::binary);
    if (!file) throw Failure(fmt::format("{}: {}", path, std::strerror(errno)));
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

void convert(ConvertCommand& command) {
    if (command.alignment_text.empty() && command.quality_pairs.empty() && !(command.from + command.to).empty())
        throw dragoman::Error(DRAGOMAN_INVALID_ARGUMENT,
                              fmt::format("{}: expected --alignment-text or --calibrate with it, got neither",
                                          command.to.empty() ? "--from" : "--to"));
    std::string text, pairs;
    if (!command.alignment_text.empty())
        command.options.alignment_text = (text = read(command.alignment_text, command.output)).c_str();
    if (!command.quality_pairs.empty())
        command.options.quality_pairs = (pairs = read(command.quality_pairs, command.output)).c_str();
    std::error_code none;
    const auto output = dragoman::path_of(command.output);
    if (!command.options.replace && std::filesystem::exists(output, none) &&
        !std::filesystem::is_directory(output, none))
        throw Failure(command.output + ": it exists; --force replaces it");
    command.options.source_language = command.from.c_str();
    command.options.target_language = command.to.c_str();
    Percent percent;
    if (command.progress) {
        command.options.progress = Percent::show;
        command.options.progress_user = &percent;
    }
    dragoman::convert_model(command.source.c_str(), command.output, command.options);
    std::error_code error;
    if (!std::filesystem::is_regular_file(dragoman::path_of(command.output), error))
        return;  // a device or a pipe cannot be read back
    const dragoman_model_info info = dragoman::describe_model(command.output);
    fmt::print("{}: {:.1f} MiB, {}\n", command.output, static_cast<double>(info.file_bytes) / (1 << 20),
               info.stored_types);
}

}  // namespace cli
