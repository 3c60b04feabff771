// SPDX-License-Identifier: Apache-2.0
#include "markup/project.h"

#include <algorithm>
#include <functional>
#include <map>

#include "markup/aligned_unit.h"
#include "markup/ascii.h"
#include "markup/taken.h"

namespace dragoman::markup {
namespace {

constexpr float kHalf = 0.5f;  // the share of a word's weight that must lie in a mark's words for the word to be in it
constexpr float kUnspoken = -0.001f;  // punctuation belongs to it only between words
constexpr float kCertain = 1e9f;
constexpr std::size_t kMostKept = 64;  // siblings that are placed a second time
constexpr std::size_t kDeepestCover = 8;  // elements around those that take all words

bool is_sign_of_money(std::string_view word) {
    std::size_t at = 0;
    const int32_t c = word.empty() ? 0 : text::next_character(word, at);
    return at == word.size() && (c == '$' || (c >= 0xA2 && c <= 0xA5) || (c >= 0x20A0 && c <= 0x20CF));
}

bool has_sign_of_money(std::string_view text) {
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        text::next_character(text, next);
        if (is_sign_of_money(text.substr(at, next - at))) return true;
    }
    return false;
}

struct Run {
    Words words{};
    float sum = 0.0f;
};

class Projection {
public:
    Projection(const Unit& unit, const AlignedUnit& words, std::string_view source, std::string_view target,
               std::span<const AlignedSentence> sentences)
        : unit_(unit), words_(words), source_(source), target_(target), size_(target.size()), own_(unit.marks.size()),
          runs_(unit.marks.size()), known_(unit.marks.size()), holds_(unit.marks.size()),
          in_literal_(words.source().size()) {
        for (std::size_t m = 0; m < unit.marks.size(); ++m)
            if (unit.marks[m].kind != Mark::Kind::point) own_[m] = words_.words_in(unit.marks[m].plain);
        find_known(sentences);
        std::vector<std::vector<std::size_t>> children(unit.marks.size() + 1);
        for (std::size_t m = 0; m < unit.marks.size(); ++m) {
            const Mark& mark = unit.marks[m];
            children[mark.parent == kNoMark ? unit.marks.size() : mark.parent].push_back(m);
        }
        places_.resize(unit.marks.size());
        place(children.back(), {0, words_.source().size()}, {0, words_.target().size()});
        for (std::size_t m = 0; m < unit.marks.size(); ++m)
            if (unit.marks[m].kind == Mark::Kind::pair) place(children[m], own_[m], runs_[m]);
    }

    std::vector<Range> places() const { return places_; }

private:
    // Finds literals whose place in the translation is known, and the words of those that an element contains.
    void find_known(std::span<const AlignedSentence> sentences) {
        std::map<std::size_t, Range> places;  // by their beginning in the source
        for (const AlignedSentence& sentence : sentences)
            for (const Unchanged& literal : sentence.literals) places[literal.source.begin] = literal.target;
        for (std::size_t m = 0; m < unit_.marks.size() && !places.empty(); ++m) {
            if (unit_.marks[m].kind != Mark::Kind::literal) continue;
            const auto found = places.find(unit_.marks[m].plain.begin);
            if (found == places.end()) continue;
            known_[m] = found->second;
            for (std::size_t v = own_[m].begin; v < own_[m].end; ++v) in_literal_[v] = true;
            const Words words = words_.target_words_in(known_[m]);
            for (std::size_t p = unit_.marks[m].parent; p != kNoMark; p = unit_.marks[p].parent)
                holds_[p] = holds_[p].size() == 0
                                ? words
                                : Words{std::min(holds_[p].begin, words.begin), std::max(holds_[p].end, words.end)};
        }
    }

