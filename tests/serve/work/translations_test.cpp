// SPDX-License-Identifier: Apache-2.0
// Translations of the service: they are those of the library.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "serve/work/decoding.h"
#include "serve/work/service.h"

namespace translations_test {

using namespace service_test;

namespace {

const std::vector<std::string> kTexts{"Wo ist der Bahnhof? Der Zug fährt um 10:15 Uhr ab.", "Ich habe drei Hunde.", ""};

Models& shipped() {
    static Models models(serving());
    return models;
}

Translations& translations() {
    static Translations all(shipped(), {});
    return all;
}

std::vector<std::string> texts_of(const Answer& answer) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < answer.size(); ++i) texts.push_back(answer.text(i));
    return texts;
}

std::vector<std::string> by_library(const std::vector<std::string>& given, dragoman::TranslateOptions options = {}) {
    static const dragoman::Model model{std::string(DRAGOMAN_SHIPPED_MODEL)};
    static dragoman::Translator translator(model);
    const std::vector<std::string_view> views(given.begin(), given.end());
    options.source_language = "de";
    options.target_language = "en";
    const dragoman::Result result = translator.translate(views, options);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < result.size(); ++i) texts.emplace_back(result.text(i));
    return texts;
}

// A text that takes a while.
std::string long_text(int sentences, const std::string& mark) {
    std::string text;
    for (int i = 0; i < sentences; ++i)
        text += "Der " + std::to_string(i) + ". Brief " + mark + " liegt seit Tagen auf dem Tisch im Flur. ";
    return text;
}

}  // namespace

TEST_CASE("translations are the library's") {
    const Answer answer = answer_to(translations(), asking(kTexts, "de", "en"));
    CHECK(texts_of(answer) == by_library(kTexts));
    CHECK(answer.from == "de");
    CHECK(answer.to == "en");
    CHECK_FALSE(answer.detected);
    CHECK(answer.models == std::vector<std::string>{"en-de"});
    CHECK(answer.characters == 70);
    CHECK(texts_of(answer_to(translations(), asking(kTexts, "German", "EN-US"))) == by_library(kTexts));
    dragoman::TranslateOptions html;
    html.markup = DRAGOMAN_MARKUP_HTML;
    Ask ask = asking({"<p>Wo ist der <b>Bahnhof</b>?</p>"}, "de", "en");
    const auto expected = by_library(ask.texts, html);
    ask.markup = DRAGOMAN_MARKUP_HTML;
    CHECK(texts_of(answer_to(translations(), ask)) == expected);
    ask.from = "auto";
    CHECK(answer_to(translations(), ask).from == "de");
}

TEST_CASE("the language is found, or nothing tells it") {
    const Answer found = answer_to(translations(), asking({"Wo ist der nächste Bahnhof, bitte?"}, "auto", "en"));
    CHECK(found.detected);
    CHECK(found.from == "de");
    CHECK(found.confidence > 0.8);
    CHECK(found.text(0) == by_library({"Wo ist der nächste Bahnhof, bitte?"})[0]);
    for (const char* mute : {"😀 👍", "12 345,6", "   ", ""}) {
        CAPTURE(mute);
        const Answer same = answer_to(translations(), asking({mute}, "", "en"));
        CHECK(same.text(0) == mute);
        CHECK(same.from == "de");
        CHECK(same.detected);
        CHECK(same.confidence == 0);
    }
    const Answer already = answer_to(translations(), asking({"Where is the next station, please?"}, "auto", "en"));
    CHECK(already.from == "en");
    CHECK(already.text(0) == "Where is the next station, please?");
    CHECK(answer_to(translations(), asking({"Hallo"}, "de", "de")).text(0) == "Hallo");
    // Short texts look like many languages, and are not taken to be translated already.
    for (const char* text : {"Hello", "Hi"}) {
        CAPTURE(text);
        const Answer short_one = answer_to(translations(), asking({text}, "auto", "de"));
        CHECK(short_one.from == "en");
        CHECK(short_one.detected);
        CHECK(short_one.result != nullptr);
    }
}

