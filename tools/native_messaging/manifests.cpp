// SPDX-License-Identifier: Apache-2.0
#include "native_messaging/manifests.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "base/os/path_text.h"
#include "base/os/whole_file.h"
#include "native_messaging/request.h"

namespace native_messaging {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "translatelocally";  // what add-ons ask for
constexpr const char* kFile = "translatelocally.json";

// Add-ons of Firefox that speak this protocol. None of Chromium is known.
const std::vector<std::string> kExtensions = {"{c9cdf885-0431-4eed-8e18-967b1758c951}",
                                              "{2fa36771-561b-452c-b6c3-7486f42c25ae}"};

bool is_firefox(const std::string& browser) { return browser == "firefox"; }

// Chromium knows add-ons by 32 letters.
bool is_of_chromium(const std::string& extension) {
    return extension.size() == 32 && std::ranges::all_of(extension, [](char c) { return c >= 'a' && c <= 'p'; });
}

// A word of a shell, whatever is in it.
std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return text + "'";
}

void write(const fs::path& path, const std::string& text, bool executable) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    dragoman::os::WholeFile file;
    std::string why = file.open(path);
    if (why.empty() && executable) why = file.make_executable();
    if (why.empty()) why = file.write(text);
    if (why.empty()) why = file.finish();
    if (!why.empty()) throw std::runtime_error(dragoman::text_of(path) + ": " + why);
}

// Another program's manifest is not ours to remove.
bool names_our_script(const fs::path& path, const Installation& where) {
    std::ifstream file(path, std::ios::binary);
    const Json kept = Json::parse(file, nullptr, false);
    return kept.is_object() && kept.value("path", "") == dragoman::text_of(script_path(where));
}

}  // namespace

const std::vector<std::string>& browsers() {
    static const std::vector<std::string> names = {"firefox", "chromium", "chrome"};
    return names;
}

fs::path manifest_path(const Installation& where, const std::string& browser) {
    if (is_firefox(browser)) return where.home / ".mozilla" / "native-messaging-hosts" / kFile;
    return where.config / (browser == "chrome" ? "google-chrome" : "chromium") / "NativeMessagingHosts" / kFile;
}

fs::path script_path(const Installation& where) { return where.data / "dragoman" / "native-messaging" / kName; }

std::vector<std::string> allowed_extensions(const Installation& where, const std::string& browser) {
    std::vector<std::string> fitting;
    for (const std::string& extension : where.extensions.empty() ? kExtensions : where.extensions)
        if (is_of_chromium(extension) != is_firefox(browser)) fitting.push_back(extension);
    return fitting;
}

std::string manifest(const Installation& where, const std::string& browser) {
    Json made{{"name", kName},
              {"description", "Dragoman: translations on this computer"},
              {"path", dragoman::text_of(script_path(where))},
              {"type", "stdio"}};
    Json& allowed = made[is_firefox(browser) ? "allowed_extensions" : "allowed_origins"] = Json::array();
    for (const std::string& extension : allowed_extensions(where, browser))
        allowed.push_back(is_firefox(browser) ? extension : "chrome-extension://" + extension + "/");
    return made.dump(2) + "\n";
}

std::string script(const Installation& where) {
    std::string text = "#!/bin/sh\n# Written by dragoman native-messaging --install: browsers start this.\nexec " +
                       quoted(dragoman::text_of(where.program)) + " native-messaging";
    for (const std::string& argument : where.arguments) text += " " + quoted(argument);
    return text + "\n";
}

std::vector<fs::path> install(const Installation& where) {
    for (const std::string& browser : where.browsers)
        if (allowed_extensions(where, browser).empty())
            throw std::runtime_error(browser + ": no add-on of its kind is named that may use this, see --extension");
    std::vector<fs::path> written{script_path(where)};
    write(written.front(), script(where), /*executable=*/true);
    for (const std::string& browser : where.browsers) {
        written.push_back(manifest_path(where, browser));
        write(written.back(), manifest(where, browser), /*executable=*/false);
    }
    return written;
}

std::vector<fs::path> uninstall(const Installation& where) {
    std::vector<fs::path> removed;
    std::error_code error;
    const auto remove = [&](const fs::path& path) {
        if (fs::remove(path, error)) removed.push_back(path);
        if (error) throw std::runtime_error(dragoman::text_of(path) + ": " + error.message());
    };
    for (const std::string& browser : where.browsers)
        if (const fs::path path = manifest_path(where, browser); names_our_script(path, where)) remove(path);
    const auto used = [&](const std::string& browser) {
        return names_our_script(manifest_path(where, browser), where);
    };
    if (std::ranges::none_of(browsers(), used)) remove(script_path(where));
    return removed;
}

}  // namespace native_messaging
