// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <limits>

#include "fixture.h"

namespace arguments_test {

using namespace dragoman::test;

namespace {

// A program built against another version of a struct: more or fewer bytes than ours.
template <class T>
struct Resized {
    alignas(T) unsigned char bytes[sizeof(T) + 16] = {};
    T* get() { return reinterpret_cast<T*>(bytes); }
};

template <class T>
void check_init(dragoman_status (*init)(T*, size_t)) {
    Resized<T> options;
    check_error(init(nullptr, sizeof(T)), DRAGOMAN_INVALID_ARGUMENT, {"options", "NULL"});
    for (std::size_t size : {std::size_t{0}, std::size_t{1}, sizeof(T) + 1, std::size_t{1} << 20, SIZE_MAX}) {
        CAPTURE(size);
        check_error(init(options.get(), size), DRAGOMAN_INVALID_ARGUMENT, {"options.struct_size"});
    }
    // A larger struct of a newer header is zero where this library knows nothing; a smaller one is not overrun.
    std::memset(options.bytes, 0xee, sizeof options.bytes);
    require_ok(init(options.get(), sizeof(T) + 8));
    CHECK(options.get()->struct_size == sizeof(T) + 8);
    for (std::size_t i = 0; i < 8; ++i) CHECK(options.bytes[sizeof(T) + i] == 0);
    CHECK(options.bytes[sizeof(T) + 8] == 0xee);

    std::memset(options.bytes, 0xee, sizeof options.bytes);
    require_ok(init(options.get(), 8));
    CHECK(options.get()->struct_size == 8);
    CHECK(options.bytes[8] == 0xee);
}

struct Translation {
    ModelHandle model = load_model();
    TranslatorHandle translator = create_translator(model);
    Sequences sources{kSourceA};

