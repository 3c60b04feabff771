// SPDX-License-Identifier: Apache-2.0
#include "text_model.h"

namespace ranges_test {

using namespace dragoman::test;

namespace {

// Checks that ranges are in order, on character boundaries, and cover every character of `text` that is not white
// space.
void check_ranges(std::string_view text, dragoman_ranges ranges, std::size_t tokens) {
    REQUIRE(ranges.count == tokens);
    std::vector<bool> covered(text.size());
    std::size_t last = 0;
    for (std::size_t i = 0; i < ranges.count; ++i) {
        const auto [begin, end] = ranges.data[i];
        CAPTURE(i);
        REQUIRE(begin >= last);
        REQUIRE(end >= begin);
        REQUIRE(end <= text.size());
        for (const std::size_t at : {begin, end})
            CHECK((at == text.size() || (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80));
        for (std::size_t byte = begin; byte < end; ++byte) covered[byte] = true;
        last = begin;
    }
    for (std::size_t byte = 0; byte < text.size(); ++byte) {
        CAPTURE(byte);
        CHECK((covered[byte] || text[byte] == ' ' || text[byte] == '\n'));
    }
}

}  // namespace

TEST_CASE("ranges of tokens, of sources and translations") {
    const TextModel files;
    const ModelHandle model = files.load();
    const TranslatorHandle translator = create_translator(model);
    const std::string text = "آتزمون\n  آزا \nآتزمون";
    const dragoman_string given[] = {{text.data(), text.size()}, {nullptr, 0}};
    dragoman_translate_options options = default_options();
    options.beam_size = options.num_hypotheses = 2;
    dragoman_result* raw = nullptr;
    require_ok(dragoman_translate_texts(translator.get(), given, 2, nullptr, &options, &raw));
    const ResultHandle result(raw);
    dragoman_tokens tokens{};
    dragoman_ranges ranges{};
    require_ok(dragoman_result_source_tokens(raw, 0, &tokens));
    require_ok(dragoman_result_source_ranges(raw, 0, &ranges));
    check_ranges(text, ranges, tokens.count);
    // One token to a letter: its range holds what it says.
    for (std::size_t i = 0; i < tokens.count; ++i)
        CHECK(text.substr(ranges.data[i].begin, ranges.data[i].end - ranges.data[i].begin) ==
              std::string(tokens.data[i].data, tokens.data[i].size));
    for (std::size_t h = 0; h < 2; ++h) {
        dragoman_string translation{};
        require_ok(dragoman_result_text(raw, 0, h, &translation));
        require_ok(dragoman_result_tokens(raw, 0, h, &tokens));
        require_ok(dragoman_result_ranges(raw, 0, h, &ranges));
        check_ranges({translation.data, translation.size}, ranges, tokens.count);
    }
    require_ok(dragoman_result_source_ranges(raw, 1, &ranges));
    CHECK(ranges.count == 0);
    check_error(dragoman_result_source_ranges(raw, 2, &ranges), DRAGOMAN_INVALID_ARGUMENT, {"input"});
    check_error(dragoman_result_ranges(raw, 0, 2, &ranges), DRAGOMAN_INVALID_ARGUMENT, {"hypothesis"});
    check_error(dragoman_result_ranges(nullptr, 0, 0, &ranges), DRAGOMAN_INVALID_ARGUMENT, {"result"});
    check_error(dragoman_result_ranges(raw, 0, 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"ranges"});
}

TEST_CASE("no ranges where there is no text, or nobody wants tokens") {
    const TextModel files;
    const ModelHandle model = files.load();
    const TranslatorHandle translator = create_translator(model);
    const ResultHandle of_tokens = translate(translator, Sequences{kSourceB});
    dragoman_ranges ranges{};
    require_ok(dragoman_result_source_ranges(of_tokens.get(), 0, &ranges));
    CHECK(ranges.count == 0);
    dragoman_translate_options options = default_options();
    options.discard_tokens = 1;
    const dragoman_string text = dragoman_str("آزا");
    dragoman_result* raw = nullptr;
    require_ok(dragoman_translate_texts(translator.get(), &text, 1, nullptr, &options, &raw));
    const ResultHandle result(raw);
    require_ok(dragoman_result_source_ranges(raw, 0, &ranges));
    CHECK(ranges.count == 0);
    require_ok(dragoman_result_ranges(raw, 0, 0, &ranges));
    CHECK(ranges.count == 0);
}

TEST_CASE("ranges of what is cut into tokens") {
    const TextModel files;
    const ModelHandle model = files.load();
    const std::string text = "آزا آت";
    const dragoman_string given[] = {{text.data(), text.size()}, {nullptr, 0}};
    dragoman_token_lists* lists = nullptr;
    require_ok(dragoman_tokenize(model.get(), DRAGOMAN_SIDE_SOURCE, given, 2, &lists));
    dragoman_tokens tokens{};
    dragoman_ranges ranges{};
    require_ok(dragoman_token_lists_get(lists, 0, &tokens));
    require_ok(dragoman_token_lists_ranges(lists, 0, &ranges));
    check_ranges(text, ranges, tokens.count);
    require_ok(dragoman_token_lists_ranges(lists, 1, &ranges));
    CHECK(ranges.count == 0);
    check_error(dragoman_token_lists_ranges(lists, 2, &ranges), DRAGOMAN_INVALID_ARGUMENT, {"index", "2"});
    check_error(dragoman_token_lists_ranges(lists, 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"ranges"});
    dragoman_token_lists_destroy(lists);
}

}  // namespace ranges_test
