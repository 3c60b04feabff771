// SPDX-License-Identifier: Apache-2.0
// Lists of a text's tokens, which are made when they are asked for.
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "text_model.h"

namespace result_tokens_test {

using namespace dragoman::test;

namespace {

struct Tokens {
    dragoman_tokens source{}, target{};
    dragoman_ranges source_ranges{}, target_ranges{};

    bool read(const dragoman_result* result) {
        return dragoman_result_source_tokens(result, 0, &source) == DRAGOMAN_OK &&
               dragoman_result_tokens(result, 0, 0, &target) == DRAGOMAN_OK &&
               dragoman_result_source_ranges(result, 0, &source_ranges) == DRAGOMAN_OK &&
               dragoman_result_ranges(result, 0, 0, &target_ranges) == DRAGOMAN_OK;
    }
};

}  // namespace

TEST_CASE("tokens of a text: all threads get the same lists, which end with NUL and agree with the sentences") {
    const TextModel text;
    const ModelHandle model = text.load();
    const TranslatorHandle translator = create_translator(model);
    std::string given;
    for (int i = 0; i < 40; ++i) given += i % 3 ? "\xd8\xa2\xd8\xb2\xd8\xa7. " : "\xd8\xa2\xd8\xb2. ";
    const dragoman_string input{given.data(), given.size()};
    dragoman_result* raw = nullptr;
    require_ok(dragoman_translate_texts(translator.get(), &input, 1, nullptr, nullptr, &raw));
    const ResultHandle result(raw);

    std::vector<Tokens> found(4);
    std::vector<int> good(found.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < found.size(); ++i) threads.emplace_back([&, i] { good[i] = found[i].read(raw); });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < found.size(); ++i) {
        REQUIRE(good[i]);
        CHECK(found[i].source.data == found[0].source.data);
        CHECK(found[i].target_ranges.data == found[0].target_ranges.data);
    }
    const Tokens& all = found[0];
    REQUIRE(all.source.count > 40);
    CHECK(all.source_ranges.count == all.source.count);
    CHECK(all.target_ranges.count == all.target.count);
    const std::size_t sentences = dragoman_result_sentence_count(raw, 0);
    REQUIRE(sentences > 1);
    std::size_t source_at = 0, target_at = 0;
    for (std::size_t s = 0; s < sentences; ++s) {
        dragoman_sentence info;
        dragoman_sentence_init(&info);
        require_ok(dragoman_result_sentence(raw, 0, 0, s, &info));
        CHECK(info.source_token_begin == source_at);
        CHECK(info.target_token_begin == target_at);
        source_at = info.source_token_end;
        target_at = info.target_token_end;
        for (std::size_t t = info.source_token_begin; t < source_at; ++t) {
            CHECK(all.source_ranges.data[t].begin >= info.source_begin);
            CHECK(all.source_ranges.data[t].end <= info.source_end);
        }
    }
    CHECK(source_at == all.source.count);
    CHECK(target_at == all.target.count);
    for (std::size_t t = 0; t < all.source.count; ++t)
        CHECK(std::strlen(all.source.data[t].data) == all.source.data[t].size);
}

}  // namespace result_tokens_test
