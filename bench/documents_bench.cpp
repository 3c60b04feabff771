// SPDX-License-Identifier: Apache-2.0
// What reading and writing documents takes without a model: bench_documents FILE... Each file's texts come back with
// a word more and their words aligned one to one, so that all of it is written anew; the fastest of some rounds.
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "documents/document.h"
#include "files/file_map.h"
#include "text/words.h"

namespace {

using namespace dragoman;
using Clock = std::chrono::steady_clock;

constexpr double kBudget = 3.0;  // seconds for each file

documents::Translation translation(std::string_view text) {
    documents::Translation made{std::string(text) + " x"};
    markup::AlignedSentence& one = made.sentences.emplace_back();
    one.source = {0, text.size()};
    one.target = {0, made.text.size()};
    one.words.source = text::words(text);
    one.words.target = one.words.source;
    const std::size_t count = one.words.source.size();
    if (count > 400) return made;  // its length alone says where marks go
    one.words.weights.assign(count * count, 0.0f);
    for (std::size_t i = 0; i < count; ++i) one.words.weights[i * count + i] = 1.0f;
    return made;
}

double seconds(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void measure(const std::string& path) {
    const std::string bytes(map_file(path).text());
    const documents::Format format = documents::find_format(path, bytes);
    double read = 1e9, written = 1e9;
    std::size_t texts = 0, size = 0;
    const auto start = Clock::now();
    do {
        auto begin = Clock::now();
        const documents::Document document(bytes, format, {"en", "de"});
        read = std::min(read, seconds(begin));
        std::vector<documents::Translation> translations;
        for (const std::string_view text : document.texts()) translations.push_back(translation(text));
        texts = translations.size();
        begin = Clock::now();
        size = document.write(translations).size();
        written = std::min(written, seconds(begin));
    } while (seconds(start) < kBudget);
    const double mebibytes = double(bytes.size()) / (1 << 20);
    std::printf("| %s | %.2f | %zu | %.1f | %.1f | %.1f | %.2f |\n", documents::name_of(format).data(), mebibytes, texts,
                read * 1e3, written * 1e3, (read + written) * 1e3 / mebibytes, double(size) / (1 << 20));
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    std::puts("| format | MiB | texts | read, ms | written, ms | both, ms per MiB | MiB after |");
    std::puts("|---|---:|---:|---:|---:|---:|---:|");
    try {
        for (int i = 1; i < argc; ++i) measure(argv[i]);
    } catch (const std::exception& error) {
        return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
}
