// SPDX-License-Identifier: Apache-2.0
// Translates while one types: whenever the keys rest, the line so far is translated and shown below it.
#include <dragoman/dragoman.hpp>

#include <getopt.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <cstdio>
#include <iostream>
#include <stdexcept>

#include "terminal.h"
#include "worker.h"

namespace {

enum ExitCode { kOk = 0, kFailure = 1, kUsage = 2 };

constexpr int kPauseMs = 200;
constexpr std::string_view kPrompt = "> ";

constexpr const char* kHelp =
    "usage: live [options]\n"
    "\n"
    "Translates what is typed: whenever the keys rest for 200 ms, the line so far. Enter keeps the line and begins a\n"
    "new one; Ctrl-U and Ctrl-W delete; Ctrl-D or Ctrl-C end. Without a terminal: each line of standard input.\n"
    "\n"
    "  -m, --model DIR     model; none: the default one\n"
    "  -t, --to LANGUAGE   target language of a model that has several: de\n"
    "  -h, --help\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";

struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Options : Settings {
    bool help = false;
};

Options parse(int argc, char** argv) {
    const option known[] = {{"model", required_argument, nullptr, 'm'},
                            {"to", required_argument, nullptr, 't'},
                            {"help", no_argument, nullptr, 'h'},
                            {}};
    Options options;
    for (int c; (c = getopt_long(argc, argv, "m:t:h", known, nullptr)) != -1;) {
        switch (c) {
            case 'm': options.model = optarg; break;
            case 't': options.to = optarg; break;
            case 'h': options.help = true; return options;
            default: throw UsageError("");  // getopt has said what is wrong
        }
    }
    if (optind != argc) throw UsageError(std::string("unexpected '") + argv[optind] + "'");
    return options;
}

// The line being typed and, below it, its translation: bright when it is of this very line, else dim.
class Screen {
public:
    void draw(const std::string& source, const std::string& translation, bool current) {
        const std::size_t columns = RawTerminal::columns();
        const std::string shown = tail(source, columns - kPrompt.size() - 1);
        std::string out = "\r\033[J" + std::string(kPrompt) + shown + (current ? "\033[1m" : "\033[2m");
        below_ = 0;
        for (const std::string& line : fold(translation, columns - kPrompt.size() - 1)) {
            out += "\r\n  " + line;
            ++below_;
        }
        out += "\033[0m\033[" + std::to_string(below_) + "A\r\033[" +
               std::to_string(kPrompt.size() + columns_of(shown)) + "C";
        write(out);
    }
    // Leaves what is shown and begins a new line below.
    void leave() {
        write(below_ > 0 ? "\033[" + std::to_string(below_) + "B\r\n" : "\r\n");
        below_ = 0;
    }

private:
    static void write(const std::string& text) {
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    }
    std::size_t below_ = 0;
};

void type(Worker& worker) {
    const RawTerminal terminal;
    Screen screen;
    LineEditor editor;
    std::string translation;
    bool current = true, asked = true;
    screen.draw("", "", true);
    for (;;) {
        pollfd files[] = {{STDIN_FILENO, POLLIN, 0}, {worker.ready(), POLLIN, 0}};
        const int ready = poll(files, 2, asked ? -1 : kPauseMs);
        if (ready < 0 && errno != EINTR) throw std::runtime_error("the terminal cannot be read");
        if (ready == 0 && editor.whole()) {
            worker.ask(editor.text());
            asked = true;
        }
        if (ready > 0 && files[1].revents) {
            if (const auto shown = worker.take(); shown && !shown->source.empty()) {
                translation = shown->translation;
                current = shown->whole && shown->source == editor.text();
            }
        }
        if (ready > 0 && files[0].revents) {
            unsigned char bytes[256];
            const ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return screen.leave();
            for (ssize_t i = 0; i < count; ++i) {
                switch (editor.feed(bytes[i])) {
                    case LineEditor::Event::none: break;
                    case LineEditor::Event::end: return screen.leave();
                    case LineEditor::Event::changed:
                        current = asked = false;
                        break;
                    case LineEditor::Event::enter:
                        if (!current) translation = worker.translate(editor.text());
                        screen.draw(editor.text(), translation, true);
                        screen.leave();
                        editor.clear();
                        translation.clear();
                        current = asked = true;
                        break;
                }
            }
        }
        if (editor.text().empty()) {
            translation.clear();
            current = asked = true;
        }
        screen.draw(editor.text(), translation, current);
    }
}

void translate_lines(Worker& worker) {
    std::size_t number = 0;
    for (std::string line; std::getline(std::cin, line);) {
        ++number;
        if (line.ends_with('\r')) line.pop_back();
        const std::size_t valid = dragoman_utf8_prefix(line.data(), line.size());
        if (valid != line.size())
            throw std::runtime_error("line " + std::to_string(number) + ": invalid UTF-8 at byte " +
                                     std::to_string(valid));
        std::cout << worker.translate(line) << std::endl;
        if (!std::cout) throw std::runtime_error("standard output cannot be written");
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Options options = parse(argc, argv);
        if (options.help) {
            std::fputs(kHelp, stdout);
            return kOk;
        }
        std::setlocale(LC_CTYPE, "");  // for the width of characters
        Worker worker(options);
        if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
            type(worker);
        } else {
            translate_lines(worker);
        }
        return kOk;
    } catch (const UsageError& error) {
        if (*error.what()) std::fprintf(stderr, "live: %s\n", error.what());
        std::fputs("live --help says more\n", stderr);
        return kUsage;
    } catch (const dragoman::Error& error) {
        std::fprintf(stderr, "live: %s: %s\n", dragoman_status_name(error.status()), error.what());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "live: %s\n", error.what());
    }
    return kFailure;
}
