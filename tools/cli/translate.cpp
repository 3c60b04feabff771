// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "base/os/path_text.h"
#include "base/os/terminal.h"
#include "attention_picture.h"
#include "commands.h"
#include "feed.h"
#include "first_use.h"
#include "interrupts.h"
#include "loaded.h"
#include "output.h"
#include "show.h"

namespace cli {
namespace {

// Shows on a terminal how much of a long file has been read.
class Progress {
public:
    explicit Progress(bool shown) : shown_(shown && dragoman::os::is_terminal(stderr)) {}
    ~Progress() {
        if (shown_) fmt::print(stderr, "\r\033[K");
    }
    void show(std::size_t inputs, double read) const {
        if (!shown_) return;
        fmt::print(stderr, "\r\033[K{} lines, {:.0f} % read", inputs, 100 * read);
        std::fflush(stderr);
    }

private:
    const bool shown_;
};

// Translates what a feed gives, in order.
class Work {
public:
    explicit Work(TranslateCommand& command) : command_(command), loaded_(command), translator_(loaded_.translator()) {}

    void run(std::unique_ptr<Inputs> inputs, Output& output, const Progress& progress) {
        dragoman::Job job = submit();
        Feed feed(command_, std::move(inputs), job);
        while (!run(job, feed, output, progress)) {
            feed.let_go();
            job = submit();
            feed.go_on(job);
        }
        feed.rethrow();
        output.end();
        loaded_.end();
    }

    void print_stats(double seconds) const {
        const dragoman_stats stats = translator_.stats();
        fmt::print(stderr, "{} sentences, {} source tokens, {} target tokens in {:.3f} s ({:.1f} target tokens/s)\n",
                   stats.sentences, stats.source_tokens, stats.target_tokens, seconds,
                   static_cast<double>(stats.target_tokens) / seconds);
        fmt::print(stderr, "{} batches, {} decoder steps of {} dispatches, {} padding tokens\n", stats.batches,
                   stats.decoder_steps, stats.dispatches_per_step, stats.padding_tokens);
        fmt::print(stderr, "{} submissions, {} dispatches, {} host waits\n", stats.submissions, stats.dispatches,
                   stats.host_waits);
        fmt::print(stderr, "{:.1f} MiB of device memory, {:.1f} MiB at most\n", mebibytes(stats.memory_bytes),
                   mebibytes(stats.memory_peak_bytes));
        if (!loaded_.memory()) return;
        const dragoman_memory_counts counts = loaded_.memory()->stats();
        fmt::print(stderr, "memory: {} hits, {} in the file, {} misses, {} exact and {} similar segments\n",
                   counts.hits, counts.file_hits, counts.misses, counts.exact_matches, counts.fuzzy_matches);
    }

private:
    dragoman::Job submit() {
        if (command_.tokens) return translator_.feed_tokens(command_.options);
        auto options = command_.options;
        // Tokens of a long text take many times its memory.
        options.discard_tokens = !command_.json && !options.return_attention;
        return translator_.feed_texts(options);
    }

    // False: an input cannot be translated, which is passed, and those after it are for another job.
    bool run(dragoman::Job& job, Feed& feed, Output& output, const Progress& progress) {
        const auto pass = [&] {
            while (feed.refused()) {
                const Feed::Input input = feed.take();
                output.pass(input.text, input.refused);
            }
        };
        try {
            for (;;) {
                if (Interrupts::came()) throw Interrupted();
                const bool ended = job.wait_for(std::chrono::milliseconds(0));
                const auto result = job.next(std::chrono::milliseconds(100));
                for (std::size_t i = 0; result && i < result->size(); ++i) {
                    pass();
                    output.write(feed.take().text, *result, i);
                }
                pass();
                output.flush();
                progress.show(output.count(), feed.fraction());
                if (!result && ended) return true;
            }
        } catch (const dragoman::Error& error) {
            if (error.status() != DRAGOMAN_INVALID_ARGUMENT) throw;
            pass();
            if (feed.empty()) throw;
            const Feed::Input input = feed.take();
            const std::string why = input.place + ": " + without_number(error.what());
            if (command_.on_error == OnError::stop) throw Failure(why);
            output.pass(input.text, why);
            return false;
        }
    }

    // The library counts a call's inputs: "request 3: source has ...".
    static std::string without_number(const std::string& message) {
        const bool numbered = message.starts_with("request ") || message.starts_with("text ");
        return numbered ? message.substr(std::min(message.find(": ") + 2, message.size())) : message;
    }

    static double mebibytes(uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

    TranslateCommand& command_;
    Loaded loaded_;
    dragoman::Translator& translator_;
};

Inputs::Unit unit(const TranslateCommand& command) {
    if (command.options.markup != DRAGOMAN_MARKUP_NONE) return Inputs::Unit::whole;
    return command.options.join_lines && !command.tokens ? Inputs::Unit::paragraph : Inputs::Unit::line;
}

}  // namespace

void translate(TranslateCommand& command) {
    if (!command.show.empty()) return show(command);
    if (!command.attention_picture.empty()) return draw_attention(command);
    if (is_document(command)) return translate_document(command);
    // Lines are read on another thread, for which the end of the program does not wait.
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    const bool has_lines = command.texts.empty();  // an argument is a text of its own
    command.texts_are_whole = has_lines && unit(command) == Inputs::Unit::whole;
    auto inputs = has_lines ? std::make_unique<Inputs>(command.input, unit(command))
                            : std::make_unique<Inputs>(std::move(command.texts));
    const bool is_file = inputs->is_file();
    if (is_file && command.output != "-") {
        std::error_code missing;
        if (std::filesystem::equivalent(dragoman::path_of(command.input), dragoman::path_of(command.output), missing)) {
            throw Failure(command.output + ": is the input file");
        }
    }
    const FirstUse first_use(!command.json);
    Output output(command);
    Work work(command);
    const Interrupts interrupts;
    const Progress progress(is_file);
    const auto start = std::chrono::steady_clock::now();
    work.run(std::move(inputs), output, progress);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (command.stats) work.print_stats(seconds.count());
}

}  // namespace cli
