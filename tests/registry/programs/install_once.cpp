// SPDX-License-Identifier: Apache-2.0
// install_once VERSION URL NAME none|file|archive BYTES SHA256 [URL NAME ...]: installs firefox:de-en of this version with
// these files into the store that the environment names; "" and 0 stand for what a registry does not say.
#include <cstdio>
#include <string>

#include "base/error.h"
#include "registry/install.h"

int main(int argc, char** argv) {
    using namespace dragoman;
    constexpr int kPerFile = 5;
    if (argc < 2 + kPerFile || (argc - 2) % kPerFile != 0) return 2;
    registry::Entry entry{.registry = "firefox", .model = "de-en", .from = {"de"}, .to = {"en"}};
    entry.version = argv[1];
    for (int i = 2; i < argc; i += kPerFile) {
        const std::string packing = argv[i + 2];
        registry::RemoteFile file{.url = argv[i], .name = argv[i + 1]};
        if (packing == "file") file.packing = registry::Packing::file;
        if (packing == "archive") file.packing = registry::Packing::archive;
        file.bytes = std::stoull(argv[i + 3]);
        file.sha256 = argv[i + 4];
        entry.files.push_back(std::move(file));
    }
    try {
        const store::Installed model = registry::install(entry, {});
        std::printf("%s %s\n", model.name.c_str(), model.version.c_str());
        for (const registry::Verified& file : registry::verify(model, {}))
            if (!file.problem.empty()) std::printf("%s: %s\n", file.file.c_str(), file.problem.c_str());
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