    dragoman_status operator()(const dragoman_translate_options* options, dragoman_tokens* first = nullptr) {
        dragoman_result* raw = reinterpret_cast<dragoman_result*>(1);
        const dragoman_status status = dragoman_translate_tokens(translator.get(), sources.data(), 1, nullptr, options,
                                                                 &raw);
        if (status != DRAGOMAN_OK) CHECK(raw == nullptr);
        result.reset(raw);
        if (status == DRAGOMAN_OK && first) require_ok(dragoman_result_tokens(raw, 0, 0, first));
        return status;
    }
    ResultHandle result;
};

}  // namespace

TEST_CASE("init functions accept every version of a struct and no nonsense") {
    check_init(dragoman_device_options_init_sized);
    check_init(dragoman_model_options_init_sized);
    check_init(dragoman_translate_options_init_sized);
    check_init(dragoman_score_options_init_sized);
    check_init(dragoman_embed_options_init_sized);
}

TEST_CASE("defaults") {
    const dragoman_translate_options options = default_options();
    CHECK(options.struct_size == sizeof options);
    CHECK(options.beam_size == DRAGOMAN_MODEL_DEFAULT);
    CHECK(options.patience == 1.0f);
    CHECK(std::isnan(options.length_penalty));
    CHECK(options.coverage_penalty == 0.0f);
    CHECK(std::isnan(options.repetition_penalty));
    CHECK(options.no_repeat_ngram_size == DRAGOMAN_MODEL_DEFAULT);
    CHECK(options.search == DRAGOMAN_SEARCH_AUTO);
    CHECK(std::isnan(options.word_penalty));
    CHECK(std::isnan(options.max_length_factor));
    CHECK(options.early_stopping == DRAGOMAN_EARLY_STOPPING_AUTO);
    CHECK(options.sampling == DRAGOMAN_SAMPLING_AUTO);
    CHECK(std::isnan(options.temperature));
    CHECK(options.top_k == DRAGOMAN_MODEL_DEFAULT);
    CHECK(options.seed == 0);
    CHECK(options.max_input_length == 1024);
    CHECK(options.max_decoding_length == DRAGOMAN_MODEL_DEFAULT);
    CHECK(options.min_decoding_length == DRAGOMAN_MODEL_DEFAULT);
    CHECK(options.num_hypotheses == 1);
    CHECK(options.return_scores == 0);
    CHECK(!options.progress);
    dragoman_model_options model_options;
    require_ok(dragoman_model_options_init(&model_options));
    CHECK(model_options.compute_type == DRAGOMAN_COMPUTE_AUTO);
    CHECK(model_options.device == nullptr);
    CHECK(model_options.more_model_count == 0);
    CHECK(model_options.weight_count == 0);
    CHECK(model_options.average_probabilities == 0);
    dragoman_score_options score_options;
    require_ok(dragoman_score_options_init(&score_options));
    CHECK(score_options.max_input_length == 1024);
    dragoman_embed_options embed_options;
    require_ok(dragoman_embed_options_init(&embed_options));
    CHECK(embed_options.pooling == DRAGOMAN_POOLING_MODEL);
    CHECK(embed_options.normalize == DRAGOMAN_NORMALIZE_MODEL);
    CHECK(embed_options.truncate == 0);
}

TEST_CASE("model: arguments") {
    dragoman_model* model = reinterpret_cast<dragoman_model*>(1);
    check_error(dragoman_model_load("/no/such/model", nullptr, &model), DRAGOMAN_IO_ERROR, {"/no/such/model"});
    CHECK(model == nullptr);
    check_error(dragoman_model_load("", nullptr, &model), DRAGOMAN_INVALID_ARGUMENT, {"path", "empty"});
#ifdef _WIN32
    check_error(dragoman_model_load("a\xff", nullptr, &model), DRAGOMAN_INVALID_ARGUMENT, {"path", "UTF-8", "1"});
#else  // paths are bytes, messages are text
    check_error(dragoman_model_load("/a\xff"
                                    "b\xc3",
                                    nullptr, &model),
                DRAGOMAN_IO_ERROR, {"/a?b?"});
#endif
    check_error(dragoman_model_load(kModel, nullptr, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"model", "NULL"});

    dragoman_model_options options;
    require_ok(dragoman_model_options_init(&options));
    for (int32_t type : {-1, 5, INT32_MAX}) {
        options.compute_type = type;
        check_error(dragoman_model_load(kModel, &options, &model), DRAGOMAN_INVALID_ARGUMENT, {"compute_type"});
    }
    options.compute_type = DRAGOMAN_COMPUTE_INT8;  // the model is stored in float32
    require_ok(dragoman_model_load(kModel, &options, &model));
    dragoman_model_info loaded;
    dragoman_model_info_init(&loaded);
    require_ok(dragoman_model_get_info(model, &loaded));
    CHECK(std::string(loaded.compute_type) == "int8");
    dragoman_model_destroy(model);
    require_ok(dragoman_model_options_init(&options));
    options.struct_size = 0;
    check_error(dragoman_model_load(kModel, &options, &model), DRAGOMAN_INVALID_ARGUMENT, {"struct_size"});
    options.struct_size = UINT32_MAX;
    check_error(dragoman_model_load(kModel, &options, &model), DRAGOMAN_INVALID_ARGUMENT, {"struct_size"});

    const dragoman_string paths[] = {dragoman_str(kModel), dragoman_str("")};
    const float weights[] = {0.5f, -1.0f, 0.5f};
    const auto refuse = [&](auto set, std::initializer_list<const char*> words,
                            dragoman_status status = DRAGOMAN_INVALID_ARGUMENT) {
        require_ok(dragoman_model_options_init(&options));
        set();
        check_error(dragoman_model_load(kModel, &options, &model), status, words);
    };
    refuse([&] { options.more_model_count = 1; }, {"more_models", "NULL", "1"});
    refuse([&] { options.more_models = paths, options.more_model_count = 2; }, {"more_models[1]", "empty"});
    refuse([&] { options.weight_count = 1; }, {"options.weights", "NULL"});
    refuse([&] { options.weights = weights, options.weight_count = SIZE_MAX; }, {"weight_count"});
    refuse([&] { options.weights = weights, options.weight_count = 3; }, {"weights: expected 1", "got 3"});
    refuse(
        [&] {
            options.more_models = paths, options.more_model_count = 1, options.weights = weights,
            options.weight_count = 2;
        },
        {"weights", "above 0, got -1"});
    refuse([&] { options.average_probabilities = 2; }, {"average_probabilities", "2"});
    refuse([&] { options.average_probabilities = 1; }, {"average_probabilities", "several", "1"});
    refuse([&] { options.reserved = 1; }, {"reserved", "1"});

    dragoman_model_info info{};
    check_error(dragoman_model_describe(kModel, &info), DRAGOMAN_INVALID_ARGUMENT, {"info.struct_size"});
    check_error(dragoman_model_describe(kModel, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"info", "NULL"});
    dragoman_model_info_init(&info);
    check_error(dragoman_model_describe("", &info), DRAGOMAN_INVALID_ARGUMENT, {"path"});
    check_error(dragoman_model_get_info(nullptr, &info), DRAGOMAN_INVALID_ARGUMENT, {"model"});
    dragoman_device_info device;
    dragoman_device_info_init(&device);
    check_error(dragoman_model_device(nullptr, &device), DRAGOMAN_INVALID_ARGUMENT, {"model"});
    check_error(dragoman_device_describe(0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"info"});
    device.struct_size = 3;
    check_error(dragoman_device_describe(0, &device), DRAGOMAN_INVALID_ARGUMENT, {"info.struct_size", "3"});
    check_error(dragoman_device_count(nullptr), DRAGOMAN_INVALID_ARGUMENT, {"count"});
}

TEST_CASE("destroying NULL does nothing, reading NULL gives nothing") {
    dragoman_model_destroy(nullptr);
    dragoman_translator_destroy(nullptr);
    dragoman_result_destroy(nullptr);
    dragoman_scores_destroy(nullptr);
    CHECK(dragoman_result_count(nullptr) == 0);
    CHECK(dragoman_result_hypothesis_count(nullptr, 0) == 0);
    CHECK(dragoman_scores_count(nullptr) == 0);
    CHECK(dragoman_utf8_prefix(nullptr, 5) == 0);
    dragoman_string text{};
    check_error(dragoman_result_text(nullptr, 0, 0, &text), DRAGOMAN_INVALID_ARGUMENT, {"result"});
    dragoman_tokens tokens{};
    check_error(dragoman_scores_tokens(nullptr, 0, &tokens), DRAGOMAN_INVALID_ARGUMENT, {"scores"});
    check_error(dragoman_translator_create(nullptr, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"translator"});
    dragoman_translator* translator = nullptr;
    check_error(dragoman_translator_create(nullptr, &translator), DRAGOMAN_INVALID_ARGUMENT, {"model"});
    check_error(dragoman_translator_stats(nullptr, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"stats"});
    dragoman_stats stats;
    dragoman_stats_init(&stats);
    check_error(dragoman_translator_stats(nullptr, &stats), DRAGOMAN_INVALID_ARGUMENT, {"translator"});
    check_error(dragoman_translator_reset_stats(nullptr), DRAGOMAN_INVALID_ARGUMENT, {"translator"});
    check_error(dragoman_translator_trim(nullptr), DRAGOMAN_INVALID_ARGUMENT, {"translator"});
}

TEST_CASE("log and UTF-8 helpers") {
    const auto sink = [](int32_t, const char*, void*) {};
    for (int32_t level : {-1, 4, INT32_MAX}) {
        check_error(dragoman_set_log(sink, nullptr, level), DRAGOMAN_INVALID_ARGUMENT, {"max_level"});
    }
    require_ok(dragoman_set_log(nullptr, nullptr, 99));  // the other arguments are ignored
    CHECK(dragoman_utf8_prefix("abc", 3) == 3);
    CHECK(dragoman_utf8_prefix("ab\xc3", 3) == 2);
    CHECK(dragoman_utf8_prefix("\xed\xa0\x80", 3) == 0);
    CHECK(dragoman_str(nullptr).size == 0);
    CHECK(dragoman_str("آ").size == 2);
}

TEST_CASE("translation: pointers, counts and limits") {
    const ModelHandle model = load_model();
    const TranslatorHandle handle = create_translator(model);
    dragoman_translator* t = handle.get();
    const Sequences sources{kSourceA};
    dragoman_result* r = reinterpret_cast<dragoman_result*>(1);
    const auto bad = DRAGOMAN_INVALID_ARGUMENT;
    check_error(dragoman_translate_tokens(nullptr, sources.data(), 1, nullptr, nullptr, &r), bad, {"translator"});
    CHECK(r == nullptr);
    check_error(dragoman_translate_tokens(t, nullptr, 1, nullptr, nullptr, &r), bad, {"sources", "NULL"});
    check_error(dragoman_translate_tokens(t, sources.data(), SIZE_MAX, nullptr, nullptr, &r), bad, {"count"});
    check_error(dragoman_translate_tokens(t, sources.data(), 1, nullptr, nullptr, nullptr), bad, {"result"});

    const dragoman_string text = dragoman_str("text");
    check_error(dragoman_translate_texts(t, nullptr, 1, nullptr, nullptr, &r), bad, {"texts", "NULL"});
    check_error(dragoman_translate_texts(t, &text, SIZE_MAX, nullptr, nullptr, &r), bad, {"count"});
    check_error(dragoman_translate_texts(t, &text, 0, nullptr, nullptr, &r), DRAGOMAN_UNSUPPORTED, {"tokenizer"});
    check_error(dragoman_translate_texts(t, &text, 1, nullptr, nullptr, nullptr), bad, {"result"});

    dragoman_string token = {nullptr, 3};
    const dragoman_tokens sequence[] = {sources.data()[0], {&token, 1}};
    check_error(dragoman_translate_tokens(t, sequence, 2, nullptr, nullptr, &r), bad, {"sources[1][0]", "NULL"});
    token = {"x", DRAGOMAN_MAX_TEXT_BYTES + 1};
    check_error(dragoman_translate_tokens(t, sequence, 2, nullptr, nullptr, &r), bad, {"sources[1][0]", "bytes"});
    token = {"ab\xff", 3};
    check_error(dragoman_translate_tokens(t, sequence, 2, nullptr, nullptr, &r), bad, {"sources[1][0]", "byte 2"});
    check_error(dragoman_translate_tokens(t, sequence, 1, sequence + 1, nullptr, &r), bad, {"prefixes[0][0]"});
    const dragoman_tokens no_data = {nullptr, 2};
    check_error(dragoman_translate_tokens(t, &no_data, 1, nullptr, nullptr, &r), bad, {"sources[0]", "NULL"});
    const dragoman_tokens too_many = {&token, DRAGOMAN_MAX_TOKENS + 1};
    check_error(dragoman_translate_tokens(t, &too_many, 1, nullptr, nullptr, &r), bad, {"sources[0]", "tokens"});

    dragoman_scores* scores = reinterpret_cast<dragoman_scores*>(1);
    check_error(dragoman_score_tokens(t, sources.data(), nullptr, 1, nullptr, &scores), bad, {"targets"});
    CHECK(scores == nullptr);
    check_error(dragoman_score_tokens(t, nullptr, sources.data(), 1, nullptr, &scores), bad, {"sources"});
    check_error(dragoman_score_tokens(t, sources.data(), sources.data(), SIZE_MAX, nullptr, &scores), bad, {"count"});
    check_error(dragoman_score_tokens(t, sources.data(), sources.data(), 1, nullptr, nullptr), bad, {"scores"});
    const dragoman_string texts[] = {dragoman_str("a"), dragoman_string{"\xff", 1}};
    dragoman_scores* text_scores = nullptr;
    check_error(dragoman_score_texts(t, texts, nullptr, 1, nullptr, &text_scores), bad, {"targets"});
    check_error(dragoman_score_texts(t, nullptr, texts, 1, nullptr, &text_scores), bad, {"sources"});
    check_error(dragoman_score_texts(t, texts, texts, 1, nullptr, nullptr), bad, {"scores"});
    check_error(dragoman_score_texts(t, texts, texts, 1, nullptr, &text_scores), DRAGOMAN_UNSUPPORTED, {"tokenizer"});
    check_error(dragoman_score_tokens(nullptr, sources.data(), sources.data(), 1, nullptr, &scores), bad,
                {"translator"});
}

TEST_CASE("translation: option values") {
    Translation translate;
    const auto refuse = [&](auto change, const char* name) {
        dragoman_translate_options options = default_options();
        change(options);
        check_error(translate(&options), DRAGOMAN_INVALID_ARGUMENT, {name});
    };
    using O = dragoman_translate_options;
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    refuse([](O& o) { o.beam_size = 0; }, "beam_size");
    refuse([](O& o) { o.patience = 0; }, "patience");
    refuse([&](O& o) { o.patience = nan; }, "patience");
    refuse([&](O& o) { o.length_penalty = infinity; }, "length_penalty");
    refuse([&](O& o) { o.word_penalty = -infinity; }, "word_penalty");
    refuse([](O& o) { o.max_length_factor = -1; }, "max_length_factor");
    refuse([](O& o) { o.search = 4; }, "search");
    refuse([](O& o) { o.search = -1; }, "search");
    refuse([](O& o) { o.early_stopping = 4; }, "early_stopping");
    refuse([](O& o) { o.early_stopping = DRAGOMAN_EARLY_STOPPING_ON; }, "early_stopping");
    refuse([](O& o) { o.sampling = 3; }, "sampling");
    refuse([](O& o) { o.temperature = 1; }, "temperature");
    refuse([](O& o) { o.seed = 1; }, "seed");
    refuse([&](O& o) { o.top_p = infinity; }, "top_p");
    refuse([&](O& o) { o.coverage_penalty = infinity; }, "coverage_penalty");
    refuse([](O& o) { o.repetition_penalty = 0; }, "repetition_penalty");
    refuse([&](O& o) { o.repetition_penalty = -infinity; }, "repetition_penalty");
    refuse([](O& o) { o.prefix_bias_beta = 1; }, "prefix_bias_beta");
    refuse([&](O& o) { o.prefix_bias_beta = nan; }, "prefix_bias_beta");
    refuse([](O& o) { o.num_hypotheses = 0; }, "num_hypotheses");
    refuse([](O& o) { o.num_hypotheses = 3; }, "num_hypotheses");
    refuse([](O& o) { o.max_decoding_length = 0; }, "max_decoding_length");
    refuse([](O& o) { o.min_decoding_length = 257; }, "min_decoding_length");
    refuse([&](O& o) { o.min_alternative_expansion_prob = nan; }, "min_alternative_expansion_prob");
    refuse([](O& o) { o.disable_unk = 2; }, "disable_unk");
    refuse([](O& o) { o.return_end_token = -1; }, "return_end_token");
    refuse([](O& o) { o.return_scores = 100; }, "return_scores");
    refuse([](O& o) { o.return_attention = INT32_MIN; }, "return_attention");
    refuse([](O& o) { o.attention_layer = 7; }, "attention_layer: 7, the decoder has 6 layers");
    refuse([](O& o) { o.attention_head = 100; }, "attention_head: 100, the decoder has");
    refuse([](O& o) { o.return_alternatives = 2; }, "return_alternatives");
    refuse([](O& o) { o.replace_unknowns = 2; }, "replace_unknowns");
    refuse([](O& o) { o.reserved = 1; }, "reserved");
    refuse([](O& o) { o.suppress_sequence_count = 1; }, "suppress_sequences");
    refuse([](O& o) { o.suppress_sequence_count = SIZE_MAX; }, "suppress_sequence_count");
    refuse([](O& o) { o.end_token_count = 1; }, "end_tokens");
    const Sequences unknown{"oovtoken"}, empty{""};
    refuse([&](O& o) { o.suppress_sequences = unknown.data(), o.suppress_sequence_count = 1; }, "oovtoken");
    refuse([&](O& o) { o.suppress_sequences = empty.data(), o.suppress_sequence_count = 1; }, "suppress_sequences[0]");
    refuse([&](O& o) { o.end_tokens = unknown.data()->data, o.end_token_count = 1; }, "oovtoken");
    const dragoman_string invalid = {"\x80", 1};
    refuse([&](O& o) { o.end_tokens = &invalid, o.end_token_count = 1; }, "end_tokens[0]");
}

TEST_CASE("translation: options of other versions") {
    Translation translate;
    dragoman_tokens tokens{};
    // Older: a program that knows struct_size and beam_size only gets the defaults for the rest.
    Resized<dragoman_translate_options> old;
    old.get()->struct_size = 8;
    old.get()->beam_size = 1;
    old.get()->patience = -1;  // beyond its size: not read
    require_ok(translate(old.get(), &tokens));
    CHECK(join(tokens) == "a t z m o n");

    Resized<dragoman_translate_options> newer;
    require_ok(dragoman_translate_options_init_sized(newer.get(), sizeof(dragoman_translate_options) + 16));
    require_ok(translate(newer.get(), &tokens));
    CHECK(join(tokens) == "a t z m o n");
    newer.bytes[sizeof(dragoman_translate_options) + 3] = 1;
    check_error(translate(newer.get()), DRAGOMAN_INVALID_ARGUMENT, {"options", "does not know"});
    for (uint32_t size : {0u, 4u, 9u, 4104u, UINT32_MAX}) {
        CAPTURE(size);
        newer.get()->struct_size = size;
        check_error(translate(newer.get()), DRAGOMAN_INVALID_ARGUMENT, {"options.struct_size"});
    }
}

TEST_CASE("information of other versions") {
    Resized<dragoman_model_info> older;
    std::memset(older.bytes, 0xee, sizeof older.bytes);
    older.get()->struct_size = 16;
    require_ok(dragoman_model_describe(kModel, older.get()));
    CHECK(older.get()->struct_size == 16);
    CHECK(older.get()->d_model == 32);
    CHECK(older.bytes[16] == 0xee);

    Resized<dragoman_model_info> newer;
    std::memset(newer.bytes, 0xee, sizeof newer.bytes);
    newer.get()->struct_size = sizeof(dragoman_model_info) + 8;
    require_ok(dragoman_model_describe(kModel, newer.get()));
    CHECK(newer.get()->struct_size == sizeof(dragoman_model_info) + 8);
    CHECK(newer.bytes[sizeof(dragoman_model_info) + 7] == 0);
    CHECK(newer.bytes[sizeof(dragoman_model_info) + 8] == 0xee);
}

TEST_CASE("nothing translated is an empty result, but options are checked") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    dragoman_result* result = nullptr;
    require_ok(dragoman_translate_tokens(translator.get(), nullptr, 0, nullptr, nullptr, &result));
    REQUIRE(result != nullptr);
    CHECK(dragoman_result_count(result) == 0);
    dragoman_result_destroy(result);
    dragoman_scores* scores = nullptr;
    require_ok(dragoman_score_tokens(translator.get(), nullptr, nullptr, 0, nullptr, &scores));
    CHECK(dragoman_scores_count(scores) == 0);
    dragoman_scores_destroy(scores);
    dragoman_translate_options options = default_options();
    options.beam_size = 1000;
    check_error(dragoman_translate_tokens(translator.get(), nullptr, 0, nullptr, &options, &result),
                DRAGOMAN_INVALID_ARGUMENT, {"beam_size", "1000"});
}

}  // namespace arguments_test
