// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "pipeline/model/segment_source.h"
#include "pipeline/stages/stages.h"
#include "pipeline/value/fields.h"
#include "tm/translation_memory.h"
#include "text/token_ranges.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

using text::Range;

constexpr std::size_t kMaxJoined = 4;  // sentences that may be one segment

// The alignment is not known: equal words belong together, the others by position.
text::WordAlignment by_place(std::string_view source, std::string_view target) {
    text::WordAlignment result{.source = text::words(source), .target = text::words(target)};
    const std::size_t columns = result.source.size(), rows = result.target.size();
    result.weights.assign(rows * columns, 0.0f);
    for (std::size_t w = 0; w < rows && columns > 0; ++w) {
        const std::string_view word = text::part(target, result.target[w]);
        const auto distance = [&](std::size_t v) {
            const std::size_t here = (2 * v + 1) * rows, wanted = (2 * w + 1) * columns;
            return here > wanted ? here - wanted : wanted - here;
        };
        std::size_t best = std::min(columns - 1, (2 * w + 1) * columns / (2 * rows));
        bool equal = false;
        for (std::size_t v = 0; v < columns && text::is_spoken(word); ++v) {
            if (text::part(source, result.source[v]) != word || (equal && distance(v) >= distance(best))) continue;
            best = v;
            equal = true;
        }
        result.weights[w * columns + best] = 1.0f;
    }
    return result;
}

class MemoryStage final : public Stage {
public:
    explicit MemoryStage(const Plan& plan) : plan_(plan), memory_(*plan.text.memory) {}

    // A segment may be several sentences.
    void open(Document& document) const override {
        if (!memory_.has_segments() || !plan_.text.split_sentences || plan_.finds_language()) return;
        const std::vector<Range> places = document.places.all();
        Places joined;
        joined.set_longest(document.places.longest());
        for (std::size_t i = 0; i < places.size();) {
            const std::size_t count = sentences_of_segment(document, std::span(places).subspan(i));
            joined.add({places[i].begin, places[i + count - 1].end});
            i += count;
        }
        document.places = std::move(joined);
    }

    void down(Document& document, Sentences& next) const override {
        if (!memory_.has_segments()) return;
        for (Sentence& sentence : next) {
            constexpr uint32_t kForeign = SentenceFlags::in_target_language | SentenceFlags::in_other_language;
            if (sentence.finished || sentence.attempt.number > 0 || sentence.flags & kForeign) continue;
            const spec::LanguageTag from = source_of(sentence), &to = sentence.target_language;
            const std::string_view text = text::part(document.text, sentence.body);
            if (!to.known() || text.empty()) continue;
            const bool whole = sentence.target_prefix.empty();
            if (const auto found = whole ? memory_.exact(from, to, text) : std::nullopt) take(*found, text, sentence);
            else sentence.matches = memory_.similar(from, to, text);
        }
    }

private:
    // How many of the first places are a segment.
    std::size_t sentences_of_segment(const Document& document, std::span<const Range> places) const {
        const std::string_view text = document.text;
        std::size_t last = 0;
        while (last + 1 < places.size() && last + 1 < kMaxJoined) {
            const Range gap{places[last].end, places[last + 1].begin};
            if (text::part(text, gap).find('\n') != std::string_view::npos) break;
            if (places[last + 1].end - places[0].begin > document.places.longest()) break;
            ++last;
        }
        for (; last > 0; --last)
            if (memory_.has(segment_source(plan_, plan_.matched_target), plan_.matched_target,
                            text::part(text, {places[0].begin, places[last].end})))
                break;
        return last + 1;
    }

    spec::LanguageTag source_of(const Sentence& sentence) const {
        if (!plan_.finds_language()) return segment_source(plan_, sentence.target_language);
        return spec::LanguageTag::find(sentence.language).value_or(spec::LanguageTag());
    }

    void take(const std::string& translation, std::string_view source, Sentence& sentence) const {
        Translation hypothesis{.text = translation};
        if (plan_.text.return_tokens) {
            text::TokenizedText pieces = plan_.model.tokenize(translation, text::Side::target);
            hypothesis.tokens = std::move(pieces.tokens);
            hypothesis.ranges = std::move(pieces.ranges);
        }
        if (plan_.aligns() && !sentence.unaligned) {
            hypothesis.alignment = by_place(source, translation);
            shift(hypothesis.alignment.source, std::ptrdiff_t(sentence.body.begin));
        }
        sentence.hypotheses = {std::move(hypothesis)};
        sentence.finished = true;
        sentence.flags |= SentenceFlags::from_memory;
    }

    const Plan& plan_;
    tm::Memory& memory_;
};

}  // namespace

std::unique_ptr<const Stage> memory_stage(const Plan& plan) { return std::make_unique<MemoryStage>(plan); }

}  // namespace dragoman::pipeline