    // Places the marks that are directly inside one mark, or in none.
    void place(const std::vector<std::size_t>& siblings, Words source, Words limits) {
        std::vector<std::pair<float, std::size_t>> heaviest;
        const Taken nothing;
        Taken known;
        for (const std::size_t m : siblings) {
            if (known_[m].size() > 0) known.add(words_.target_words_in(places_[m] = known_[m]));
            else if (const Range same = same_characters(m); same.size() > 0) take_same(m, same, limits, known);
            else if (is_word_end(m)) places_[m] = word_end(m, limits);
            else if (own_[m].size() > 0)
                heaviest.push_back({holds_[m].size() > 0 ? 2 * kCertain : run(m, limits, nothing).sum, m});
            else places_[m] = point(unit_.marks[m], limits);
        }
        std::ranges::stable_sort(heaviest, std::greater<>(), &std::pair<float, std::size_t>::first);
        Taken taken = known;
        bool has_empty = false;
        for (const auto& [sum, m] : heaviest) has_empty |= !put(m, sum, limits, taken);
        if (has_empty && heaviest.size() <= kMostKept) {
            // One of them has taken the words between its own: each keeps its best word for itself.
            const auto best = best_words(heaviest, limits, known);
            taken = known;
            for (const auto& [sum, m] : heaviest) {
                Taken others = taken;
                for (const auto& [word, of] : best)
                    if (of != m && others.free_from(word) == word) others.add({word, word + 1});
                put(m, sum, limits, others);
                taken.add(runs_[m]);
            }
        }
        if (depth_of(siblings) > kDeepestCover || !covered(siblings, source, /*marks=*/false)) return;
        cover(siblings, limits, taken, covered(siblings, source, /*marks=*/true));
    }

    // Places a pair or a literal among free words. False: it is a pair for which none are left.
    bool put(std::size_t m, float sum, Words limits, Taken& taken) {
        if (unit_.marks[m].kind == Mark::Kind::literal && sum <= 0) {  // nothing stands for its text
            places_[m] = point(unit_.marks[m], limits);
            return true;
        }
        const Words found = with_literals(m, run(m, limits, taken).words, limits, taken);
        const Words words = with_punctuation(m, found, limits, taken);
        taken.add(words);
        runs_[m] = words;
        places_[m] = bytes(words, limits);
        return words.size() > 0 || limits.size() == 0;
    }

    // The word that most belongs to each mark, where one does.
    std::map<std::size_t, std::size_t> best_words(const std::vector<std::pair<float, std::size_t>>& marks, Words limits,
                                                  const Taken& known) const {
        std::map<std::size_t, std::size_t> best;
        for (const auto& [sum, m] : marks) {
            const AlignedUnit::Sentence& sentence = words_.sentence_of(own_[m].begin);
            const std::size_t end = std::min(sentence.target.end, limits.end);
            std::size_t place = kNoMark;
            float most = kHalf;
            for (std::size_t w = std::max(sentence.target.begin, limits.begin); w < end; ++w) {
                const float share = words_.share(sentence, w, own_[m]);
                if (share <= most || !words_.target_spoken(w) || best.contains(w) || known.free_from(w) != w) continue;
                most = share;
                place = w;
            }
            if (place != kNoMark) best[place] = m;
        }
        return best;
    }

    void take_same(std::size_t m, Range same, Words limits, Taken& known) {
        const Words words = words_.target_words_in(places_[m] = same);
        if (known.free_from(words.begin) == words.begin) known.add(words);
        if (bytes(words, limits) == same) runs_[m] = words;  // others are parts of words
    }

    // The place of an element inside a stretch without blanks that the translation has, too: parts of an address, of a
    // telephone number, of "2.5x". Empty: it is no such element, or the stretch comes more than once.
    Range same_characters(std::size_t m) const {
        constexpr std::size_t kShortest = 4, kLongestText = 16384;  // longer texts are no sentences, and not searched
        const Mark& mark = unit_.marks[m];
        if (source_.size() > kLongestText || mark.kind != Mark::Kind::pair || mark.open.size() == 0 ||
            mark.close.size() == 0 || mark.plain.size() == 0)
            return {};
        const auto is_end = [&](char c) {
            return is_blank(c) || std::string_view(",;:!?()\"").find(c) != std::string_view::npos;
        };
        Range chunk = mark.plain;
        for (std::size_t i = chunk.begin; i < chunk.end; ++i)
            if (is_blank(source_[i])) return {};
        while (chunk.begin > 0 && !is_blank(source_[chunk.begin - 1])) --chunk.begin;
        while (chunk.end < source_.size() && !is_blank(source_[chunk.end])) ++chunk.end;
        while (chunk.end > mark.plain.end && (is_end(source_[chunk.end - 1]) || source_[chunk.end - 1] == '.'))
            --chunk.end;
        while (chunk.begin < mark.plain.begin && is_end(source_[chunk.begin])) ++chunk.begin;
        const std::string_view all = text::part(source_, chunk);
        const bool figures = std::ranges::any_of(all, [](char c) { return c >= '0' && c <= '9'; });
        if (all.size() < (has_sign_of_money(all) ? 2 : kShortest) ||
            (!figures && all.find_first_of("/@_\\") == all.npos))
            return {};
        if (words_.words_in(chunk).size() < 2 && chunk == mark.plain) return {};  // a word
        if (const std::size_t at = once(chunk, all); at != target_.npos)
            return {at + mark.plain.begin - chunk.begin, at + mark.plain.end - chunk.begin};
        return in_other_notation(mark.plain, chunk);
    }

