// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "pipeline/model/model_info.h"
#include "base/release.h"
#include "pipeline/model/source_pieces.h"
#include "pipeline/stages/stages.h"
#include "text/cut_long.h"
#include "text/normalize.h"
#include "text/token_ranges.h"

namespace dragoman::pipeline {
namespace {

constexpr uint32_t kDefaultSegmentTokens = 128;  // with room to grow below the default max_decoding_length

class PiecesStage final : public Stage {
public:
    explicit PiecesStage(const Plan& plan)
        : plan_(plan), room_(plan.model.max_source_tokens(plan.decoding.max_input_length)) {}

    void down(Document& document, Sentences& next) const override {
        for (auto at = next.begin(); at != next.end(); ++at) {
            tokenize(document.text, *at);
            if (plan_.text.split_sentences && !at->finished) at = cut(document, next, at);
        }
    }

private:
    // Joining lines is a change of the text, which is then read as others are.
    bool raw() const { return plan_.text.raw && !plan_.text.join_lines; }
    void tokenize(std::string_view text, Sentence& sentence) const {
        SourcePieces pieces = source_pieces(plan_.model, text, sentence.body, *sentence.prompt, raw());
        sentence.tokens = std::move(pieces.tokens);
        sentence.ranges = std::move(pieces.ranges);
        sentence.prompt_tokens = pieces.before;
        sentence.prompt_tokens_after = pieces.after;
        // The token of a language code in the text stands for that code; the token of a language in the options stands
        // for nothing.
        const text::Range code{sentence.range.begin, std::max(sentence.range.begin, code_end(text, sentence))};
        if (sentence.prompt_tokens > 0 && code.size() > 0) sentence.ranges.front() = code;
    }

    static std::size_t code_end(std::string_view text, const Sentence& sentence) {
        return text::trim(text, {sentence.range.begin, sentence.body.begin}).end;
    }

    // Cuts a sentence into parts that the model can take; returns the last one.
    Sentences::iterator cut(const Document& document, Sentences& next, Sentences::iterator at) const {
        const std::string_view text = document.text;
        const uint32_t asked = plan_.text.max_segment_tokens, wanted = asked ? asked : kDefaultSegmentTokens;
        const std::size_t around = at->prompt_tokens + at->prompt_tokens_after;
        const std::size_t most = std::max<std::size_t>(std::min(wanted, room_), around + 1);
        if (at->tokens.size() <= most) return at;
        const auto count = [&](std::string_view part) {
            return plan_.model.tokenize(normalized(plan_.model, part, raw()).text).tokens.size() + around;
        };
        const Sentence whole = std::move(*at);
        auto last = next.erase(at);
        bool first = true;
        for (const text::Range range : text::cut_long(text, whole.body, most, count, kept_in(document, whole.body))) {
            Sentence part = part_of(whole, range, first);
            tokenize(text, part);
            next.insert(last, std::move(part));
            first = false;
        }
        return std::prev(last);
    }

    const Plan& plan_;
    const uint32_t room_;
};

class WordsStage final : public Stage {
public:
    explicit WordsStage(const Plan& plan) : plan_(plan) {}

    void up(const Document&, Sentence& sentence) const override { detokenize(plan_, sentence); }

private:
    const Plan& plan_;
};

class TokensStage final : public Stage {
public:
    explicit TokensStage(const Plan& plan) : plan_(plan) {}

    void open(Document& document) const override { document.places.add({}); }
    void down(Document& document, Sentences& next) const override { next.front().tokens = *document.source; }
    void up(const Document&, Sentence& sentence) const override {
        if (plan_.model.info().has_tokenizer) detokenize(plan_, sentence);
    }

private:
    const Plan& plan_;
};

}  // namespace

void detokenize(const Plan& plan, Sentence& sentence) {
    for (Translation& hypothesis : sentence.hypotheses) {
        text::DetokenizedText words = plan.model.continues()
                                          ? plan.model.detokenize_behind(sentence.tokens, hypothesis.tokens)
                                          : plan.model.detokenize(hypothesis.tokens);
        hypothesis.text = std::move(words.text);
        if (plan.inputs == Plan::Inputs::texts && !plan.text.return_tokens) release(hypothesis.tokens);
        if (plan.keeps_ranges() || sentence.model_input) hypothesis.ranges = std::move(words.ranges);
    }
}

std::unique_ptr<const Stage> pieces_stage(const Plan& plan) { return std::make_unique<PiecesStage>(plan); }

std::unique_ptr<const Stage> words_stage(const Plan& plan) { return std::make_unique<WordsStage>(plan); }

std::unique_ptr<const Stage> tokens_stage(const Plan& plan) { return std::make_unique<TokensStage>(plan); }

}  // namespace dragoman::pipeline
