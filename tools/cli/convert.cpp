// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "commands.h"

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

}  // namespace

void convert(ConvertCommand& command) {
    std::string text;
    if (!command.alignment_text.empty()) {
        std::ifstream file(command.alignment_text, std::ios::binary);
        if (!file) throw Failure(fmt::format("{}: {}", command.alignment_text, std::strerror(errno)));
        text.assign(std::istreambuf_iterator<char>(file), {});
        command.options.alignment_text = text.c_str();
        command.options.source_language = command.from.c_str();
        command.options.target_language = command.to.c_str();
    }
    Percent percent;
    if (command.progress) {
        command.options.progress = Percent::show;
        command.options.progress_user = &percent;
    }
    dragoman::convert_model(command.source.c_str(), command.output, command.options);
    const dragoman_model_info info = dragoman::describe_model(command.output);
    fmt::print("{}: {:.1f} MiB, {}\n", command.output, static_cast<double>(info.file_bytes) / (1 << 20),
               info.stored_types);
}

}  // namespace cli
