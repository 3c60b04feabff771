// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "base/os/path_text.h"
#include "commands.h"
#include "shells.h"
#include "written.h"

namespace cli {
namespace {

void write_text(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    write_file(dragoman::text_of(path), text);
}

}  // namespace

void write_shell_files(const CLI::App& app, const std::string& folder) {
    const std::filesystem::path share = dragoman::path_of(folder);
    write_text(share / "bash-completion/completions/dragoman", completion(app, "bash"));
    write_text(share / "zsh/site-functions/_dragoman", completion(app, "zsh"));
    write_text(share / "fish/vendor_completions.d/dragoman.fish", completion(app, "fish"));
    const std::filesystem::path pages = share / "man/man1";
    write_text(pages / "dragoman.1", manual_page(app));
    for (const CLI::App* command : commands_of(app))
        write_text(pages / ("dragoman-" + command->get_name() + ".1"), manual_page(*command));
}

}  // namespace cli
