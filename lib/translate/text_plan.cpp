// SPDX-License-Identifier: Apache-2.0
#include "translate/text_plan.h"

#include <algorithm>

#include "base/error.h"
#include "text/cut_long.h"
#include "text/normalize.h"

namespace dragoman::translate {
namespace {

constexpr uint32_t kDefaultSegmentTokens = 128;  // with room to grow below the default max_decoding_length

const Model& with_tokenizer(const Model& model) {
    if (!model.info().has_tokenizer)
        fail(Status::unsupported, "{}: the model brings no tokenizer; it takes and gives tokens, not text",
             model.info().path);
    return model;
}

}  // namespace

TextPlan::TextPlan(const Model& model, std::span<const Text> texts, const TextOptions& text_options,
                   const TranslateOptions& options)
    : model_(with_tokenizer(model)), texts_(texts), text_options_(text_options), options_(options),
      segments_(find_segments(model_, texts, text_options)), parts_(segments_.units.size()),
      uses_(segments_.units.size()) {}

bool TextPlan::prepare(std::size_t tokens) {
    requests_.clear();
    waiting_.clear();
    waiting_tokens_ = 0;
    while (prepared_ < parts_.size() && waiting_tokens_ < tokens) prepare_unit(prepared_++);
    return !requests_.empty();
}

Tokens TextPlan::tokenize(std::string_view source, std::string_view code) const {
    return model_.tokenize(std::string(code) + text::normalize(source).text);
}

std::size_t TextPlan::code_tokens(std::string_view code) const {
    return code.empty() ? 0 : tokenize({}, code).size() - tokenize({}, {}).size();
}

void TextPlan::prepare_unit(std::size_t unit) {
    const Segments::Unit& from = segments_.units[unit];
    const std::size_t extra = code_tokens(from.code);
    const uint32_t room = model_.max_source_tokens(options_.max_input_length);
    const uint32_t asked = text_options_.max_segment_tokens, wanted = asked ? asked : kDefaultSegmentTokens;
    const std::size_t most = std::max<std::size_t>(std::min(wanted, room), extra + 1);

    const text::Range whole{0, from.source.size()};
    Tokens tokens = tokenize(from.source, from.code);
    if (!text_options_.split_sentences || tokens.size() <= most) {
        add_part(unit, whole, std::move(tokens), extra);
        return;
    }
    const auto count = [&](std::string_view part) { return tokenize(part, {}).size() + extra; };
    for (const text::Range range : text::cut_long(from.source, whole, most, count))
        add_part(unit, range, tokenize(text::part(from.source, range), from.code), extra);
}

void TextPlan::add_part(std::size_t unit, text::Range range, Tokens tokens, std::size_t code_tokens) {
    const Segments::Unit& from = segments_.units[unit];
    Part part{range, false, std::move(tokens), {}};
    const bool first = parts_[unit].empty();
    if (!(first && from.prefix) && !worth_translating(std::span(part.tokens).subspan(code_tokens))) {
        const std::string_view source = text::part(from.source, range);
        PartHypothesis copy{std::string(source), {}, 0, 0.0f, {}};
        if (text_options_.return_tokens)
            copy.tokens.assign(part.tokens.begin() + std::ptrdiff_t(code_tokens), part.tokens.end());
        part.copied = true;
        part.hypotheses.push_back(std::move(copy));
        if (!text_options_.return_tokens) part.tokens.clear();
    } else {
        waiting_.push_back({unit, parts_[unit].size()});
        waiting_tokens_ += part.tokens.size();
        requests_.push_back({std::move(part.tokens), first && from.prefix ? *from.prefix : Tokens()});
    }
    parts_[unit].push_back(std::move(part));
}

bool TextPlan::worth_translating(std::span<const std::string> tokens) const {
    static const std::string kWordBegin = "\xe2\x96\x81";  // which means nothing alone
    return std::ranges::any_of(
        tokens, [&](const std::string& token) { return token != kWordBegin && model_.says_something(token); });
}

TextPlan::Finished TextPlan::finish(std::size_t request, Result result) {
    Part& part = parts_[waiting_[request].unit][waiting_[request].part];
    for (Hypothesis& from : result.hypotheses) {
        PartHypothesis to{model_.detokenize(from.tokens), {}, from.tokens.size(), from.score,
                          std::move(from.attention)};
        if (text_options_.return_tokens) to.tokens = std::move(from.tokens);
        part.hypotheses.push_back(std::move(to));
    }
    if (text_options_.return_tokens) part.tokens = std::move(requests_[request].source);
    const PartHypothesis& best = part.hypotheses.front();
    return {best.text, best.tokens, best.score};
}

text::Range TextPlan::source_range(const Segments::Place& place, std::size_t part) const {
    const std::size_t begin = place.range.end - segments_.units[place.unit].source.size();
    const text::Range range = parts_[place.unit][part].range;
    return {part == 0 ? place.range.begin : begin + range.begin, begin + range.end};
}

void TextPlan::locate() {
    if (!used_by_.empty()) return;
    used_by_.resize(parts_.size());
    for (std::size_t i = 0; i < texts_.size(); ++i) {
        std::size_t sentence = 0;
        for (const Segments::Place& place : segments_.texts[i]) {
            used_by_[place.unit].push_back({i, sentence, &place});
            sentence += parts_[place.unit].size();
        }
        spots_ += sentence;
    }
}

std::size_t TextPlan::spot_count() {
    locate();
    return spots_;
}

void TextPlan::visit(std::size_t request, const Visit& visit) {
    locate();
    const auto [unit, part] = waiting_[request];
    for (const Use& use : used_by_[unit]) visit({use.text, use.sentence + part, source_range(*use.place, part)});
}

void TextPlan::visit_copies(const std::function<void(const Spot&, const Finished&)>& visit) {
    locate();
    for (std::size_t i = 0; i < texts_.size(); ++i) {
        std::size_t sentence = 0;
        for (const Segments::Place& place : segments_.texts[i]) {
            const std::vector<Part>& parts = parts_[place.unit];
            for (std::size_t p = 0; p < parts.size(); ++p, ++sentence)
                if (parts[p].copied)
                    visit({i, sentence, source_range(place, p)},
                          {parts[p].hypotheses[0].text, parts[p].hypotheses[0].tokens, 0.0f});
        }
    }
}

std::vector<TextResult> TextPlan::assemble() {
    for (const auto& places : segments_.texts)
        for (const Segments::Place& place : places) ++uses_[place.unit];
    std::vector<TextResult> results;
    results.reserve(texts_.size());
    for (std::size_t i = 0; i < texts_.size(); ++i) results.push_back(assemble(i));
    return results;
}

TextResult TextPlan::assemble(std::size_t index) {
    const std::string_view text = texts_[index].text;
    const auto& places = segments_.texts[index];
    TextResult result;
    std::size_t count = places.empty() ? options_.num_hypotheses : 1;
    for (const Segments::Place& place : places)
        for (const Part& part : parts_[place.unit]) count = std::max(count, part.hypotheses.size());
    for (std::size_t h = 0; h < count; ++h) result.hypotheses.push_back(assemble(text, places, h));
    for (const Segments::Place& place : places) {
        const bool last = --uses_[place.unit] == 0;
        std::vector<Part>& parts = parts_[place.unit];
        for (std::size_t p = 0; p < parts.size(); ++p)
            result.sentences.push_back({source_range(place, p), last ? std::move(parts[p].tokens) : parts[p].tokens});
        if (last) parts = {};
    }
    return result;
}

TextHypothesis TextPlan::assemble(std::string_view text, const std::vector<Segments::Place>& places,
                                  std::size_t h) const {
    TextHypothesis result;
    std::size_t source_at = 0, last_begin = 0;
    double score = 0.0, length = 0.0;
    for (const Segments::Place& place : places) {
        const std::vector<Part>& parts = parts_[place.unit];
        for (std::size_t p = 0; p < parts.size(); ++p) {
            const PartHypothesis& from = parts[p].hypotheses[std::min(h, parts[p].hypotheses.size() - 1)];
            const text::Range source = source_range(place, p);
            const std::string_view before = std::string_view(result.text).substr(last_begin);
            result.text += gap_between(text, {source_at, source.begin}, p > 0, before, from.text);
            last_begin = result.text.size();
            result.text += from.text;
            source_at = source.end;
            result.sentences.push_back({{last_begin, result.text.size()}, from.tokens, from.score, from.attention});
            score += double(from.score) * double(from.length);
            length += double(from.length);
        }
    }
    result.text += text.substr(source_at);
    if (result.sentences.size() == 1) result.score = result.sentences.front().score;
    else if (length > 0) result.score = float(score / length);
    return result;
}

}  // namespace dragoman::translate
