// SPDX-License-Identifier: Apache-2.0
// Translates SubRip and WebVTT subtitles. Timing, numbers and styling stay; a sentence that goes on in the next cue is
// translated as a whole and divided among its cues again.
#include <dragoman/dragoman.hpp>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include "document.h"
#include "layout.h"
#include "markup.h"
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
    "  -g, --gap SECONDS   a sentence does not go on in a cue that begins later than this (default 2)\n"
    "  -h, --help\n"
    "\n"
    "Lines are at most 42 characters long, two for a cue where that is enough.\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";

struct Options {
    std::string model, from, to, input, output = "-";
    uint32_t beam = 0, gap_ms = 2000;
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
    CommandLine line(argc, argv, {{"model", 'm', true}, {"to", 't', true}, {"from", 'f', true}, {"beam", 'b', true},
                                  {"gap", 'g', true}, {"help", 'h', false}});
    Options options;
    for (int c; (c = line.next()) != CommandLine::kEnd;) {
        switch (c) {
            case 'm': options.model = line.value(); break;
            case 't': options.to = line.value(); break;
            case 'f': options.from = line.value(); break;
            case 'b': options.beam = number("--beam", line.value()); break;
            case 'g': options.gap_ms = 1000 * number("--gap", line.value()); break;
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

// What one speaker says in one cue: all lines of the cue, or one line of a dialogue.
struct Piece {
    std::size_t cue;
    Marked marked;
    bool alone;  // the only piece of its cue
};

// Lines that go on with the same style: "<i>one</i>" "<i>two</i>" is "<i>one two</i>".
std::string join_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : " ") + line;
    for (const std::string seam : {"</i> <i>", "</b> <b>", "</u> <u>"}) {
        for (std::size_t at; (at = text.find(seam)) != std::string::npos;) text.replace(at, seam.size(), " ");
    }
    return text;
}

bool starts_with_dash(const Marked& marked) {
    return marked.before.find('-') != std::string::npos || marked.before.find("–") != std::string::npos ||
           marked.before.find("—") != std::string::npos;
}

std::vector<Piece> pieces_of(const Document& document) {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < document.cues.size(); ++i) {
        std::vector<Marked> lines;
        bool dialogue = document.cues[i].text.size() > 1;
        for (const std::string& line : document.cues[i].text) {
            lines.push_back(take_markup(line, document.format));
            dialogue = dialogue && starts_with_dash(lines.back());
        }
        if (!dialogue) lines = {take_markup(join_lines(document.cues[i].text), document.format)};
        for (Marked& line : lines) pieces.push_back({i, std::move(line), !dialogue});
    }
    return pieces;
}

bool ends_sentence(std::string_view text) {
    const auto drop = [&](std::string_view mark) {
        const bool found = text.ends_with(mark);
        if (found) text.remove_suffix(mark.size());
        return found;
    };
    while (drop("\"") || drop("'") || drop(")") || drop("]") || drop("”") || drop("’") || drop("“") || drop("»") ||
           drop("«") || drop(" ")) {
    }
    return drop(".") || drop("!") || drop("?") || drop("…") || drop("。") || drop("！") || drop("？");
}

// Pieces [begin, end) that are translated as one text.
struct Group {
    std::size_t begin, end;
};

std::vector<Group> group(const Document& document, const std::vector<Piece>& pieces, uint64_t gap_ms) {
    constexpr std::size_t kMost = 4;  // cues; with more it is not a sentence but a text without full stops
    const auto goes_on = [&](const Piece& a, const Piece& b) {
        const Cue& first = document.cues[a.cue];
        const Cue& second = document.cues[b.cue];
        return a.alone && b.alone && a.marked.after.empty() && b.marked.before.empty() && has_words(a.marked.text) &&
               has_words(b.marked.text) && second.begin_ms >= first.begin_ms &&
               second.begin_ms <= first.end_ms + gap_ms && !ends_sentence(a.marked.text);
    };
    std::vector<Group> groups;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i > 0 && groups.back().end - groups.back().begin < kMost && goes_on(pieces[i - 1], pieces[i])) {
            groups.back().end = i + 1;
        } else {
            groups.push_back({i, i + 1});
        }
    }
    return groups;
}

