// SPDX-License-Identifier: Apache-2.0
#include "pipeline/protect/mask.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "text/brackets.h"
#include "text/capitals.h"
#include "text/digit_groups.h"
#include "text/kept.h"
#include "text/plain_form.h"
#include "text/rows.h"
#include "text/scale_words.h"
#include "text/signs.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

using Kind = Placeholder::Kind;

constexpr const char* kPathSign = " - ";  // models read it in place of " > "

bool overlapping(text::Range a, text::Range b) { return a.begin < b.end && b.begin < a.end; }

// A character reference such as "&amp;", and its character, or 0.
struct Entity {
    std::size_t size = 0;
    char stands_for = 0;
};

Entity entity_at(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, char>, 8> kEntities{{{"&amp;", '&'},
                                                                                 {"&lt;", '<'},
                                                                                 {"&gt;", '>'},
                                                                                 {"&quot;", '"'},
                                                                                 {"&apos;", '\''},
                                                                                 {"&#39;", '\''},
                                                                                 {"&#x27;", '\''},
                                                                                 {"&nbsp;", ' '}}};
    for (const auto& [name, c] : kEntities)
        if (text.starts_with(name)) return {name.size(), c};
    return {};
}

// Finds the placeholders of a normalised sentence.
class Finder {
public:
    Finder(std::string_view normal, const Masking& how)
        : text_(normal), how_(how), words_(text::words(normal)), scales_(text::scale_words(normal, how.language)) {}

    // `kept` and `terms` hold ranges of the normalised text.
    std::vector<Placeholder> find(std::span<const text::Range> kept, std::span<const ShownTerm> terms, bool forms) {
        add(Kind::mark, {0, how_.label});
        for (const text::Range& range : text::number_lists(text_)) add(Kind::word, range);
        for (const text::Range& range : kept) add(Kind::word, without_scale(range));
        for (const ShownTerm& term : terms)
            if (whole_word(term.range) == term.range && how_.unknown(term.text).empty())
                add(Kind::plain, term.range, term.text, true);
        if (text_.find(kPathSign) == std::string_view::npos)
            for (const text::Range& range : text::path_signs(text_)) add(Kind::form, range, kPathSign);
        for (const text::Kept& found : text::find_kept(text_))
            add(found.as == text::Kept::As::word ? Kind::word : Kind::mark, found.range);
        for (const text::Range& range : text::raised_words(text_))
            if (text_.substr(range.begin, range.size()).find("\xe2\x81\xbb") != text_.npos)
                add(Kind::word, range);  // no model reads a raised minus: "mol\u207b\u00b9"
            else add(Kind::form, range, text::with_usual_figures(text::part(text_, range)));
        for (const text::Range& range : text::price_dashes(text_)) {
            const text::Range price = text::signed_price(text_, range);  // models make "99th €" of "€ 99"
            add(price.size() > 0 ? Kind::word : Kind::plain, price.size() > 0 ? price : range);
        }
        if (how_.usual)
            for (UsualForm& form : how_.usual(text_))
                add(form.in_capitals ? Kind::form : Kind::plain, form.range, std::move(form.text));
        add_entities();
        add_signs();
        for (const text::Range& range : how_.unknown(std::string(text_))) add_unknown(range, forms);
        join_words();
        part_from_letters();
        return std::move(placeholders_);
    }

private:
    void add(Kind kind, text::Range range, std::string text = {}, bool term = false) {
        const auto later = std::ranges::find_if(placeholders_, [&](const Placeholder& placeholder) {
            return placeholder.normal.end > range.begin;
        });
        if (range.size() == 0 || (later != placeholders_.end() && overlapping(later->normal, range))) return;
        placeholders_.insert(later, {.kind = kind, .normal = range, .text = std::move(text), .term = term});
    }

    void add_entities() {
        for (std::size_t at = text_.find('&'); at != std::string_view::npos; at = text_.find('&', at + 1)) {
            const Entity entity = entity_at(text_.substr(at));
            if (entity.size == 0) continue;
            const text::Range range{at, at + entity.size};
            if (entity.stands_for == '<' || entity.stands_for == '>') add(Kind::mark, range);
            else add(entity.stands_for == ' ' ? Kind::plain : Kind::form, range, std::string(1, entity.stands_for));
        }
    }

    void add_signs() {
        for (text::GluedBracket& bracket : text::glued_brackets(text_))
            add(Kind::plain, bracket.range, std::move(bracket.plain));
        for (text::Shout& shout : text::shouts(text_)) add(Kind::form, shout.range, std::move(shout.plain));
        for (const text::ScaleWord& scale : scales_) add(Kind::plain, scale.range, scale.word);
        for (text::NumberSign& sign : text::number_signs(text_, how_.language))
            add(Kind::plain, sign.range, std::move(sign.word));
        if (!text::avoids_guillemets(how_.language)) return;
        for (const text::Guillemet& sign : text::guillemets(text_))
            add(sign.plain.empty() ? Kind::mark : Kind::plain, sign.range, sign.plain);
    }

