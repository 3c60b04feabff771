// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>
#include <set>

#include "fixture.h"

namespace translate_test {

using namespace dragoman::test;

// Expected values: CTranslate2 4.8.1 on the same model.

TEST_CASE("a batch with empty inputs, in order") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    const Sequences sources{"", kSourceB, "", kSourceA, ""};
    const char* expected[] = {"", "a z z a", "", "a t z m o n", ""};
    for (uint32_t beam : {1u, 2u, 4u}) {
        CAPTURE(beam);
        dragoman_translate_options options = default_options();
        options.beam_size = beam;
        const ResultHandle result = translate(translator, sources, &options);
        REQUIRE(dragoman_result_count(result.get()) == 5);
        for (std::size_t i = 0; i < 5; ++i) {
            CAPTURE(i);
            CHECK(dragoman_result_hypothesis_count(result.get(), i) == 1);
            CHECK(tokens_of(result, i) == expected[i]);
            dragoman_tokens source{};
            require_ok(dragoman_result_source_tokens(result.get(), i, &source));
            CHECK(source.count == sources.data()[i].count);
            CHECK(join(source) == join(sources.data()[i]));
        }
    }
}

TEST_CASE("tokens end with a zero byte") {
    const ModelHandle model = load_model();
    const ResultHandle result = translate(create_translator(model), {kSourceB});
    dragoman_tokens tokens{};
    require_ok(dragoman_result_tokens(result.get(), 0, 0, &tokens));
    REQUIRE(tokens.count == 4);
    CHECK(std::string(tokens.data[1].data) == "z");
}

TEST_CASE("n-best, scores and attention") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    dragoman_translate_options options = default_options();
    options.beam_size = options.num_hypotheses = 4;
    options.return_scores = options.return_attention = 1;
    const ResultHandle result = translate(translator, {kSourceB, kSourceA}, &options);
    const std::size_t source_sizes[] = {3, 6};
    for (std::size_t input = 0; input < 2; ++input) {
        REQUIRE(dragoman_result_hypothesis_count(result.get(), input) == 4);
        std::set<std::string> texts;
        float previous = 0;
        for (std::size_t h = 0; h < 4; ++h) {
            CAPTURE(input);
            CAPTURE(h);
            const std::string text = tokens_of(result, input, h);
            texts.insert(text);
            float score = 1;
            require_ok(dragoman_result_score(result.get(), input, h, &score));
            CHECK(score < 0);
            if (h > 0) CHECK(score <= previous);
            previous = score;
            dragoman_tokens tokens{};
            require_ok(dragoman_result_tokens(result.get(), input, h, &tokens));
            dragoman_matrix attention{};
            require_ok(dragoman_result_attention(result.get(), input, h, &attention));
            CHECK(attention.rows == tokens.count);
            REQUIRE(attention.cols == source_sizes[input]);
            for (std::size_t row = 0; row < attention.rows; ++row) {
                const float* begin = attention.data + row * attention.cols;
                const float sum = std::accumulate(begin, begin + attention.cols, 0.0f);
                CHECK(sum == doctest::Approx(1.0).epsilon(1e-3));
            }
        }
        CHECK(texts.size() == 4);
    }
    CHECK(tokens_of(result, 0) == "a z z a");
    CHECK(tokens_of(result, 1) == "a t z m o n");

    const auto refuse = [&](std::size_t input, std::size_t hypothesis, const char* name) {
        dragoman_tokens tokens{};
        dragoman_matrix matrix{};
        float score = 0;
        const auto bad = DRAGOMAN_INVALID_ARGUMENT;
        check_error(dragoman_result_tokens(result.get(), input, hypothesis, &tokens), bad, {name});
        check_error(dragoman_result_score(result.get(), input, hypothesis, &score), bad, {name});
        check_error(dragoman_result_attention(result.get(), input, hypothesis, &matrix), bad, {name});
    };
    refuse(2, 0, "input: 2");
    refuse(SIZE_MAX, 0, "input");
    refuse(0, 4, "hypothesis: 4");
    CHECK(dragoman_result_hypothesis_count(result.get(), 2) == 0);
    check_error(dragoman_result_tokens(result.get(), 0, 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"tokens"});
    check_error(dragoman_result_score(result.get(), 0, 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"score"});
    check_error(dragoman_result_attention(result.get(), 0, 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"attention"});
    check_error(dragoman_result_source_tokens(result.get(), 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"tokens"});
}