    // The same for a part of a number, "5<b>.50</b>" that is "5,50", with what touches it or alone.
    Range in_other_notation(Range own, Range chunk) const {
        constexpr std::size_t kShortest = 4;
        const auto in_number = [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == ','; };
        Range number = chunk;
        while (number.size() > 0 && !in_number(source_[number.begin])) ++number.begin;
        while (number.size() > 0 && !in_number(source_[number.end - 1])) --number.end;
        std::string written(text::part(source_, number));
        if (own == chunk || written.size() < kShortest || !std::ranges::all_of(written, in_number)) return {};
        for (char& c : written) c = c == '.' ? ',' : c == ',' ? '.' : c;
        const std::string touched = std::string(text::part(source_, {chunk.begin, number.begin})) + written +
                                    std::string(text::part(source_, {number.end, chunk.end}));
        if (const std::size_t at = once(chunk, touched); at != target_.npos)
            return {at + own.begin - chunk.begin, at + own.end - chunk.begin};
        const Range part{std::max(own.begin, number.begin), std::min(own.end, number.end)};
        const std::size_t at = once(number, written);
        if (at == target_.npos || part.begin >= part.end || part == number) return {};
        return {at + part.begin - number.begin, at + part.end - number.begin};
    }

    // Where the translation has a stretch of the text as `written`; npos: one of them has it more than once, or not.
    std::size_t once(Range chunk, std::string_view written) const {
        const std::string_view own = text::part(source_, chunk);
        const std::size_t at = target_.find(written);
        const bool alone = at != target_.npos && target_.find(written, at + 1) == target_.npos &&
                           source_.find(own) == chunk.begin && source_.find(own, chunk.begin + 1) == source_.npos;
        return alone ? at : target_.npos;
    }

    // Whether a raised or lowered element is the end of a word: "21<sup>st</sup>".
    bool is_word_end(std::size_t m) const {
        const Mark& mark = unit_.marks[m];
        if (mark.kind != Mark::Kind::pair || own_[m].size() != 1) return false;
        const Range word = words_.source()[own_[m].begin];
        const bool ends = word.begin < mark.plain.begin && word.end == mark.plain.end;
        return ends && (mark.script >= Script::lowered || follows_figure(m));
    }
    // Whether letters stand behind a figure, as in "2.5<i>x</i>".
    bool follows_figure(std::size_t m) const {
        const auto is_figure = [&](std::size_t at) { return source_[at] >= '0' && source_[at] <= '9'; };
        const Range plain = unit_.marks[m].plain;
        return plain.begin > 0 && is_figure(plain.begin - 1) && !is_figure(plain.begin);
    }
    static bool ends_in_figure(std::string_view word) {
        return !word.empty() && word.back() >= '0' && word.back() <= '9';
    }
    // Of an ordinal in figures, "5th", which other languages write as "5." or "5º".
    static bool is_ordinal_end(std::string_view end) {
        return end == "st" || end == "nd" || end == "rd" || end == "th";
    }
    static bool is_ordinal(std::string_view word) {
        return word.size() > 2 && ends_in_figure(word.substr(0, word.size() - 2)) &&
               is_ordinal_end(word.substr(word.size() - 2));
    }
    // The same end of the word's translation; if the translation ends otherwise, a place behind it and an ordinal's stop.
    Range word_end(std::size_t m, Words limits) const {
        if (words_.target().empty()) return {size_, size_};
        const Range word = words_.target()[std::min(counterpart(own_[m].begin, limits), words_.target().size() - 1)];
        const std::string_view end = text::part(source_, unit_.marks[m].plain), whole = text::part(target_, word);
        const bool same = whole.size() > end.size() && whole.ends_with(end);
        if (same) return {word.end - end.size(), word.end};
        if (unit_.marks[m].script < Script::lowered && !is_ordinal_end(end)) return word;
        // An ordinal's stop goes with it.
        const std::size_t behind = word.end + (ends_in_figure(whole) && target_.substr(word.end).starts_with('.'));
        return {behind, behind};
    }