    text::Range whole_word(text::Range range) const {
        for (const text::Range& word : words_)
            if (overlapping(word, range) && text::is_spoken(text::part(text_, word)))
                range = {std::min(range.begin, word.begin), std::max(range.end, word.end)};
        return range;
    }

    // A number's word without what stands for millions behind it: "$3.5" in "$3.5bn".
    text::Range without_scale(text::Range range) const {
        text::Range word = whole_word(range);
        for (const text::ScaleWord& scale : scales_)
            if (scale.range.begin >= range.end && scale.range.begin < word.end) word.end = scale.range.begin;
        return word;
    }

    // Unknown letters give their word another form, or make it protected. Signs are protected alone.
    void add_unknown(text::Range range, bool forms) {
        for (std::size_t at = range.begin, next = at; at < range.end; at = next) {
            const int32_t c = text::next_character(text_, next);
            if (text::is_space(c) || is_taken({at, next})) continue;
            const std::string plain = forms ? text::plain_form(c) : std::string();
            if (text::is_letter(c) || text::is_digit(c)) {
                const text::Range word = word_around({at, next});
                const std::string form = forms ? plain_word(word) : std::string();
                add(form.empty() ? Kind::word : Kind::form, word, form);
                next = std::max(next, word.end);
                continue;
            }
            next = std::max(next, text::cluster_end(text_, at));
            if (!plain.empty()) add(Kind::plain, {at, next}, plain);
            else if (is_inside({at, next})) add(Kind::word, whole_word(glued({at, next})));
            else add(Kind::mark, {at, next});
        }
    }

    bool is_taken(text::Range range) const {
        return std::ranges::any_of(placeholders_, [&](const Placeholder& placeholder) {
            return overlapping(placeholder.normal, range);
        });
    }

    // In scripts without spaces everything that follows, otherwise the word.
    text::Range word_around(text::Range range) const {
        const text::Range word = whole_word(range);
        std::size_t begin = word.begin;
        if (!text::is_unspaced(text::next_character(text_, begin))) return word;
        std::size_t end = word.end;
        for (std::size_t next = end; next < text_.size(); end = next)
            if (const int32_t c = text::next_character(text_, next); !text::is_unspaced(c)) break;
        return {word.begin, end};
    }

    // Whether it is between two letters or digits: "3x4".
    bool is_inside(text::Range range) const {
        std::size_t before = range.begin, after = range.end;
        const int32_t left = text::previous_character(text_, before), right = text::next_character(text_, after);
        return (text::is_digit(left) && text::is_digit(right)) || (text::is_letter(left) && text::is_letter(right));
    }

    text::Range glued(text::Range range) const {
        text::previous_character(text_, range.begin);
        text::next_character(text_, range.end);
        return range;
    }

    // The word in characters that have a plain form; empty: some have none.
    std::string plain_word(text::Range range) const {
        std::string form;
        for (std::size_t at = range.begin, next = at; at < range.end; at = next) {
            const int32_t c = text::next_character(text_, next);
            if (c < 0x80) {
                form += char(c);
                continue;
            }
            const std::string known(text_.substr(at, next - at));
            const std::string plain = how_.unknown(known).empty() ? known : text::plain_form(c);
            if (plain.empty()) return {};
            form += plain;
        }
        return form;
    }

    // Joins neighbouring protected words with at most one blank between them.
    void join_words() {
        std::vector<Placeholder> joined;
        for (Placeholder& placeholder : placeholders_) {
            const std::size_t end = joined.empty() ? 0 : joined.back().normal.end;
            const bool follows =
                !joined.empty() && joined.back().kind == Kind::word && placeholder.kind == Kind::word &&
                (placeholder.normal.begin == end || (placeholder.normal.begin == end + 1 && text_[end] == ' '));
            if (follows) joined.back().normal.end = placeholder.normal.end;
            else joined.push_back(std::move(placeholder));
        }
        placeholders_ = std::move(joined);
    }

    // A word here has Latin letters and digits; those of other scripts take endings of any length ("{name}에게").
    static bool is_of_word(int32_t c) { return c < 0x250 && (text::is_letter(c) || text::is_digit(c)); }

    // The letters and digits that touch a range, on its left and on its right.
    text::Range touching(text::Range range) const {
        text::Range all = range;
        for (std::size_t at = range.begin; is_of_word(text::previous_character(text_, at)); all.begin = at) {}
        for (std::size_t at = range.end; is_of_word(text::next_character(text_, at)); all.end = at) {}
        return all;
    }

