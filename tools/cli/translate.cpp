// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "arguments.h"
#include "attention_picture.h"
#include "base/os/environment.h"
#include "base/os/file.h"
#include "base/os/path_text.h"
#include "base/os/terminal.h"
#include "base/os/whole_file.h"
#include "commands.h"
#include "feed.h"
#include "first_use.h"
#include "interrupts.h"
#include "kept_lines.h"
#include "loaded.h"
#include "mistakes.h"
#include "models/models.h"
#include "output.h"
#include "progress.h"
#include "show.h"
#include "target_note.h"
#include "written.h"

namespace cli {
namespace {

// How much of a file's text is done: sentences end in any order, lines are written in theirs.
class Meter {
public:
    Meter(const Inputs& inputs, std::size_t passed_over)
        : size_(inputs.size()), before_(inputs.read()), inputs_(passed_over) {}
    // On a thread of the translator.
    void see(const dragoman_event& event) {
        ++sentences_;
        sentence_bytes_ += event.source.end - event.source.begin;
    }
    void write(const std::string& input) {
        ++inputs_;
        written_bytes_ += input.size() + 1;
    }
    void begin_again() { sentence_bytes_ = written_bytes_; }  // sentences that are not written are translated again
    Done done() const {
        const double size = std::max<double>(1, static_cast<double>(size_));
        const uint64_t bytes = before_ + std::max<uint64_t>(sentence_bytes_, written_bytes_);
        return {.inputs = inputs_,
                .sentences = sentences_,
                .share = static_cast<double>(bytes) / size,
                .share_before = static_cast<double>(before_) / size};
    }

private:
    const uint64_t size_, before_;
    std::size_t inputs_;
    uint64_t written_bytes_ = 0;
    std::atomic<std::size_t> sentences_ = 0;
    std::atomic<uint64_t> sentence_bytes_ = 0;
};

// The language of a translation whose texts nobody has named a language for.
std::string_view target_of_unnamed(const TranslateCommand& command) {
    const bool texts = !command.tokens && command.options.markup == DRAGOMAN_MARKUP_NONE;
    return texts && command.from.empty() ? std::string_view(command.to) : std::string_view();
}

// Translates what a feed gives, in order.
class Work {
public:
    Work(TranslateCommand& command, Loaded& loaded)
        : command_(command), loaded_(loaded), translator_(loaded.translator()),
          target_note_(target_of_unnamed(command)), memory_(command.options.memory) {}