    std::size_t depth_of(const std::vector<std::size_t>& siblings) const {
        std::size_t depth = 0;
        for (std::size_t m = siblings.empty() ? kNoMark : unit_.marks[siblings.front()].parent;
             m != kNoMark && depth <= kDeepestCover; m = unit_.marks[m].parent)
            ++depth;
        return depth;
    }

    // Whether all words stand in pairs or literals, and punctuation as well if asked for.
    bool covered(const std::vector<std::size_t>& siblings, Words source, bool marks) const {
        std::size_t pairs = 0;
        std::vector<bool> in_mark(source.size());
        for (const std::size_t m : siblings) {
            pairs += unit_.marks[m].kind == Mark::Kind::pair && runs_[m].size() > 0;
            for (std::size_t v = std::max(own_[m].begin, source.begin); v < std::min(own_[m].end, source.end); ++v)
                in_mark[v - source.begin] = true;
        }
        for (std::size_t v = source.begin; v < source.end; ++v)
            if ((marks || words_.source_spoken(v)) && !in_mark[v - source.begin]) return false;
        return pairs > 0;
    }

    // Extends pairs to the words between them, as all words of the source stand in some, and to the punctuation that
    // touches them if that does, too.
    void cover(const std::vector<std::size_t>& siblings, Words limits, const Taken& taken, bool marks) {
        std::vector<std::size_t> order;
        for (const std::size_t m : siblings)
            if (runs_[m].size() > 0 && unit_.marks[m].kind == Mark::Kind::pair) order.push_back(m);
        std::map<std::size_t, std::size_t> begins,
            ends;  // pairs, by where free words begin behind them and end before them
        for (const std::size_t m : order) {
            begins[runs_[m].end] = m;
            ends[runs_[m].begin] = m;
        }
        for (std::size_t at = taken.free_from(limits.begin); at < limits.end;) {
            const std::size_t end = taken.free_until(at, limits.end);
            const auto next = ends.find(end), last = begins.find(at);
            share_out({at, end}, last == begins.end() ? kNoMark : last->second,
                      next == ends.end() ? kNoMark : next->second);
            at = taken.free_from(std::max(end, at + 1));
        }
        Taken extended = taken;
        for (const std::size_t m : order) extended.add(runs_[m]);
        for (const std::size_t m : order) {
            runs_[m] = with_punctuation(m, runs_[m], limits, extended);
            if (marks) runs_[m] = with_touching(runs_[m], limits, extended);
            extended.add(runs_[m]);
            places_[m] = bytes(runs_[m], limits);
        }
    }
    Words with_touching(Words words, Words limits, const Taken& taken) const {
        const auto& target = words_.target();
        const auto takes = [&](std::size_t word, std::size_t left) {
            return !words_.target_spoken(word) && target[left].end == target[left + 1].begin &&
                   taken.free_from(word) == word;
        };
        while (words.end < limits.end && takes(words.end, words.end - 1)) ++words.end;
        while (words.begin > limits.begin && takes(words.begin - 1, words.begin - 1)) --words.begin;
        return words;
    }
    // Gives free words to the pairs before and behind them.
    void share_out(Words words, std::size_t left, std::size_t right) {
        while (words.size() > 0 && !words_.target_spoken(words.end - 1)) --words.end;
        Words inner = words;
        while (inner.size() > 0 && !words_.target_spoken(inner.begin)) ++inner.begin;
        if (inner.size() == 0) return;
        const auto weight = [&](std::size_t word, std::size_t m) {
            const AlignedUnit::Sentence& sentence = words_.sentence_of(own_[m].begin);
            const bool same = word >= sentence.target.begin && word < sentence.target.end;
            return same ? words_.share(sentence, word, own_[m]) : 0.0f;
        };
        std::size_t cut = left == kNoMark ? inner.begin : inner.end;
        if (left != kNoMark && right != kNoMark) {
            float sum = 0.0f, most = 0.0f;
            cut = inner.begin;
            for (std::size_t word = inner.begin; word < inner.end; ++word) {
                sum += weight(word, left) - weight(word, right);
                if (sum < most) continue;
                most = sum;
                cut = word + 1;
            }
        }
        if (left != kNoMark && cut > inner.begin) runs_[left].end = cut;
        if (right == kNoMark || cut == inner.end) return;
        while (!words_.target_spoken(cut)) ++cut;
        runs_[right].begin = cut;
    }

