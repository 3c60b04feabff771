// SPDX-License-Identifier: Apache-2.0
// The algebra of translations: laws that hold for every value, tried on random ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "pipeline/value/result.h"
#include "text/words.h"

namespace translation_test {

using namespace dragoman;
using pipeline::Quality;
using pipeline::Stretch;
using pipeline::Translation;
using text::Range;

namespace {

constexpr int kCases = 2000;

// Scores between 0 and 1 are rounded to floats, by at most 2^-25, each time that two are appended.
constexpr float kTwoAppendsOnBothSides = 0x1p-23f;

class Random {
public:
    explicit Random(uint32_t seed) : engine_(seed) {}
    std::size_t below(std::size_t count) { return engine_() % count; }
    bool once_in(std::size_t count) { return below(count) == 0; }
    float eighths(std::size_t most = 8) { return float(below(most + 1)) / 8.0f; }  // sums of which are exact

private:
    std::mt19937 engine_;
};

// One side of a sentence: words of one to four bytes a character, each of one or two tokens.
struct Side {
    std::string text{};
    pipeline::Tokens tokens{};
    std::vector<Range> ranges{};

    void add_token(std::string_view token) {
        ranges.push_back({text.size(), text.size() + token.size()});
        tokens.emplace_back(token);
        text += token;
    }
};

Side make_side(Random& random) {
    static const std::vector<std::pair<std::string_view, std::string_view>> words = {
        {"Haus", ""}, {"br\u00fb", "l\u00e9"}, {"\u6211", ""}, {"\u044f", "\u0431\u043b"}, {"na", "\u00efve"},
        {"x", "1"},   {"\U0001f642", ""},      {"don", "'t"},  {"\u0939\u093f", ""},       {".", ""}};
    Side side;
    for (std::size_t left = 1 + random.below(5); left > 0; --left) {
        const auto& [first, second] = words[random.below(words.size())];
        if (!side.text.empty()) side.text += ' ';
        side.add_token(first);
        if (!second.empty()) side.add_token(second);
    }
    return side;
}

std::vector<Range> moved(std::vector<Range> ranges, std::size_t by) {
    for (Range& range : ranges) range = {range.begin + by, range.end + by};
    return ranges;
}

// Which fields a translation has, as the options of a call say it for all of its sentences.
struct Asked {
    bool attention, alignment, quality;
};

Asked ask(Random& random) { return {!random.once_in(4), !random.once_in(4), !random.once_in(4)}; }

// A translation of a document's bytes from `at` on.
struct Sample {
    Side source, target;
    std::size_t at = 0;
    Translation value{};

