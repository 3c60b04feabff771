// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "text_model.h"

namespace tokens_test {

using namespace dragoman::test;

namespace {

std::vector<std::string> sentences(std::string_view text, const char* language, int32_t join_lines = 0) {
    const dragoman_string given{text.data(), text.size()};
    dragoman_range_list* list = nullptr;
    require_ok(dragoman_split_sentences(&given, language, join_lines, &list));
    std::vector<std::string> found;
    for (std::size_t i = 0; i < dragoman_range_list_count(list); ++i) {
        const dragoman_range range = dragoman_range_list_data(list)[i];
        found.emplace_back(text.substr(range.begin, range.end - range.begin));
    }
    dragoman_range_list_destroy(list);
    return found;
}

std::string tokenized(const ModelHandle& model, int32_t side, std::string_view text) {
    const dragoman_string given{text.data(), text.size()};
    dragoman_token_lists* lists = nullptr;
    require_ok(dragoman_tokenize(model.get(), side, &given, 1, &lists));
    CHECK(dragoman_token_lists_count(lists) == 1);
    dragoman_tokens tokens{};
    require_ok(dragoman_token_lists_get(lists, 0, &tokens));
    const std::string joined = join(tokens);
    dragoman_token_lists_destroy(lists);
    return joined;
}

std::string detokenized(const ModelHandle& model, int32_t side, std::string_view tokens) {
    const Sequences sequences{tokens};
    dragoman_text_list* texts = nullptr;
    require_ok(dragoman_detokenize(model.get(), side, sequences.data(), 1, &texts));
    CHECK(dragoman_text_list_count(texts) == 1);
    dragoman_string text{};
    require_ok(dragoman_text_list_get(texts, 0, &text));
    const std::string copy(text.data, text.size);
    CHECK(text.data[text.size] == '\0');
    dragoman_text_list_destroy(texts);
    return copy;
}

ModelHandle load(const std::string& name) {
    dragoman_model* model = nullptr;
    require_ok(dragoman_model_load((DRAGOMAN_TEST_DATA "/" + name).c_str(), nullptr, &model));
    return ModelHandle(model);
}

nlohmann::json recorded(const std::string& file) {
    return nlohmann::json::parse(read_file(DRAGOMAN_TEST_DATA "/" + file));
}

}  // namespace

TEST_CASE("sentences with their byte ranges") {
    using Texts = std::vector<std::string>;
    CHECK(sentences(" Guten Tag, Dr. Müller.  Wie geht's? - Gut!\n* x", "de") ==
          Texts{"Guten Tag, Dr. Müller.", "Wie geht's?", "- Gut!", "x"});
    CHECK(sentences("a line\nand its end", nullptr) == Texts{"a line", "and its end"});
    CHECK(sentences("a line\nand its end", "", 1) == Texts{"a line\nand its end"});
    CHECK(sentences("", "en").empty());
    CHECK(sentences(" \n ", "en").empty());
}

TEST_CASE("text to tokens and back, on both sides") {
    const TextModel files;
    const ModelHandle model = files.load();
    CHECK(tokenized(model, DRAGOMAN_SIDE_SOURCE, "آزا") == kSourceB);
    CHECK(tokenized(model, DRAGOMAN_SIDE_TARGET, "azza") == "a z z a");
    CHECK(detokenized(model, DRAGOMAN_SIDE_TARGET, "a z z a </s>") == "azza");
    CHECK(detokenized(model, DRAGOMAN_SIDE_SOURCE, kSourceB) == "آزا");
    dragoman_token_lists* none = nullptr;
    require_ok(dragoman_tokenize(model.get(), DRAGOMAN_SIDE_SOURCE, nullptr, 0, &none));
    CHECK(dragoman_token_lists_count(none) == 0);
    dragoman_token_lists_destroy(none);
    CHECK(tokenized(model, DRAGOMAN_SIDE_SOURCE, "").empty());
    CHECK(detokenized(model, DRAGOMAN_SIDE_TARGET, "").empty());
}

TEST_CASE("tokens are those that translations are made of") {
    const ModelHandle model = load("huggingface/shared");
    const TranslatorHandle translator = create_translator(model);
    const dragoman_string text = dragoman_str("batin kétiß kénara késora banara!");
    dragoman_translate_options options = default_options();
    options.target_language = "xx";
    dragoman_result* result = nullptr;
    require_ok(dragoman_translate_texts(translator.get(), &text, 1, nullptr, &options, &result));
    const ResultHandle handle(result);
    dragoman_tokens source{};
    require_ok(dragoman_result_source_tokens(result, 0, &source));
    CHECK(tokenized(model, DRAGOMAN_SIDE_SOURCE, ">>xx<<batin kétiß kénara késora banara!") == join(source));
    CHECK(detokenized(model, DRAGOMAN_SIDE_TARGET, tokens_of(handle, 0)) == text_of(result, 0));
}

TEST_CASE("a decoder alone: tokens of the text itself, as when it is continued") {
    for (const std::string name : {"gpt2", "opt", "xglm"}) {
        CAPTURE(name);
        const ModelHandle model = load("huggingface/" + name);
        const TranslatorHandle translator = create_translator(model);
        std::vector<std::string> texts = {"a\tb", "a \r\n  b ", "e\u0301a", "a\u00adb \u200bc"};
        for (const auto& text : recorded("huggingface/" + name + "/continuations.json").at("texts"))
            texts.push_back(text.at(0));
        std::vector<dragoman_string> given;
        for (const std::string& text : texts) given.push_back({text.data(), text.size()});
        dragoman_translate_options options = default_options();
        options.beam_size = options.max_decoding_length = 1;
        dragoman_result* raw = nullptr;
        require_ok(dragoman_translate_texts(translator.get(), given.data(), given.size(), nullptr, &options, &raw));
        const ResultHandle result(raw);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            CAPTURE(texts[i]);
            dragoman_tokens source{};
            require_ok(dragoman_result_source_tokens(raw, i, &source));
            for (const int32_t side : {DRAGOMAN_SIDE_SOURCE, DRAGOMAN_SIDE_TARGET})
                CHECK(tokenized(model, side, texts[i]) == join(source));
        }
    }
    const ModelHandle model = load("huggingface/gpt2");
    CHECK(tokenized(model, DRAGOMAN_SIDE_SOURCE, "a\nb") == "a Ċ b");
    CHECK(tokenized(model, DRAGOMAN_SIDE_SOURCE, "  two\t") == "Ġ Ġ t w o ĉ");
    CHECK(detokenized(model, DRAGOMAN_SIDE_TARGET, "Ġ Ġ t w o ĉ") == "  two\t");
    dragoman_token_lists* lists = nullptr;
    const dragoman_string text = dragoman_str("a\nb");
    require_ok(dragoman_tokenize(model.get(), DRAGOMAN_SIDE_SOURCE, &text, 1, &lists));
    dragoman_ranges ranges{};
    require_ok(dragoman_token_lists_ranges(lists, 0, &ranges));
    REQUIRE(ranges.count == 3);
    CHECK(ranges.data[0].end == 1);
    CHECK(ranges.data[1].begin == ranges.data[1].end);  // white space
    CHECK(ranges.data[2].begin == 2);
    dragoman_token_lists_destroy(lists);
}

