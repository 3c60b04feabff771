// SPDX-License-Identifier: Apache-2.0
// Translates a text file and can be stopped at any time: the same command goes on where it was.
#include <dragoman/dragoman.hpp>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <vector>

#include "checkpoint.h"
#include "support/options.h"
#include "support/os/terminal.h"
#include "units.h"

namespace {

enum ExitCode { kOk = 0, kFailure = 1, kUsage = 2, kInterrupted = 130 };

constexpr const char* kHelp =
    "usage: translate_file [options] INPUT OUTPUT\n"
    "\n"
    "Translates a text file line by line. OUTPUT appears when it is complete; until then OUTPUT.part and OUTPUT.state\n"
    "hold what is done. After an interruption, even a kill -9, the same command goes on from there.\n"
    "\n"
    "  -m, --model DIR     model (default: the one that comes with the library)\n"
    "  -t, --to LANGUAGE   target language of a model that has several: de\n"
    "  -f, --from LANGUAGE language of INPUT, which helps to find its sentences\n"
    "  -p, --paragraphs    lines up to a blank line are one text; it becomes one line\n"
    "  -b, --beam N        width of the search (default: as the model says)\n"
    "      --raw           the model sees texts as they are\n"
    "  -c, --chunk N       texts between two saves (default 64)\n"
    "      --restart       forget an interrupted run\n"
    "      --overwrite     replace an OUTPUT that exists\n"
    "  -q, --quiet         no progress bar, no summary\n"
    "  -h, --help\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted by Ctrl-C or SIGTERM.\n";

struct Options {
    std::string model, from, to;
    std::filesystem::path input, output;
    uint32_t beam = 0, chunk = 64;
    bool paragraphs = false, raw = false, restart = false, overwrite = false, quiet = false, help = false;
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
    enum { kRestart = 256, kOverwrite, kRaw };
    CommandLine line(argc, argv,
                     {{"model", 'm', true},
                      {"to", 't', true},
                      {"from", 'f', true},
                      {"paragraphs", 'p', false},
                      {"beam", 'b', true},
                      {"chunk", 'c', true},
                      {"raw", kRaw, false},
                      {"restart", kRestart, false},
                      {"overwrite", kOverwrite, false},
                      {"quiet", 'q', false},
                      {"help", 'h', false}});
    Options options;
    for (int c; (c = line.next()) != CommandLine::kEnd;) {
        switch (c) {
            case 'm': options.model = line.value(); break;
            case 't': options.to = line.value(); break;
            case 'f': options.from = line.value(); break;
            case 'p': options.paragraphs = true; break;
            case 'b': options.beam = positive("--beam", line.value()); break;
            case 'c': options.chunk = positive("--chunk", line.value()); break;
            case kRaw: options.raw = true; break;
            case kRestart: options.restart = true; break;
            case kOverwrite: options.overwrite = true; break;
            case 'q': options.quiet = true; break;
            case 'h': options.help = true; return options;
        }
    }
    if (line.others().size() != 2) throw UsageError("expected INPUT and OUTPUT");
    options.input = line.others()[0];
    options.output = line.others()[1];
    return options;
}

volatile std::sig_atomic_t interrupted = 0;

class ProgressBar {
public:
    ProgressBar(uint64_t size, uint64_t done, bool shown) : size_(size), begin_(done), shown_(shown) {}
    ~ProgressBar() {
        if (shown_) std::fputs("\r\033[K", stderr);
    }
    // `bytes` of the input and `lines` are done.
    void show(uint64_t bytes, uint64_t lines) const {
        if (!shown_) return;
        constexpr int kWidth = 30;
        const auto now = static_cast<double>(bytes);
        const double share = size_ ? now / static_cast<double>(size_) : 1;
        const int full = static_cast<int>(share * kWidth);
        std::fprintf(stderr, "\r\033[K[%.*s%.*s] %3.0f %%  %llu lines", full, "##############################",
                     kWidth - full, "..............................", 100 * share,
                     static_cast<unsigned long long>(lines));
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
        const double speed = (now - static_cast<double>(begin_)) / elapsed.count();
        if (elapsed.count() > 1 && speed > 0) {
            const auto left = static_cast<long>((static_cast<double>(size_) - now) / speed);
            std::fprintf(stderr, "  %ld:%02ld:%02ld left", left / 3600, left / 60 % 60, left % 60);
        }
        std::fflush(stderr);
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    uint64_t size_, begin_;
    bool shown_;
};

// What translates, and how.
struct Engine {
    explicit Engine(const Options& options)
        : model(options.model.empty() ? nullptr : options.model.c_str(), {}), translator(model) {
        how.source_language = options.from.c_str();
        how.target_language = options.to.c_str();
        how.discard_tokens = 1;
        if (options.beam) how.beam_size = options.beam;
        how.raw = options.raw;
    }
    dragoman::Model model;
    dragoman::Translator translator;
    dragoman::TranslateOptions how;
};

// The input's size and beginning, and everything that decides what comes out.
uint64_t job_of(const Options& options, uint64_t size, const Engine& engine) {
    std::ifstream file(options.input, std::ios::binary);
    if (!file) throw FileError(options.input.string() + ": " + std::strerror(errno));
    std::string start(1 << 16, '\0');
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(file.gcount()));
    uint64_t hash = fnv1a(start);
    const std::string mode = options.paragraphs ? "paragraphs" : "lines";
    for (const std::string& part : {std::to_string(size), engine.translator.key(engine.how), mode})
        hash = fnv1a(part, fnv1a({"\0", 1}, hash));
    return hash;
}

// Reads units, feeds them to a job, and saves what comes back, a chunk at a time.
class Work {
public:
    Work(const Options& options, uint64_t size, Engine& engine, Checkpoint& checkpoint)
        : options_(options), engine_(engine), checkpoint_(checkpoint), saved_(checkpoint.position()),
          units_(options.input, options.paragraphs, saved_.input_bytes, saved_.lines),
          bar_(size, units_.offset(), !options.quiet && os::is_terminal(stderr)) {}

