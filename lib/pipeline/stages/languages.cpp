// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "pipeline/stages/stages.h"
#include "spec/prompt.h"
#include "text/detect_language.h"

namespace dragoman::pipeline {
namespace {

constexpr float kSure = 0.6f;             // a sentence's own language counts from here on, else its document's
constexpr std::size_t kMaxExpected = 8;  // of a model with many languages, all are as likely

class LanguagesStage final : public Stage {
public:
    explicit LanguagesStage(const Plan& plan) : plan_(plan) {
        const spec::Languages& languages = plan.model.languages();
        for (const spec::Language& language : languages.source) sources_.push_back(language.tag);
        if (const spec::Language* to = languages.find_target(plan.text.target_language)) target_ = to->tag;
        else if (languages.target.size() == 1) target_ = languages.target.front().tag;
        if (sources_.size() >= kMaxExpected) return;
        expected_ = sources_;
        if (target_ && !std::ranges::count(expected_, *target_)) expected_.push_back(*target_);
    }

    void open(Document& document) const override { document.language = best(document.text); }

    void down(Document& document, Sentences& next) const override {
        for (Sentence& sentence : next) {
            const spec::LanguageGuess own = best(text::part(document.text, sentence.range));
            const spec::LanguageGuess found = own.probability < kSure ? document.language : own;
            decide(found, sentence);
        }
    }

private:
    spec::LanguageGuess best(std::string_view text) const {
        const auto guesses = text::detect_language(text, expected_);
        return guesses.empty() ? spec::LanguageGuess() : guesses.front();
    }

    void decide(const spec::LanguageGuess& found, Sentence& sentence) const {
        sentence.prompt = plan_.prompt;
        if (!found.language.known()) return;
        sentence.language = found.language.str();
        sentence.language_probability = found.probability;
        if (target_ && found.language.language() == target_->language())
            sentence.flags |= SentenceFlags::in_target_language;
        else if (const auto at = spec::best_match(found.language, sources_))
            sentence.prompt = plan_.model.prompt(plan_.model.languages().source[*at].code, plan_.text.target_language);
        else if (found.probability >= kSure) sentence.flags |= SentenceFlags::in_other_language;
    }

    const Plan& plan_;
    std::vector<spec::LanguageTag> sources_, expected_;
    std::optional<spec::LanguageTag> target_;
};

}  // namespace

std::unique_ptr<const Stage> languages_stage(const Plan& plan) { return std::make_unique<LanguagesStage>(plan); }

}  // namespace dragoman::pipeline