class Subtitler {
public:
    explicit Subtitler(const Options& options)
        : model_(options.model.empty() ? nullptr : options.model.c_str(), {}), translator_(model_) {
        options_.source_language = options.from.c_str();
        options_.target_language = options.to.c_str();
        options_.discard_tokens = 1;
        if (options.beam) options_.beam_size = options.beam;
        if (!os::is_terminal(stderr)) return;
        options_.progress = [](std::size_t done, std::size_t total, void*) -> int32_t {
            std::fprintf(stderr, "\r\033[K%zu of %zu", done, total);
            return 0;
        };
    }

    std::vector<std::string> translate(const std::vector<std::string>& texts) {
        const std::vector<std::string_view> views(texts.begin(), texts.end());
        const dragoman::Result result = translator_.translate(views, options_);
        if (options_.progress) std::fputs("\r\033[K", stderr);
        std::vector<std::string> translations;
        for (std::size_t i = 0; i < result.size(); ++i) {
            std::string& text = translations.emplace_back(result.text(i));
            for (char& c : text) c = c == '\n' || c == '\r' ? ' ' : c;  // a line end here would end the cue
            // "-->" must not stand in a cue's text.
            for (std::size_t at; (at = text.find("-->")) != std::string::npos;) text.replace(at, 3, "→");
        }
        return translations;
    }

private:
    dragoman::Model model_;
    dragoman::Translator translator_;
    dragoman::TranslateOptions options_;
};

void translate(Document& document, const Options& options) {
    const std::vector<Piece> pieces = pieces_of(document);
    const std::vector<Group> groups = group(document, pieces, options.gap_ms);
    std::vector<std::string> texts;
    std::vector<const Group*> with_words;
    for (const Group& group : groups) {
        if (!has_words(pieces[group.begin].marked.text)) continue;
        with_words.push_back(&group);
        std::string& text = texts.emplace_back();
        for (std::size_t i = group.begin; i < group.end; ++i) text += (text.empty() ? "" : " ") + pieces[i].marked.text;
    }
    if (texts.empty()) return;
    const std::vector<std::string> translations = Subtitler(options).translate(texts);

    std::map<std::size_t, std::vector<std::string>> lines;  // by cue; those of notes and dots alone stay
    for (const Group* group : with_words) lines[pieces[group->begin].cue];
    std::size_t translated_groups = 0;
    for (const Group& group : groups) {
        if (!has_words(pieces[group.begin].marked.text)) {
            const Piece& piece = pieces[group.begin];
            const auto dialogue = lines.find(piece.cue);
            if (dialogue != lines.end())
                dialogue->second.push_back(put_markup(piece.marked, piece.marked.text, document.format));
            continue;
        }
        std::vector<std::size_t> shares;
        for (std::size_t i = group.begin; i < group.end; ++i) shares.push_back(visible_length(pieces[i].marked.text));
        const std::vector<std::string> parts = distribute(translations[translated_groups++], shares);
        for (std::size_t i = group.begin; i < group.end; ++i) {
            const std::string text = put_markup(pieces[i].marked, parts[i - group.begin], document.format);
            for (std::string& line : wrap(text)) lines[pieces[i].cue].push_back(std::move(line));
        }
    }
    std::size_t long_cues = 0;
    for (auto& [cue, translated] : lines) {
        if (translated.size() > std::max<std::size_t>(2, document.cues[cue].text.size())) ++long_cues;
        document.cues[cue].text = std::move(translated);
    }
    if (long_cues > 0)
        std::fprintf(stderr, "%zu of %zu cues need more than two lines\n", long_cues, document.cues.size());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Options options = parse(argc, argv);
        if (options.help) {
            std::fputs(kHelp, stdout);
            return kOk;
        }
        const std::string name = options.input == "-" ? "standard input" : options.input;
        Document document = read_subtitles(read_all(options.input), name);
        translate(document, options);
        write_all(options.output, write_subtitles(document));
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