TEST_CASE("scores of greedy search; none and no attention unless asked for") {
    const ModelHandle model = load_exact_model();
    const TranslatorHandle translator = create_translator(model);
    dragoman_translate_options options = default_options();
    options.beam_size = 1;
    options.return_scores = 1;
    const ResultHandle scored = translate(translator, {kSourceA, kSourceB}, &options);
    float score = 0;
    require_ok(dragoman_result_score(scored.get(), 0, 0, &score));
    CHECK(score == doctest::Approx(-0.151679).epsilon(1e-4));
    require_ok(dragoman_result_score(scored.get(), 1, 0, &score));
    CHECK(score == doctest::Approx(-0.150911).epsilon(1e-4));

    const ResultHandle plain = translate(translator, {kSourceA});
    require_ok(dragoman_result_score(plain.get(), 0, 0, &score));
    CHECK(score == 0);
    dragoman_matrix attention{nullptr, 7, 7};
    require_ok(dragoman_result_attention(plain.get(), 0, 0, &attention));
    CHECK(attention.rows == 0);
    CHECK(attention.cols == 0);
}

TEST_CASE("decoding options arrive") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    dragoman_translate_options options = default_options();
    const auto tokens = [&](const Sequences* prefixes = nullptr) {
        return tokens_of(translate(translator, {kSourceA}, &options, prefixes), 0);
    };
    options.max_decoding_length = 3;
    CHECK(tokens() == "a t z");
    options = default_options();
    options.min_decoding_length = 8;
    CHECK(tokens().size() == 15);
    options = default_options();
    options.return_end_token = 1;
    CHECK(tokens() == "a t z m o n </s>");

    options = default_options();
    const Sequences suppressed{"o", "t z m"};
    options.suppress_sequences = suppressed.data();
    options.suppress_sequence_count = suppressed.size();
    CHECK(tokens() == "a t z u m u n");

    options = default_options();
    const dragoman_string end = dragoman_str("m");
    options.end_tokens = &end;
    options.end_token_count = 1;
    CHECK(tokens() == "a t z");

    options = default_options();
    const Sequences prefix{"a t s"}, unknown{"<unk> t"};
    CHECK(tokens(&prefix) == "a t s u m o n");
    CHECK(tokens(&unknown) == "<unk> t z m o n");
    options.replace_unknowns = 1;
    CHECK(tokens(&unknown) == "ت t z m o n");
    options = default_options();
    options.prefix_bias_beta = 0.01f;
    CHECK(tokens(&prefix) == "a t z m o n");

    options = default_options();
    options.return_alternatives = 1;
    options.num_hypotheses = 10;
    const Sequences first_two{"a t"};
    const ResultHandle alternatives = translate(translator, {kSourceA}, &options, &first_two);
    REQUIRE(dragoman_result_hypothesis_count(alternatives.get(), 0) == 10);
    CHECK(tokens_of(alternatives, 0, 0) == "a t z m o n");
    CHECK(tokens_of(alternatives, 0, 1) == "a t s u m o n");
}

TEST_CASE("unknown source tokens are translated as such, not refused") {
    const ModelHandle model = load_model();
    const ResultHandle result = translate(create_translator(model), {"آ oovtoken ز م و ن"});
    CHECK(tokens_of(result, 0).starts_with("a "));
}

TEST_CASE("text is refused by a model without a tokenizer") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    const dragoman_string text = dragoman_str("آتزمون");
    dragoman_result* none = reinterpret_cast<dragoman_result*>(1);
    check_error(dragoman_translate_texts(translator.get(), &text, 1, nullptr, nullptr, &none), DRAGOMAN_UNSUPPORTED,
                {"tokenizer", "tokens"});
    CHECK(none == nullptr);
    const ResultHandle result = translate(translator, {kSourceB});
    dragoman_string out{};
    check_error(dragoman_result_text(result.get(), 0, 0, &out), DRAGOMAN_UNSUPPORTED, {"tokens"});
    check_error(dragoman_result_text(result.get(), 0, 1, &out), DRAGOMAN_INVALID_ARGUMENT, {"hypothesis"});
    CHECK(out.data == nullptr);
}

TEST_CASE("very long inputs are cut, very long tokens are unknown tokens") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    std::string many = "آ";
    for (int i = 0; i < 99999; ++i) many += " ز";
    dragoman_translate_options options = default_options();
    options.max_input_length = 4;
    options.return_attention = 1;
    const std::string megabyte(1 << 20, 'x');
    const ResultHandle result = translate(translator, {many, megabyte, "آ ز ز ز"}, &options);
    CHECK(tokens_of(result, 0) == tokens_of(result, 2));
    dragoman_matrix attention{};
    require_ok(dragoman_result_attention(result.get(), 0, 0, &attention));
    CHECK(attention.cols == 100000);
    CHECK(attention.data[4] == 0);
    const ResultHandle unknown = translate(translator, {"oovtoken"}, &options);
    CHECK(tokens_of(result, 1) == tokens_of(unknown, 0));
}