    Range bytes(Words words, Words limits) const {
        const auto& target = words_.target();
        if (words.size() > 0) return {target[words.begin].begin, target[words.end - 1].end};
        const std::size_t at = words.begin < limits.end ? target[words.begin].begin
                               : limits.size() > 0      ? target[limits.end - 1].end
                                                        : size_;
        return {at, at};
    }

    Run run(std::size_t m, Words limits, const Taken& taken) const {
        const Words own = own_[m];
        const Mark& mark = unit_.marks[m];
        const AlignedUnit::Sentence& first = words_.sentence_of(own.begin);
        const AlignedUnit::Sentence& last = words_.sentence_of(own.end - 1);
        const bool pair = mark.kind == Mark::Kind::pair;
        const bool from_before = pair && mark.open.size() == 0, goes_on = pair && mark.close.size() == 0;
        if (words_.same_sentence(own.begin, own.end - 1) && !from_before && !goes_on)
            return covers(first, own) ? Run{free_part(spoken(first.target, limits), taken), kCertain}
                                      : best(first, own, limits, taken);
        Words words = limits;
        if (!from_before) words.begin = std::max(limits.begin, end_run(first, own).begin);
        if (!goes_on) words.end = std::min(limits.end, begin_run(last, own).end);
        words.end = std::max(words.begin, words.end);
        return {free_part(words, taken), kCertain};
    }

    // Whether a mark has all words of a sentence that are not punctuation.
    bool covers(const AlignedUnit::Sentence& sentence, Words own) const {
        for (std::size_t v = sentence.source.begin; v < sentence.source.end; ++v) {
            if (v == own.begin) v = own.end - 1;
            else if (words_.source_spoken(v)) return false;
        }
        return true;
    }

    Words spoken(Words words, Words limits) const {
        words.begin = std::max(words.begin, limits.begin);
        words.end = std::max(words.begin, std::min(words.end, limits.end));
        Words inner = words;
        while (inner.begin < inner.end && !words_.target_spoken(inner.begin)) ++inner.begin;
        while (inner.begin < inner.end && !words_.target_spoken(inner.end - 1)) --inner.end;
        return inner.size() > 0 ? inner : words;
    }

    // The largest part that no sibling covers.
    static Words free_part(Words words, const Taken& taken) {
        if (taken.empty()) return words;
        Words largest{words.begin, words.begin};
        for (std::size_t at = taken.free_from(words.begin); at < words.end;) {
            const std::size_t end = taken.free_until(at, words.end);
            if (end - at > largest.size()) largest = {at, end};
            at = taken.free_from(std::max(end, at + 1));
        }
        return largest;
    }

    float weight(const AlignedUnit::Sentence& sentence, std::size_t word, Words own, bool has_words) const {
        if (has_words && !words_.target_spoken(word)) return kUnspoken;
        return words_.share(sentence, word, own) - kHalf;
    }

    bool has_spoken(Words own) const {
        for (std::size_t v = own.begin; v < own.end; ++v)
            if (words_.source_spoken(v)) return true;
        return false;
    }

    // The run with the largest sum of weights, or the best word, where none has more than half of its weight there.
    Run best(const AlignedUnit::Sentence& sentence, Words own, Words limits, const Taken& taken) const {
        const bool has_words = has_spoken(own);
        const std::size_t end = std::min(sentence.target.end, limits.end);
        std::size_t at = taken.free_from(std::max(sentence.target.begin, limits.begin));
        Run best{{std::min(at, limits.end), std::min(at, limits.end)}, -kCertain}, current{{at, at}, 0.0f};
        while (at < end) {
            if (current.sum <= 0) current = {{at, at}, 0.0f};
            current.sum += weight(sentence, at, own, has_words);
            current.words.end = at + 1;
            if (current.sum > best.sum && (!has_words || words_.target_spoken(at))) best = current;
            const std::size_t next = taken.free_from(at + 1);
            if (next != at + 1) current = {{next, next}, 0.0f};
            at = next;
        }
        return best.sum > -kHalf ? best : Run{nearest(sentence, own, limits, taken), -kHalf};
    }