    // Whether letters behind a value are its ending or its unit, of which models make what they should: "{n}th", "{n} km".
    static bool is_ending(std::string_view letters) {
        static constexpr auto kUnits =
            std::to_array<std::string_view>({"GHz", "MHz", "Min", "Sek", "Std", "bit", "bps", "dpi", "fps", "kHz",
                                             "kWh", "min", "mph", "rpm", "sec"});
        return letters.size() < 3 || std::ranges::find(kUnits, letters) != kUnits.end();
    }

    // Models lose a stand-in that touches letters. It becomes a mark, unless they are one word with it: "v{n}", "S{a}E{b}".
    void part_from_letters() {
        for (std::size_t i = 0; i < placeholders_.size(); ++i) {
            Placeholder& placeholder = placeholders_[i];
            if (placeholder.kind != Kind::word) continue;
            const text::Range own = placeholder.normal, all = touching(own);
            const std::size_t least = i > 0 ? placeholders_[i - 1].normal.end : 0;
            const std::size_t most = i + 1 < placeholders_.size() ? placeholders_[i + 1].normal.begin : text_.size();
            if (all.begin < least || all.end > most) continue;
            const std::string_view left = text_.substr(all.begin, own.begin - all.begin);
            const std::string_view right = text_.substr(own.end, all.end - own.end);
            constexpr std::size_t kLongestSign = 2;
            const bool figures = std::ranges::all_of(left, [](char c) { return c >= '0' && c <= '9'; });
            if (left.empty() && is_ending(right)) continue;
            if (left.empty()) placeholder.kind = Kind::mark;
            else if (!right.empty()) placeholder.normal = all;
            else if (left.size() <= kLongestSign || figures) placeholder.normal.begin = all.begin;
            else placeholder.kind = Kind::mark;
        }
        join_words();
    }

    const std::string_view text_;
    const Masking& how_;
    const std::vector<text::Range> words_;
    const std::vector<text::ScaleWord> scales_;
    std::vector<Placeholder> placeholders_;
};

// A letter for stand-ins that the text does not use for one.
char free_letter(std::string_view text) {
    for (const char letter : {'X', 'Z', 'Q', 'K'}) {
        bool taken = false;
        for (std::size_t at = text.find(letter); at != std::string_view::npos; at = text.find(letter, at + 1))
            taken |= at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9';
        if (!taken) return letter;
    }
    return 'X';
}

// Writes the model's input, from the normalised text and its placeholders.
class Writer {
public:
    Writer(ModelInput& model_input, std::string_view sentence, const Masking& how)
        : input_(model_input), normal_(model_input.normal.text), sentence_(sentence), how_(how),
          letter_(free_letter(normal_)),
          nouns_(recased() && how.nouns ? how.nouns(normal_) : std::vector<text::Range>()) {}

    void write() {
        std::size_t at = 0, words = 0;
        for (Placeholder& placeholder : input_.placeholders) {
            if (how_.beside && stands_last(input_, placeholder)) {
                placeholder.kind = Kind::mark;
                --placeholder.normal.begin;  // with the blank
            }
            copy({at, placeholder.normal.begin});
            if (placeholder.kind == Kind::word && how_.stand_ins) placeholder.text = stand_in(letter_, ++words);
            else if (placeholder.kind == Kind::word) placeholder.kind = Kind::mark;
            at = put(placeholder);
        }
        copy({at, normal_.size()});
        if (input_.text.ends_with(' ') && !input_.placeholders.empty()) drop_last_blank();
    }

private:
    std::size_t put(Placeholder& placeholder) {
        const auto [begin, end] = placeholder.normal;
        placeholder.original = text::part(sentence_, input_.normal.map.source(placeholder.normal));
        placeholder.blank_before = begin > 0 && normal_[begin - 1] == ' ';
        placeholder.blank_after = end < normal_.size() && normal_[end] == ' ';
        if (placeholder.kind == Kind::mark && placeholder.text.empty() && parts_words(placeholder)) {
            placeholder.blank_before = placeholder.blank_after = true;
            if (!input_.text.ends_with(' ')) placeholder.text = " ";
        }
        const bool left_out = placeholder.text.empty();
        placeholder.in_input = {input_.text.size(), input_.text.size() + placeholder.text.size()};
        input_.text += placeholder.text;
        if (!left_out) input_.map.replace(placeholder.text.size(), placeholder.normal);
        const bool spare = left_out && placeholder.blank_after && (input_.text.empty() || input_.text.back() == ' ');
        return end + (spare ? 1 : 0);
    }

