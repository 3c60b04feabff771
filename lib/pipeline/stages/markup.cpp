// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/release.h"
#include "base/utf8.h"
#include "markup/charset.h"
#include "markup/languages.h"
#include "markup/project.h"
#include "markup/units.h"
#include "markup/write.h"
#include "pipeline/stages/first_time.h"
#include "pipeline/stages/stages.h"
#include "pipeline/value/fields.h"

namespace dragoman::pipeline {

// A document with its tags; Document::text is then the text of its units.
struct MarkupDocument {
    std::string storage;
    std::string_view source;
    markup::Units units;

    const markup::Unit& unit_at(std::size_t plain) const {
        const auto after = std::ranges::upper_bound(units.units, plain, {},
                                                    [](const markup::Unit& u) { return u.plain.begin; });
        return *std::prev(after);
    }
};

namespace {

using markup::Unit;
using text::Range;

std::vector<Range> moved(std::vector<Range> ranges, std::size_t back) {
    shift(ranges, -std::ptrdiff_t(back));
    return ranges;
}

class MarkupStage final : public Stage {
public:
    explicit MarkupStage(const Plan& plan) : plan_(plan) {}

    void open(Document& document) const override {
        check_encoding(document);
        auto markup = std::make_shared<MarkupDocument>();
        const bool own = document.text.data() == document.storage.data();
        if (own) markup->storage = std::move(document.storage);
        markup->source = own ? std::string_view(markup->storage) : document.text;
        markup->units = units(document.index, markup->source);
        release(document.storage);
        document.text = markup->units.text;
        for (const Unit& unit : markup->units.units) {
            document.parts.push_back(unit.plain);
            for (const markup::Mark& mark : unit.marks)
                if (mark.kind == markup::Mark::Kind::literal)
                    document.kept.push_back({unit.plain.begin + mark.plain.begin, unit.plain.begin + mark.plain.end});
        }
        document.markup = std::move(markup);
    }

    void down(Document& document, Sentences& next) const override {
        if (plan_.returns_alignment) return;
        for (Sentence& sentence : next)
            sentence.unaligned = document.markup->unit_at(sentence.range.begin).marks.empty();
    }

    void close(Document& document) const override {
        TextResult& result = document.result;
        for (TextHypothesis& hypothesis : result.hypotheses) {
            hypothesis.plain = std::move(hypothesis.text);
            hypothesis.text = write(*document.markup, result.sentences, hypothesis, plan_);
            if (plan_.returns_alignment) continue;
            hypothesis.sentences.drop_alignments();
        }
        document.text = {};
        result.plain_source = std::move(document.markup->units.text);
        document.markup.reset();
    }

private:
    // Bytes are UTF-8, whatever a document declares: an error is reported for other declarations before text is
    // garbled.
    void check_encoding(const Document& document) const {
        const auto bad = first_invalid_utf8(document.text);
        const std::string declared = markup::declared_charset(document.text, plan_.text.markup == Markup::html);
        if (bad && markup::is_utf8_name(declared))
            fail(Status::invalid_argument, "text {}: invalid UTF-8 at byte {}", document.index, *bad);
        if (bad)
            fail(Status::invalid_argument,
                 "text {}: expected UTF-8, the document says {} and has invalid UTF-8 at byte {}; convert it to UTF-8",
                 document.index, declared, *bad);
        if (markup::is_utf8_name(declared) || !warns_()) return;
        log(LogLevel::warning,
            "text {}: the document says {}, its bytes are read and written as UTF-8; change what it says, or convert it",
            document.index, declared);
    }

    markup::Units units(std::size_t index, std::string_view source) const {
        const std::string language = plan_.finds_language() ? "" : plan_.text.source_language;
        const bool carries = !plan_.text.raw && !plan_.model.continues();
        const auto literals = carries ? markup::Literals::in_text : markup::Literals::as_points;
        if (plan_.text.markup == Markup::html) return markup::html_units(source, language, literals);
        try {
            return markup::xml_units(source, language, literals);
        } catch (const Error& error) {
            fail(error.status(), "text {}: {}", index, error.what());
        }
    }

    static std::string write(const MarkupDocument& document, const SourceSentences& sources,
                             const TextHypothesis& hypothesis, const Plan& plan) {
        const float marks = plan.text.quality_marks;
        std::vector<markup::Edit> edits;
        std::size_t next = 0;
        for (const Unit& unit : document.units.units) {
            const std::size_t first = next;
            while (next < sources.size() && sources[next].range.begin < unit.plain.end) ++next;
            if (next > first) add_edit(document, unit, sources, hypothesis, {first, next}, marks, edits);
        }
        if (edits.empty()) return std::string(document.source);
        const std::string language = plan.matched_target.str();
        for (markup::Edit& edit : markup::language_edits(document.source, document.units.languages, language))
            edits.push_back(std::move(edit));
        return markup::splice(document.source, std::move(edits));
    }

    // Words with a lower score, in bytes of a part of the translation.
    static std::vector<markup::Unsure> unsure(const TextHypothesis& hypothesis, Range sentences, std::size_t part_begin,
                                              float marks) {
        std::vector<markup::Unsure> found;
        for (std::size_t s = sentences.begin; s < sentences.end; ++s) {
            const Quality& quality = hypothesis.sentences[s].quality;
            for (std::size_t w = 0; w < quality.words.size(); ++w)
                if (const float score = quality.scores[w]; score < marks)
                    found.push_back({moved({quality.words[w]}, part_begin).front(), score});
        }
        return found;
    }

    // Text around a unit's sentences is the same in the translation.
    static void add_edit(const MarkupDocument& document, const Unit& unit, const SourceSentences& sources,
                         const TextHypothesis& hypothesis, Range sentences, float marks,
                         std::vector<markup::Edit>& edits) {
        const std::string_view plain = text::part(document.units.text, unit.plain);
        const auto& targets = hypothesis.sentences;
        const std::size_t last = sentences.end - 1;
        const std::size_t before = sources[sentences.begin].range.begin - unit.plain.begin;
        const std::size_t behind = unit.plain.end - sources[last].range.end;
        const Range range{targets[sentences.begin].begin - before, targets[last].range().end + behind};
        const std::string_view translation = text::part(hypothesis.plain, range);
        const Range said = text::trim(translation, {0, translation.size()});
        if (translation == plain || said.size() == 0) return;
        std::vector<markup::AlignedSentence> aligned;
        for (std::size_t s = sentences.begin; s < sentences.end && !unit.marks.empty(); ++s) {
            const SourceSentence source = sources[s];
            const TranslatedSentence target = targets[s];
            markup::AlignedSentence one{moved({source.range}, unit.plain.begin).front(),
                                        moved({target.range()}, range.begin).front(), target.alignment};
            one.words.source = moved(std::move(one.words.source), source.range.begin);
            shift(one.words, -std::ptrdiff_t(target.begin));
            for (const Unchanged& literal : target.unchanged)
                one.literals.push_back({moved({literal.source}, unit.plain.begin).front(),
                                        moved({literal.target}, range.begin).front()});
            aligned.push_back(std::move(one));
        }
        edits.push_back(markup::edit(unit, translation, markup::project(unit, plain, translation, aligned),
                                     unsure(hypothesis, sentences, range.begin, marks)));
    }

    const Plan& plan_;
    const FirstTime warns_;  // of an encoding, in this run
};

}  // namespace

std::unique_ptr<const Stage> markup_stage(const Plan& plan) { return std::make_unique<MarkupStage>(plan); }

}  // namespace dragoman::pipeline
