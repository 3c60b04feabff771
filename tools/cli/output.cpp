// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <utility>

#include "base/os/path_text.h"
#include "quality_note.h"
#include "translation_json.h"
#include "written.h"

namespace cli {
namespace {

constexpr std::streamoff kMostHeld = 1 << 20;  // bytes

std::string join(std::span<const dragoman_string> tokens, char separator) {
    std::string text;
    for (const dragoman_string& token : tokens) {
        if (!text.empty()) text += separator;
        text += dragoman::view(token);
    }
    return text;
}

std::span<const dragoman_string> slice(std::span<const dragoman_string> all, std::size_t begin, std::size_t end) {
    return all.subspan(begin, end - begin);
}

}  // namespace

void Output::open() {
    if (to_) return;
    if (command_.options.return_quality && !command_.json) explain_quality();
    if (command_.output != "-") {
        const std::filesystem::path path = dragoman::path_of(command_.output);
        std::error_code none;
        const bool goes_on = begin_.value_or(0) > 0;
        if (goes_on) std::filesystem::resize_file(path, *begin_, none);
        file_.open(path, std::ios::binary | std::ios::out | (goes_on ? std::ios::in : std::ios::trunc));
        file_.seekp(0, std::ios::end);
        if (!file_) throw Failure(fmt::format("{}: {}", command_.output, std::strerror(errno)));
    }
    to_ = file_.is_open() ? &file_ : &std::cout;
}

void Output::end() {
    open();
    flush();
}

void Output::write(const std::string& input, const dragoman::Result& result, std::size_t i) {
    open();
    if (command_.json) write_json(out_, command_, input, result, i);
    else write_plain(result, i);
    ++count_;
    if (out_.tellp() > kMostHeld) flush();
}

void Output::pass(const std::string& input, const std::string& why) {
    fmt::print(stderr, "{}; {}\n", why, command_.on_error == OnError::copy ? "copied" : "left out");
    ++count_;
    if (command_.on_error != OnError::copy) return;
    open();
    if (command_.json) {
        const Json line = {{"source", input}, {"error", why}};
        out_ << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
        return;
    }
    if (command_.options.num_hypotheses > 1) out_ << count_ << '\t';
    if (command_.options.return_scores) out_ << fmt::format("{:.6f}\t", 0.0f);
    if (command_.options.return_quality) out_ << fmt::format("{:.3f}\t", 0.0f);
    out_ << input << line_end();
}

void Output::resume(std::size_t inputs, uint64_t bytes) {
    count_ = inputs;
    begin_ = bytes;
}

uint64_t Output::bytes() { return file_.is_open() ? uint64_t(file_.tellp()) : begin_.value_or(0); }

void Output::flush() {
    if (!to_) return;
    errno = 0;
    const std::string_view bytes = out_.view();
    const bool good = bool(to_->write(bytes.data(), std::streamsize(bytes.size())).flush());
    out_.str({});
    if (good) return;
    throw Failure(fmt::format("{}: {}", command_.output == "-" ? "standard output" : command_.output, write_error()));
}

std::string Output::text(const dragoman::Result& result, std::size_t input, std::size_t hypothesis) const {
    if (command_.tokens) return join(result.tokens(input, hypothesis), ' ');
    return std::string(result.text(input, hypothesis));
}

void Output::write_plain(const dragoman::Result& result, std::size_t i) {
    for (std::size_t h = 0; h < result.hypotheses(i); ++h) {
        if (command_.options.num_hypotheses > 1) out_ << count_ + 1 << '\t';
        if (command_.options.return_scores) out_ << fmt::format("{:.6f}\t", result.score(i, h));
        if (command_.options.return_quality) out_ << fmt::format("{:.3f}\t", result.quality(i, h));
        out_ << text(result, i, h);
        if (command_.options.return_alignment) out_ << '\t' << result.pharaoh(i, h);
        if (!is_whole()) out_ << line_end();
        if (!command_.options.return_attention) continue;
        if (command_.tokens) write_table(result.source_tokens(i), result.tokens(i, h), result.attention(i, h));
        for (std::size_t s = 0; s < result.sentences(i); ++s) {
            const dragoman_sentence at = result.sentence(i, h, s);
            write_table(slice(result.source_tokens(i), at.source_token_begin, at.source_token_end),
                        slice(result.tokens(i, h), at.target_token_begin, at.target_token_end),
                        result.sentence_attention(i, h, s));
        }
    }
}

void Output::write_table(std::span<const dragoman_string> source, std::span<const dragoman_string> target,
                         const dragoman_matrix& attention) {
    out_ << '\t' << join(source, '\t') << '\n';
    for (std::size_t row = 0; row < attention.rows; ++row) {
        if (row < target.size()) out_ << dragoman::view(target[row]);
        for (std::size_t col = 0; col < attention.cols; ++col) {
            out_ << fmt::format("\t{:.3f}", attention.data[row * attention.cols + col]);
        }
        out_ << '\n';
    }
}

}  // namespace cli
