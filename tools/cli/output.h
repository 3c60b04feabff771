// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.h"

namespace cli {

// Writes translations as a command wants them. The file is opened for the first translation: an old file stays as it was
// if something fails before. All throw Failure.
class Output {
public:
    explicit Output(const TranslateCommand& command) : command_(command) {}
    void write(const std::string& input, const dragoman::Result& result, std::size_t i);
    // Handles an input that cannot be translated: copies it or leaves it out, as the command says.
    void pass(const std::string& input, const std::string& why);
    void flush();
    // Goes on behind what an earlier run wrote: so many inputs, in so many bytes.
    void resume(std::size_t inputs, uint64_t bytes);
    uint64_t bytes();  // of the file so far
    bool begun() const { return to_ != nullptr; }  // an old file is emptied
    // Lines end as those of the input do.
    void follow(std::shared_ptr<const std::atomic<bool>> carriage_returns) {
        carriage_returns_ = std::move(carriage_returns);
    }
    void end();  // without translations the file is empty
    std::size_t count() const { return count_; }  // inputs so far

private:
    void open();
    // A page or document of markup, whose last byte is its own.
    bool is_whole() const { return command_.texts_are_whole; }
    std::string_view line_end() const { return carriage_returns_ && *carriage_returns_ ? "\r\n" : "\n"; }
    std::string text(const dragoman::Result& result, std::size_t input, std::size_t hypothesis) const;
    void write_plain(const dragoman::Result& result, std::size_t i);
    void write_table(std::span<const dragoman_string> source, std::span<const dragoman_string> target,
                     const dragoman_matrix& attention);

    const TranslateCommand& command_;
    std::ofstream file_;
    std::ostream* to_ = nullptr;  // the file or standard output
    std::ostringstream out_;  // on its way there
    std::size_t count_ = 0;
    std::shared_ptr<const std::atomic<bool>> carriage_returns_;
    std::optional<uint64_t> begin_{};  // nullopt: a new file
};

}  // namespace cli