    // The free word nearest to the words of a mark that no target word stands for.
    Words nearest(const AlignedUnit::Sentence& sentence, Words own, Words limits, const Taken& taken) const {
        const std::size_t wanted = counterpart(own.begin, limits);
        const std::size_t end = std::min(sentence.target.end, limits.end);
        Words best{std::min(wanted, limits.end), std::min(wanted, limits.end)};
        std::size_t least = SIZE_MAX;
        for (std::size_t w = taken.free_from(std::max(sentence.target.begin, limits.begin)); w < end;
             w = taken.free_from(w + 1)) {
            const std::size_t distance = w < wanted ? 2 * (wanted - w) + 1 : 2 * (w - wanted);
            if (!words_.target_spoken(w) || distance >= least) continue;
            least = distance;
            best = {w, w + 1};
        }
        return best;
    }

    // The best run that ends where the sentence does, or begins where it does.
    Words end_run(const AlignedUnit::Sentence& sentence, Words own) const {
        if (own.begin == sentence.source.begin || sentence.target.size() == 0) return sentence.target;
        Words best{sentence.target.end - 1, sentence.target.end};
        float sum = 0.0f, most = 0.0f;
        for (std::size_t w = sentence.target.end; w-- > sentence.target.begin;)
            if ((sum += weight(sentence, w, own, true)) >= most) {
                most = sum;
                best.begin = w;
            }
        return best;
    }

    Words begin_run(const AlignedUnit::Sentence& sentence, Words own) const {
        if (own.end == sentence.source.end || sentence.target.size() == 0) return sentence.target;
        Words best{sentence.target.begin, sentence.target.begin + 1};
        float sum = 0.0f, most = 0.0f;
        for (std::size_t w = sentence.target.begin; w < sentence.target.end; ++w)
            if ((sum += weight(sentence, w, own, true)) >= most) {
                most = sum;
                best.end = w + 1;
            }
        return best;
    }

    // The run extended to the literals that the mark contains, if nothing is between them.
    Words with_literals(std::size_t m, Words words, Words limits, const Taken& taken) const {
        const Words held = holds_[m];
        if (held.size() == 0) return words;
        const Words all = words.size() == 0 ? held
                                            : Words{std::min(words.begin, held.begin), std::max(words.end, held.end)};
        const bool free = all.begin >= limits.begin && all.end <= limits.end &&
                          taken.free_from(all.begin) == all.begin && taken.free_until(all.begin, all.end) == all.end;
        return free ? all : words;
    }

    bool is_mark(std::size_t v) const { return !words_.source_spoken(v) && !in_literal_[v]; }

    // Extends the run by neighbouring punctuation, if the mark begins or ends with punctuation.
    Words with_punctuation(std::size_t m, Words words, Words limits, const Taken& taken) const {
        if (words.size() == 0) return words;
        const auto& target = words_.target();
        const auto takes = [&](std::size_t word, std::size_t left, std::size_t right) {
            return !words_.target_spoken(word) && target[left].end == target[right].begin &&
                   taken.free_from(word) == word;
        };
        for (std::size_t v = own_[m].begin; v < own_[m].end && is_mark(v); ++v)
            if (words.begin > limits.begin && takes(words.begin - 1, words.begin - 1, words.begin)) --words.begin;
        std::size_t last = own_[m].end;  // of the mark's words that are spoken
        while (last > own_[m].begin && is_mark(last - 1)) --last;
        for (std::size_t v = last; v < own_[m].end; ++v) {
            if (words.end >= limits.end) break;
            const bool same = text::part(source_, words_.source()[v]) == text::part(target_, target[words.end]) &&
                              taken.free_from(words.end) == words.end;  // "5 €"
            if (same || takes(words.end, words.end - 1, words.end)) ++words.end;
        }
        words = with_currency(m, words, limits, taken);
        const bool ordinal = last > own_[m].begin && is_ordinal(text::part(source_, words_.source()[last - 1])) &&
                             ends_in_figure(text::part(target_, target[words.end - 1]));
        if (ordinal && words.end < limits.end && takes(words.end, words.end - 1, words.end) &&
            text::part(target_, target[words.end]) == ".")
            ++words.end;
        return words;
    }

    // Extends the run from an amount's figures to the sign of its currency, if the mark has that: "$5" that is "5 $".
    Words with_currency(std::size_t m, Words words, Words limits, const Taken& taken) const {
        const auto& target = words_.target();
        const auto is_own_sign = [&](std::size_t word) {
            const std::string_view sign = text::part(target_, target[word]);
            if (words_.target_spoken(word) || taken.free_from(word) != word || !is_sign_of_money(sign)) return false;
            for (std::size_t v = own_[m].begin; v < own_[m].end; ++v)
                if (text::part(source_, words_.source()[v]) == sign) return true;
            return false;
        };
        const auto is_amount = [&](std::size_t word) { return ends_in_figure(text::part(target_, target[word])); };
        if (words.end < limits.end && is_amount(words.end - 1) && is_own_sign(words.end)) ++words.end;
        else if (words.begin > limits.begin && is_amount(words.begin) && is_own_sign(words.begin - 1)) --words.begin;
        return words;
    }