    void run() {
        dragoman::Job job = engine_.translator.feed_texts(engine_.how);
        show();
        for (;;) {
            const bool more = feed(job);
            if (interrupted) throw dragoman::Error(DRAGOMAN_CANCELLED, "stopped");
            const bool ended = job.wait_for(std::chrono::milliseconds(0));
            if (const auto result = job.next(std::chrono::milliseconds(more ? 0 : 100))) take(*result);
            else if (ended) break;
        }
        save();
        if (failure_) std::rethrow_exception(failure_);
        checkpoint_.finish();
    }

private:
    // The place in the input after a unit, and how its line ends.
    struct AtWork {
        std::string ending;
        uint64_t bytes, lines;
    };

    // Gives the job some units; false: there are no more, or it has no room for all of them.
    bool feed(dragoman::Job& job) {
        try {
            for (Unit unit; !ended_ && waiting_.size() < kReadAhead;) {
                ended_ = !units_.next(unit);
                if (ended_) break;
                at_work_.push_back({unit.ending, units_.offset(), units_.lines()});
                waiting_.push_back(blank(unit.text) ? "" : unit.text);
            }
        } catch (const FileError&) {  // what came before is not lost
            ended_ = true;
            failure_ = std::current_exception();
        }
        const std::vector<std::string_view> texts(waiting_.begin(), waiting_.end());
        const std::size_t taken = texts.empty() ? 0 : job.feed(texts, std::chrono::milliseconds(0));
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(taken));
        if (ended_ && waiting_.empty()) job.finish();
        return waiting_.empty() && !ended_;
    }

    void take(const dragoman::Result& result) {
        for (std::size_t i = 0; i < result.size(); ++i, at_work_.pop_front()) {
            // One line in, one line out, whatever the model says.
            for (const char c : result.text(i)) chunk_ += c == '\n' || c == '\r' ? ' ' : c;
            chunk_ += at_work_.front().ending;
            saved_.input_bytes = at_work_.front().bytes;
            saved_.lines = at_work_.front().lines;
            if (++units_in_chunk_ == options_.chunk) save();
            if (interrupted) throw dragoman::Error(DRAGOMAN_CANCELLED, "stopped");
        }
    }

    void save() {
        if (units_in_chunk_ == 0) return;
        saved_.output_bytes += chunk_.size();
        checkpoint_.append(chunk_, saved_);
        chunk_.clear();
        units_in_chunk_ = 0;
        show();
    }

    void show() const { bar_.show(saved_.input_bytes, saved_.lines); }

    static constexpr std::size_t kReadAhead = 64;

    const Options& options_;
    Engine& engine_;
    Checkpoint& checkpoint_;
    Position saved_;  // after `chunk_`
    Units units_;
    ProgressBar bar_;
    bool ended_ = false;             // the input
    std::exception_ptr failure_;     // of reading it
    std::deque<std::string> waiting_;  // for room in the job
    std::deque<AtWork> at_work_;     // read, not translated
    std::string chunk_;              // translated, not saved
    uint32_t units_in_chunk_ = 0;
};

int run(const Options& options) {
    std::error_code error;
    const uint64_t size = std::filesystem::file_size(options.input, error);
    if (error) throw FileError(options.input.string() + ": " + error.message());
    if (std::filesystem::equivalent(options.input, options.output, error))
        throw FileError(options.output.string() + ": is the input");
    Engine engine(options);
    Checkpoint checkpoint(options.output, size, job_of(options, size, engine), options.restart, options.overwrite);
    const Position start = checkpoint.position();
    if (!options.quiet && start.lines > 0 && !checkpoint.finished())
        std::fprintf(stderr, "going on after line %llu\n", static_cast<unsigned long long>(start.lines));
    try {
        if (!checkpoint.finished()) Work(options, size, engine, checkpoint).run();
    } catch (const dragoman::Error& failure) {
        if (failure.status() != DRAGOMAN_CANCELLED) throw;
        std::fprintf(stderr, "interrupted after line %llu; the same command goes on from there\n",
                     static_cast<unsigned long long>(checkpoint.position().lines));
        return kInterrupted;
    }
    if (!options.quiet)
        std::fprintf(stderr, "%llu lines translated, %s is complete\n",
                     static_cast<unsigned long long>(checkpoint.position().lines), options.output.string().c_str());
    return kOk;
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
        for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupted = 1; });
        return run(options);
    } catch (const UsageError& error) {
        std::fprintf(stderr, "translate_file: %s\n", error.what());
        std::fputs("translate_file --help says more\n", stderr);
        return kUsage;
    } catch (const dragoman::Error& error) {
        std::fprintf(stderr, "translate_file: %s: %s\n", dragoman_status_name(error.status()), error.what());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "translate_file: %s\n", error.what());
    }
    return kFailure;
}
