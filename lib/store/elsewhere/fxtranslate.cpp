// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/os/environment.h"
#include "base/os/path_text.h"
#include "store/elsewhere/elsewhere.h"
#include "store/elsewhere/folder_files.h"
#include "store/elsewhere/plain_name.h"
#include "store/elsewhere/user_folders.h"
#include "store/folders.h"

namespace dragoman::store {
namespace fs = std::filesystem;
namespace {

bool has(const FolderFiles& files, std::string_view begin) {
    return std::ranges::any_of(files, [&](const auto& file) {
        return file.second > 0 && file.first.starts_with(begin) && !file.first.ends_with(".partial");
    });
}

bool is_whole(const FolderFiles& files) {
    return has(files, "model.") && (has(files, "vocab.") || (has(files, "srcvocab.") && has(files, "trgvocab.")));
}

// "zh-Hant-en" has three hyphens and one of the two languages is English, which all of Firefox' models know.
std::pair<std::string, std::string> languages_of(std::string_view pair) {
    constexpr std::string_view kEnglish = "en";
    if (pair.starts_with("en-")) return {std::string(kEnglish), std::string(pair.substr(3))};
    if (pair.ends_with("-en")) return {std::string(pair.substr(0, pair.size() - 3)), std::string(kEnglish)};
    const auto hyphen = pair.find('-');
    if (hyphen == pair.npos || pair.find('-', hyphen + 1) != pair.npos) return {};
    return {std::string(pair.substr(0, hyphen)), std::string(pair.substr(hyphen + 1))};
}

// Its files lie there unpacked.
void add_pair(const fs::path& folder, std::vector<Installed>& models) {
    const std::string pair = text_of(folder.filename());
    const auto [from, to] = languages_of(pair);
    const FolderFiles files = files_in(folder);
    if (!is_plain_name(from) || !is_plain_name(to) || !is_whole(files)) return;
    Installed model;
    model.name = "firefox:" + pair;
    model.path = folder;
    model.from = {from};
    model.to = {to};
    model.license = "MPL-2.0";
    model.publisher = "Mozilla";
    model.bytes = bytes_of(files);
    model.owner = "fxtranslate";
    models.push_back(std::move(model));
}

}  // namespace

void add_fxtranslate(std::vector<Installed>& models) {
    const std::vector<fs::path> caches = {below(os::cache_folder(), "fxtranslate/models"),
                                          below(os::home_folder(), "Library/Caches/fxtranslate/models")};  // macOS
    std::vector<std::string> taken;
    for (const fs::path& cache : caches) {
        for (const fs::path& folder : folders_in(cache)) {
            const std::string pair = text_of(folder.filename());
            if (std::ranges::find(taken, pair) != taken.end()) continue;
            taken.push_back(pair);
            add_pair(folder, models);
        }
    }
}

}  // namespace dragoman::store
