// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>
#include <utility>

#include "base/os/terminal.h"
#include "commands.h"
#include "feed.h"
#include "output.h"

namespace cli {
namespace {

// Of one job: fewer lines would count as urgent, and more would come late.
constexpr std::size_t kFewLines = 16, kManyLines = 64;
constexpr std::size_t kJobBytes = 1 << 16, kBytesAtWork = 1 << 20;

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> tokens;
    std::string token;
    for (std::istringstream stream(text); std::getline(stream, token, ' ');) {
        if (!token.empty()) tokens.push_back(token);
    }
    return tokens;
}

std::vector<std::vector<std::string>> split(const std::vector<std::string>& texts) {
    std::vector<std::vector<std::string>> sequences;
    for (const std::string& text : texts) sequences.push_back(split(text));
    return sequences;
}

// Ctrl-C ends the program between two lines; the second one at once.
class Interrupts {
public:
    Interrupts() {
        if (std::signal(SIGINT, note) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
    }
    ~Interrupts() {
        if (std::signal(SIGINT, SIG_DFL) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
    }
    static bool came() { return came_; }

private:
    static void note(int) {
        came_ = 1;
        std::signal(SIGINT, SIG_DFL);
    }
    static inline volatile std::sig_atomic_t came_ = 0;
};

// Shows how far a long file is, on a terminal.
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

// Keeps the device busy: some jobs of several lines are at work at a time, and what is done is written in order.
class Work {
public:
    Work(TranslateCommand& command, Feed& feed, Output& output)
        : command_(command), feed_(feed), output_(output),
          model_(model_or_default(command.model), model_options(command)), translator_(model_),
          suppress_(split(command.suppress)), suppress_views_(suppress_), prefix_{split(command.prefix)},
          most_lines_(command.batch_size),
          job_lines_(std::clamp(most_lines_ / 8, std::min(most_lines_, kFewLines), kManyLines)) {
        dragoman::TranslateOptions& options = command_.options;
        options.source_language = command_.from.c_str();
        options.target_language = command_.to.c_str();
        options.suppress_sequences = suppress_views_.data();
        options.suppress_sequence_count = suppress_views_.size();
        for (const std::string& token : command_.end_tokens) end_views_.push_back(dragoman::view(token));
        options.end_tokens = end_views_.empty() ? nullptr : end_views_.data();
        options.end_token_count = end_views_.size();
        if (!command_.tokens && !model_.info().has_tokenizer) {
            throw Failure((command_.model.empty() ? "the default model" : command_.model) +
                          ": the model brings no tokenizer; use --tokens with space-separated tokens");
        }
    }

    void run(const Progress& progress) {
        while (!batches_.empty() || !feed_.over()) {
            if (Interrupts::came()) throw Interrupted();
            if (!batches_.empty() && batches_.front().ended) {
                finish(batches_.front());
                batches_.pop_front();
                progress.show(output_.count(), feed_.fraction());
                continue;
            }
            std::vector<std::string> inputs = feed_.take(wanted(), kJobBytes);
            if (inputs.empty()) {
                feed_.wait(wanted());
            } else {
                submit(std::move(inputs));
            }
        }
        feed_.rethrow();
        output_.end();
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
    }

private:
    static double mebibytes(uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

    static dragoman::ModelOptions model_options(const TranslateCommand& command) {
        dragoman::ModelOptions options;
        options.device = command.device.c_str();
        if (command.compute_type == "float32") options.compute_type = DRAGOMAN_COMPUTE_F32;
        if (command.compute_type == "float16") options.compute_type = DRAGOMAN_COMPUTE_F16;
        if (command.compute_type == "int8") options.compute_type = DRAGOMAN_COMPUTE_INT8;
        return options;
    }

    struct Batch {
        std::vector<std::string> inputs;
        std::size_t bytes = 0;
        std::atomic<bool> ended = false;
        std::optional<dragoman::Job> job{};  // goes first: it refers to `ended`
    };

    // How many lines may become the next job.
    std::size_t wanted() const {
        const std::size_t left = most_lines_ - lines_;
        return left < job_lines_ || bytes_ > kBytesAtWork ? 0 : job_lines_;
    }

    void submit(std::vector<std::string> inputs) {
        Batch& batch = batches_.emplace_back();
        batch.inputs = std::move(inputs);
        for (const std::string& input : batch.inputs) batch.bytes += input.size();
        lines_ += batch.inputs.size();
        bytes_ += batch.bytes;
        const std::vector<std::vector<std::string>> prefixes(prefix_[0].empty() ? 0 : batch.inputs.size(), prefix_[0]);
        const dragoman::TokenViews prefix_views(prefixes);
        dragoman::JobOptions how;
        how.events = DRAGOMAN_EVENTS_END;
        how.priority = --priority_;  // the first one is waited for
        const auto on_end = [this, &batch](const dragoman_event&) {
            batch.ended = true;
            feed_.wake();
        };
        if (command_.tokens) {
            const std::vector<std::vector<std::string>> sources = split(batch.inputs);
            batch.job.emplace(translator_.submit(dragoman::TokenViews(sources), command_.options, on_end, how,
                                                 prefix_views));
        } else {
            const std::vector<std::string_view> texts(batch.inputs.begin(), batch.inputs.end());
            batch.job.emplace(translator_.submit(texts, command_.options, on_end, how, prefix_views));
        }
    }

    void finish(Batch& batch) {
        output_.write(batch.inputs, batch.job->get());
        lines_ -= batch.inputs.size();
        bytes_ -= batch.bytes;
    }

    TranslateCommand& command_;
    Feed& feed_;
    Output& output_;
    dragoman::Model model_;
    dragoman::Translator translator_;
    std::vector<std::vector<std::string>> suppress_;
    dragoman::TokenViews suppress_views_;
    std::vector<std::vector<std::string>> prefix_;
    std::vector<dragoman_string> end_views_;
    const std::size_t most_lines_, job_lines_;
    std::size_t lines_ = 0, bytes_ = 0;  // at work
    int32_t priority_ = 0;
    std::deque<Batch> batches_;
};

}  // namespace

void translate(TranslateCommand& command) {
    std::ios::sync_with_stdio(false);  // lines are read on another thread, which the end of the program does not wait for
    std::cin.tie(nullptr);
    const bool has_lines = command.texts.empty();  // an argument is a text of its own
    auto lines = has_lines ? std::make_unique<Lines>(command.input)
                           : std::make_unique<Lines>(std::move(command.texts));
    const bool is_file = lines->is_file();
    if (is_file && command.output != "-") {
        std::error_code missing;
        if (std::filesystem::equivalent(command.input, command.output, missing)) {
            throw Failure(command.output + ": is the input file");
        }
    }
    Output output(command);
    Feed feed(std::move(lines), has_lines && command.options.join_lines && !command.tokens, command.batch_size);
    Work work(command, feed, output);
    const Interrupts interrupts;
    const Progress progress(is_file);
    const auto start = std::chrono::steady_clock::now();
    work.run(progress);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (command.stats) work.print_stats(seconds.count());
}

}  // namespace cli
