// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/models.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace cli {

std::string size_text(uint64_t bytes);  // "17.2 MB"; "unknown size"

// Shows a download on standard error: on a terminal in one line, elsewhere every ten seconds; or as JSON lines on standard output.
class DownloadProgress {
public:
    enum class Way { none, line, json };
    explicit DownloadProgress(Way way) : way_(way) {}
    ~DownloadProgress() { clear(); }
    DownloadProgress(const DownloadProgress&) = delete;
    bool show(const dragoman_download& at);
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    void show_line(const dragoman_download& at);
    const Way way_;
    std::string model_;
    Clock::time_point start_, next_;
    uint64_t before_ = 0;  // bytes that were there at the start
    bool drawn_ = false;
};

// What would be downloaded: names, sizes, licences, publishers, notices; a line each.
std::string offer_text(const dragoman::ModelList& models);

// Why a list is not whole, in one line; "": it is.
std::string problems_text(const dragoman::ModelList& models);

struct Consent {
    bool yes = false;  // was given on the command line
};
// Returns when the user agrees: --yes, or an answer on a terminal. Throws Failure with the text otherwise.
void ask(const std::string& text, Consent consent);

// Downloads what is not here of these, showing how far it is.
void download_all(const dragoman::ModelList& models, dragoman::ModelsOptions options, DownloadProgress::Way way);

}  // namespace cli
