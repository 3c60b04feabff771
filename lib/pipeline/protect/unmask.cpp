// SPDX-License-Identifier: Apache-2.0
#include "pipeline/protect/unmask.h"

#include <algorithm>
#include <optional>

#include "text/capitals.h"
#include "text/edits.h"
#include "text/signs.h"
#include "text/word_alignment.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

using Kind = Placeholder::Kind;

bool is_part_of_word(int32_t c) { return text::is_letter(c) || text::is_digit(c); }

// An edit of a translation, and where the original of a placeholder begins in it.
struct Put {
    text::Edit edit;
    const Placeholder* placeholder = nullptr;
    std::size_t offset = 0;
};

class Putter {
public:
    Putter(const ModelInput& model_input, const Translation& hypothesis)
        : input_(model_input), target_(hypothesis.text),
          alignment_(text::align_words({model_input.text, model_input.ranges}, {hypothesis.text, hypothesis.ranges},
                                       hypothesis.attention)) {}

    std::vector<Put> edits() {
        for (const Placeholder& placeholder : input_.placeholders) {
            if (placeholder.kind == Kind::word) put_word(placeholder);
            else if (placeholder.kind == Kind::form) put_form(placeholder);
            else if (placeholder.kind == Kind::mark) put_mark(placeholder);
            else if (placeholder.text == " ") put_blank(placeholder);
        }
        drop_invented();
        // An insertion comes before a change at the same place.
        std::ranges::stable_sort(edits_, {}, [](const Put& put) {
            return std::pair(put.edit.range.begin, put.edit.range.size() > 0);
        });
        std::size_t end = 0;
        for (Put& put : edits_) {  // nothing is inserted into text that is replaced
            text::Range& range = put.edit.range;
            if (range.size() == 0 && range.begin < end) range = {end, end};
            end = std::max(end, range.end);
        }
        return std::move(edits_);
    }

private:
    // Occurrences of a whole word that are not used yet. glued: letters may follow. inside: letters may be in front.
    std::vector<text::Range> find(std::string_view word, bool glued = false, bool inside = false) const {
        std::vector<text::Range> found;
        for (std::size_t at = target_.find(word); at != std::string::npos; at = target_.find(word, at + 1)) {
            const text::Range range{at, at + word.size()};
            std::size_t before = range.begin, after = range.end, first = 0, last = word.size();
            const bool begins = inside || !is_part_of_word(text::next_character(word, first)) ||
                                !is_part_of_word(text::previous_character(target_, before));
            const int32_t next = text::next_character(target_, after);
            const bool ends = !is_part_of_word(text::previous_character(word, last)) ||
                              (glued ? !text::is_digit(next) : !is_part_of_word(next));
            if (begins && ends && !is_taken(range)) found.push_back(range);
        }
        return found;
    }

    void put_word(const Placeholder& placeholder) {
        std::vector<text::Range> found = find(placeholder.text);
        if (found.empty()) found = find(placeholder.text, true);
        if (found.empty()) found = find(placeholder.text, true, true);
        if (found.empty()) return put_mark(placeholder);
        put_between(placeholder, found.front());
        for (std::size_t i = 1; i < found.size(); ++i) {  // the model wrote it twice
            text::Range range = found[i];
            if (range.begin > 0 && target_[range.begin - 1] == ' ') --range.begin;
            edits_.push_back({{range, {}}});
        }
    }

    // A value that a program puts in later is no part of a compound: hyphens that the source does not have are blanks.
    void put_between(const Placeholder& placeholder, text::Range found) {
        const bool later = std::string_view("{%$").find(placeholder.original.front()) != std::string_view::npos;
        const auto compound = [&](bool blank, std::size_t hyphen, std::size_t letter) {
            return later && blank && hyphen < target_.size() && letter < target_.size() && target_[hyphen] == '-' &&
                   is_part_of_word(text::next_character(target_, letter));
        };
        std::string text = placeholder.original;
        // "bis 15.8." at the end of a sentence.
        if (text.size() > 1 && text.back() == '.' && found.end < target_.size() && target_[found.end] == '.')
            text.pop_back();
        std::size_t offset = 0, before = found.begin;
        if (is_spaced_letter(text::previous_character(target_, before))) {
            text.insert(0, 1, ' ');
            offset = 1;
        }
        before = found.begin > 0 ? found.begin - 1 : 0;
        if (found.begin > 1) text::previous_character(target_, before);
        if (found.begin > 1 && compound(placeholder.blank_before, found.begin - 1, before)) {
            --found.begin;
            text.insert(0, 1, ' ');
            offset = 1;
        }
        if (compound(placeholder.blank_after, found.end, found.end + 1)) {
            ++found.end;
            text += ' ';
        } else {
            text += gap_behind(found.end, placeholder.original);
        }
        edits_.push_back({{found, std::move(text)}, &placeholder, offset});
    }

