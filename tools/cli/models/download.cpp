// SPDX-License-Identifier: Apache-2.0
#include "download.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "../commands.h"
#include "../interrupts.h"
#include "base/os/terminal.h"
#include "table.h"

namespace cli {
namespace {

std::string time_text(double seconds) {
    const auto whole = static_cast<uint64_t>(seconds);
    return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                        : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

// Files that nobody has published a hash of.
void tell_first_use(const dragoman::ModelList& models) {
    std::size_t count = 0;
    for (std::size_t f = 0; f < models[0].file_count; ++f)
        count += std::string_view(models.file(0, f).proof) == "first use";
    if (count == 0) return;
    fmt::print(stderr,
               "dragoman: {}: no hash of {} is published; what has come now is recorded, and checked from now on\n",
               models[0].name, count == models[0].file_count ? "its files" : fmt::format("{} of its files", count));
}

}  // namespace

std::string size_text(uint64_t bytes) {
    if (bytes == 0) return "unknown size";
    if (bytes < 1'000'000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
    if (bytes < 1'000'000'000) return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
    return fmt::format("{:.2f} GB", static_cast<double>(bytes) / 1e9);
}

bool DownloadProgress::show(const dragoman_download& at) {
    if (model_ != at.model) {
        clear();
        model_ = at.model;
        start_ = next_ = Clock::now();
        before_ = at.done_bytes;
    }
    if (way_ == Way::json) {
        Json event;
        event["event"] = "download";
        event["model"] = at.model;
        event["file"] = at.file;
        event["done_bytes"] = at.done_bytes;
        event["total_bytes"] = at.total_bytes;
        if (*at.note) event["note"] = at.note;
        fmt::print("{}\n", event.dump());
        std::fflush(stdout);
    }
    if (way_ == Way::line) show_line(at);
    return !Interrupts::came();
}

void DownloadProgress::show_line(const dragoman_download& at) {
    const bool terminal = dragoman::os::is_terminal(stderr);
    if (*at.note) {
        clear();
        fmt::print(stderr, "dragoman: {}\n", at.note);
    }
    if (Clock::now() < next_ || !*at.model) return;
    next_ = Clock::now() + (terminal ? std::chrono::milliseconds(200) : std::chrono::seconds(10));
    const std::chrono::duration<double> elapsed = Clock::now() - start_;
    const double rate = elapsed.count() > 0.5
                            ? static_cast<double>(at.done_bytes - std::min(before_, at.done_bytes)) / elapsed.count()
                            : 0;
    std::string text = fmt::format("{}: {}", at.model, size_text(at.done_bytes));
    if (at.total_bytes > 0) {
        text += fmt::format(" of {}, {:.0f} %", size_text(at.total_bytes),
                            100 * static_cast<double>(at.done_bytes) / static_cast<double>(at.total_bytes));
    }
    if (rate > 0) text += fmt::format(", {}/s", size_text(static_cast<uint64_t>(rate)));
    if (rate > 0 && at.total_bytes > at.done_bytes)
        text += fmt::format(", {} left", time_text(static_cast<double>(at.total_bytes - at.done_bytes) / rate));
    if (terminal) fmt::print(stderr, "\r\033[K{}", text);
    else fmt::print(stderr, "{}\n", text);
    std::fflush(stderr);
    drawn_ = terminal;
}

void DownloadProgress::clear() {
    if (drawn_) std::fputs("\r\033[K", stderr);
    drawn_ = false;
}

std::string offer_text(const dragoman::ModelList& models) {
    std::string text, notices;
    for (std::size_t i = 0; i < models.size(); ++i) {
        const dragoman_published_model& model = models[i];
        if (model.installed) continue;
        const std::string license = *model.license ? model.license : "not stated";
        const bool said = *model.from && *model.to;  // otherwise the model itself says it, when it is here
        const std::string languages = said ? fmt::format("{} to {}, ", few(model.from), few(model.to)) : "";
        text += fmt::format("  {}  {}{}, licence: {}, from {}\n", model.name, languages, size_text(model.bytes),
                            license, *model.publisher ? model.publisher : "an unnamed publisher");
        if (*model.gate) text += fmt::format("    its licence has to be accepted first at {}\n", model.gate);
        const std::string notice = model.notice;
        if (!notice.empty() && notices.find(notice) == std::string::npos) notices += "  " + notice + "\n";
    }
    return text + notices;
}

std::string problems_text(const dragoman::ModelList& models) {
    const std::string problems = models.problems();
    const auto more = std::ranges::count(problems, '\n');
    return problems.substr(0, problems.find('\n')) + (more > 0 ? fmt::format(" (and {} more like this)", more) : "");
}

void ask(const std::string& text, Consent consent) {
    if (consent.yes) return;
    if (!dragoman::os::is_terminal(stdin) || !dragoman::os::is_terminal(stderr))
        throw Failure(text + "--yes downloads it; --offline looks on this machine only");
    fmt::print(stderr, "{}Download? [y/N] ", text);
    std::string answer;
    std::getline(std::cin, answer);
    if (answer != "y" && answer != "Y" && answer != "yes") throw Failure("nothing was downloaded");
}

void download_all(const dragoman::ModelList& models, dragoman::ModelsOptions options, DownloadProgress::Way way) {
    const Interrupts interrupts;
    DownloadProgress progress(way);
    options.progress = [&](const dragoman_download& at) { return progress.show(at); };
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (models[i].installed && !options.again) continue;
        try {
            const dragoman::ModelList here = dragoman::download_model(models[i].name, options);
            progress.clear();
            if (way != DownloadProgress::Way::json) tell_first_use(here);
        } catch (const dragoman::Error& error) {
            progress.clear();
            if (error.status() == DRAGOMAN_CANCELLED && Interrupts::came()) {
                fmt::print(stderr, "dragoman: stopped; the same command goes on where it stopped\n");
                throw Interrupted{Interrupts::signal()};
            }
            throw;
        }
    }
}

}  // namespace cli
