// SPDX-License-Identifier: Apache-2.0
// Gives the files of a corpus to a fuzz target: whole, cut off in many places, and with bytes changed, the same ones
// each time. For compilers without libFuzzer. A number behind the corpus: so many times as many changes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "fuzz/replay.h"

namespace {

constexpr std::size_t kCuts = 200, kChanges = 1000;

unsigned long inputs = 0;
int (*read)(const uint8_t*, std::size_t) = nullptr;

// The memory has exactly this size, so that a sanitizer sees a read past the end.
void give(const std::string& bytes) {
    const std::vector<uint8_t> copy(bytes.begin(), bytes.end());
    read(copy.data(), copy.size());
    ++inputs;
}

void give_with_changes(const std::string& whole, unsigned times) {
    give(whole);
    const std::size_t cuts = std::min(kCuts, whole.size());
    for (std::size_t i = 0; i < cuts; ++i) give(whole.substr(0, i * whole.size() / cuts));
    std::mt19937 random(static_cast<unsigned>(whole.size()));
    const auto below = [&](std::size_t bound) { return random() % bound; };
    for (std::size_t round = 0; !whole.empty() && round < kChanges * times; ++round) {
        std::string bytes = whole;
        for (std::size_t i = 0; i <= below(4); ++i) {
            const std::size_t at = below(bytes.size()), count = std::min(bytes.size() - at, below(8));
            switch (below(5)) {
                case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
                case 1: bytes[at] = static_cast<char>(random()); break;
                case 2: bytes[at] = "\0\xff\x7f\x80"[below(4)]; break;
                case 3: bytes.insert(at, bytes.substr(below(bytes.size()), count)); break;
                default:
                    if (count < bytes.size()) bytes.erase(at, count);
            }
        }
        give(bytes);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3 || argc > 4) return std::fprintf(stderr, "usage: %s reader corpus [times]\n", argv[0]), 2;
    for (const Replay& replay : kReplays)
        if (replay.name == argv[1]) read = replay.read;
    if (!read) return std::fprintf(stderr, "%s: no such reader\n", argv[1]), 2;
    const unsigned times = argc > 3 ? unsigned(std::strtoul(argv[3], nullptr, 10)) : 1;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(argv[2])) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    if (files.empty()) return std::fprintf(stderr, "%s: no files\n", argv[2]), 1;
    give("");
    for (const auto& path : files) {
        std::ifstream file(path, std::ios::binary);
        give_with_changes({std::istreambuf_iterator<char>(file), {}}, times);
    }
    std::printf("%zu files, %lu inputs\n", files.size(), inputs);
    return 0;
}
