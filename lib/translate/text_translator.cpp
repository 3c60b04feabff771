// SPDX-License-Identifier: Apache-2.0
#include "translate/text_translator.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "text/cut_long.h"
#include "text/normalize.h"
#include "translate/segments.h"

namespace dragoman::translate {
namespace {

constexpr uint32_t kDefaultSegmentTokens = 128;    // with room to grow below the default max_decoding_length
constexpr std::size_t kTokensPerCall = 1u << 18;   // so that memory does not grow with the texts

struct PartHypothesis {
    std::string text;
    Tokens tokens;
    std::size_t length = 0;  // in tokens, though they may be gone
    float score = 0.0f;
    std::vector<std::vector<float>> attention;
};

// A sentence, or a part of a long one.
struct Part {
    text::Range range;  // in the unit's source
    Tokens tokens;
    std::vector<PartHypothesis> hypotheses;
};

class TextJob {
public:
    TextJob(Translator& translator, std::span<const Text> texts, const TextOptions& text_options,
            const TranslateOptions& options, const Progress& progress)
        : translator_(translator), model_(translator.model()), texts_(texts), text_options_(text_options),
          options_(options), progress_(progress), segments_(find_segments(model_, texts, text_options)),
          parts_(segments_.units.size()), uses_(segments_.units.size()) {}

    std::vector<TextResult> run() {
        translator_.translate({}, options_);  // checks the options before the work
        for (std::size_t unit = 0; unit < parts_.size(); ++unit) {
            prepare(unit);
            if (waiting_tokens_ >= kTokensPerCall) translate_waiting(unit + 1);
        }
        translate_waiting(parts_.size());

        for (const auto& places : segments_.texts)
            for (const Segments::Place& place : places) ++uses_[place.unit];
        std::vector<TextResult> results;
        results.reserve(texts_.size());
        for (std::size_t i = 0; i < texts_.size(); ++i) results.push_back(assemble(i));
        return results;
    }

private:
    struct Waiting {
        std::size_t unit, part;
    };

    Tokens tokenize(std::string_view source, std::string_view code) const {
        return model_.tokenize(std::string(code) + text::normalize(source));
    }

    void prepare(std::size_t unit) {
        const Segments::Unit& from = segments_.units[unit];
        const std::size_t extra = from.code.empty() ? 0 : 1;
        const uint32_t room = model_.max_source_tokens(options_.max_input_length);
        const uint32_t asked = text_options_.max_segment_tokens, wanted = asked ? asked : kDefaultSegmentTokens;
        const std::size_t most = std::max<std::size_t>(std::min(wanted, room), extra + 1);

        const text::Range whole{0, from.source.size()};
        Tokens tokens = tokenize(from.source, from.code);
        if (!text_options_.split_sentences || tokens.size() <= most) {
            add_part(unit, whole, std::move(tokens));
            return;
        }
        const auto count = [&](std::string_view part) { return tokenize(part, {}).size() + extra; };
        for (const text::Range range : text::cut_long(from.source, whole, most, count))
            add_part(unit, range, tokenize(text::part(from.source, range), from.code));
    }

    void add_part(std::size_t unit, text::Range range, Tokens tokens) {
        const Segments::Unit& from = segments_.units[unit];
        Part part{range, std::move(tokens), {}};
        const bool first = parts_[unit].empty();
        if (!(first && from.prefix) && !worth_translating(part.tokens, from.code)) {
            const std::string_view source = text::part(from.source, range);
            PartHypothesis copy{std::string(source), {}, 0, 0.0f, {}};
            if (text_options_.return_tokens)
                copy.tokens.assign(part.tokens.begin() + !from.code.empty(), part.tokens.end());
            part.hypotheses.push_back(std::move(copy));
            if (!text_options_.return_tokens) part.tokens.clear();
        } else {
            waiting_.push_back({unit, parts_[unit].size()});
            waiting_tokens_ += part.tokens.size();
            requests_.push_back({std::move(part.tokens), first && from.prefix ? *from.prefix : Tokens()});
        }
        parts_[unit].push_back(std::move(part));
    }

    // Whether the model knows any of the tokens.
    bool worth_translating(const Tokens& tokens, std::string_view code) const {
        static const std::string kWordBegin = "\xe2\x96\x81";  // which means nothing alone
        return std::any_of(tokens.begin() + !code.empty(), tokens.end(), [&](const std::string& token) {
            return token != kWordBegin && model_.knows_source_token(token);
        });
    }