    // A blank before letters that the model put after a stand-in: they would become part of the original, which only
    // the "s" of a genitive may.
    const char* gap_behind(std::size_t at, std::string_view original) const {
        if (!is_part_of_word(text::next_character(target_, at))) return "";
        const bool genitive = target_[at - 1] == 's' && !is_part_of_word(text::next_character(target_, at));
        std::size_t end = original.size();
        const int32_t last = text::previous_character(original, end);
        return genitive && (last >= 0x80 || !is_part_of_word(last)) ? "" : " ";
    }

    static bool is_spaced_letter(int32_t c) { return is_part_of_word(c) && !text::is_unspaced(c); }

    bool is_stand_in(std::string_view word) const {
        return std::ranges::any_of(input_.placeholders, [&](const Placeholder& placeholder) {
            return placeholder.kind == Kind::word && placeholder.text == word;
        });
    }

    // Stand-ins that stand for nothing: the model wrote "X13" where there are twelve, or "X1" once more behind letters.
    void drop_invented() {
        const auto word = std::ranges::find_if(input_.placeholders, [](const Placeholder& placeholder) {
            return placeholder.kind == Kind::word && placeholder.text.size() > 1;
        });
        if (word == input_.placeholders.end()) return;
        const char letter = word->text.front();
        for (std::size_t at = target_.find(letter); at != std::string::npos; at = target_.find(letter, at + 1)) {
            text::Range range{at, at + 1};
            while (range.end < target_.size() && text::is_digit(target_[range.end])) ++range.end;
            const std::string written = target_.substr(at, range.size());
            if (range.size() == 1 || (find(written).empty() && !is_stand_in(written))) continue;
            if (is_taken(range)) continue;
            if (range.begin > 0 && target_[range.begin - 1] == ' ') --range.begin;
            edits_.push_back({{range, {}}});
        }
    }

    bool is_taken(text::Range range) const {
        return std::ranges::any_of(edits_, [&](const Put& put) {
            return put.edit.range.begin < range.end && range.begin < put.edit.range.end;
        });
    }

    void put_form(const Placeholder& placeholder) {
        if (placeholder.text.front() == '_') return put_line(placeholder);
        std::string word = placeholder.text;
        if (input_.capitals) text::to_capitals(word, {}, {});
        std::vector<text::Range> found = find(word);
        // A word that was in capitals may begin with one now.
        if (found.empty() && text::small_letters(placeholder.original, {}) == text::small_letters(word, {})) {
            std::size_t rest = 0;
            const int32_t first = text::next_character(word, rest);
            found = find(text::capital_letter(first, {}) + word.substr(rest));
        }
        if (!found.empty()) edits_.push_back({{found.front(), placeholder.original}, &placeholder});
        else if (word.front() == ' ') put_path_sign(placeholder);
        else if (text::ends_sentences(word)) put_shout(placeholder);
    }

    // A line to write on has its own length again.
    void put_line(const Placeholder& placeholder) {
        for (std::size_t at = target_.find("__"), end = at; at != std::string::npos; at = target_.find("__", end)) {
            end = std::min(target_.find_first_not_of('_', at), target_.size());
            if (!is_taken({at, end})) return edits_.push_back({{{at, end}, placeholder.original}, &placeholder});
        }
        put_mark(placeholder);
    }

    // A sign of a path between its steps, whatever the model has made of it.
    void put_path_sign(const Placeholder& placeholder) {
        if (const auto dashes = find(" \xe2\x80\x93 "); !dashes.empty())
            return edits_.push_back({{dashes.front(), placeholder.original}, &placeholder});
        const std::size_t at = place(placeholder);
        text::Range range{at, at};  // with the blank that is there
        if (at > 0 && target_[at - 1] == ' ') --range.begin;
        else if (at < target_.size() && target_[at] == ' ') ++range.end;
        if (is_taken(range)) range = {at, at};
        edits_.push_back({{range, placeholder.original}, &placeholder});
    }

    // A run of signs at the sentence's end is at the translation's.
    void put_shout(const Placeholder& placeholder) {
        if (text::is_spoken(std::string_view(input_.normal.text).substr(placeholder.normal.end))) return;
        text::Range end{target_.size(), target_.size()};
        while (end.begin > 0 && text::ends_sentences(std::string_view(target_).substr(end.begin - 1))) --end.begin;
        if (!is_taken(end)) edits_.push_back({{end, placeholder.original}, &placeholder});
    }