TEST_CASE("scores of given pairs") {
    const ModelHandle model = load_exact_model();
    const TranslatorHandle translator = create_translator(model);
    const Sequences sources{kSourceA, "", kSourceA}, targets{"a t z m o n", "", "a t z m o n"};
    dragoman_scores* raw = nullptr;
    require_ok(dragoman_score_tokens(translator.get(), sources.data(), targets.data(), 3, nullptr, &raw));
    const ScoresHandle scores(raw);
    REQUIRE(dragoman_scores_count(raw) == 3);
    dragoman_tokens tokens{};
    dragoman_matrix log_probs{};
    require_ok(dragoman_scores_tokens(raw, 0, &tokens));
    CHECK(join(tokens) == "a t z m o n </s>");
    require_ok(dragoman_scores_log_probs(raw, 0, &log_probs));
    CHECK(log_probs.rows == 1);
    const float expected[] = {-0.106023f, -0.065410f, -0.056002f, -0.447953f, -0.230714f, -0.092184f, -0.063463f};
    REQUIRE(log_probs.cols == 7);
    for (std::size_t i = 0; i < 7; ++i) CHECK(std::abs(log_probs.data[i] - expected[i]) < 1e-4f);
    require_ok(dragoman_scores_log_probs(raw, 1, &log_probs));
    CHECK(log_probs.cols == 1);
    check_error(dragoman_scores_log_probs(raw, 3, &log_probs), DRAGOMAN_INVALID_ARGUMENT, {"pair: 3"});
    check_error(dragoman_scores_tokens(raw, 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"tokens"});

    dragoman_score_options options;
    require_ok(dragoman_score_options_init(&options));
    options.max_input_length = 4;
    require_ok(dragoman_score_tokens(translator.get(), sources.data(), targets.data(), 1, &options, &raw));
    const ScoresHandle cut(raw);
    require_ok(dragoman_scores_tokens(raw, 0, &tokens));
    CHECK(join(tokens) == "a t z </s>");
}

TEST_CASE("progress is told and can cancel; the translator works afterwards") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    struct Seen {
        int calls = 0;
        std::size_t total = 0;
        int32_t answer = 0;
    } seen;
    dragoman_translate_options options = default_options();
    options.progress_user = &seen;
    options.progress = [](std::size_t done, std::size_t total, void* user) -> int32_t {
        auto& seen = *static_cast<Seen*>(user);
        CHECK(done <= total);
        ++seen.calls;
        seen.total = total;
        return seen.answer;
    };
    CHECK(tokens_of(translate(translator, {kSourceA, kSourceB}, &options), 1) == "a z z a");
    CHECK(seen.calls > 0);
    CHECK(seen.total == 2);

    seen.answer = 1;
    const Sequences sources{kSourceA};
    dragoman_result* none = reinterpret_cast<dragoman_result*>(1);
    check_error(dragoman_translate_tokens(translator.get(), sources.data(), 1, nullptr, &options, &none),
                DRAGOMAN_CANCELLED, {});
    CHECK(none == nullptr);
    CHECK(tokens_of(translate(translator, {kSourceA}), 0) == "a t z m o n");
}

TEST_CASE("statistics count, reset and survive a trim") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    translate(translator, {kSourceA, "", kSourceB});
    dragoman_stats stats;
    dragoman_stats_init(&stats);
    require_ok(dragoman_translator_stats(translator.get(), &stats));
    CHECK(stats.struct_size == sizeof stats);
    CHECK(stats.sentences == 3);
    CHECK(stats.source_tokens == 9);
    CHECK(stats.target_tokens > 0);
    CHECK(stats.batches >= 1);
    CHECK(stats.decoder_steps >= 7);
    CHECK(stats.dispatches_per_step > 0);
    CHECK(stats.padding_tokens == 0);
    CHECK(stats.submissions > 0);
    dragoman_device_info device;
    dragoman_device_info_init(&device);
    require_ok(dragoman_model_device(model.get(), &device));
    // A GPU may have finished before the host comes to wait for it.
    if (device.kind == DRAGOMAN_DEVICE_CPU) CHECK(stats.host_waits >= 1);
    CHECK(stats.host_waits <= stats.submissions);
    CHECK(stats.memory_bytes > 0);
    CHECK(stats.memory_peak_bytes >= stats.memory_bytes);
    require_ok(dragoman_translator_reset_stats(translator.get()));
    require_ok(dragoman_translator_stats(translator.get(), &stats));
    CHECK(stats.sentences == 0);
    require_ok(dragoman_translator_trim(translator.get()));
    CHECK(tokens_of(translate(translator, {kSourceA}), 0) == "a t z m o n");
}

TEST_CASE("a translator outlives the handle of its model, a result its translator") {
    ModelHandle model = load_model();
    TranslatorHandle translator = create_translator(model);
    model.reset();
    const ResultHandle result = translate(translator, {kSourceA});
    translator.reset();
    CHECK(tokens_of(result, 0) == "a t z m o n");
}

}  // namespace translate_test