    // `units` are prepared by now.
    void translate_waiting(std::size_t units) {
        if (requests_.empty()) return;
        Progress progress;
        if (progress_)
            progress = [&](std::size_t done, std::size_t total) {
                return progress_(units_done_ + (units - units_done_) * done / total, parts_.size());
            };
        std::vector<Result> results = translator_.translate(requests_, options_, progress);
        for (std::size_t i = 0; i < results.size(); ++i) {
            Part& part = parts_[waiting_[i].unit][waiting_[i].part];
            for (Hypothesis& from : results[i].hypotheses) {
                PartHypothesis to{model_.detokenize(from.tokens), {}, from.tokens.size(), from.score,
                                  std::move(from.attention)};
                if (text_options_.return_tokens) to.tokens = std::move(from.tokens);
                part.hypotheses.push_back(std::move(to));
            }
            if (text_options_.return_tokens) part.tokens = std::move(requests_[i].source);
        }
        units_done_ = units;
        waiting_.clear();
        waiting_tokens_ = 0;
        requests_.clear();
    }

    TextResult assemble(std::size_t index) {
        const std::string_view text = texts_[index].text;
        const auto& places = segments_.texts[index];
        TextResult result;
        std::size_t count = places.empty() ? options_.num_hypotheses : 1;
        for (const Segments::Place& place : places)
            for (const Part& part : parts_[place.unit]) count = std::max(count, part.hypotheses.size());
        for (std::size_t h = 0; h < count; ++h) result.hypotheses.push_back(assemble(text, places, h));
        for (const Segments::Place& place : places) {
            const std::size_t begin = place.range.end - segments_.units[place.unit].source.size();
            const bool last = --uses_[place.unit] == 0;
            for (Part& part : parts_[place.unit]) {
                const bool first = &part == &parts_[place.unit].front();
                const text::Range range{first ? place.range.begin : begin + part.range.begin, begin + part.range.end};
                result.sentences.push_back({range, last ? std::move(part.tokens) : part.tokens});
            }
            if (last) parts_[place.unit] = {};
        }
        return result;
    }

    TextHypothesis assemble(std::string_view text, const std::vector<Segments::Place>& places, std::size_t h) const {
        TextHypothesis result;
        std::size_t source_at = 0, last_begin = 0;
        double score = 0.0, length = 0.0;
        for (const Segments::Place& place : places) {
            const std::vector<Part>& parts = parts_[place.unit];
            const std::size_t begin = place.range.end - segments_.units[place.unit].source.size();
            for (std::size_t p = 0; p < parts.size(); ++p) {
                const PartHypothesis& from = parts[p].hypotheses[std::min(h, parts[p].hypotheses.size() - 1)];
                const std::size_t source_begin = p == 0 ? place.range.begin : begin + parts[p].range.begin;
                const std::string_view before = std::string_view(result.text).substr(last_begin);
                result.text += gap_between(text, {source_at, source_begin}, p > 0, before, from.text);
                last_begin = result.text.size();
                result.text += from.text;
                source_at = begin + parts[p].range.end;
                result.sentences.push_back(
                    {{last_begin, result.text.size()}, from.tokens, from.score, from.attention});
                score += double(from.score) * double(from.length);
                length += double(from.length);
            }
        }
        result.text += text.substr(source_at);
        if (result.sentences.size() == 1) result.score = result.sentences.front().score;
        else if (length > 0) result.score = float(score / length);
        return result;
    }

    Translator& translator_;
    const Model& model_;
    std::span<const Text> texts_;
    const TextOptions& text_options_;
    const TranslateOptions& options_;
    const Progress& progress_;
    const Segments segments_;
    std::vector<std::vector<Part>> parts_;  // of every unit
    std::vector<uint32_t> uses_;            // of every unit, in results that are not made yet
    std::vector<Request> requests_;
    std::vector<Waiting> waiting_;          // where the results of requests_ go
    std::size_t waiting_tokens_ = 0, units_done_ = 0;
};

}  // namespace

std::vector<TextResult> translate_texts(Translator& translator, std::span<const Text> texts,
                                        const TextOptions& text_options, const TranslateOptions& options,
                                        const Progress& progress) {
    if (!translator.model().info().has_tokenizer)
        fail(Status::unsupported, "{}: the model brings no tokenizer; it takes and gives tokens, not text",
             translator.model().info().path);
    return TextJob(translator, texts, text_options, options, progress).run();
}

}  // namespace dragoman::translate