TEST_CASE("an encoder alone: tokens of the text itself, as when it becomes a vector") {
    for (const std::string name : {"bert", "xlmr"}) {
        CAPTURE(name);
        const ModelHandle model = load("encoders/" + name);
        for (const auto& one : recorded("encoders/" + name + "/vectors.json")) {
            const std::string text = one.at("text");
            CAPTURE(text);
            const dragoman_string given{text.data(), text.size()};
            dragoman_vectors* vectors = nullptr;
            require_ok(dragoman_embed_texts(model.get(), &given, 1, nullptr, &vectors));
            dragoman_tokens tokens{};
            require_ok(dragoman_vectors_tokens(vectors, 0, &tokens));
            REQUIRE(tokens.count >= 2);  // those at its ends are the model's
            const dragoman_tokens inner{tokens.data + 1, tokens.count - 2};
            CHECK(tokenized(model, DRAGOMAN_SIDE_SOURCE, text) == join(inner));
            dragoman_vectors_destroy(vectors);
        }
    }
}

TEST_CASE("tokens and sentences: arguments") {
    const ModelHandle without = load_model();
    const TextModel files;
    const ModelHandle model = files.load();
    const dragoman_string text = dragoman_str("text"), bad = dragoman_str("ab\xff");
    const Sequences tokens{"a b"};
    dragoman_token_lists* lists = reinterpret_cast<dragoman_token_lists*>(1);
    check_error(dragoman_tokenize(without.get(), 0, &text, 1, &lists), DRAGOMAN_UNSUPPORTED, {"tokenizer"});
    CHECK(lists == nullptr);
    check_error(dragoman_tokenize(nullptr, 0, &text, 1, &lists), DRAGOMAN_INVALID_ARGUMENT, {"model"});
    check_error(dragoman_tokenize(model.get(), 2, &text, 1, &lists), DRAGOMAN_INVALID_ARGUMENT, {"side", "2"});
    check_error(dragoman_tokenize(model.get(), -1, &text, 1, &lists), DRAGOMAN_INVALID_ARGUMENT, {"side", "-1"});
    check_error(dragoman_tokenize(model.get(), 0, nullptr, 1, &lists), DRAGOMAN_INVALID_ARGUMENT, {"texts"});
    check_error(dragoman_tokenize(model.get(), 0, &bad, 1, &lists), DRAGOMAN_INVALID_ARGUMENT, {"texts[0]", "byte 2"});
    check_error(dragoman_tokenize(model.get(), 0, &text, 1, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"tokens"});

    dragoman_text_list* texts = reinterpret_cast<dragoman_text_list*>(1);
    check_error(dragoman_detokenize(without.get(), 1, tokens.data(), 1, &texts), DRAGOMAN_UNSUPPORTED, {"tokenizer"});
    CHECK(texts == nullptr);
    check_error(dragoman_detokenize(model.get(), 7, tokens.data(), 1, &texts), DRAGOMAN_INVALID_ARGUMENT, {"side"});
    check_error(dragoman_detokenize(model.get(), 1, nullptr, 1, &texts), DRAGOMAN_INVALID_ARGUMENT, {"sequences"});
    check_error(dragoman_detokenize(model.get(), 1, tokens.data(), 1, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"texts"});

    dragoman_range_list* ranges = reinterpret_cast<dragoman_range_list*>(1);
    check_error(dragoman_split_sentences(nullptr, "en", 0, &ranges), DRAGOMAN_INVALID_ARGUMENT, {"text"});
    CHECK(ranges == nullptr);
    check_error(dragoman_split_sentences(&bad, "en", 0, &ranges), DRAGOMAN_INVALID_ARGUMENT, {"byte 2"});
    check_error(dragoman_split_sentences(&text, "\xff", 0, &ranges), DRAGOMAN_INVALID_ARGUMENT, {"language"});
    check_error(dragoman_split_sentences(&text, "en", 2, &ranges), DRAGOMAN_INVALID_ARGUMENT, {"join_lines"});
    check_error(dragoman_split_sentences(&text, "en", 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"ranges"});

    require_ok(dragoman_tokenize(model.get(), 0, &text, 1, &lists));
    dragoman_tokens sequence{};
    check_error(dragoman_token_lists_get(lists, 1, &sequence), DRAGOMAN_INVALID_ARGUMENT, {"index", "1"});
    check_error(dragoman_token_lists_get(lists, 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"sequence"});
    check_error(dragoman_token_lists_get(nullptr, 0, &sequence), DRAGOMAN_INVALID_ARGUMENT, {"tokens"});
    dragoman_token_lists_destroy(lists);
    dragoman_string out{};
    check_error(dragoman_text_list_get(nullptr, 0, &out), DRAGOMAN_INVALID_ARGUMENT, {"texts"});
    CHECK(dragoman_token_lists_count(nullptr) == 0);
    CHECK(dragoman_text_list_count(nullptr) == 0);
    CHECK(dragoman_range_list_count(nullptr) == 0);
    CHECK(dragoman_range_list_data(nullptr) == nullptr);
    dragoman_token_lists_destroy(nullptr);
    dragoman_text_list_destroy(nullptr);
    dragoman_range_list_destroy(nullptr);
}

}  // namespace tokens_test
