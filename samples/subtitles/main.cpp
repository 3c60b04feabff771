// SPDX-License-Identifier: Apache-2.0
// Translates SubRip and WebVTT subtitles with the library's documents. Timing, numbers and styling stay; a sentence that
// goes on in the next cue is translated as a whole and divided among its cues again.
#include <dragoman/documents.hpp>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "support/options.h"
#include "support/os/terminal.h"

namespace {

enum ExitCode { kOk = 0, kFailure = 1, kUsage = 2 };

constexpr const char* kHelp =
    "usage: subtitles [options] INPUT [OUTPUT]\n"
    "\n"
    "Translates a SubRip (.srt) or WebVTT (.vtt) file, UTF-8. '-' or no OUTPUT: standard input, standard output.\n"
    "\n"
    "  -m, --model DIR     model (default: the one that comes with the library)\n"
    "  -t, --to LANGUAGE   target language of a model that has several: de\n"
    "  -f, --from LANGUAGE language of INPUT, which helps to find its sentences\n"
    "  -b, --beam N        width of the search (default: as the model says)\n"
    "  -h, --help\n"
    "\n"
    "Lines are at most 42 characters long, two for a cue where that is enough.\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";

struct Options {
    std::string model, from, to, input, output = "-";
    uint32_t beam = 0;
    bool help = false;
};

uint32_t number(const char* option, const char* text) {
    uint32_t value = 0;
    const char* end = text + std::strlen(text);
    const auto [stop, error] = std::from_chars(text, end, value);
    if (error != std::errc() || stop != end || value > 1000)
        throw UsageError(std::string(option) + ": expected a number up to 1000, got '" + text + "'");
    return value;
}

Options parse(int argc, char** argv) {
    CommandLine line(
        argc, argv,
        {{"model", 'm', true}, {"to", 't', true}, {"from", 'f', true}, {"beam", 'b', true}, {"help", 'h', false}});
    Options options;
    for (int c; (c = line.next()) != CommandLine::kEnd;) {
        switch (c) {
            case 'm': options.model = line.value(); break;
            case 't': options.to = line.value(); break;
            case 'f': options.from = line.value(); break;
            case 'b': options.beam = number("--beam", line.value()); break;
            case 'h': options.help = true; return options;
        }
    }
    const std::vector<std::string>& files = line.others();
    if (files.empty() || files.size() > 2) throw UsageError("expected INPUT and, maybe, OUTPUT");
    options.input = files[0];
    if (files.size() == 2) options.output = files[1];
    return options;
}

std::string read_all(const std::string& path) {
    std::ifstream file;
    if (path != "-") file.open(path, std::ios::binary);
    if (path != "-" && !file) throw std::runtime_error(path + ": " + std::strerror(errno));
    std::istream& in = path == "-" ? std::cin : file;
    std::string content{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) throw std::runtime_error(path + ": cannot be read");
    return content;
}

void write_all(const std::string& path, const std::string& content) {
    std::ofstream file;
    if (path != "-") file.open(path, std::ios::binary);
    std::ostream& out = path == "-" ? std::cout : file;
    if (!out.write(content.data(), static_cast<std::streamsize>(content.size())).flush())
        throw std::runtime_error(path + ": cannot be written");
}

std::string translated(const Options& options, const std::string& name, const std::string& file) {
    const dragoman::Model model(options.model.empty() ? nullptr : options.model.c_str(), {});
    const dragoman::Translator translator(model);
    dragoman::TranslateOptions how;
    how.source_language = options.from.c_str();
    how.target_language = options.to.c_str();
    if (options.beam) how.beam_size = options.beam;
    dragoman::DocumentOptions reading;
    reading.format = "srt";  // a file of WebVTT says so itself
    if (os::is_terminal(stderr)) {
        reading.progress = [](std::size_t done, std::size_t total) {
            std::fprintf(stderr, done < total ? "\r\033[K%zu of %zu" : "\r\033[K", done, total);
            return true;
        };
    }
    try {
        return dragoman::translate_document_bytes(translator, nullptr, file, how, reading);
    } catch (const dragoman::Error& error) {
        throw std::runtime_error(name + ": " + error.what());
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        os::prepare_console(argc, argv);
        const Options options = parse(argc, argv);
        if (options.help) {
            std::fputs(kHelp, stdout);
            return kOk;
        }
        const std::string name = options.input == "-" ? "standard input" : options.input;
        write_all(options.output, translated(options, name, read_all(options.input)));
        return kOk;
    } catch (const UsageError& error) {
        std::fprintf(stderr, "subtitles: %s\n", error.what());
        std::fputs("subtitles --help says more\n", stderr);
        return kUsage;
    } catch (const dragoman::Error& error) {
        std::fprintf(stderr, "subtitles: %s: %s\n", dragoman_status_name(error.status()), error.what());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "subtitles: %s\n", error.what());
    }
    return kFailure;
}