    // A reference to a blank that does not break, between the same two words, or at least at one of them.
    void put_blank(const Placeholder& placeholder) {
        const auto& words = alignment_.source;
        const auto right = std::ranges::lower_bound(words, placeholder.in_input.end, {}, &text::Range::begin);
        const auto left = std::ranges::upper_bound(words, placeholder.in_input.begin, {}, &text::Range::end);
        const auto replace = [&](std::size_t at) {
            if (at >= target_.size() || target_[at] != ' ' || is_taken({at, at + 1})) return false;
            edits_.push_back({{{at, at + 1}, placeholder.original}, &placeholder});
            return true;
        };
        if (left != words.begin())
            if (const auto found = target_word(std::size_t(left - words.begin()) - 1))
                if (replace(alignment_.target[*found].end)) return;
        if (right != words.end())
            if (const auto found = target_word(std::size_t(right - words.begin())))
                if (const std::size_t begin = alignment_.target[*found].begin; begin > 0) replace(begin - 1);
    }

    void put_mark(const Placeholder& placeholder) {
        const std::size_t at = place(placeholder);
        std::string text = placeholder.original;
        const bool blank_left = at == 0 || target_[at - 1] == ' ';
        const bool blank_right = at == target_.size() || target_[at] == ' ';
        const bool blank = placeholder.blank_before && !blank_left;
        if (blank) text.insert(0, 1, ' ');
        if (placeholder.blank_after && !blank_right) text += ' ';
        edits_.push_back({{{at, at}, std::move(text)}, &placeholder, blank ? 1u : 0u});
    }

    // Before the target word of the right neighbour, or after that of the left one where only this touches the mark.
    std::size_t place(const Placeholder& placeholder) const {
        const auto& words = alignment_.source;
        const auto right = std::ranges::lower_bound(words, placeholder.in_input.end, {}, &text::Range::begin);
        const auto left = std::ranges::upper_bound(words, placeholder.in_input.begin, {}, &text::Range::end);
        if (right == words.end()) return target_.size();
        if (left == words.begin()) return 0;
        const std::size_t after = std::size_t(right - words.begin()), before = std::size_t(left - words.begin()) - 1;
        const bool behind = !placeholder.blank_before && placeholder.blank_after;
        const auto found = target_word(behind ? before : after);
        if (found && behind) return alignment_.target[*found].end;
        if (found) return alignment_.target[*found].begin;
        if (const auto other = target_word(behind ? after : before))
            return behind ? alignment_.target[*other].begin : alignment_.target[*other].end;
        return by_share(after);
    }

    // The target word with the largest weight for a source word; punctuation only for punctuation.
    std::optional<std::size_t> target_word(std::size_t source) const {
        const std::string_view word = text::part(input_.text, alignment_.source[source]);
        const bool spoken = text::is_spoken(word);
        std::optional<std::size_t> best;
        float most = 0.0f;
        for (std::size_t t = 0; t < alignment_.target.size(); ++t) {
            const std::string_view target = text::part(target_, alignment_.target[t]);
            if (text::is_spoken(target) != spoken) continue;
            float weight = alignment_.at(t, source);
            if (!spoken && target == word) weight += 1.0f;
            if (weight <= most) continue;
            most = weight;
            best = t;
        }
        return best;
    }

    std::size_t by_share(std::size_t source) const {
        const std::size_t words = alignment_.target.size();
        if (words == 0) return target_.size();
        return alignment_.target[std::min(source * words / alignment_.source.size(), words - 1)].begin;
    }

    const ModelInput& input_;
    const std::string& target_;
    const text::WordAlignment alignment_;
    std::vector<Put> edits_;
};

}  // namespace

std::vector<text::Range> unmask(const ModelInput& model_input, Translation& hypothesis,
                                const std::string& target_language) {
    if (model_input.capitals) text::to_capitals(hypothesis.text, hypothesis.ranges, target_language);
    std::vector<text::Edit> edits;
    std::vector<text::Range> places(model_input.placeholders.size());
    std::size_t added = 0, dropped = 0;
    for (Put& put : Putter(model_input, hypothesis).edits()) {
        const std::size_t begin = put.edit.range.begin + added - dropped + put.offset;
        if (put.placeholder)
            places[std::size_t(put.placeholder - model_input.placeholders.data())] = {
                begin, begin + put.placeholder->original.size()};
        added += put.edit.text.size();
        dropped += put.edit.range.size();
        edits.push_back(std::move(put.edit));
    }
    text::apply(edits, hypothesis.text, hypothesis.ranges);
    return places;
}

}  // namespace dragoman::pipeline
