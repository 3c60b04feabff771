// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "fixture.h"
#include "process.h"

using namespace dragoman::test;

namespace {

// The transliteration model with SentencePiece models of one piece per letter beside it.
struct TextModel {
    TempDir folder;
    std::string path = folder.path() / "model";

    TextModel() {
        namespace fs = std::filesystem;
        fs::copy(kModel, path);
        fs::copy(DRAGOMAN_TEST_DATA "/letters/source.spm", path);
        fs::copy(DRAGOMAN_TEST_DATA "/letters/target.spm", path);
    }
    ModelHandle load() const {
        dragoman_model* model = nullptr;
        require_ok(dragoman_model_load(path.c_str(), nullptr, &model));
        return ModelHandle(model);
    }
};

std::string text_of(dragoman_result* result, std::size_t input) {
    dragoman_string text{};
    require_ok(dragoman_result_text(result, input, 0, &text));
    CHECK(text.data[text.size] == '\0');
    return {text.data, text.size};
}

}  // namespace

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

TEST_CASE("a line of a megabyte is cut") {
    const TextModel files;
    const ModelHandle model = files.load();
    const TranslatorHandle translator = create_translator(model);
    std::string megabyte;
    while (megabyte.size() < (1u << 20)) megabyte += "آز";
    const dragoman_string texts[] = {{megabyte.data(), megabyte.size()}, {megabyte.data(), 16}};
    dragoman_translate_options options = default_options();
    options.max_input_length = 8;
    dragoman_result* raw = nullptr;
    require_ok(dragoman_translate_texts(translator.get(), texts, 2, nullptr, &options, &raw));
    const ResultHandle result(raw);
    CHECK(!text_of(raw, 0).empty());
    CHECK(text_of(raw, 0) == text_of(raw, 1));
}

TEST_CASE("the command line tool on text") {
    const TextModel files;
    const Run plain = run(DRAGOMAN_CLI, {"translate", "--model", files.path}, "آتزمون\n\nآزا\n");
    CHECK(plain.exit_code == 0);
    CHECK(plain.out == "atzmon\n\nazza\n");
    const Run json = run(DRAGOMAN_CLI, {"translate", "--model", files.path, "--json", "آزا"});
    CHECK(json.out.find("\"source\":\"آزا\"") != std::string::npos);
    CHECK(json.out.find("\"text\":\"azza\"") != std::string::npos);
}
