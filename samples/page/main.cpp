// SPDX-License-Identifier: Apache-2.0
// Translates a saved page as a browser would show it: from top to bottom, each piece as soon as it is there.
#include <dragoman/dragoman.hpp>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "cutter.h"
#include "support/options.h"
#include "support/os/terminal.h"

namespace {

enum ExitCode { kOk = 0, kFailure = 1, kUsage = 2 };

constexpr const char* kHelp =
    "usage: page [options] INPUT [OUTPUT]\n"
    "\n"
    "Translates a saved page of HTML, UTF-8, from top to bottom. '-' or no OUTPUT: standard input, standard output.\n"
    "All that is not text for readers stays as it is, byte for byte.\n"
    "\n"
    "  -m, --model DIR     model (default: the one that comes with the library)\n"
    "  -t, --to LANGUAGE   target language of a model that has several: de\n"
    "  -f, --from LANGUAGE language of the page (default: what its <html> tag says)\n"
    "  -l, --lang          the <html> tag names the target language, which needs --to\n"
    "  -b, --beam N        width of the search (default: as the model says)\n"
    "  -p, --piece N       bytes of a piece at least (default 4096)\n"
    "  -q, --quiet         no progress bar\n"
    "  -h, --help\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";

struct Options {
    std::string model, from, to, input, output = "-";
    uint32_t beam = 0, piece = 4096;
    bool lang = false, quiet = false, help = false;
};

uint32_t positive(const char* option, const char* text) {
    uint32_t value = 0;
    const char* end = text + std::strlen(text);
    const auto [stop, error] = std::from_chars(text, end, value);
    if (error != std::errc() || stop != end || value == 0)
        throw UsageError(std::string(option) + ": expected a number above 0, got '" + text + "'");
    return value;
}

Options parse(int argc, char** argv) {
    CommandLine line(argc, argv,
                     {{"model", 'm', true},
                      {"to", 't', true},
                      {"from", 'f', true},
                      {"lang", 'l', false},
                      {"beam", 'b', true},
                      {"piece", 'p', true},
                      {"quiet", 'q', false},
                      {"help", 'h', false}});
    Options options;
    for (int c; (c = line.next()) != CommandLine::kEnd;) {
        switch (c) {
            case 'm': options.model = line.value(); break;
            case 't': options.to = line.value(); break;
            case 'f': options.from = line.value(); break;
            case 'l': options.lang = true; break;
            case 'b': options.beam = positive("--beam", line.value()); break;
            case 'p': options.piece = positive("--piece", line.value()); break;
            case 'q': options.quiet = true; break;
            case 'h': options.help = true; return options;
        }
    }
    const std::vector<std::string>& files = line.others();
    if (files.empty() || files.size() > 2) throw UsageError("expected INPUT and, maybe, OUTPUT");
    if (options.lang && options.to.empty()) throw UsageError("--lang: expected --to LANGUAGE");
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

// Feeds the pieces of a page to a job while those before them come back, and writes these at once.
class Work {
public:
    Work(const Options& options, std::string_view page, std::ostream& out)
        : options_(options), page_(page), out_(out), cutter_(page, options.piece),
          model_(options.model.empty() ? nullptr : options.model.c_str(), {}), translator_(model_) {
        const std::string_view tag = html_tag(page);
        const Attribute lang = attribute(tag, "lang");
        language_ = options.from.empty() ? std::string(tag.substr(lang.begin, lang.end - lang.begin)) : options.from;
        how_.source_language = language_.c_str();
        how_.target_language = options.to.c_str();
        how_.markup = DRAGOMAN_MARKUP_HTML;
        how_.discard_tokens = 1;
        if (options.beam) how_.beam_size = options.beam;
        shown_ = !options.quiet && os::is_terminal(stderr);
    }
    ~Work() {
        if (shown_) std::fputs("\r\033[K", stderr);
    }

    void run() {
        dragoman::Job job = translator_.feed_texts(how_);
        for (std::string_view piece; !cutter_.done() || !piece.empty();) {
            if (piece.empty()) piece = cutter_.next();
            if (job.feed(std::span(&piece, 1), std::chrono::milliseconds(0)) > 0) piece = {};
            if (const auto result = job.next(std::chrono::milliseconds(piece.empty() ? 0 : 100))) take(*result);
        }
        job.finish();
        while (const auto result = job.next()) take(*result);
    }

private:
    void take(const dragoman::Result& result) {
        for (std::size_t i = 0; i < result.size(); ++i) {
            std::string_view piece = result.text(i);
            std::string changed;
            if (first_ && options_.lang) piece = changed = with_language(piece, options_.to);
            first_ = false;
            if (!out_.write(piece.data(), static_cast<std::streamsize>(piece.size())).flush())
                throw std::runtime_error(options_.output + ": cannot be written");
            ++pieces_;
        }
        if (shown_)
            std::fprintf(stderr, "\r\033[K%zu pieces, at %zu of %zu bytes", pieces_, cutter_.position(), page_.size());
    }

    const Options& options_;
    const std::string_view page_;
    std::ostream& out_;
    Cutter cutter_;
    dragoman::Model model_;
    dragoman::Translator translator_;
    dragoman::TranslateOptions how_;
    std::string language_;
    std::size_t pieces_ = 0;
    bool first_ = true, shown_ = false;
};

void translate(const Options& options) {
    const std::string name = options.input == "-" ? "standard input" : options.input;
    const std::string page = read_all(options.input);
    const std::size_t valid = dragoman_utf8_prefix(page.data(), page.size());
    if (valid != page.size()) throw std::runtime_error(name + ": invalid UTF-8 at byte " + std::to_string(valid));
    std::ofstream file;
    if (options.output != "-") file.open(options.output, std::ios::binary);
    if (options.output != "-" && !file) throw std::runtime_error(options.output + ": " + std::strerror(errno));
    Work(options, page, options.output == "-" ? std::cout : file).run();
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
        translate(options);
        return kOk;
    } catch (const UsageError& error) {
        std::fprintf(stderr, "page: %s\n", error.what());
        std::fputs("page --help says more\n", stderr);
        return kUsage;
    } catch (const dragoman::Error& error) {
        std::fprintf(stderr, "page: %s: %s\n", dragoman_status_name(error.status()), error.what());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "page: %s\n", error.what());
    }
    return kFailure;
}
