// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <thread>

#include "fixture.h"

namespace threads_test {

using namespace dragoman::test;

namespace {

// doctest's checks are not for other threads: they count here and are checked by the caller.
int wrong_translations(dragoman_translator* translator, int rounds) {
    const Sequences sources{kSourceA, kSourceB};
    int wrong = 0;
    for (int i = 0; i < rounds; ++i) {
        dragoman_result* raw = nullptr;
        if (dragoman_translate_tokens(translator, sources.data(), 2, nullptr, nullptr, &raw) != DRAGOMAN_OK) return -1;
        const ResultHandle result(raw);
        dragoman_tokens a{}, b{};
        dragoman_result_tokens(raw, 0, 0, &a);
        dragoman_result_tokens(raw, 1, 0, &b);
        wrong += join(a) != "a t z m o n";
        wrong += join(b) != "a z z a";
    }
    return wrong;
}

}  // namespace

TEST_CASE("the last error belongs to its thread and to the last call") {
    CHECK(dragoman_device_count(nullptr) == DRAGOMAN_INVALID_ARGUMENT);
    const std::string mine = dragoman_last_error();
    CHECK(!mine.empty());
    std::string fresh = "not read", theirs;
    std::thread([&] {
        fresh = dragoman_last_error();
        dragoman_translator_trim(nullptr);
        theirs = dragoman_last_error();
    }).join();
    CHECK(fresh.empty());
    CHECK(!theirs.empty());
    CHECK(theirs != mine);
    CHECK(mine == dragoman_last_error());
    dragoman_score_options options;
    CHECK(dragoman_score_options_init(&options) == DRAGOMAN_OK);
    CHECK(std::string(dragoman_last_error()).empty());
}

TEST_CASE("a message that is too long is cut, not lost") {
    const std::string path = "/no/such/" + std::string(10000, 'x');
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    CHECK(dragoman_model_describe(path.c_str(), &info) == DRAGOMAN_IO_ERROR);
    const std::string message = dragoman_last_error();
    CHECK(message.size() > 1000);
    CHECK(message.size() < 10000);
}

TEST_CASE("two translators of one model in two threads") {
    const ModelHandle model = load_model();
    const TranslatorHandle first = create_translator(model), second = create_translator(model);
    int wrong[2] = {-1, -1};
    std::thread thread([&] { wrong[0] = wrong_translations(first.get(), 4); });
    wrong[1] = wrong_translations(second.get(), 4);
    thread.join();
    CHECK(wrong[0] == 0);
    CHECK(wrong[1] == 0);
}

TEST_CASE("one translator in two threads: calls wait for each other") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    int wrong[2] = {-1, -1};
    std::thread thread([&] { wrong[0] = wrong_translations(translator.get(), 3); });
    wrong[1] = wrong_translations(translator.get(), 3);
    thread.join();
    CHECK(wrong[0] == 0);
    CHECK(wrong[1] == 0);
    dragoman_stats stats;
    dragoman_stats_init(&stats);
    require_ok(dragoman_translator_stats(translator.get(), &stats));
    CHECK(stats.sentences == 12);
}

TEST_CASE("two models loaded at the same time") {
    std::string texts[2];
    const auto work = [](std::string& text) {
        dragoman_model* model = nullptr;
        if (dragoman_model_load(kModel, nullptr, &model) != DRAGOMAN_OK) return;
        const ModelHandle handle(model);
        dragoman_translator* translator = nullptr;
        if (dragoman_translator_create(model, &translator) != DRAGOMAN_OK) return;
        const TranslatorHandle translator_handle(translator);
        text = wrong_translations(translator, 1) == 0 ? "right" : "wrong";
    };
    std::thread thread(work, std::ref(texts[0]));
    work(texts[1]);
    thread.join();
    CHECK(texts[0] == "right");
    CHECK(texts[1] == "right");
}

}  // namespace threads_test
