// SPDX-License-Identifier: Apache-2.0
// A registry's list of models, as its server sends it. The input is the registry, a line, and the list.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "fuzz/fuzz.h"
#include "registry/safe_text.h"
#include "registry/shapes/shapes.h"

namespace dragoman::test::registry_list_fuzz {

using namespace dragoman::registry;

namespace {

// Those that come with the library and have a list.
const std::map<std::string, Registry, std::less<>>& known() {
    static const auto all = [] {
        std::map<std::string, Registry, std::less<>> found;
        for (const auto& file : std::filesystem::directory_iterator(DRAGOMAN_REGISTRIES)) {
            if (file.path().extension() != ".json") continue;
            std::ifstream in(file.path());
            Registry one;
            one.data = nlohmann::json::parse(in);
            if (!one.data.contains("list")) continue;
            one.id = one.data.at("id");
            one.list_url = one.data.at("list");
            one.file = "built in";
            found.emplace(one.id, one);
        }
        DRAGOMAN_ASSERT(!found.empty());
        return found;
    }();
    return all;
}

void check(const Entry& entry) {
    DRAGOMAN_ASSERT(!entry.model.empty() && !entry.files.empty());
    DRAGOMAN_ASSERT(entry.title.size() <= 300);
    for (const RemoteFile& file : entry.files) {
        DRAGOMAN_ASSERT(is_safe_file_name(file.name));
        DRAGOMAN_ASSERT(file.url.starts_with("https://") || file.url.starts_with("http://"));
        DRAGOMAN_ASSERT(file.sha256.empty() || file.sha256.size() == 64);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::size_t line = std::min(bytes.find('\n'), bytes.size());
    const auto registry = known().find(bytes.substr(0, line));
    if (registry == known().end()) return 0;
    return test::refusing([&] {
        const ListContent content = read_list(registry->second, bytes.substr(std::min(line + 1, bytes.size())));
        for (const Entry& entry : content.entries) check(entry);
        for (const Entry& entry : content.pinned) check(entry);
        DRAGOMAN_ASSERT((content.broken > 0) == !content.first_broken.empty());
    });
}

}  // namespace dragoman::test::registry_list_fuzz
