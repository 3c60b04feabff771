// SPDX-License-Identifier: Apache-2.0
// Which source words a translation reaches, by alignments that are written here.
#include "pipeline/value/coverage.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <string>

#include "pipeline/value/translation.h"
#include "text/words.h"

namespace coverage_test {

using namespace dragoman;
using pipeline::complete_coverage;
using pipeline::Coverage;
using pipeline::measure_coverage;
using pipeline::WordRun;

namespace {

struct Link {
    std::size_t target, source;
    float weight = 1.0f;
};

// `part`: of the document, that was translated.
text::WordAlignment aligned(std::string_view document, text::Range part, std::string_view translation,
                            std::initializer_list<Link> links) {
    text::WordAlignment alignment{.source = text::words(text::part(document, part)),
                                  .target = text::words(translation)};
    for (text::Range& word : alignment.source) word = {word.begin + part.begin, word.end + part.begin};
    alignment.weights.assign(alignment.source.size() * alignment.target.size(), 0.0f);
    for (const Link& link : links)
        alignment.weights.at(link.target * alignment.source.size() + link.source) = link.weight;
    return alignment;
}

Coverage coverage(std::string_view source, std::string_view translation, std::initializer_list<Link> links) {
    return measure_coverage(aligned(source, {0, source.size()}, translation, links), source, translation);
}

std::string unreached(std::string_view document, const Coverage& coverage) {
    return std::string(text::part(document, coverage.longest_unreached().range));
}

constexpr std::string_view kTwoClauses = "I like dogs, and he likes cats.";

}  // namespace

TEST_CASE("a clause that the translation lacks is the longest run of words that nothing reaches") {
    const Coverage cut = coverage(kTwoClauses, "Ich mag Hunde.", {{0, 0}, {1, 1}, {2, 2}, {3, 8}});
    CHECK(cut.words.size() == 7);  // without the comma and the full stop
    CHECK(cut.share() == doctest::Approx(3.0 / 7.0));
    CHECK(cut.longest_unreached() == WordRun{4, {13, 30}});
    CHECK(unreached(kTwoClauses, cut) == "and he likes cats");

    const Coverage other = coverage(kTwoClauses, "Er mag Katzen.", {{0, 5}, {1, 6}, {2, 7}, {3, 8}});
    CHECK(unreached(kTwoClauses, other) == "I like dogs, and");  // a mark does not end a run

    const Coverage whole = coverage("I like dogs.", "Ich mag Hunde.", {{0, 0}, {1, 1}, {2, 2}, {3, 3}});
    CHECK(whole.share() == 1.0f);
    CHECK(whole.longest_unreached() == WordRun{});
}

TEST_CASE("the largest weight of a word of the translation reaches a source word, and so do others of 0.4") {
    CHECK(coverage("one two three", "eins", {{0, 0, 0.5f}, {0, 1, 0.41f}, {0, 2, 0.09f}}).reached ==
          std::vector<bool>{true, true, false});
    CHECK(coverage("one two three", "eins", {{0, 0, 0.25f}, {0, 1, 0.39f}, {0, 2, 0.36f}}).reached ==
          std::vector<bool>{false, true, false});
    // One token stands for an address, and so all its words have the same weight.
    CHECK(coverage("foo@bar.com", "X", {{0, 0, 0.2f}, {0, 1, 0.2f}, {0, 2, 0.2f}, {0, 3, 0.2f}, {0, 4, 0.2f}})
              .share() == 1.0f);
}

TEST_CASE("marks of punctuation reach nothing and need not be reached") {
    CHECK(coverage("Stop now", "!", {{0, 1}}).share() == 0.0f);
    CHECK(coverage("(Stop), now!", "Halt jetzt", {{0, 1}, {1, 4}}).share() == 1.0f);
}

TEST_CASE("of equally long runs the first one counts") {
    const std::string_view source = "a b c d e f";
    CHECK(coverage(source, "x", {{0, 2}}).longest_unreached() == WordRun{3, {6, 11}});
    CHECK(coverage("a b c d e", "x", {{0, 2}}).longest_unreached() == WordRun{2, {0, 3}});
}

TEST_CASE("ranges count in the document") {
    const std::string_view document = "Ja. I like dogs, and he likes cats.";
    const text::WordAlignment alignment = aligned(document, {4, document.size()}, "Ich mag Hunde.",
                                                  {{0, 0}, {1, 1}, {2, 2}});
    const Coverage cut = measure_coverage(alignment, document, "Ich mag Hunde.");
    CHECK(cut.longest_unreached() == WordRun{4, {17, 34}});
    CHECK(unreached(document, cut) == "and he likes cats");
}

TEST_CASE("words of scripts without spaces are those that ICU's dictionaries find") {
    const std::string_view source = "我喜欢狗，他喜欢猫。";
    const Coverage cut = coverage(source, "I like dogs.", {{0, 0}, {1, 1}, {2, 2}});
    CHECK(cut.words.size() == 6);
    CHECK(cut.share() == 0.5f);
    CHECK(cut.longest_unreached().words == 3);
    CHECK(unreached(source, cut) == "他喜欢猫");
}

TEST_CASE("a source without words is covered, and without an alignment nothing is") {
    CHECK(coverage("", "", {}).share() == 1.0f);
    CHECK(coverage("... !", "...", {{0, 0}}).share() == 1.0f);
    CHECK(coverage("... !", "...", {}).longest_unreached() == WordRun{});
    CHECK(coverage("one two", "", {}).share() == 0.0f);
    CHECK(coverage("one two", "eins zwei", {}).longest_unreached() == WordRun{2, {0, 7}});  // rows of zeros
    CHECK(Coverage{}.share() == 0.0f);
    CHECK(Coverage{}.longest_unreached() == WordRun{});
}

TEST_CASE("what is a translation as it is covers itself") {
    const Coverage copy = complete_coverage(kTwoClauses, {13, 31});
    CHECK(copy.words.size() == 4);
    CHECK(copy.words.front() == text::Range{13, 16});
    CHECK(copy.share() == 1.0f);
    CHECK(copy.longest_unreached() == WordRun{});
    CHECK(complete_coverage("?!", {0, 2}).share() == 1.0f);
}

namespace {

// With an alignment and the coverage that it gives.
pipeline::Translation translation(std::string_view document, text::Range part, std::string_view text,
                                  std::initializer_list<Link> links) {
    pipeline::Translation made{.text = std::string(text)};
    made.alignment = aligned(document, part, text, links);
    made.coverage = measure_coverage(made.alignment, document, text);
    return made;
}

}  // namespace

TEST_CASE("translations of parts cover together what each covers, and a run goes over their seam") {
    const std::string_view document = "I like dogs, and he likes cats.";
    pipeline::Translation all;
    append(all, translation(document, {0, 12}, "Ich mag", {{0, 0}, {1, 1}}), "");
    append(all, translation(document, {13, 31}, "Katzen.", {{0, 3}, {1, 4}}), " ");
    CHECK(all.coverage.words.size() == 7);
    CHECK(all.coverage.share() == doctest::Approx(3.0 / 7.0));
    CHECK(unreached(document, all.coverage) == "dogs, and he likes");
    CHECK(all.coverage == measure_coverage(all.alignment, document, all.text));
}

TEST_CASE("over a text between, words are reached by words that are reached") {
    const std::string_view source = "a b c d", between = "w x, y z";
    const pipeline::Translation first = translation(source, {0, 7}, between, {{0, 0}, {1, 1}, {3, 2}, {4, 2}});
    const pipeline::Translation second = translation(between, {0, 8}, "1 2", {{0, 0}, {1, 4}});
    const pipeline::Translation both = compose(first, second, {});
    CHECK(first.coverage.reached == std::vector<bool>{true, true, true, false});
    CHECK(second.coverage.reached == std::vector<bool>{true, false, false, true});
    CHECK(both.coverage.words == first.coverage.words);
    CHECK(both.coverage.reached == std::vector<bool>{true, false, true, false});
    pipeline::Translation copy = translation(between, {0, 8}, between, {});
    copy.coverage = complete_coverage(between, {0, 8});
    CHECK(compose(first, copy, {}).coverage == first.coverage);
    CHECK(compose(pipeline::Translation{}, copy, {}).coverage == Coverage{});
}

TEST_CASE("a part of a translation covers the part of the source that it translates") {
    const pipeline::Translation whole = translation(kTwoClauses, {0, 31}, "Ich mag Katzen.", {{0, 0}, {1, 1}, {2, 7}});
    const Coverage part = cut(whole, {.target = {8, 15}, .source = {13, 31}}).coverage;
    CHECK(part.measured);
    CHECK(part.words.size() == 4);
    CHECK(part.reached == std::vector<bool>{false, false, false, true});
}

// NumPy: (w >= numpy.minimum(w.max(axis=1, keepdims=True), 0.4)).any(axis=0), with w[t, s] = ((37 t + 101 s + seed) % 97) ** 5
// and rows that add up to 1.
TEST_CASE("larger alignments are covered as NumPy computes") {
    struct Case {
        std::size_t rows, columns, seed;
        double share;
        std::size_t run, first;  // word of the run
    };
    for (const Case& of : {Case{6, 20, 13, 0.25, 5, 3}, Case{9, 25, 5, 0.36, 3, 1}, Case{3, 4, 2, 0.25, 3, 0}}) {
        std::string source, target;
        for (std::size_t s = 0; s < of.columns; ++s) source += "s ";
        for (std::size_t t = 0; t < of.rows; ++t) target += "t ";
        text::WordAlignment alignment = aligned(source, {0, source.size()}, target, {});
        for (std::size_t t = 0; t < of.rows; ++t) {
            const auto weight = [&](std::size_t s) { return std::pow(double((37 * t + 101 * s + of.seed) % 97), 5.0); };
            double sum = 0.0;
            for (std::size_t s = 0; s < of.columns; ++s) sum += weight(s);
            for (std::size_t s = 0; s < of.columns; ++s) alignment.weights[t * of.columns + s] = float(weight(s) / sum);
        }
        const Coverage found = measure_coverage(alignment, source, target);
        CHECK(found.share() == doctest::Approx(of.share));
        CHECK(found.longest_unreached() == WordRun{of.run, {2 * of.first, 2 * (of.first + of.run) - 1}});
    }
}

}  // namespace coverage_test
