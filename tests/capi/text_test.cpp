// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>

#include "text_model.h"

namespace text_test {

using namespace dragoman::test;

TEST_CASE("text in, text out") {
    const TextModel files;
    const ModelHandle model = files.load();
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    require_ok(dragoman_model_get_info(model.get(), &info));
    CHECK(info.has_tokenizer == 1);

    const TranslatorHandle translator = create_translator(model);
    const dragoman_string texts[] = {dragoman_str("آتزمون"), {nullptr, 0}, dragoman_str("آزا")};
    const Sequences prefixes{"a t s", "", ""};
    dragoman_result* raw = nullptr;
    require_ok(dragoman_translate_texts(translator.get(), texts, 3, nullptr, nullptr, &raw));
    const ResultHandle result(raw);
    CHECK(text_of(raw, 0) == "atzmon");
    CHECK(text_of(raw, 1).empty());
    CHECK(text_of(raw, 2) == "azza");
    CHECK(tokens_of(result, 0) == "a t z m o n");
    dragoman_tokens source{};
    require_ok(dragoman_result_source_tokens(raw, 0, &source));
    CHECK(join(source) == kSourceA);

    require_ok(dragoman_translate_texts(translator.get(), texts, 3, prefixes.data(), nullptr, &raw));
    const ResultHandle prefixed(raw);
    CHECK(text_of(raw, 0) == "atsumon");
    CHECK(text_of(raw, 2) == "azza");

    // Tokens still go in; what comes out is readable as text too.
    const ResultHandle from_tokens = translate(translator, {kSourceB});
    CHECK(text_of(from_tokens.get(), 0) == "azza");
}

TEST_CASE("text that is wrong is named by its place") {
    const TextModel files;
    const ModelHandle model = files.load();
    const TranslatorHandle translator = create_translator(model);
    dragoman_result* raw = nullptr;
    const auto translate_two = [&](dragoman_string second) {
        const dragoman_string texts[] = {dragoman_str("آزا"), second};
        return dragoman_translate_texts(translator.get(), texts, 2, nullptr, nullptr, &raw);
    };
    check_error(translate_two({"ab\xc3", 3}), DRAGOMAN_INVALID_ARGUMENT, {"texts[1]", "UTF-8", "byte 2"});
    check_error(translate_two({"\xed\xa0\x80", 3}), DRAGOMAN_INVALID_ARGUMENT, {"texts[1]", "byte 0"});
    check_error(translate_two({nullptr, 3}), DRAGOMAN_INVALID_ARGUMENT, {"texts[1]", "NULL"});
    check_error(translate_two({"x", SIZE_MAX}), DRAGOMAN_INVALID_ARGUMENT, {"texts[1]", "bytes"});
    CHECK(raw == nullptr);
}

TEST_CASE("a line of a megabyte, as one sequence, is cut") {
    const TextModel files;
    const ModelHandle model = files.load();
    const TranslatorHandle translator = create_translator(model);
    std::string megabyte;
    while (megabyte.size() < (1u << 20)) megabyte += "آز";
    const dragoman_string texts[] = {{megabyte.data(), megabyte.size()}, {megabyte.data(), 16}};
    dragoman_translate_options options = default_options();
    options.max_input_length = 8;
    options.split_sentences = 0;
    options.raw = 1;
    dragoman_result* raw = nullptr;
    require_ok(dragoman_translate_texts(translator.get(), texts, 2, nullptr, &options, &raw));
    const ResultHandle result(raw);
    CHECK(!text_of(raw, 0).empty());
    CHECK(text_of(raw, 0) == text_of(raw, 1));
}

TEST_CASE("words of texts, and their alignment") {
    const TextModel files;
    const ModelHandle model = files.load();
    const TranslatorHandle translator = create_translator(model);
    const dragoman_string text = dragoman_str("آتزمون\nxyz abc\nآزا");
    dragoman_translate_options options = default_options();
    options.return_alignment = options.discard_tokens = 1;
    dragoman_result* raw = nullptr;
    require_ok(dragoman_translate_texts(translator.get(), &text, 1, nullptr, &options, &raw));
    const ResultHandle result(raw);
    const std::string target = text_of(raw, 0);
    CHECK(target == "atzmon\nxyz abc\nazza");
    const char* sources[] = {"آتزمون", "xyz", "abc", "آزا"};
    const char* targets[] = {"atzmon", "xyz", "abc", "azza"};
    const std::size_t words[] = {1, 2, 1};
    std::size_t at = 0;
    for (std::size_t s = 0; s < 3; ++s) {
        dragoman_ranges from{}, to{};
        dragoman_matrix weights{};
        require_ok(dragoman_result_source_words(raw, 0, 0, s, &from));
        require_ok(dragoman_result_target_words(raw, 0, 0, s, &to));
        require_ok(dragoman_result_sentence_alignment(raw, 0, 0, s, &weights));
        REQUIRE(from.count == words[s]);
        REQUIRE(to.count == words[s]);
        REQUIRE(weights.rows == words[s]);
        REQUIRE(weights.cols == words[s]);
        for (std::size_t w = 0; w < words[s]; ++w, ++at) {
            CHECK(std::string(text.data + from.data[w].begin, text.data + from.data[w].end) == sources[at]);
            CHECK(target.substr(to.data[w].begin, to.data[w].end - to.data[w].begin) == targets[at]);
            CHECK(weights.data[w * words[s] + w] == 1);
        }
    }
    dragoman_string links{};
    require_ok(dragoman_result_pharaoh(raw, 0, 0, &links));
    CHECK(std::string(links.data) == "0-0 1-1 2-2 3-3");
    dragoman_ranges none{};
    check_error(dragoman_result_target_words(raw, 0, 0, 3, &none), DRAGOMAN_INVALID_ARGUMENT, {"sentence: 3"});
    check_error(dragoman_result_pharaoh(raw, 1, 0, &links), DRAGOMAN_INVALID_ARGUMENT, {"input: 1"});

    options.return_alignment = 0;
    require_ok(dragoman_translate_texts(translator.get(), &text, 1, nullptr, &options, &raw));
    const ResultHandle without(raw);
    require_ok(dragoman_result_source_words(raw, 0, 0, 0, &none));
    CHECK(none.count == 0);
    require_ok(dragoman_result_pharaoh(raw, 0, 0, &links));
    CHECK(links.size == 0);
    options.keep_spans = 2;
    check_error(dragoman_translate_texts(translator.get(), &text, 1, nullptr, &options, &raw),
                DRAGOMAN_INVALID_ARGUMENT, {"options.keep_spans", "2"});
}

TEST_CASE("how sure a translation is") {
    const TextModel files;
    const ModelHandle model = files.load();
    const TranslatorHandle translator = create_translator(model);
    const dragoman_string text = dragoman_str("آتزمون\nxyz abc\nآزا");
    dragoman_translate_options options = default_options();
    options.return_quality = options.discard_tokens = 1;
    dragoman_result* raw = nullptr;
    require_ok(dragoman_translate_texts(translator.get(), &text, 1, nullptr, &options, &raw));
    const ResultHandle result(raw);
    const std::string target = text_of(raw, 0);
    CHECK(target == "atzmon\nxyz abc\nazza");
    const std::vector<std::vector<std::string>> words{{"atzmon"}, {"xyz", "abc"}, {"azza"}};
    float whole = 0, sum = 0, number = 0;
    for (std::size_t s = 0; s < words.size(); ++s) {
        dragoman_ranges at{};
        dragoman_matrix scores{};
        dragoman_sentence sentence;
        dragoman_sentence_init(&sentence);
        require_ok(dragoman_result_sentence(raw, 0, 0, s, &sentence));
        require_ok(dragoman_result_target_words(raw, 0, 0, s, &at));
        require_ok(dragoman_result_word_quality(raw, 0, 0, s, &scores));
        REQUIRE(at.count == words[s].size());
        REQUIRE(scores.rows == 1);
        REQUIRE(scores.cols == at.count);
        for (std::size_t w = 0; w < at.count; ++w) {
            CHECK(target.substr(at.data[w].begin, at.data[w].end - at.data[w].begin) == words[s][w]);
            CHECK((scores.data[w] > 0 && scores.data[w] <= 1));
            if (s == 1) CHECK(scores.data[w] == 1);  // copied
        }
        sum += sentence.quality * float(at.count);
        number += float(at.count);
    }
    require_ok(dragoman_result_quality(raw, 0, 0, &whole));
    CHECK(whole == doctest::Approx(sum / number));
    dragoman_matrix none{};
    check_error(dragoman_result_word_quality(raw, 0, 0, 3, &none), DRAGOMAN_INVALID_ARGUMENT, {"sentence: 3"});
    check_error(dragoman_result_quality(raw, 1, 0, &whole), DRAGOMAN_INVALID_ARGUMENT, {"input: 1"});
    check_error(dragoman_result_quality(raw, 0, 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"quality"});

    options.return_quality = 0;
    require_ok(dragoman_translate_texts(translator.get(), &text, 1, nullptr, &options, &raw));
    const ResultHandle without(raw);
    require_ok(dragoman_result_quality(raw, 0, 0, &whole));
    CHECK(whole == 0);
    require_ok(dragoman_result_word_quality(raw, 0, 0, 0, &none));
    CHECK(none.cols == 0);
    options.quality_marks = 0.5f;
    check_error(dragoman_translate_texts(translator.get(), &text, 1, nullptr, &options, &raw),
                DRAGOMAN_INVALID_ARGUMENT, {"quality_marks", "0.5"});
}

TEST_CASE("what a translation reaches of its source") {
    const TextModel files;
    const ModelHandle model = files.load();
    const TranslatorHandle translator = create_translator(model);
    const std::string source = "آتزمون\nxyz abc\n(!)";
    const dragoman_string text = dragoman_str(source.c_str());
    dragoman_translate_options options = default_options();
    options.return_coverage = options.discard_tokens = 1;
    dragoman_result* raw = nullptr;
    require_ok(dragoman_translate_texts(translator.get(), &text, 1, nullptr, &options, &raw));
    const ResultHandle result(raw);
    REQUIRE(dragoman_result_sentence_count(raw, 0) == 3);
    for (std::size_t s = 0; s < 3; ++s) {  // one word, a copy, and no word
        dragoman_sentence sentence;
        dragoman_sentence_init(&sentence);
        require_ok(dragoman_result_sentence(raw, 0, 0, s, &sentence));
        CHECK(sentence.coverage == 1);
        CHECK(sentence.uncovered_words == 0);
        CHECK(sentence.uncovered_begin == 0);
        CHECK(sentence.uncovered_end == 0);
    }
    dragoman_matrix weights{};
    require_ok(dragoman_result_sentence_alignment(raw, 0, 0, 1, &weights));
    CHECK(weights.cols == 2);  // the alignment comes with it

    dragoman_sentence older;  // of a caller that was compiled before there was a coverage
    std::memset(&older, 0x7f, sizeof older);
    older.struct_size = offsetof(dragoman_sentence, coverage);
    require_ok(dragoman_result_sentence(raw, 0, 0, 0, &older));
    CHECK(older.source_end == source.find('\n'));
    CHECK(older.uncovered_words == 0x7f7f7f7f);

    options.return_coverage = 0;
    require_ok(dragoman_translate_texts(translator.get(), &text, 1, nullptr, &options, &raw));
    const ResultHandle without(raw);
    dragoman_sentence sentence;
    dragoman_sentence_init(&sentence);
    require_ok(dragoman_result_sentence(raw, 0, 0, 1, &sentence));
    CHECK(sentence.coverage == 0);
}

TEST_CASE("documents: sentences, their places, lines as they were") {
    const TextModel files;
    const ModelHandle model = files.load();
    const TranslatorHandle translator = create_translator(model);
    const dragoman_string texts[] = {dragoman_str("\n آتزمون\n\n- آزا\nxyz\n"), {nullptr, 0}};
    dragoman_translate_options options = default_options();
    options.return_attention = options.return_scores = 1;
    options.source_language = "ar";
    dragoman_result* raw = nullptr;
    require_ok(dragoman_translate_texts(translator.get(), texts, 2, nullptr, &options, &raw));
    const ResultHandle result(raw);
    const std::string target = text_of(raw, 0);
    CHECK(target == "\n atzmon\n\n- azza\nxyz\n");
    REQUIRE(dragoman_result_sentence_count(raw, 0) == 3);
    CHECK(dragoman_result_sentence_count(raw, 1) == 0);
    CHECK(dragoman_result_sentence_count(raw, 2) == 0);
    CHECK(dragoman_result_sentence_count(nullptr, 0) == 0);
    const char* sources[] = {"آتزمون", "آزا", "xyz"};
    const char* targets[] = {"atzmon", "azza", "xyz"};
    const std::size_t source_tokens[] = {6, 3, 1}, target_tokens[] = {6, 4, 1};
    std::size_t source_at = 0, target_at = 0;
    for (std::size_t s = 0; s < 3; ++s) {
        CAPTURE(s);
        dragoman_sentence sentence;
        dragoman_sentence_init(&sentence);
        require_ok(dragoman_result_sentence(raw, 0, 0, s, &sentence));
        CHECK(std::string(texts[0].data + sentence.source_begin, texts[0].data + sentence.source_end) == sources[s]);
        CHECK(target.substr(sentence.target_begin, sentence.target_end - sentence.target_begin) == targets[s]);
        CHECK(sentence.source_token_begin == source_at);
        CHECK(sentence.target_token_begin == target_at);
        source_at = sentence.source_token_end;
        target_at = sentence.target_token_end;
        CHECK(source_at - sentence.source_token_begin >= source_tokens[s]);
        CHECK(target_at - sentence.target_token_begin >= target_tokens[s]);
        CHECK((sentence.score < 0) == (s < 2));
        dragoman_matrix attention{};
        require_ok(dragoman_result_sentence_attention(raw, 0, 0, s, &attention));
        CHECK(attention.rows == (s < 2 ? target_tokens[s] : 0));
        CHECK(attention.cols == (s < 2 ? source_tokens[s] : 0));
    }
    dragoman_tokens tokens{};
    require_ok(dragoman_result_source_tokens(raw, 0, &tokens));
    CHECK(tokens.count == source_at);
    require_ok(dragoman_result_tokens(raw, 0, 0, &tokens));
    CHECK(tokens.count == target_at);

    dragoman_matrix attention{};
    check_error(dragoman_result_attention(raw, 0, 0, &attention), DRAGOMAN_UNSUPPORTED, {"3 sentences"});
    dragoman_sentence sentence;
    dragoman_sentence_init(&sentence);
    check_error(dragoman_result_sentence(raw, 0, 0, 3, &sentence), DRAGOMAN_INVALID_ARGUMENT, {"sentence: 3"});
    check_error(dragoman_result_sentence(raw, 0, 1, 0, &sentence), DRAGOMAN_INVALID_ARGUMENT, {"hypothesis"});
    check_error(dragoman_result_sentence(raw, 0, 0, 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"info"});
    sentence.struct_size = 3;
    check_error(dragoman_result_sentence(raw, 0, 0, 0, &sentence), DRAGOMAN_INVALID_ARGUMENT, {"struct_size"});

    options.discard_tokens = 1;
    require_ok(dragoman_translate_texts(translator.get(), texts, 1, nullptr, &options, &raw));
    const ResultHandle lean(raw);
    CHECK(text_of(raw, 0) == target);
    require_ok(dragoman_result_tokens(raw, 0, 0, &tokens));
    CHECK(tokens.count == 0);

    options.target_language = "de";
    check_error(dragoman_translate_texts(translator.get(), texts, 1, nullptr, &options, &raw),
                DRAGOMAN_INVALID_ARGUMENT, {"target_language", "de"});
    options.target_language = nullptr;
    options.join_lines = 2;
    check_error(dragoman_translate_texts(translator.get(), texts, 1, nullptr, &options, &raw),
                DRAGOMAN_INVALID_ARGUMENT, {"join_lines"});
}

TEST_CASE("the command line tool on text") {
    const TextModel files;
    const auto translate = [&](std::vector<std::string> arguments, const std::string& input) {
        arguments.insert(arguments.begin(), {"translate", "--model", files.path});
        const Run result = run(DRAGOMAN_CLI, arguments, input);
        CAPTURE(result.err);
        CHECK(result.exit_code == 0);
        return result.out;
    };
    const std::string document = "  آتزمون\n\n\n- آزا\n\tآزا\n";
    CHECK(translate({"--from", "ar"}, document) == "  atzmon\n\n\n- azza\n\tazza\n");
    CHECK(translate({"--join-lines"}, document).starts_with("  atzmon\n\n\n- "));
    CHECK(translate({"--join-lines", "--json"}, "آتزمون\nآزا\n").starts_with("{\"source\":\"آتزمون\\nآزا\""));
    // Arguments are not lines: each has its own translation.
    CHECK(translate({"--join-lines", "آتزمون", "آزا"}, "") == "atzmon\nazza\n");
    const std::string apart = translate({"--join-lines", "--json", "آتزمون", "آزا"}, "");
    CHECK(std::count(apart.begin(), apart.end(), '\n') == 2);
    CHECK(translate({"--no-split"}, "آتزمون\n") == "atzmon\n");
    CHECK(translate({"--max-segment-tokens", "3"}, "آزا\n") == "azza\n");
    CHECK(run(DRAGOMAN_CLI, {"translate", "--model", files.path, "--to", "de", "آزا"}).exit_code == 2);
    const Run sentences = run(DRAGOMAN_CLI, {"translate", "--model", files.path, "--json", " آزا"});
    CHECK(sentences.out.find("\"sentences\":[{\"source_bytes\":[1,7],\"target_bytes\":[1,5],\"source_tokens\":[0,3],"
                             "\"target_tokens\":[0,4]}]") != std::string::npos);
    CHECK(translate({"--json", "--coverage", " آزا"}, "")
              .find("\"coverage\":{\"share\":1.0,\"uncovered_words\":0,"
                    "\"uncovered_bytes\":[0,0]}") != std::string::npos);
    const Run plain = run(DRAGOMAN_CLI, {"translate", "--model", files.path}, "آتزمون\n\nآزا\n");
    CHECK(plain.exit_code == 0);
    CHECK(plain.out == "atzmon\n\nazza\n");
    const Run json = run(DRAGOMAN_CLI, {"translate", "--model", files.path, "--json", "آزا"});
    CHECK(json.out.find("\"source\":\"آزا\"") != std::string::npos);
    CHECK(json.out.find("\"text\":\"azza\"") != std::string::npos);
}

}  // namespace text_test