    // Whether a picture stands between two words without a blank: "Hello\U0001F600World".
    bool parts_words(const Placeholder& placeholder) const {
        const auto is_word = [](int32_t c) {
            return (text::is_letter(c) || text::is_digit(c)) && !text::is_unspaced(c);
        };
        const auto [begin, end] = placeholder.normal;
        return text::pictogram_end(normal_, begin) == end && end > begin &&
               is_word(text::character_before(normal_, begin)) && is_word(text::character_after(normal_, end));
    }

    void copy(text::Range range) {
        if (!recased()) {
            if (range.size() > 0) input_.map.copy(range);
            input_.text += text::part(normal_, range);
            return;
        }
        for (std::size_t at = range.begin, next = at; at < range.end; at = next) {
            const int32_t c = text::next_character(normal_, next);
            const text::Range own{at, next};
            const std::string letter = recased(c, own);
            if (letter != text::part(normal_, own)) input_.map.replace(letter.size(), own);
            else input_.map.copy(own);
            input_.text += letter;
        }
    }

    bool recased() const { return input_.capitals || input_.recased || input_.small; }

    std::string recased(int32_t c, text::Range own) {
        const bool noun = std::ranges::binary_search(nouns_, own.begin, {}, &text::Range::begin);
        if (input_.small && text::is_letter(c) && !std::exchange(begun_, true))
            return text::capital_letter(c, how_.language);
        if (noun && text::is_lower(c)) return text::capital_letter(c, how_.language);
        const bool becomes_small = text::is_letter(c) && std::exchange(begun_, true) && text::is_upper(c) && !noun &&
                                   (input_.capitals || text::begins_title_word(normal_, own));
        return becomes_small ? text::small_letter(c, how_.language) : std::string(text::part(normal_, own));
    }

    // The ranges of placeholders after the blank move to the end.
    void drop_last_blank() {
        input_.text.pop_back();
        const std::size_t size = input_.text.size();
        for (Placeholder& placeholder : input_.placeholders)
            placeholder.in_input = {std::min(placeholder.in_input.begin, size),
                                    std::min(placeholder.in_input.end, size)};
    }

    ModelInput& input_;
    const std::string_view normal_, sentence_;
    const Masking& how_;
    const char letter_;
    const std::vector<text::Range> nouns_;
    bool begun_ = false;  // the first letter stays a capital
};

}  // namespace

bool stands_last(const ModelInput& model_input, const Placeholder& placeholder) {
    const std::string_view normal = model_input.normal.text;
    const bool behind = placeholder.normal.begin > 1 && normal[placeholder.normal.begin - 1] == ' ';
    return placeholder.kind == Kind::word && behind && text::is_spoken(normal.substr(0, placeholder.normal.begin)) &&
           !text::is_spoken(normal.substr(placeholder.normal.end));
}

std::string stand_in(char letter, std::size_t number) { return fmt::format("{}{}", letter, number); }

bool has_something_kept(std::string_view text, std::string_view language) {
    if (!text::find_kept(text).empty() || !text::number_lists(text).empty() || !text::raised_words(text).empty() ||
        !text::price_dashes(text).empty() || !text::shouts(text).empty() || !text::path_signs(text).empty() ||
        !text::number_signs(text, language).empty() || !text::scale_words(text, language).empty() ||
        !text::glued_brackets(text).empty() || (text::avoids_guillemets(language) && !text::guillemets(text).empty()))
        return true;
    for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1))
        if (entity_at(text.substr(at)).size > 0) return true;
    return false;
}

void mask(ModelInput& model_input, std::string_view sentence, const Masking& how) {
    const std::string& normal = model_input.normal.text;
    std::vector<text::Range> kept;  // of the normalised text
    const auto add_normal = [&](text::Range wanted, std::vector<text::Range>& to) {
        for (std::size_t at = 0, next = 0; at < normal.size(); at = next) {
            text::next_character(normal, next);
            if (!overlapping(model_input.normal.map.source({at, next}), wanted)) continue;
            if (!to.empty() && to.back().end == at) to.back().end = next;
            else to.push_back({at, next});
        }
    };
    for (const text::Range& wanted : how.kept) add_normal(wanted, kept);
    std::vector<ShownTerm> terms;  // likewise
    for (const ShownTerm& wanted : how.terms) {
        std::vector<text::Range> ranges;
        add_normal(wanted.range, ranges);
        if (ranges.size() == 1) terms.push_back({ranges.front(), wanted.text});
    }
    const auto attempt = [&](bool forms) {
        model_input.placeholders = Finder(normal, how).find(kept, terms, forms);
        model_input.text.clear();
        model_input.map = {};
        Writer(model_input, sentence, how).write();
    };
    attempt(true);
    if (!how.unknown(model_input.text).empty()) attempt(false);
}

}  // namespace dragoman::pipeline
