// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

#include "commands.h"
#include "lines.h"

namespace cli {
namespace {

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

std::string join(std::span<const dragoman_string> tokens, char separator) {
    std::string text;
    for (const dragoman_string& token : tokens) {
        if (!text.empty()) text += separator;
        text += dragoman::view(token);
    }
    return text;
}

Json to_json(std::span<const dragoman_string> tokens) {
    Json array = Json::array();
    for (const dragoman_string& token : tokens) array.push_back(dragoman::view(token));
    return array;
}

Json to_json(const dragoman_matrix& matrix) {
    Json rows = Json::array();
    for (std::size_t row = 0; row < matrix.rows; ++row) {
        const float* begin = matrix.data + row * matrix.cols;
        rows.push_back(std::vector<float>(begin, begin + matrix.cols));
    }
    return rows;
}

// Shows how far a long file is, on a terminal.
class Progress {
public:
    Progress(const Lines& lines, TranslateCommand& command) : lines_(lines), counts_inputs_(command.tokens) {
        dragoman_translate_options& options = command.options;
        shown_ = lines.is_file() && isatty(STDERR_FILENO);
        if (!shown_) return;
        options.progress = [](std::size_t done, std::size_t, void* self) -> int32_t {
            static_cast<Progress*>(self)->show(done);
            return 0;
        };
        options.progress_user = this;
    }
    ~Progress() {
        if (shown_) fmt::print(stderr, "\r\033[K");
    }
    void batch_done(std::size_t inputs) {
        before_ += inputs;
        if (shown_) show(0);
    }

private:
    void show(std::size_t done) const {
        fmt::print(stderr, "\r\033[K{} lines, {:.0f} % read", before_ + (counts_inputs_ ? done : 0),
                   100 * lines_.fraction());
        std::fflush(stderr);
    }
    const Lines& lines_;
    const bool counts_inputs_;  // of texts, sentences are counted
    bool shown_ = false;
    std::size_t before_ = 0;
};

class Job {
public:
    Job(TranslateCommand& command, std::ostream& out)
        : command_(command), out_(out), model_(model_or_default(command.model), model_options(command)), translator_(model_),
          suppress_(split(command.suppress)), suppress_views_(suppress_), prefix_{split(command.prefix)} {
        dragoman::TranslateOptions& options = command_.options;
        options.source_language = command_.from.c_str();
        options.target_language = command_.to.c_str();
        options.suppress_sequences = suppress_views_.data();
        options.suppress_sequence_count = suppress_views_.size();
        for (const std::string& token : command_.end_tokens) end_views_.push_back(dragoman::view(token));
        options.end_tokens = end_views_.empty() ? nullptr : end_views_.data();
        options.end_token_count = end_views_.size();
        if (!command_.tokens && !model_.info().has_tokenizer) {
            throw Failure((command_.model.empty() ? "the default model" : command_.model) + ": the model brings no tokenizer; use --tokens with space-separated tokens");
        }
    }