TEST_CASE("what is wrong is said by name") {
    const auto kind = [](Ask ask) { return problem_of([&] { (void)answer_to(translations(), std::move(ask)); }); };
    CHECK(is(kind(asking({"a"}, "de", "")), Problem::Kind::missing));
    const auto language = kind(asking({"a"}, "de", "xx"));
    CHECK(is(language, Problem::Kind::unsupported_language));
    CHECK(language->thing == "xx");
    const auto bytes = kind(asking({"gut", "ab\xff"}, "de", "en"));
    CHECK(is(bytes, Problem::Kind::bad_request));
    CHECK(std::string(bytes->what()) == "text 2: invalid UTF-8 at byte 2");
    CHECK(is(kind(asking({"ab\xff"}, "auto", "en")), Problem::Kind::bad_request));
    Ask ask = asking({"Hallo"}, "de", "en");
    ask.model = "none";
    CHECK(is(kind(ask), Problem::Kind::not_found));
    ask = asking({"Hallo"}, "de", "en");
    ask.alternatives = 1000;
    CHECK(is(kind(ask), Problem::Kind::bad_request));
    for (const char* options :
         {R"({"beam_size": 65})", R"({"beam_size": "2"})", R"({"beam_size": -1})", R"({"beam_size": 1.5})",
          R"({"temperature": 0})", R"({"min_quality": 2})", R"({"raw": "yes"})", R"({"search": "best"})",
          R"({"glossary": 1})", R"({"num_hypotheses": 100})", R"({"max_decoding_length": 4096})",
          R"({"beem_size": 1})"}) {
        CAPTURE(options);
        ask = asking({"Hallo"}, "de", "en");
        ask.options = Json::parse(options);
        CHECK(is(kind(ask), Problem::Kind::bad_request));
    }
    ask.options = Json::parse(R"({"use_shortlist": true})");  // which the library knows of the model alone
    CHECK(is(kind(ask), Problem::Kind::bad_request));
}

TEST_CASE("options of clients are those of the library") {
    Ask ask = asking(kTexts, "de", "en");
    ask.options =
        Json::parse(R"({"beam_size": 1, "length_penalty": 0.5, "split_sentences": false, "search": "ctranslate2"})");
    dragoman::TranslateOptions options;
    options.beam_size = 1;
    options.length_penalty = 0.5f;
    options.split_sentences = 0;
    options.search = DRAGOMAN_SEARCH_CTRANSLATE2;
    CHECK(texts_of(answer_to(translations(), ask)) == by_library(kTexts, options));

    const auto table = nlohmann::json::parse(test::read_file(
        std::filesystem::path(DRAGOMAN_SHIPPED_MODEL).parent_path().parent_path() / "capi/options.json"));
    std::vector<std::string> known = options_of_clients();
    for (const std::string& name : options_of_the_service()) known.push_back(name);
    for (const auto& option : table["options"]) {
        CAPTURE(option["name"].get<std::string>());
        CHECK(std::ranges::count(known, option["name"].get<std::string>()) == 1);
    }
    CHECK(known.size() == table["options"].size());
}

TEST_CASE("alternatives differ, and the best translation stays") {
    Ask ask = asking({"Wo ist der Bahnhof?"}, "de", "en");
    ask.alternatives = 3;
    ask.scores = true;
    const Answer answer = answer_to(translations(), ask);
    CHECK(answer.text(0) == by_library(ask.texts)[0]);
    const std::vector<std::string> others = answer.alternatives(0);
    CHECK(!others.empty());
    CHECK(others.size() <= 3);
    CHECK(std::ranges::find(others, answer.text(0)) == others.end());
    CHECK(answer.result->score(0) < 0);
    ask.alternatives = 8;  // more than the model's beam
    CHECK(answer_to(translations(), ask).result->hypotheses(0) == 9);
}

TEST_CASE("sentences are told as they are done") {
    std::mutex mutex;
    std::vector<std::string> sentences;
    std::size_t partial = 0;
    Ask ask = asking({kTexts[0]}, "de", "en");
    ask.partial = true;
    ask.options = Json::parse(R"({"beam_size": 3})");  // not in the cache yet
    const Answer answer = answer_to(translations(), ask, [&](const Event& event) {
        const std::lock_guard lock(mutex);
        if (event.partial) ++partial;
        else sentences.emplace_back(event.text);
    });
    CHECK(sentences.size() == 2);
    CHECK(partial > 0);
    for (const std::string& sentence : sentences) CHECK(answer.text(0).find(sentence) != std::string::npos);
}

TEST_CASE("equal requests are searched once, and one that goes leaves the others") {
    Translations fresh(shipped(), {});
    const Ask ask = asking({long_text(40, "eins")}, "de", "en");
    std::vector<std::unique_ptr<Pending>> all;
    for (int i = 0; i < 5; ++i) all.push_back(std::make_unique<Pending>(fresh, ask));
    Ask other = ask;
    other.options = Json::parse(R"({"beam_size": 2})");
    Pending different(fresh, other);
    all[0]->ticket->cancel();
    CHECK(std::get<Problem>(all[0]->get()).kind == Problem::Kind::cancelled);
    const Answer first = std::get<Answer>(all[1]->get());
    CHECK(first.text(0) == by_library(ask.texts)[0]);
    for (int i = 2; i < 5; ++i) CHECK(std::get<Answer>(all[std::size_t(i)]->get()).result == first.result);
    CHECK(std::get<Answer>(different.get()).result != first.result);
    CHECK(fresh.counts().joined == 4);
    CHECK(fresh.counts().requests == 6);
    CHECK(fresh.counts().cancelled == 1);
}

