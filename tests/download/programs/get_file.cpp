// SPDX-License-Identifier: Apache-2.0
// get_file URL FILE [GIT_SHA1]: brings one file, for bench/download.py; prints its bytes, SHA-256, seconds, peak of memory.
#include <chrono>
#include <cstdio>

#include "base/error.h"
#include "base/os/process.h"
#include "download/transfer.h"

int main(int argc, char** argv) {
    using namespace dragoman;
    if (argc < 3) return 2;
    download::FileRequest request;
    request.url = argv[1];
    request.partial = argv[2];
    if (argc > 3) request.git_sha1 = argv[3];
    try {
        const auto begin = std::chrono::steady_clock::now();
        const auto results = download::get_files({request}, {}, 1, [](const download::Progress&) { return true; });
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        std::printf("%llu %s %.3f %llu\n", static_cast<unsigned long long>(results[0].bytes), results[0].sha256.c_str(),
                    seconds, static_cast<unsigned long long>(os::peak_resident_bytes()));
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
