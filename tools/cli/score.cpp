// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <numeric>
#include <span>
#include <utility>

#include "feed.h"
#include "inputs.h"
#include "json.h"
#include "written.h"

namespace cli {
namespace {

constexpr std::size_t kPairsAtATime = 1024;

struct Word {
    std::size_t begin, end;  // bytes of the target
    double log_prob = 0.0;
};

// The words between white space.
std::vector<Word> words_of(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    std::vector<Word> words;
    for (std::size_t at = text.find_first_not_of(kSpace); at != text.npos; at = text.find_first_not_of(kSpace, at)) {
        const std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
        words.push_back({at, end});
        at = end;
    }
    return words;
}

// The log-probability of each word: the sum of its tokens'. The end's is left out.
std::vector<Word> score_words(std::string_view target, std::span<const float> log_probs,
                              std::span<const dragoman_range> ranges) {
    std::vector<Word> words = words_of(target);
    std::size_t word = 0;
    for (std::size_t i = 0; i + 1 < ranges.size() && !words.empty(); ++i) {
        while (word + 1 < words.size() && words[word].end < ranges[i].end) ++word;
        words[word].log_prob += double(log_probs[i]);
    }
    return words;
}

class Scorer {
public:
    explicit Scorer(ScoreCommand& command)
        : command_(command), device_(command.machine.where()), model_(command.machine.path(), on(device_)),
          translator_(model_) {
        command_.options.source_language = command_.from.c_str();
        command_.options.target_language = command_.to.c_str();
        if (!command_.tokens && !model_.info().has_tokenizer)
            throw Failure(std::string(model_.info().path) +
                          ": the model has no tokenizer; use --tokens with space-separated tokens");
    }

    // The inputs are lines SOURCE, tab, TARGET.
    void run(Inputs& inputs) {
        std::exception_ptr failure;
        for (bool more = true; more;) {
            lines_.clear();
            try {
                std::string line;
                while (lines_.size() < kPairsAtATime && (more = inputs.next(line)))
                    add(std::move(line), inputs.place());
            } catch (const std::exception&) {
                failure = std::current_exception();
                more = false;
            }
            write(score());
        }
        if (failure) std::rethrow_exception(failure);
    }

private:
    dragoman::ModelOptions on(const dragoman::Device& device) const {
        dragoman::ModelOptions options = command_.machine.how();
        options.device = device.get();
        return options;
    }

    void add(std::string line, const std::string& place) {
        // Nothing need stand before what a decoder alone scores.
        const bool alone = model_.info().encoder_layers == 0;
        if (alone && line.find('\t') == std::string::npos) line.insert(0, "\t");
        if (const auto tabs = std::ranges::count(line, '\t'); tabs != 1)
            throw Failure(fmt::format("{}: expected a source, one tab and a target, got {} tabs", place, tabs));
        lines_.push_back(std::move(line));
    }

    std::pair<std::vector<std::string_view>, std::vector<std::string_view>> sides() const {
        std::pair<std::vector<std::string_view>, std::vector<std::string_view>> result;
        for (const std::string_view line : lines_) {
            const std::size_t tab = line.find('\t');
            result.first.push_back(line.substr(0, tab));
            result.second.push_back(line.substr(tab + 1));
        }
        return result;
    }

    dragoman::Scores score() {
        const auto [sources, targets] = sides();
        if (!command_.tokens) return translator_.score(sources, targets, command_.options);
        const auto tokens = [](const std::vector<std::string_view>& texts) {
            std::vector<std::vector<std::string>> sequences;
            for (const std::string_view text : texts) sequences.push_back(split(std::string(text)));
            return sequences;
        };
        const auto source_tokens = tokens(sources), target_tokens = tokens(targets);
        return translator_.score(dragoman::TokenViews(source_tokens), dragoman::TokenViews(target_tokens),
                                 command_.options);
    }

    void write(const dragoman::Scores& scores) const {
        const auto [sources, targets] = sides();
        for (std::size_t i = 0; i < scores.size(); ++i) {
            const auto log_probs = scores.log_probs(i);
            const double sum = std::accumulate(log_probs.begin(), log_probs.end(), 0.0);
            const double score = command_.normalize && !log_probs.empty() ? sum / double(log_probs.size()) : sum;
            if (command_.json) write_json(scores, i, sources[i], targets[i], score);
            else write_plain(scores, i, targets[i], score);
        }
        errno = 0;
        if (std::fflush(stdout) != 0) throw Failure("standard output: " + write_error());
    }

    void write_plain(const dragoman::Scores& scores, std::size_t i, std::string_view target, double score) const {
        fmt::print("{:.6f}", score);
        if (command_.words && command_.tokens)
            for (const float log_prob : scores.log_probs(i)) fmt::print("\t{:.6f}", log_prob);
        else if (command_.words)
            for (const Word& word : score_words(target, scores.log_probs(i), scores.ranges(i)))
                fmt::print("\t{:.6f}", word.log_prob);
        fmt::print("\n");
    }

    void write_json(const dragoman::Scores& scores, std::size_t i, std::string_view source, std::string_view target,
                    double score) const {
        const auto log_probs = scores.log_probs(i);
        Json line;
        line["source"] = source;
        line["target"] = target;
        line["score"] = float(score);
        line["tokens"] = to_json(scores.tokens(i));
        line["log_probs"] = std::vector<float>(log_probs.begin(), log_probs.end());
        if (!command_.tokens) {
            line["ranges"] = to_json(scores.ranges(i));
            line["words"] = Json::array();
            for (const Word& word : score_words(target, log_probs, scores.ranges(i))) {
                Json item;
                item["text"] = target.substr(word.begin, word.end - word.begin);
                item["log_prob"] = float(word.log_prob);
                line["words"].push_back(std::move(item));
            }
        }
        fmt::print("{}\n", line.dump());
    }

    ScoreCommand& command_;
    dragoman::Device device_;
    dragoman::Model model_;
    dragoman::Translator translator_;
    std::vector<std::string> lines_;
};

}  // namespace

void score(ScoreCommand& command) {
    Inputs inputs(command.input, Inputs::Unit::line);
    Scorer(command).run(inputs);
}

}  // namespace cli
