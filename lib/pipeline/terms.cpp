// SPDX-License-Identifier: Apache-2.0
#include "pipeline/terms.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "text/words.h"

namespace dragoman::pipeline {
namespace {

using text::Range;

// How a vocabulary says where words begin.
class WordMarks {
public:
    explicit WordMarks(const text::Vocabulary& vocabulary) {
        for (const std::string_view mark : kMarks) {
            uint32_t marked = 0;
            for (uint32_t id = 0; id < vocabulary.size(); ++id) marked += vocabulary.token(id).starts_with(mark);
            if (marked <= vocabulary.size() / 10) continue;
            mark_ = mark;
            return;
        }
    }

    bool known() const { return !mark_.empty(); }
    bool begins_word(std::string_view token) const { return token.starts_with(mark_) != (mark_ == kWordPiece); }
    static std::string_view text_of(std::string_view token) {
        for (const std::string_view mark : kMarks)
            if (token.starts_with(mark)) return token.substr(mark.size());
        return token;
    }

private:
    // SentencePiece's and byte-level BPE's are in front of words, WordPiece's inside them.
    static constexpr std::string_view kWordPiece = "##", kMarks[] = {"\xe2\x96\x81", "\xc4\xa0", kWordPiece};
    std::string_view mark_;
};

bool goes_on(int32_t c) { return c != -1 && !text::is_unspaced(c) && (text::is_letter(c) || text::is_digit(c)); }

bool is_stop(int32_t c) {
    static constexpr std::u32string_view kStops = U".!?\u2026\u3002\uff01\uff1f\uff0e\u061f\u06d4\u0964";
    return c > 0 && kStops.find(char32_t(c)) != kStops.npos;
}

// Whether a sentence may end with this: marks that close one, and quotation marks and brackets.
bool closes(std::string_view text) {
    bool stops = false;
    for (std::size_t at = 0; at < text.size();) {
        const int32_t c = text::next_character(text, at);
        if (!is_stop(c) && !text::is_closing(c)) return false;
        stops |= is_stop(c);
    }
    return stops;
}

// The target tokens of a text behind another one, or nothing where the two cannot be told apart.
std::optional<std::vector<uint32_t>> ids_behind(const Model& model, const std::string& before,
                                                const std::string& text) {
    const Tokens first = model.tokenize(before, text::Side::target).tokens;
    const Tokens both = model.tokenize(before + text, text::Side::target).tokens;
    if (both.size() <= first.size() || !std::equal(first.begin(), first.end(), both.begin())) return {};
    std::vector<uint32_t> ids;
    for (std::size_t i = first.size(); i < both.size(); ++i) ids.push_back(model.target().id(both[i]));
    if (std::ranges::find(ids, model.target().unk_id()) != ids.end()) return {};
    return ids;
}

// As a word of its own and, where it is glued to something in the source, likewise.
std::vector<std::vector<uint32_t>> forms_of(const Model& model, const WantedTerm& term, bool glued) {
    std::vector<std::vector<uint32_t>> forms;
    const auto add = [&](const std::string& before, const std::string& form) {
        const auto ids = ids_behind(model, before, form);
        if (ids && std::ranges::find(forms, *ids) == forms.end()) forms.push_back(*ids);
    };
    for (const std::string& form : term.forms) {
        add(",", " " + form);
        if (glued || text::is_unspaced(text::character_after(form, 0)))
            for (const char* before : {"(", "\"", "-"}) add(before, form);
    }
    if (model.right_to_left())
        for (auto& form : forms) std::ranges::reverse(form);
    return forms;
}

// Tokens [begin, end) of input.source.
std::pair<uint32_t, uint32_t> source_tokens(const Model& model, const Sentence& sentence, Range range) {
    std::size_t begin = sentence.ranges.size(), end = 0;
    for (std::size_t i = 0; i < sentence.ranges.size(); ++i) {
        const Range& token = sentence.ranges[i];
        if (token.begin >= range.end || token.end <= range.begin) continue;
        begin = std::min(begin, i);
        end = i + 1;
    }
    if (begin >= end) return {0, 0};
    if (model.right_to_left())
        std::tie(begin, end) = std::pair(sentence.tokens.size() - end, sentence.tokens.size() - begin);
    const std::size_t skipped = model.add_source_bos() ? 1 : 0, most = sentence.input.source.size();
    return {uint32_t(std::min(begin + skipped, most)), uint32_t(std::min(end + skipped, most))};
}

// Where what closes the sentence begins in input.source: behind its last word.
uint32_t stop_of(const Model& model, const Sentence& sentence) {
    const auto size = uint32_t(sentence.input.source.size()), skipped = uint32_t(model.add_source_bos() ? 1 : 0);
    std::size_t spoken = sentence.tokens.size() - sentence.prompt_tokens_after;
    while (spoken > 0 && !text::is_spoken(WordMarks::text_of(sentence.tokens[spoken - 1]))) --spoken;
    return std::min(uint32_t(spoken) + skipped, size);
}

bool is_glued(std::string_view text, Range range) {
    std::size_t at = range.begin;
    return at > 0 && !text::is_blank(text::previous_character(text, at));
}

}  // namespace

std::vector<decode::Term> search_terms(const Model& model, std::string_view text, Sentence& sentence) {
    std::vector<decode::Term> terms;
    const uint32_t stop = stop_of(model, sentence);
    std::size_t tokens = 0, forms = 0;
    // What stays is put back in any case, so the others have the search's places first.
    std::vector<WantedTerm*> list;
    for (WantedTerm& wanted : sentence.terms) list.push_back(&wanted);
    std::ranges::stable_partition(list, [](const WantedTerm* wanted) { return !wanted->stays; });
    for (WantedTerm* const each : list) {
        WantedTerm& wanted = *each;
        if (wanted.forms.front().empty()) continue;
        decode::Term term{.forms = forms_of(model, wanted, is_glued(text, wanted.range))};
        std::size_t own = 0;
        for (const auto& form : term.forms) own += form.size();
        wanted.place.reset();
        if (term.forms.empty() || terms.size() == decode::kMostTerms || tokens + own > decode::kMostTermNodes ||
            forms + term.forms.size() > decode::kMostTermChildren)
            continue;
        tokens += own;
        forms += term.forms.size();
        std::tie(term.source_begin, term.source_end) = source_tokens(model, sentence, wanted.range);
        term.whole = wanted.whole && !model.right_to_left();
        term.stop = stop;
        term.stop_end = model.right_to_left() ? stop : uint32_t(sentence.input.source.size());
        wanted.place = terms.size();
        terms.push_back(std::move(term));
    }
    return terms;
}

std::shared_ptr<const decode::TokenKinds> token_kinds(const text::Vocabulary& target) {
    const WordMarks marks(target);
    auto kinds = std::make_shared<decode::TokenKinds>();
    decode::add_kind(*kinds, target.size() - 1, 0);
    for (uint32_t id = 0; id < target.size(); ++id) {
        const std::string_view token = target.token(id);
        if (token.starts_with('<') && token.ends_with('>')) continue;
        const std::string_view text = WordMarks::text_of(token);
        if (closes(text)) decode::add_kind(*kinds, id, TOKEN_CLOSES);
        std::size_t begin = 0, end = text.size();
        if (text.empty() || !marks.known()) continue;
        if (!marks.begins_word(token) && goes_on(text::next_character(text, begin)))
            decode::add_kind(*kinds, id, TOKEN_GLUED);
        if (goes_on(text::previous_character(text, end))) decode::add_kind(*kinds, id, TOKEN_OPEN);
    }
    return kinds;
}

}  // namespace dragoman::pipeline
