// SPDX-License-Identifier: Apache-2.0
// Words of texts and of their translations, aligned by the shipped model's attention.
#include <doctest/doctest.h>

#include <string>

#include "pipeline/compare.h"
#include "text/words.h"

namespace alignment_test {

using namespace dragoman;
using pipeline::Translation;
using pipeline::TextOptions;
using pipeline::TextResult;
using pipeline::TranslateOptions;
using pipeline::Translator;

namespace {

Translator& shipped() {
    static const auto translator =
        Translator::create(pipeline::Model::load(DRAGOMAN_SHIPPED_MODEL,
                                                 {.device = {}, .compute_type = pipeline::ComputeType::f32}));
    return *translator;
}

const TextOptions kAligned{.target_language = "de", .return_alignment = true};

TextResult translate(std::string_view text, const TextOptions& how = kAligned, const TranslateOptions& options = {}) {
    const pipeline::Text input{text, {}};
    return shipped().translate_texts({&input, 1}, how, options).at(0);
}

// "Auto<-car kaufen<-buy": the best source word of each target word.
std::string best(std::string_view source, std::string_view target, const text::WordAlignment& alignment) {
    std::string result;
    for (const text::WordLink& link : text::links(alignment, 2.0f))
        result += std::string(result.empty() ? "" : " ") +
                  std::string(text::part(target, alignment.target[link.target])) + "<-" +
                  std::string(text::part(source, alignment.source[link.source]));
    return result;
}

void check_shape(std::string_view source, const TextResult& result) {
    for (const auto& hypothesis : result.hypotheses) {
        for (std::size_t s = 0; s < hypothesis.sentences.size(); ++s) {
            const text::WordAlignment& alignment = hypothesis.sentences[s].alignment;
            REQUIRE(alignment.weights.size() == alignment.source.size() * alignment.target.size());
            for (const text::Range word : alignment.source) {
                CHECK(word.begin >= result.sentences[s].range.begin);
                CHECK(word.end <= result.sentences[s].range.end);
                CHECK(text::words(text::part(source, word)).size() == 1);
            }
            for (const text::Range word : alignment.target) {
                CHECK(word.begin >= hypothesis.sentences[s].range().begin);
                CHECK(word.end <= hypothesis.sentences[s].range().end);
                CHECK(text::words(text::part(hypothesis.text, word)).size() == 1);
            }
            for (std::size_t t = 0; t < alignment.target.size(); ++t) {
                float sum = 0;
                for (const float weight : alignment.row(t)) sum += weight;
                CHECK(sum == doctest::Approx(1).epsilon(1e-4));
            }
        }
    }
}

}  // namespace

TEST_CASE("words that stand in another order") {
    const std::string text = "My brother wants to buy a new car.";
    const TextResult result = translate(text);
    check_shape(text, result);
    const auto& hypothesis = result.hypotheses.at(0);
    REQUIRE(hypothesis.text == "Mein Bruder will ein neues Auto kaufen.");
    CHECK(best(text, hypothesis.text, hypothesis.sentences.at(0).alignment) ==
          "Mein<-My Bruder<-brother will<-wants ein<-a neues<-new Auto<-car kaufen<-buy .<-.");
}

TEST_CASE("sentences of a text, hypotheses, codes in the text") {
    const std::string text = "  >>de<< Tom is  very tired. He wants to sleep.\n\nWhere is the old house?  ";
    TranslateOptions options{.beam_size = 3};
    options.num_hypotheses = 3;
    const TextResult result = translate(text, kAligned, options);
    REQUIRE(result.hypotheses.size() == 3);
    REQUIRE(result.hypotheses[0].sentences.size() == 3);
    check_shape(text, result);
    const auto& first = result.hypotheses[0];
    const auto& house = first.sentences[2].alignment;
    CHECK(best(text, first.text, house).find("<-house") != std::string::npos);
    CHECK(text::part(text, first.sentences[0].alignment.source.at(0)) == "Tom");
}

TEST_CASE("alignments need neither tokens nor attention in the result, and change no translation") {
    const std::string text = "I bought a new car. It is red.";
    const TextResult all = translate(text, kAligned, {.return_attention = true});
    TextOptions without = kAligned;
    without.return_tokens = false;
    const TextResult few = translate(text, without), plain = translate(text, {.target_language = "de"});
    for (std::size_t s = 0; s < 2; ++s) {
        const pipeline::TranslatedSentence from = all.hypotheses.at(0).sentences.at(s);
        const pipeline::TranslatedSentence same = few.hypotheses.at(0).sentences.at(s);
        CHECK(from.alignment == same.alignment);
        CHECK_FALSE(from.attention.empty());
        CHECK(same.attention.empty());
        CHECK(few.hypotheses[0].packed_at(s).empty());
        CHECK(plain.hypotheses.at(0).sentences.at(s).alignment == text::WordAlignment{});
    }
    CHECK(few.hypotheses[0].text == plain.hypotheses.at(0).text);
}

TEST_CASE("a sentence that is copied is aligned with itself, and a blank text with nothing") {
    const TextResult copied = translate("東京 大阪");
    check_shape("東京 大阪", copied);
    const auto& hypothesis = copied.hypotheses.at(0);
    CHECK(hypothesis.text == "東京 大阪");
    CHECK(best("東京 大阪", hypothesis.text, hypothesis.sentences.at(0).alignment) == "東京<-東京 大阪<-大阪");
    CHECK(translate(" ").hypotheses.at(0).sentences.empty());
}

TEST_CASE("parts of a long sentence are aligned each for itself") {
    std::string text = "I saw a dog";
    for (int i = 0; i < 8; ++i) text += ", and then a cat, and a bird in the old garden";
    TextOptions how = kAligned;
    how.max_segment_tokens = 24;
    const TextResult result = translate(text + ".", how);
    CHECK(result.sentences.size() > 2);
    check_shape(text + ".", result);
}

TEST_CASE("a layer and head of one's own align the words, by the steps that wrote them") {
    const std::string text = "My brother wants to buy a new car.";
    const TextResult own = translate(text, kAligned, {.attention_layer = 2, .attention_head = 2});
    const TextResult of_model = translate(text);
    check_shape(text, own);
    CHECK(own.hypotheses.at(0).text == of_model.hypotheses.at(0).text);
    CHECK(own.hypotheses[0].sentences.at(0).alignment != of_model.hypotheses[0].sentences.at(0).alignment);
}

}  // namespace alignment_test