    Range point(const Mark& mark, Words limits) const {
        const auto& source = words_.source();
        const std::size_t at = mark.plain.begin;
        const auto right = std::size_t(std::ranges::lower_bound(source, at, {}, &Range::begin) - source.begin());
        if (source.empty()) return {size_, size_};
        const bool has_right = right < source.size();
        const bool glued_left = right > 0 && source[right - 1].end >= at;
        const bool glued_right = has_right && source[right].begin == at;
        const bool to_left = !has_right || (glued_left && (!glued_right || !words_.source_spoken(right)));
        const Words gap = to_left ? behind(right - 1, limits) : before(right, limits);
        const auto& target = words_.target();
        std::size_t place = size_;
        if (gap.begin > limits.begin && (to_left || gap.begin >= limits.end)) place = target[gap.begin - 1].end;
        else if (gap.begin < target.size()) place = target[gap.begin].begin;
        return {place, place};
    }

    // The target word of a source word.
    std::size_t counterpart(std::size_t v, Words limits) const {
        const AlignedUnit::Sentence& sentence = words_.sentence_of(v);
        const std::size_t begin = std::max(sentence.target.begin, limits.begin);
        const std::size_t end = std::min(sentence.target.end, limits.end);
        std::size_t best = std::min(sentence.target.begin +
                                        (v - sentence.source.begin) * sentence.target.size() / sentence.source.size(),
                                    std::max(end, begin + 1) - 1);
        float most = 0.0f;
        for (std::size_t w = begin; w < end; ++w) {
            if (!words_.target_spoken(w) && words_.source_spoken(v)) continue;
            if (const float share = words_.share(sentence, w, {v, v + 1}); share > most) {
                most = share;
                best = w;
            }
        }
        return best;
    }

    Words gap_at(std::size_t word, Words limits) const {
        word = std::clamp(word, limits.begin, limits.end);
        return {word, word};
    }

    Words behind(std::size_t v, Words limits) const {
        const AlignedUnit::Sentence& sentence = words_.sentence_of(v);
        if (v + 1 == sentence.source.end) return gap_at(sentence.target.end, limits);
        return gap_at(counterpart(v, limits) + 1, limits);
    }

    Words before(std::size_t v, Words limits) const {
        const AlignedUnit::Sentence& sentence = words_.sentence_of(v);
        if (v == sentence.source.begin) return gap_at(sentence.target.begin, limits);
        std::size_t word = v;
        while (word < sentence.source.end && !words_.source_spoken(word)) ++word;
        if (word < sentence.source.end) {
            std::size_t gap = counterpart(word, limits);
            // Places it before the marks that open there, as in the source.
            const auto& target = words_.target();
            while (word-- > v && gap > limits.begin && gap < target.size() && !words_.target_spoken(gap - 1) &&
                   target[gap - 1].end == target[gap].begin)
                --gap;
            return gap_at(gap, limits);
        }
        std::size_t gap = sentence.target.end;  // in front of the sentence's last stops
        for (std::size_t k = v; k < word && gap > sentence.target.begin && !words_.target_spoken(gap - 1); ++k) --gap;
        return gap_at(gap, limits);
    }

    const Unit& unit_;
    const AlignedUnit& words_;
    const std::string_view source_, target_;
    const std::size_t size_;  // of the translation
    std::vector<Words> own_, runs_;  // source words and target words of each pair or literal
    std::vector<Range> known_;  // bytes of the translation, for each literal
    std::vector<Words> holds_;  // target words of the literals in each pair
    std::vector<bool> in_literal_;  // for each source word
    std::vector<Range> places_;
};

}  // namespace

std::vector<Range> project(const Unit& unit, std::string_view source, std::string_view target,
                           std::span<const AlignedSentence> sentences) {
    if (unit.marks.empty()) return {};
    const AlignedUnit words(source, target, sentences, unit.in_order);
    return Projection(unit, words, source, target, sentences).places();
}

}  // namespace dragoman::markup