TEST_CASE("who goes away stops the work") {
    Translations fresh(shipped(), {});
    const auto begin = std::chrono::steady_clock::now();
    {
        Pending gone(fresh, asking({long_text(4000, "zwei")}, "de", "en"));
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        gone.ticket.reset();
        CHECK(std::get<Problem>(gone.get()).kind == Problem::Kind::cancelled);
    }
    CHECK(answer_to(fresh, asking({"Ich gehe nach Hause."}, "de", "en")).text(0) ==
          by_library({"Ich gehe nach Hause."})[0]);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
    CHECK(fresh.counts().cancelled == 1);
    // From inside an event, as a handler does whose client has gone.
    std::promise<void> cancelled;
    std::shared_ptr<Ticket> ticket;
    std::mutex mutex;
    mutex.lock();
    bool told = false;
    Pending inside(fresh, asking({long_text(200, "drei")}, "de", "en"), [&](const Event&) {
        const std::lock_guard lock(mutex);
        CHECK_FALSE(told);
        told = true;
        ticket->cancel();
    });
    ticket = inside.ticket;
    mutex.unlock();
    CHECK(std::get<Problem>(inside.get()).kind == Problem::Kind::cancelled);
}

TEST_CASE("beyond its bounds the queue refuses at once") {
    TranslationsOptions limits;
    limits.most_waiting = 2;
    limits.most_bytes = 100'000;
    limits.most_texts = 3;
    limits.most_characters = 50'000;
    Translations small(shipped(), limits);
    const auto refused = [&](Ask ask) { return problem_of([&] { (void)answer_to(small, std::move(ask)); }); };
    CHECK(is(refused(asking({"a", "b", "c", "d"}, "de", "en")), Problem::Kind::too_large));
    CHECK(is(refused(asking({std::string(50'001, 'a')}, "de", "en")), Problem::Kind::too_large));
    Pending one(small, asking({long_text(200, "eins")}, "de", "en"));
    Pending two(small, asking({long_text(200, "zwei")}, "de", "en"));
    const auto begin = std::chrono::steady_clock::now();
    const auto busy = refused(asking({"Hallo"}, "de", "en"));
    CHECK(is(busy, Problem::Kind::busy));
    CHECK(busy->retry_after >= 1);
    CHECK(busy->retry_after <= 5);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(500));
    one.ticket->cancel();
    (void)one.get();
    CHECK(is(refused(asking({std::string(49'000, 'a'), std::string(49'000, 'b')}, "de", "en")), Problem::Kind::busy));
    CHECK_FALSE(refused(asking({"Hallo"}, "de", "en")));
    CHECK(small.counts().refused == 4);
    small.drain(std::chrono::milliseconds(50));
    CHECK(std::get<Problem>(two.get()).kind == Problem::Kind::cancelled);
    CHECK(is(refused(asking({"Hallo"}, "de", "en")), Problem::Kind::busy));
}

TEST_CASE("what was translated is remembered, within bounds") {
    Translations fresh(shipped(), {});
    const Ask ask = asking({"Der alte Mann liest jeden Morgen die Zeitung."}, "de", "en");
    const Answer first = answer_to(fresh, ask);
    CHECK(fresh.counts().cache_hits == 0);
    CHECK(answer_to(fresh, ask).text(0) == first.text(0));
    CHECK(fresh.counts().cache_hits == 1);
    TranslationsOptions none;
    none.cache_bytes = 0;
    Translations forgetful(shipped(), none);
    (void)answer_to(forgetful, ask);
    CHECK(answer_to(forgetful, ask).text(0) == first.text(0));
    CHECK(forgetful.counts().cache_hits == 0);
}

TEST_CASE("many at once") {
    Translations fresh(shipped(), {});
    std::vector<std::unique_ptr<Pending>> all;
    std::vector<std::string> texts;
    for (int i = 0; i < 200; ++i) texts.push_back("Der " + std::to_string(i % 50) + ". Zug ist heute pünktlich.");
    for (const std::string& text : texts) all.push_back(std::make_unique<Pending>(fresh, asking({text}, "de", "en")));
    const std::vector<std::string> expected = by_library(texts);
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(std::get<Answer>(all[i]->get()).text(0) == expected[i]);
    TranslationCounts counts = fresh.counts();
    for (int i = 0; i < 10'000 && counts.waiting > 0; ++i) {  // an answer comes before its request is taken off
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        counts = fresh.counts();
    }
    CHECK(counts.requests == 200);
    CHECK(counts.waiting == 0);
    CHECK(counts.waiting_bytes == 0);
}

}  // namespace translations_test