    void run(const std::vector<std::string>& batch) {
        const std::vector<std::vector<std::string>> prefixes(prefix_[0].empty() ? 0 : batch.size(), prefix_[0]);
        const dragoman::TokenViews prefix_views(prefixes);
        if (command_.tokens) {
            const std::vector<std::vector<std::string>> sources = split(batch);
            write(batch, translator_.translate(dragoman::TokenViews(sources), command_.options, prefix_views));
        } else {
            const std::vector<std::string_view> texts(batch.begin(), batch.end());
            write(batch, translator_.translate(texts, command_.options, prefix_views));
        }
        if (!out_.flush()) throw Failure(fmt::format("{}: cannot be written", command_.output));
        inputs_ += batch.size();
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

    std::string text(const dragoman::Result& result, std::size_t input, std::size_t hypothesis) const {
        if (command_.tokens) return join(result.tokens(input, hypothesis), ' ');
        return std::string(result.text(input, hypothesis));
    }

    void write(const std::vector<std::string>& batch, const dragoman::Result& result) {
        for (std::size_t i = 0; i < result.size(); ++i) {
            if (command_.json) {
                write_json(batch[i], result, i);
            } else {
                write_plain(result, i);
            }
        }
    }

    void write_plain(const dragoman::Result& result, std::size_t i) {
        for (std::size_t h = 0; h < result.hypotheses(i); ++h) {
            if (command_.options.num_hypotheses > 1) out_ << inputs_ + i + 1 << '\t';
            if (command_.options.return_scores) out_ << fmt::format("{:.6f}\t", result.score(i, h));
            out_ << text(result, i, h) << '\n';
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

    static std::span<const dragoman_string> slice(std::span<const dragoman_string> all, std::size_t begin,
                                                  std::size_t end) {
        return all.subspan(begin, end - begin);
    }

    void write_table(std::span<const dragoman_string> source, std::span<const dragoman_string> target,
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

    void write_json(const std::string& source, const dragoman::Result& result, std::size_t i) {
        Json line;
        if (!command_.tokens) line["source"] = source;
        line["source_tokens"] = to_json(result.source_tokens(i));
        line["hypotheses"] = Json::array();
        for (std::size_t h = 0; h < result.hypotheses(i); ++h) {
            Json hypothesis;
            if (!command_.tokens) hypothesis["text"] = result.text(i, h);
            hypothesis["tokens"] = to_json(result.tokens(i, h));
            if (command_.options.return_scores) hypothesis["score"] = result.score(i, h);
            if (command_.tokens && command_.options.return_attention)
                hypothesis["attention"] = to_json(result.attention(i, h));
            if (!command_.tokens) hypothesis["sentences"] = sentences(result, i, h);
            line["hypotheses"].push_back(std::move(hypothesis));
        }
        out_ << line.dump() << '\n';
    }

    // Ranges are [begin, end).
    Json sentences(const dragoman::Result& result, std::size_t i, std::size_t h) const {
        Json array = Json::array();
        for (std::size_t s = 0; s < result.sentences(i); ++s) {
            const dragoman_sentence at = result.sentence(i, h, s);
            Json sentence;
            sentence["source_bytes"] = {at.source_begin, at.source_end};
            sentence["target_bytes"] = {at.target_begin, at.target_end};
            sentence["source_tokens"] = {at.source_token_begin, at.source_token_end};
            sentence["target_tokens"] = {at.target_token_begin, at.target_token_end};
            if (command_.options.return_scores) sentence["score"] = at.score;
            if (command_.options.return_attention)
                sentence["attention"] = to_json(result.sentence_attention(i, h, s));
            array.push_back(std::move(sentence));
        }
        return array;
    }

    TranslateCommand& command_;
    std::ostream& out_;
    dragoman::Model model_;
    dragoman::Translator translator_;
    std::vector<std::vector<std::string>> suppress_;
    dragoman::TokenViews suppress_views_;
    std::vector<std::vector<std::string>> prefix_;
    std::vector<dragoman_string> end_views_;
    std::size_t inputs_ = 0;
};

}  // namespace

void translate(TranslateCommand& command) {
    Lines lines = command.texts.empty() ? Lines(command.input) : Lines(std::move(command.texts));
    std::ofstream file;
    if (command.output != "-") {
        std::error_code missing;
        if (lines.is_file() && std::filesystem::equivalent(command.input, command.output, missing)) {
            throw Failure(command.output + ": is the input file");
        }
        file.open(command.output, std::ios::binary);
        if (!file) throw Failure(fmt::format("{}: {}", command.output, std::strerror(errno)));
    }
    Job job(command, command.output == "-" ? std::cout : file);
    Progress progress(lines, command);
    const auto start = std::chrono::steady_clock::now();
    const std::size_t batch_size = lines.is_terminal() ? 1 : command.batch_size;
    std::vector<std::string> batch;
    const auto run_batch = [&] {
        if (batch.empty()) return;
        job.run(batch);
        progress.batch_done(batch.size());
        batch.clear();
    };
    const auto add = [&](std::string&& text) {
        batch.push_back(std::move(text));
        if (batch.size() >= batch_size) run_batch();
    };
    const bool join_lines = command.options.join_lines && !command.tokens;
    std::string paragraph;  // with join_lines; empty: none has begun
    const auto end_paragraph = [&] {
        if (!paragraph.empty()) add(std::exchange(paragraph, {}));
    };
    try {
        for (std::string line; lines.next(line);) {
            if (join_lines && line.find_first_not_of(" \t\v\f") != std::string::npos) {
                if (!paragraph.empty()) paragraph += '\n';
                paragraph += line;
            } else {
                end_paragraph();
                add(std::move(line));
            }
        }
    } catch (const BadLine&) {
        end_paragraph();
        run_batch();  // what came before the bad line is not lost
        throw;
    }
    end_paragraph();
    run_batch();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (command.stats) job.print_stats(seconds.count());
}

}  // namespace cli
