// SPDX-License-Identifier: Apache-2.0
// Translates while one types: whenever no key is pressed for a while, the line so far is translated and shown below it.
#include <dragoman/dragoman.hpp>

#include <clocale>
#include <cstdio>
#include <iostream>
#include <stdexcept>

#include "line_editor.h"
#include "support/options.h"
#include "support/os/terminal.h"
#include "worker.h"

namespace {

enum ExitCode { kOk = 0, kFailure = 1, kUsage = 2 };

constexpr int kPauseMs = 200;
constexpr std::string_view kPrompt = "> ";

constexpr const char* kHelp =
    "usage: live [options]\n"
    "\n"
    "Translates what is typed: the line so far, whenever no key is pressed for 200 ms. Enter keeps the line and\n"
    "begins a new one; Ctrl-U and Ctrl-W delete; Ctrl-D or Ctrl-C end. Without a terminal: each line of standard input.\n"
    "\n"
    "  -m, --model DIR     model (default: the one that comes with the library)\n"
    "  -t, --to LANGUAGE   target language of a model that has several: de\n"
    "  -h, --help\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";

struct Options : Settings {
    bool help = false;
};

Options parse(int argc, char** argv) {
    CommandLine line(argc, argv, {{"model", 'm', true}, {"to", 't', true}, {"help", 'h', false}});
    Options options;
    for (int c; (c = line.next()) != CommandLine::kEnd;) {
        switch (c) {
            case 'm': options.model = line.value(); break;
            case 't': options.to = line.value(); break;
            case 'h': options.help = true; return options;
        }
    }
    if (!line.others().empty()) throw UsageError("unexpected '" + line.others()[0] + "'");
    return options;
}

// The line being typed and, below it, its translation: bright if it is of the current line, dim if of an older one.
class Screen {
public:
    void draw(const std::string& source, const std::string& translation, bool current) {
        const std::size_t columns = os::RawTerminal::columns();
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
    const os::RawTerminal terminal;
    Screen screen;
    LineEditor editor;
    std::string translation, keys;
    bool current = true, asked = true;
    screen.draw("", "", true);
    for (;;) {
        const os::RawTerminal::Ready ready = terminal.wait(worker.bell(), asked ? -1 : kPauseMs);
        if (!ready.in_time && editor.whole()) {
            worker.ask(editor.text());
            asked = true;
        }
        if (ready.rung) {
            if (const auto shown = worker.take(); shown && !shown->source.empty()) {
                translation = shown->translation;
                current = shown->whole && shown->source == editor.text();
            }
        }
        if (ready.keys) {
            if (!terminal.read(keys)) return screen.leave();
            for (const char key : keys) {
                switch (editor.feed(static_cast<unsigned char>(key))) {
                    case LineEditor::Event::none: break;
                    case LineEditor::Event::end: return screen.leave();
                    case LineEditor::Event::changed: current = asked = false; break;
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
        os::prepare_console(argc, argv);
        const Options options = parse(argc, argv);
        if (options.help) {
            std::fputs(kHelp, stdout);
            return kOk;
        }
        std::setlocale(LC_CTYPE, "");  // for the width of characters
        Worker worker(options);
        if (os::is_terminal(stdin) && os::is_terminal(stdout)) {
            type(worker);
        } else {
            translate_lines(worker);
        }
        return kOk;
    } catch (const UsageError& error) {
        std::fprintf(stderr, "live: %s\n", error.what());
        std::fputs("live --help says more\n", stderr);
        return kUsage;
    } catch (const dragoman::Error& error) {
        std::fprintf(stderr, "live: %s: %s\n", dragoman_status_name(error.status()), error.what());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "live: %s\n", error.what());
    }
    return kFailure;
}
