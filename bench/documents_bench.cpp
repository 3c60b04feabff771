// SPDX-License-Identifier: Apache-2.0
// What reading and writing documents takes without a model: bench_documents FILE... Each file's texts come back with
// a word more and their words aligned one to one, so that all of it is written anew; the fastest of some rounds, in
// seconds of the processor.
#include <cstdio>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "documents/document.h"
#include "files/file_map.h"
#include "text/words.h"

namespace {

using namespace dragoman;

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

double seconds(std::clock_t begin) { return double(std::clock() - begin) / CLOCKS_PER_SEC; }

// The size of a package's members in bytes.
std::size_t unpacked(const std::string& bytes, documents::Format format) {
    if (!documents::is_package(format)) return bytes.size();
    const documents::Package package(bytes);
    std::size_t size = 0;
    for (const std::string& name : package.names()) size += package.read(name).size();
    return size;
}

void measure(const std::string& path) {
    const std::string bytes(read_whole(path).text());
    const documents::Format format = documents::find_format(path, bytes);
    double read = 1e9, written = 1e9;
    std::size_t texts = 0;
    const std::clock_t start = std::clock();
    do {
        std::clock_t begin = std::clock();
        const documents::Document document(bytes, format, {"en", "de"});
        read = std::min(read, seconds(begin));
        std::vector<documents::Translation> translations;
        for (const std::string_view text : document.texts()) translations.push_back(translation(text));
        texts = translations.size();
        begin = std::clock();
        document.write(translations);
        written = std::min(written, seconds(begin));
    } while (seconds(start) < kBudget);
    const double mebibytes = double(unpacked(bytes, format)) / (1 << 20);
    std::printf("| %s | %.2f | %zu | %.1f | %.1f | %.1f |\n", documents::name_of(format).data(), mebibytes, texts,
                read * 1e3, written * 1e3, (read + written) * 1e3 / mebibytes);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    std::puts("| format | MiB, unpacked | texts | read, ms | written, ms | both, ms per MiB |");
    std::puts("|---|---:|---:|---:|---:|---:|");
    try {
        for (int i = 1; i < argc; ++i) measure(argv[i]);
    } catch (const std::exception& error) {
        return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
}
