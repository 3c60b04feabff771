// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "base/error.h"
#include "pipeline/model_fixture.h"
#include "text/token_ranges.h"

namespace options_test {

using namespace dragoman;
using test::letters;
using test::real_model;
using pipeline::Request;
using pipeline::TranslateOptions;

namespace {

// The message must name what is wrong.
void check_refused(const Request& request, const TranslateOptions& options, const std::string& names) {
    CAPTURE(names);
    try {
        pipeline::Translator::create(real_model())->translate(std::span(&request, 1), options);
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(error.status() == Status::invalid_argument);
        CHECK_MESSAGE(std::string(error.what()).find(names) != std::string::npos, error.what());
    }
}

}  // namespace

TEST_CASE("options out of range are refused by name") {
    const Request a{letters("آتزمون"), {}};
    const float nan = std::numeric_limits<float>::quiet_NaN();
    check_refused(a, {.beam_size = 0}, "beam_size");
    check_refused(a, {.beam_size = 65}, "beam_size: 65");
    check_refused(a, {.patience = 0.0f}, "patience");
    check_refused(a, {.patience = nan}, "patience");
    check_refused(a, {.length_penalty = nan}, "length_penalty");
    check_refused(a, {.coverage_penalty = nan}, "coverage_penalty");
    check_refused(a, {.repetition_penalty = 0.0f}, "repetition_penalty");
    check_refused(a, {.no_repeat_ngram_size = 4097}, "no_repeat_ngram_size");
    check_refused(a, {.prefix_bias_beta = 1.0f}, "prefix_bias_beta");
    check_refused(a, {.prefix_bias_beta = -0.1f}, "prefix_bias_beta");
    check_refused(a, {.max_decoding_length = 0}, "max_decoding_length");
    check_refused(a, {.max_decoding_length = 5000}, "max_decoding_length: 5000");
    check_refused(a, {.max_decoding_length = 3, .min_decoding_length = 4}, "min_decoding_length: 4");
    check_refused(a, {.num_hypotheses = 0}, "num_hypotheses");
    check_refused(a, {.beam_size = 2, .num_hypotheses = 3}, "num_hypotheses: 3");
    check_refused(a, {.num_hypotheses = 65, .return_alternatives = true}, "num_hypotheses: 65");
    check_refused(a, {.prefix_bias_beta = 0.5f, .return_alternatives = true}, "return_alternatives");
    check_refused(a, {.return_alternatives = true, .min_alternative_expansion_prob = 2.0f},
                  "min_alternative_expansion_prob");
    check_refused(a, {.search = spec::SearchStyle(4)}, "search: 4");
    check_refused(a, {.word_penalty = nan}, "word_penalty");
    check_refused(a, {.max_length_factor = -1.0f}, "max_length_factor: -1");
    check_refused(a, {.search = spec::SearchStyle::huggingface, .early_stopping = spec::EarlyStopping(0)},
                  "early_stopping: 0");
    check_refused(a, {.search = spec::SearchStyle::huggingface, .beam_size = 64, .end_tokens = {"a", "b"}},
                  "end_tokens");
    // These options belong to one engine's search only.
    check_refused(a, {.word_penalty = 0.5f}, "word_penalty: 0.5");
    check_refused(a, {.early_stopping = spec::EarlyStopping::on}, "early_stopping");
    check_refused(a, {.search = spec::SearchStyle::marian, .early_stopping = spec::EarlyStopping::on},
                  "early_stopping");
    check_refused(a, {.search = spec::SearchStyle::huggingface, .word_penalty = 1.0f}, "word_penalty");
    for (const auto style : {spec::SearchStyle::marian, spec::SearchStyle::huggingface}) {
        check_refused(a, {.search = style, .patience = 2.0f}, "patience: 2");
        check_refused(a, {.search = style, .coverage_penalty = 0.2f}, "coverage_penalty");
        check_refused(a, {.search = style, .prefix_bias_beta = 0.5f}, "prefix_bias_beta");
    }
    check_refused(a, {.suppress_sequences = {{"a"}, {"t", "oovtoken"}}}, "oovtoken");
    check_refused(a, {.end_tokens = {"oovtoken"}}, "oovtoken");
    const auto& all = real_model()->target();
    pipeline::Tokens every;
    for (uint32_t id = 0; id < all.size(); ++id) every.push_back(all.token(id));
    check_refused(a, {.search = spec::SearchStyle::ctranslate2, .end_tokens = every}, "end_tokens: expected fewer");
    every.push_back(every.front());
    check_refused(a, {.search = spec::SearchStyle::marian, .end_tokens = every}, "end_tokens: expected fewer");
}

TEST_CASE("inputs that cannot be used are refused by place") {
    check_refused({{"آ", "\xff"}, {}}, {}, "source token 1");
    check_refused({{"آ"}, {"a", "\xc3"}}, {}, "target token 1");
    pipeline::Tokens endless(5000, "ن");
    check_refused({endless, {}}, {.max_input_length = 0}, "5000");
    // The default limit cuts it instead.
    const Request cut{endless, {}};
    const auto results = pipeline::Translator::create(real_model())
                             ->translate(std::span(&cut, 1), {.beam_size = 1, .max_decoding_length = 4});
    CHECK(results[0].hypotheses[0].tokens.size() <= 4);
}

TEST_CASE("text needs a tokenizer") {
    try {
        real_model()->tokenize("abc");
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(error.status() == Status::unsupported);
    }
}

TEST_CASE("describe needs no device") {
    const auto info = pipeline::Model::describe(test::kRealModel);
    CHECK(info.format == "ctranslate2");
    CHECK(info.d_model == 32);
    CHECK(info.heads == 8);
    CHECK(info.encoder_layers == 6);
    CHECK(info.decoder_layers == 6);
    CHECK(info.encoder_ffn == 128);
    CHECK(info.source_vocabulary == 51);
    CHECK(info.target_vocabulary == 43);
    CHECK(info.stored_types == "float32");
    CHECK(info.file_bytes > 741720);
}

}  // namespace options_test