    Stretch stretch() const {
        return {.target = value.range(),
                .source = {at, at + source.text.size()},
                .tokens = {0, target.tokens.size()},
                .source_tokens = {0, source.tokens.size()}};
    }
};

// Weights whose sum is exactly 1.
std::vector<float> distribution(Random& random, std::size_t count) {
    std::vector<float> weights(count, 0.0f);
    for (int i = 0; i < 8; ++i) weights[random.below(count)] += 0.125f;
    return weights;
}

void fill(Random& random, const Asked& asked, Sample& sample) {
    Translation& value = sample.value;
    const std::vector<Range> source_words = moved(text::words(sample.source.text), sample.at);
    const std::vector<Range> words = text::words(sample.target.text);
    value.text = sample.target.text;
    value.tokens = sample.target.tokens;
    value.ranges = sample.target.ranges;
    value.score = {-random.eighths(64), value.tokens.size()};
    if (asked.attention)
        for (std::size_t t = 0; t < value.tokens.size(); ++t)
            value.attention.add_row(distribution(random, sample.source.tokens.size()));
    if (asked.alignment) {
        value.alignment = {.source = source_words, .target = words};
        for (std::size_t t = 0; t < words.size(); ++t)
            for (const float weight : distribution(random, source_words.size()))
                value.alignment.weights.push_back(weight);
        const std::string document = std::string(sample.at, ' ') + sample.source.text;
        value.coverage = pipeline::measure_coverage(value.alignment, document, value.text);
    }
    if (random.once_in(2)) value.terms.push_back({source_words[random.below(source_words.size())], random.once_in(2)});
    if (random.once_in(2))
        value.unchanged.push_back({source_words[random.below(source_words.size())], words[random.below(words.size())]});
    if (asked.quality) {
        value.quality = {.score = 0.125f + random.eighths(7), .words = words};
        for (std::size_t w = 0; w < words.size(); ++w) value.quality.scores.push_back(random.eighths());
    }
}

Sample make(Random& random, const Asked& asked, std::size_t at) {
    Sample sample{.source = make_side(random), .target = make_side(random), .at = at};
    fill(random, asked, sample);
    return sample;
}

std::string_view make_gap(Random& random) {
    static const std::vector<std::string_view> gaps = {"", " ", "\n\n", "\u3000", " \u2014 "};
    return gaps[random.below(gaps.size())];
}

bool same(const pipeline::MeanScore& a, const pipeline::MeanScore& b) {
    return float(a) == float(b) && a.tokens() == b.tokens();
}
bool same(const Quality& a, const Quality& b) {
    return a.words == b.words && a.scores == b.scores && std::abs(a.score - b.score) <= kTwoAppendsOnBothSides;
}
bool same(const pipeline::SearchNotes& a, const pipeline::SearchNotes& b) {
    return a.certainty.size() == b.certainty.size() && a.end_log_prob == b.end_log_prob && a.put_in == b.put_in;
}
template <class Field>
bool same(const Field& a, const Field& b) {
    return a == b;
}

template <class Fields, std::size_t... i>
void check_same(const Fields& a, const Fields& b, std::index_sequence<i...>) {
    const auto check = [](std::size_t field, bool equal) {
        CAPTURE(field);
        CHECK(equal);
    };
    (check(i, same(std::get<i>(a), std::get<i>(b))), ...);
}

void check_same(const Translation& a, const Translation& b) {
    CHECK(a.begin == b.begin);
    const auto left = pipeline::fields(a), right = pipeline::fields(b);
    check_same(left, right, std::make_index_sequence<std::tuple_size_v<decltype(left)>>());
}

bool is_boundary(std::string_view text, std::size_t at) {
    return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
}

void check_inside(std::string_view text, std::size_t begin, const std::vector<Range>& ranges) {
    for (const Range& range : ranges) {
        REQUIRE(range.begin >= begin);
        REQUIRE(range.end >= range.begin);
        REQUIRE(range.end <= begin + text.size());
        CHECK(is_boundary(text, range.begin - begin));
        CHECK(is_boundary(text, range.end - begin));
    }
}

// Everything lies in the text and the document, and lists that belong together have one length.
void check_sound(const Translation& value, std::string_view document) {
    std::vector<Range> source = value.alignment.source, target = value.alignment.target;
    for (const auto& term : value.terms) source.push_back(term.source);
    for (const auto& one : value.unchanged) {
        source.push_back(one.source);
        target.push_back(one.target);
    }
    check_inside(document, 0, source);
    check_inside(document, 0, value.coverage.words);
    check_inside(value.text, value.begin, target);
    check_inside(value.text, value.begin, value.ranges);
    check_inside(value.text, value.begin, value.quality.words);
    CHECK(value.ranges.size() == value.tokens.size());
    for (std::size_t t = 0; t < value.tokens.size(); ++t)
        CHECK(value.tokens[t] ==
              text::part(value.text, {value.ranges[t].begin - value.begin, value.ranges[t].end - value.begin}));
    CHECK((value.attention.empty() || value.attention.rows == value.tokens.size()));
    CHECK(value.attention.values.size() == value.attention.rows * value.attention.cols);
    CHECK(value.alignment.weights.size() == value.alignment.target.size() * value.alignment.source.size());
    CHECK(value.quality.words.size() == value.quality.scores.size());
    CHECK(value.coverage.words.size() == value.coverage.reached.size());
}

Translation joined(Translation all, const Translation& more, std::string_view gap) {
    append(all, more, gap);
    return all;
}

Translation shifted(Translation value, std::ptrdiff_t by) {
    shift(value, by);
    return value;
}

// A text as its own translation: each token and word stands for itself. `kept` are the stretches that it has unchanged.
Translation identity(const Side& side, const std::vector<Range>& kept) {
    Translation value{.text = side.text, .tokens = side.tokens, .ranges = side.ranges};
    const std::vector<Range> words = text::words(side.text);
    value.score = {0.0f, side.tokens.size()};
    value.attention = Matrix(side.tokens.size(), side.tokens.size());
    for (std::size_t t = 0; t < side.tokens.size(); ++t) value.attention[t][t] = 1.0f;
    value.alignment = {.source = words, .target = words};
    value.alignment.weights.assign(words.size() * words.size(), 0.0f);
    for (std::size_t w = 0; w < words.size(); ++w) value.alignment.weights[w * words.size() + w] = 1.0f;
    for (const Range& range : kept) value.unchanged.push_back({range, range});
    value.quality = pipeline::quality_of_copy(side.text, 1.0f);
    value.coverage = pipeline::complete_coverage(side.text, {0, side.text.size()});
    return value;
}

// Of an identity, what another translation has.
Translation like(Translation value, const Translation& other) {
    if (other.attention.empty()) value.attention = {};
    if (other.alignment.source.empty()) value.alignment = {};
    if (other.quality.empty()) value.quality = {};
    if (!other.coverage.measured) value.coverage = {};
    return value;
}

std::vector<Range> listed(const std::vector<pipeline::Unchanged>& unchanged, Range pipeline::Unchanged::* side) {
    std::vector<Range> ranges;
    for (const pipeline::Unchanged& one : unchanged) ranges.push_back(one.*side);
    return ranges;
}

TEST_CASE("appending is associative") {
    Random random(1);
    for (int i = 0; i < kCases; ++i) {
        CAPTURE(i);
        const Asked asked = ask(random);
        const Translation a = random.once_in(8) ? Translation{} : make(random, asked, 0).value;
        const Translation b = random.once_in(8) ? Translation{} : make(random, asked, 100).value;
        const Translation c = random.once_in(8) ? Translation{} : make(random, asked, 200).value;
        const std::string_view first = make_gap(random), second = make_gap(random);
        check_same(joined(joined(a, b, first), c, second), joined(a, joined(b, c, second), first));
    }
}

TEST_CASE("appending to nothing, and nothing, changes nothing") {
    Random random(2);
    for (int i = 0; i < kCases; ++i) {
        CAPTURE(i);
        const Translation value = make(random, ask(random), random.below(50)).value;
        check_same(joined({}, value, ""), value);
        check_same(joined(value, {}, ""), value);
    }
}

TEST_CASE("a shift there and back changes nothing, and appending does not see it") {
    Random random(3);
    for (int i = 0; i < kCases; ++i) {
        CAPTURE(i);
        const Asked asked = ask(random);
        const Sample a = make(random, asked, 0), b = make(random, asked, a.source.text.size());
        const auto by = std::ptrdiff_t(random.below(1000));
        const Translation there = shifted(a.value, by);
        check_sound(there, a.source.text);
        CHECK(there.range() == Range{std::size_t(by), std::size_t(by) + a.value.text.size()});
        check_same(shifted(there, -by), a.value);
        const std::string_view gap = make_gap(random);
        check_same(joined(a.value, shifted(b.value, by), gap), joined(a.value, b.value, gap));
        check_same(joined(there, b.value, gap), shifted(joined(a.value, b.value, gap), by));
    }
}

TEST_CASE("ranges of appended translations lie in the text, on boundaries of characters") {
    Random random(4);
    for (int i = 0; i < kCases; ++i) {
        CAPTURE(i);
        const Asked asked = ask(random);
        std::string document;
        Translation all;
        for (std::size_t left = 1 + random.below(4); left > 0; --left) {
            const Sample sample = make(random, asked, document.size());
            document += sample.source.text;
            append(all, sample.value, make_gap(random));
        }
        check_sound(all, document);
    }
}

TEST_CASE("what is cut out of an appended translation is what went in, and makes the whole again") {
    Random random(5);
    for (int i = 0; i < kCases; ++i) {
        CAPTURE(i);
        const Asked asked = ask(random);
        const Sample a = make(random, asked, 0), b = make(random, asked, a.source.text.size());
        const std::string_view gap = make_gap(random);
        const auto by = std::ptrdiff_t(random.below(100));
        const Translation whole = shifted(joined(a.value, b.value, gap), by);
        Stretch left = a.stretch(), right = b.stretch();
        left.target = {std::size_t(by), std::size_t(by) + a.value.text.size()};
        const std::size_t begin = left.target.end + gap.size();
        right.target = {begin, begin + b.value.text.size()};
        right.tokens = {left.tokens.end, left.tokens.end + right.tokens.end};
        right.source_tokens = {left.source_tokens.end, left.source_tokens.end + right.source_tokens.end};
        const std::string document = a.source.text + b.source.text;
        Translation first = cut(whole, left), second = cut(whole, right);
        check_sound(first, document);
        check_sound(second, document);
        check_same(joined(first, second, gap), whole);
        // Nobody can know the scores of the parts.
        for (Translation* part : {&first, &second}) {
            const Translation& from = part == &first ? a.value : b.value;
            CHECK(float(part->score) == float(whole.score));
            CHECK(part->quality.score == whole.quality.score);
            part->score = from.score;
            part->quality.score = from.quality.score;
        }
        check_same(first, shifted(a.value, by));
        check_same(second, shifted(b.value, std::ptrdiff_t(begin)));
    }
}

TEST_CASE("composing after an identity is the identity") {
    Random random(6);
    for (int i = 0; i < kCases; ++i) {
        CAPTURE(i);
        const Sample sample = make(random, ask(random), 0);
        const auto kept = listed(sample.value.unchanged, &pipeline::Unchanged::source);
        const Translation own = like(identity(sample.source, kept), sample.value);
        const Translation both = compose(own, sample.value, sample.source.ranges);
        check_same(both, sample.value);
        check_sound(both, sample.source.text);
    }
}

// All fields but the words' quality: words are right as far as those of the first translation are on the whole.
TEST_CASE("composing before an identity is the identity") {
    Random random(7);
    for (int i = 0; i < kCases; ++i) {
        CAPTURE(i);
        const Sample sample = make(random, ask(random), 0);
        const auto kept = listed(sample.value.unchanged, &pipeline::Unchanged::target);
        const Translation own = like(identity(sample.target, kept), sample.value);
        Translation both = compose(sample.value, own, sample.target.ranges);
        double mean = 0;
        for (const float score : sample.value.quality.scores)
            mean += double(score) / double(sample.value.quality.scores.size());
        REQUIRE(both.quality.scores.size() == sample.value.quality.scores.size());
        for (const float score : both.quality.scores) CHECK(score == float(mean));
        both.quality.scores = sample.value.quality.scores;
        check_same(both, sample.value);
        check_sound(both, sample.source.text);
    }
}

TEST_CASE("compositions lie in the last text and in the first document") {
    Random random(8);
    for (int i = 0; i < kCases; ++i) {
        CAPTURE(i);
        const Asked asked = ask(random);
        const Sample first = make(random, asked, 0);
        Sample second{.source = first.target, .target = make_side(random)};
        fill(random, asked, second);
        second.value.terms.clear();  // a route's next model names the terms of the first document
        const Translation both = compose(first.value, second.value, second.source.ranges);
        check_sound(both, first.source.text);
        CHECK(float(both.score) == first.value.score + second.value.score);
        for (std::size_t t = 0; t < both.attention.rows; ++t) {
            float sum = 0;
            for (const float weight : both.attention[t]) sum += weight;
            CHECK(sum == doctest::Approx(1));
        }
    }
}

// Source words A (0, 1) and B (2, 3). The text between "uv wx" has the tokens "uv", " w", "x", of which the second model
// sees "u", "v w" and "x". Expected values are computed by hand from P(s|t) = sum over q of P(s|q) P(q|t).
TEST_CASE("a composition by hand") {
    Translation first{.text = "uv wx", .tokens = {"uv", " w", "x"}, .ranges = {{0, 2}, {2, 4}, {4, 5}}};
    first.attention = {{1.0f, 0.0f}, {0.5f, 0.5f}, {0.0f, 1.0f}};
    first.alignment = {.source = {{0, 1}, {2, 3}}, .target = {{0, 2}, {3, 5}}, .weights = {0.75f, 0.25f, 0.25f, 0.5f}};
    first.unchanged = {{{0, 1}, {0, 2}}, {{2, 3}, {3, 5}}};
    Translation second{.text = "y z", .tokens = {"y", " z"}, .ranges = {{0, 1}, {1, 3}}};
    second.attention = {{0.5f, 0.5f, 0.0f}, {0.0f, 0.25f, 0.75f}};
    second.alignment = {.source = {{0, 2}, {3, 5}}, .target = {{0, 1}, {2, 3}}, .weights = {1.0f, 0.0f, 0.5f, 0.5f}};
    second.unchanged = {{{3, 5}, {2, 3}}};
    const std::vector<Range> between = {{0, 1}, {1, 4}, {4, 5}};
    const Translation both = compose(first, second, between);
    // "v w" has a byte of "uv" and two of " w": A 1/3 + 2/3 * 1/2 = 2/3, B 1/3.
    const float expected[] = {0.5f + 0.5f * 2 / 3, 0.5f / 3, 0.25f * 2 / 3, 0.25f / 3 + 0.75f};
    for (std::size_t i = 0; i < 4; ++i) CHECK(both.attention.values[i] == doctest::Approx(expected[i]));
    // Rows of words sum up to 1: 0.75 and 0.25; half of both rows, 0.5 and 0.375, divided by 0.875.
    const float words[] = {0.75f, 0.25f, 0.5f / 0.875f, 0.375f / 0.875f};
    for (std::size_t i = 0; i < 4; ++i) CHECK(both.alignment.weights[i] == doctest::Approx(words[i]));
    CHECK(both.unchanged == std::vector<pipeline::Unchanged>{{{2, 3}, {2, 3}}});
}

TEST_CASE("notes of the search are lost where translations are put together") {
    Translation noted{.text = "a", .tokens = {"a"}, .ranges = {{0, 1}}};
    noted.notes.end_log_prob = -1.0f;
    noted.notes.put_in = {{0, 1}};
    const Translation all = joined(noted, noted, " ");
    CHECK(!all.notes.end_log_prob);
    CHECK(all.notes.put_in.empty());
    CHECK(!compose(noted, noted, noted.ranges).notes.end_log_prob);
}

TEST_CASE("a text's translation as that of one sentence is its sentences appended") {
    Random random(9);
    for (int i = 0; i < kCases; ++i) {
        CAPTURE(i);
        const Asked asked = ask(random);
        pipeline::TextHypothesis hypothesis;
        pipeline::SourceSentences sources;
        Translation all;
        std::string document;
        for (std::size_t left = 1 + random.below(4); left > 0; --left) {
            Sample sample = make(random, asked, document.size());
            if (random.once_in(4)) {  // a copy: nobody asked the model
                sample.value.attention = {};
                sample.value.score = {};
            }
            const std::string_view gap = make_gap(random);
            document += sample.source.text;
            sources.add({}, sample.source.tokens, {});
            add_sentence(hypothesis, sample.value, gap);
            CHECK(text::part(hypothesis.text, hypothesis.sentences.back().range()) == sample.value.text);
            check_sound(hypothesis.sentence(hypothesis.sentences.size() - 1), document);
            if (asked.attention) complete_attention(sample.value, sample.source.tokens.size());
            append(all, sample.value, gap);
        }
        const bool none = std::ranges::all_of(hypothesis.sentences, [](const auto& s) { return s.attention.empty(); });
        if (none) all.attention = {};
        hypothesis.score = -0.5f;
        hypothesis.quality = 0.25f;
        Translation whole = pipeline::whole(hypothesis, sources);
        check_sound(whole, document);
        CHECK(float(whole.score) == -0.5f);
        CHECK(whole.quality.score == 0.25f);
        whole.score = all.score;
        whole.quality.score = all.quality.score;
        check_same(whole, all);
    }
}

}  // namespace

}  // namespace translation_test