    void run(std::unique_ptr<Inputs> inputs) {
        const bool shown = command_.progress && inputs->is_file() &&
                           (command_.output != "-" || !dragoman::os::is_terminal(stdout));
        output_.follow(inputs->carriage_returns());
        if (command_.keeps_lines) kept_.emplace(command_, translator_, *inputs);
        const KeptLines::Position done = kept_ ? kept_->position() : KeptLines::Position();
        if (done.inputs > 0) output_.resume(done.inputs, done.bytes);
        if (kept_) memory_ = kept_->sentences();
        meter_.emplace(*inputs, done.inputs);
        progress_.emplace(shown, command_.options.join_lines ? "paragraphs" : "lines");
        try {
            run_all(std::move(inputs));
        } catch (...) {
            progress_->clear();
            if (kept_) kept_->stop(output_.begun());
            if (kept_) kept_->rethrow();
            throw;
        }
        if (kept_) kept_->finish();
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
    void run_all(std::unique_ptr<Inputs> inputs) {
        dragoman::Job job = submit();
        Feed feed(command_, std::move(inputs), job);
        while (!run(job, feed)) {
            feed.let_go();
            job = submit();
            meter_->begin_again();
            feed.go_on(job);
        }
        feed.rethrow();
        output_.end();
        progress_->clear();
        target_note_.say();
    }

    Feed::Input take(Feed& feed) {
        Feed::Input input = feed.take();
        meter_->write(input.text);
        if (kept_) kept_->take(input.text);
        target_note_.see(input.text);
        return input;
    }

    dragoman::Job submit() {
        const auto see = [this](const dragoman_event& event) { meter_->see(event); };
        dragoman::JobOptions how;
        how.events = DRAGOMAN_EVENTS_SENTENCE;
        auto options = command_.options;
        options.memory = memory_;
        if (command_.tokens) return translator_.feed_tokens(options, see, how);
        // Tokens of a long text take many times its memory.
        options.discard_tokens = !command_.json && !options.return_attention;
        return translator_.feed_texts(options, see, how);
    }

    // False: an input cannot be translated, which is passed, and those after it are for another job.
    bool run(dragoman::Job& job, Feed& feed) {
        const auto pass = [&] {
            while (feed.refused()) {
                const Feed::Input input = take(feed);
                progress_->clear();
                output_.pass(input.text, input.refused);
            }
        };
        try {
            for (;;) {
                if (Interrupts::came()) throw Interrupted{Interrupts::signal()};
                const bool ended = job.wait_for(std::chrono::milliseconds(0));
                const auto result = job.next(std::chrono::milliseconds(100));
                for (std::size_t i = 0; result && i < result->size(); ++i) {
                    pass();
                    output_.write(take(feed).text, *result, i);
                }
                pass();
                output_.flush();
                if (kept_) kept_->save(output_.bytes());
                progress_->show(meter_->done());
                if (!result && ended) return true;
            }
        } catch (const dragoman::Error& error) {
            if (error.status() != DRAGOMAN_INVALID_ARGUMENT) throw;
            pass();
            if (feed.empty()) throw;
            const std::string why = in_flags(without_number(error.what()));
            if (command_.on_error == OnError::stop) throw Failure(feed.take().place + ": " + why);
            const Feed::Input input = take(feed);
            progress_->clear();
            output_.pass(input.text, input.place + ": " + why);
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
    Loaded& loaded_;
    dragoman::Translator& translator_;
    Output output_{command_};
    TargetNote target_note_;
    std::optional<KeptLines> kept_;  // nullopt: nothing is kept
    dragoman_memory* memory_;  // of the command, or what is kept on top of it
    std::optional<Meter> meter_;
    std::optional<Progress> progress_;
};

Inputs::Unit unit(const TranslateCommand& command) {
    if (command.options.markup != DRAGOMAN_MARKUP_NONE) return Inputs::Unit::whole;
    return command.options.join_lines && !command.tokens ? Inputs::Unit::paragraph : Inputs::Unit::line;
}

// Lines of the input, or its texts, or a page.
void translate_texts(TranslateCommand& command, std::optional<Loaded>& loaded) {
    const bool has_lines = command.texts.empty();  // an argument is a text of its own
    command.texts_are_whole = has_lines && unit(command) == Inputs::Unit::whole;
    auto inputs = has_lines ? std::make_unique<Inputs>(command.input, unit(command))
                            : std::make_unique<Inputs>(std::move(command.texts));
    if (has_lines) check_input_stays(command.input, command.output);
    if (has_lines && command.input == "-" && dragoman::os::is_terminal(stdin) && dragoman::os::is_terminal(stderr))
        fmt::print(stderr, "Type a text and press Enter; its translation follows. {} ends.\n",
                   dragoman::os::end_of_input());
    const FirstUse first_use(!command.json);
    command.keeps_lines = KeptLines::possible(command) && !command.texts_are_whole;
    if (command.resume && !command.keeps_lines)
        throw Failure("--resume: expected an --output that is a file, and lines or a document");
    if (!loaded) loaded.emplace(command);
    Work work(command, *loaded);
    const Interrupts interrupts;
    const auto start = std::chrono::steady_clock::now();
    work.run(std::move(inputs));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (command.stats) work.print_stats(seconds.count());
}

// Before a stop: what is kept of an output goes when the output is complete.
bool is_complete(const std::string& output) {
    std::error_code none;
    return std::filesystem::exists(dragoman::path_of(output), none) &&
           !std::filesystem::exists(dragoman::path_of(output + ".resume"), none);
}

// A model that is loaded once serves all files.
void translate_one(TranslateCommand& command, std::optional<Loaded>& loaded) {
    if (!is_document(command)) return translate_texts(command, loaded);
    check_document(command);
    if (!loaded) loaded.emplace(command);
    translate_document(command, *loaded);
}

// The output's folder is said before a model is loaded, and by its name; so is a link that leads to where its maker wants.
void check_way(const std::string& output) {
    if (output == "-") return;
    const auto path = dragoman::path_of(output), folder = path.parent_path();
    std::error_code none;
    if (!folder.empty() && !std::filesystem::is_directory(folder, none))
        throw Failure(fmt::format("{}: there is no folder {}", output, dragoman::text_of(folder)));
    const std::string why = dragoman::os::foreign_link(path);
    if (!why.empty()) throw Failure(output + ": " + why);
}

// A file that fails is told, and the others go on; not where none can, such as without a model or its device.
void translate_files(TranslateCommand& command, std::optional<Loaded>& loaded) {
    // A page that is there may be a part of one.
    if (command.resume && !command.document && unit(command) == Inputs::Unit::whole)
        throw Failure("--resume: expected lines or documents, got pages");
    auto files = command.files;
    if (command.resume) std::erase_if(files, [](const auto& file) { return is_complete(file.second); });
    if (files.empty()) return;
    {
        const FirstUse first_use(!command.json);
        loaded.emplace(command);
    }
    std::size_t failed = 0;
    const auto tell = [&failed](const std::exception& failure) {
        fmt::print(stderr, "dragoman: {}\n", failure.what());
        ++failed;
    };
    try {
        for (const auto& [input, output] : files) {
            command.input = input;
            command.output = output;
            try {
                check_way(output);
                translate_one(command, loaded);
            } catch (const Failure& failure) {
                tell(failure);
            } catch (const BadInput& bad) {
                tell(bad);
            } catch (const dragoman::Error& error) {
                if (error.status() != DRAGOMAN_IO_ERROR) throw;
                tell(error);
            }
        }
    } catch (...) {
        loaded->end();
        throw;
    }
    loaded->end();
    if (failed > 0)
        throw Failure(fmt::format("{} of {} files {} not translated", failed, files.size(),
                                  failed == 1 ? "is" : "are"));
}

bool names_models(const TranslateCommand& command) {
    return !command.machine.model.empty() || !command.machine.models.empty() || !command.route.empty();
}

// What is taken where the user named nothing and no model on this machine was chosen for the two languages.
std::string model_without_a_name() {
    const std::string named = dragoman::os::environment("DRAGOMAN_MODEL");
    return named.empty() ? std::string(dragoman::describe_model(nullptr).path) : named;
}

void tell_models(const TranslateCommand& command) {
    const auto tell = [](const std::string& model) { fmt::print(stderr, "dragoman: model: {}\n", model); };
    std::ranges::for_each(command.chosen, tell);
    if (!command.chosen.empty()) return;
    if (!command.machine.model.empty()) tell(command.machine.model);
    std::ranges::for_each(command.machine.models, tell);
    std::ranges::for_each(command.route, tell);
}

}  // namespace

void translate(TranslateCommand& command) {
    take_files(command);
    if (!command.continues) choose_models(command);
    if ((command.verbose || command.json) && !names_models(command)) command.chosen = {model_without_a_name()};
    if (command.verbose) tell_models(command);
    for (const auto& [flag, file] : {std::pair("--show", &command.show), {"--attention", &command.attention_picture}})
        if (!file->empty() && !command.files.empty())
            throw Failure(fmt::format("{}: expected one input, got {} files", flag, command.files.size()));
    for (const std::string* file : {&command.show, &command.attention_picture, &command.write_tmx}) {
        if (command.texts.empty()) check_input_stays(command.input, *file);
        check_can_be_written(*file);
    }
    if (!command.show.empty()) return show(command);
    if (!command.attention_picture.empty()) return draw_attention(command);
    // Lines are read on another thread, for which the end of the program does not wait.
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    std::optional<Loaded> loaded;
    for (const auto& [input, output] : command.files) {
        command.input = input;
        command.output = output;
        check_input_stays(input, command.write_tmx);
        if (is_document(command)) check_document(command);
    }
    if (!command.folder.empty()) std::filesystem::create_directories(dragoman::path_of(command.folder));
    if (!command.files.empty()) return translate_files(command, loaded);
    check_way(command.output);
    translate_one(command, loaded);
    loaded->end();
}

}  // namespace cli
