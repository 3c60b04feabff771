// SPDX-License-Identifier: Apache-2.0
// Models come and go while requests go on.
#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "serve/work/service.h"

namespace models_test {

using namespace service_test;

namespace {

using FoundWay = std::variant<std::shared_ptr<Way>, Problem>;

FoundWay find_way(Models& models, const std::string& from, const std::string& to, const std::string& model = "") {
    std::promise<FoundWay> promise;
    models.way(from, to, model, [&](FoundWay found) { promise.set_value(std::move(found)); });
    return promise.get_future().get();
}

std::shared_ptr<Way> way(Models& models, const std::string& from, const std::string& to,
                         const std::string& model = "") {
    FoundWay found = find_way(models, from, to, model);
    if (const auto* problem = std::get_if<Problem>(&found)) throw *problem;
    return std::get<std::shared_ptr<Way>>(found);
}

std::string state_of(const Models& models, const std::string& name) { return models.find(name).value().state; }

const char* const kText = "Der alte Mann liest jeden Morgen die Zeitung.";

}  // namespace

TEST_CASE("nothing is loaded before somebody asks, and then once") {
    Models models(serving());
    CHECK(models.languages().size() == 2);
    CHECK(state_of(models, "en-de") == "known");
    CHECK(models.ready());  // nothing is loaded at the start
    std::atomic<int> found = 0;
    std::vector<std::shared_ptr<Way>> ways(8);
    std::vector<std::promise<void>> done(8);
    for (std::size_t i = 0; i < ways.size(); ++i)
        models.way("de", "en", "", [&, i](FoundWay way) {
            if (auto* loaded = std::get_if<std::shared_ptr<Way>>(&way)) ways[i] = *loaded, ++found;
            done[i].set_value();
        });
    for (auto& each : done) each.get_future().wait();
    CHECK(found == 8);
    for (const auto& each : ways) CHECK(each->loaded == ways[0]->loaded);
    CHECK(ways[0]->from == "de");
    CHECK(ways[0]->to == "en");
    CHECK(state_of(models, "en-de") == "loaded");
    CHECK(models.find("en-de")->requests == 8);
    CHECK(models.device().held_bytes > 0);
    CHECK_FALSE(models.device().name.empty());
}

TEST_CASE("behind the end nobody is called back") {
    Models models(serving());
    std::atomic<int> called = 0, refused = 0;
    const auto count = [&](FoundWay way) {
        ++called;
        if (const auto* problem = std::get_if<Problem>(&way)) refused += problem->kind == Problem::Kind::busy;
    };
    models.way("de", "en", "", count);
    models.way("en", "de", "", count);
    models.end();
    CHECK(called == 2);  // the first one's model may have been there before
    const int before = refused;
    CHECK(is(problem_of([&] { models.unload("en-de"); }), Problem::Kind::busy));
    CHECK(is(problem_of([&] { models.reload(); }), Problem::Kind::busy));
    models.end();
    CHECK(called == 2);
    CHECK(refused == before);
}

TEST_CASE("the first model is there at the start where that is wanted") {
    ModelsOptions options = serving();
    options.preload = true;
    Models models(options);
    for (int i = 0; i < 6000 && !models.ready(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(models.ready());
    CHECK(state_of(models, "en-de") == "loaded");
}

TEST_CASE("without names, what this machine has is served") {
    ModelsOptions options = serving({});
    test::set_environment("DRAGOMAN_MODEL", DRAGOMAN_SHIPPED_MODEL);
    const Models models(options);
    test::set_environment("DRAGOMAN_MODEL", nullptr);
    CHECK(models.list().size() == 1);
    CHECK(models.language("de") == "de");
}

TEST_CASE("a way over a pivot is that of the library") {
    const test::TempDir folder;
    Models models(serving({tiny(folder, "fr", "br"), tiny(folder, "en", "fr"), DRAGOMAN_SHIPPED_MODEL}));
    CHECK(models.translates("de", "br"));
    const auto over = way(models, "de", "fr");
    CHECK(over->models == std::vector<std::string>{"en-de", "en-fr"});
    const std::string between = way(models, "de", "en")->translator->translate(kText, [] {
        dragoman::TranslateOptions options;
        options.source_language = "de";
        options.target_language = "en";
        return options;
    }());
    CHECK(over->translator->translate(kText) == way(models, "en", "fr")->translator->translate(between));
    CHECK(way(models, "de", "br")->models.size() == 3);
    CHECK(way(models, "de", "fr")->translator.get() == over->translator.get());
    Translations translations(models, {});
    CHECK(answer_to(translations, asking({kText}, "de", "fr")).text(0) == over->translator->translate(kText));
    const auto pair = problem_of([&] { (void)way(models, "br", "de"); });
    CHECK(is(pair, Problem::Kind::unsupported_pair));
    CHECK(is(problem_of([&] { (void)way(models, "de", "en", "en-fr"); }), Problem::Kind::unsupported_pair));
    CHECK(is(problem_of([&] { (void)way(models, "de", "xx"); }), Problem::Kind::unsupported_language));
    CHECK(way(models, "de", "en", "en-de")->models.front() == "en-de");
}

TEST_CASE("the model that was used least recently goes, and who has it keeps it") {
    const test::TempDir folder;
    ModelsOptions options = serving({tiny(folder, "en", "fr"), tiny(folder, "fr", "br"), DRAGOMAN_SHIPPED_MODEL});
    options.most_loaded = 2;
    Models models(options);
    const std::shared_ptr<Way> kept = way(models, "en", "fr");
    (void)way(models, "fr", "br");
    (void)way(models, "en", "fr");
    (void)way(models, "de", "en");
    CHECK(state_of(models, "en-fr") == "loaded");
    CHECK(state_of(models, "fr-br") == "known");
    CHECK(state_of(models, "en-de") == "loaded");
    (void)way(models, "fr", "br");  // en-fr is at work, so the other one goes
    CHECK(state_of(models, "en-fr") == "loaded");
    CHECK(state_of(models, "en-de") == "known");
    models.unload("en-fr");
    CHECK(state_of(models, "en-fr") == "known");
    CHECK_FALSE(kept->translator->translate("a b").empty());
    models.load("en-de");
    CHECK(state_of(models, "en-de") == "loaded");
    CHECK(is(problem_of([&] { models.unload("none"); }), Problem::Kind::not_found));
    models.remove("fr-br");
    CHECK_FALSE(models.find("fr-br"));
    CHECK(models.language("br").empty());
    CHECK(is(problem_of([&] { (void)models.add("/etc/passwd", {}); }), Problem::Kind::bad_request));
    CHECK(is(problem_of([&] { (void)models.add("url:https://localhost/model.zip", {}); }), Problem::Kind::bad_request));
}

TEST_CASE("models take turns in memory that is too small for both") {
    const test::TempDir folder;
    const std::string again = folder.path() / "again";
    std::filesystem::copy(DRAGOMAN_SHIPPED_MODEL, again);
    std::uint64_t bytes = 0;
    {
        Models models(serving());
        (void)way(models, "de", "en");
        bytes = models.device().held_bytes;
    }
    ModelsOptions options = serving({DRAGOMAN_SHIPPED_MODEL, again});
    options.memory_bytes = bytes * 9 / 5;
    Models models(options);
    Translations translations(models, {});
    std::string first;
    for (int i = 0; i < 6; ++i) {
        Ask ask = asking({kText}, "de", "en");
        ask.model = i % 2 ? "again" : "en-de";
        const Answer answer = answer_to(translations, ask);
        if (i == 0) first = answer.text(0);
        CHECK(answer.text(0) == first);
        CHECK(answer.models == std::vector<std::string>{ask.model});
        CHECK(models.device().held_bytes <= options.memory_bytes);
    }
    CHECK(models.device().peak_bytes <= options.memory_bytes);
    CHECK(models.device().limit_bytes == options.memory_bytes);
}

TEST_CASE("a model that cannot be loaded is a problem without paths, and is tried again later") {
    const test::TempDir folder;
    const std::string path = tiny(folder, "en", "fr");
    std::filesystem::path weights;
    for (const auto& entry : std::filesystem::directory_iterator(path))
        if (weights.empty() || entry.file_size() > std::filesystem::file_size(weights)) weights = entry.path();
    Models models(serving({path}));
    const std::string whole = test::read_file(weights);
    std::ofstream(weights, std::ios::binary) << whole.substr(0, whole.size() / 3);
    const auto begin = std::chrono::steady_clock::now();
    const auto problem = problem_of([&] { (void)way(models, "en", "fr"); });
    CHECK(is(problem, Problem::Kind::failed));
    CHECK(std::string(problem->what()).find("en-fr") != std::string::npos);
    CHECK(std::string(problem->what()).find('/') == std::string::npos);
    CHECK(state_of(models, "en-fr") == "failed");
    CHECK(models.find("en-fr")->error.find(path) != std::string::npos);
    std::ofstream(weights, std::ios::binary) << whole;
    CHECK(is(problem_of([&] { (void)way(models, "en", "fr"); }), Problem::Kind::failed));
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(10'500))
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK_FALSE(way(models, "en", "fr")->translator->translate("a b").empty());
    CHECK(state_of(models, "en-fr") == "loaded");
}

TEST_CASE("reloading drops no request") {
    Models models(serving());
    TranslationsOptions options;
    options.cache_bytes = 0;
    Translations translations(models, options);
    const std::string expected = answer_to(translations, asking({kText}, "de", "en")).text(0);
    std::atomic<bool> over = false;
    std::atomic<int> right = 0, wrong = 0;
    std::vector<std::thread> clients;
    for (int i = 0; i < 3; ++i)
        clients.emplace_back([&] {
            while (!over) {
                const auto problem = problem_of([&] {
                    const Answer answer = answer_to(translations, asking({kText}, "de", "en"));
                    ++(answer.text(0) == expected ? right : wrong);
                });
                if (problem) ++wrong;
            }
        });
    const auto before = way(models, "de", "en")->loaded;
    for (int i = 0; i < 3; ++i) models.reload();
    const auto after = way(models, "de", "en")->loaded;
    over = true;
    for (std::thread& client : clients) client.join();
    CHECK(before != after);
    CHECK(right > 0);
    CHECK(wrong == 0);
    CHECK(models.stats().sentences >= std::uint64_t(1));
}

TEST_CASE("after the device was lost it is opened again") {
    Models models(serving());
    Translations translations(models, {});
    const std::string expected = answer_to(translations, asking({kText}, "de", "en")).text(0);
    const auto before = way(models, "de", "en");
    models.lost(*before);
    CHECK(models.device().name.empty());
    CHECK(state_of(models, "en-de") == "known");
    models.lost(*before);  // of the old device
    CHECK(answer_to(translations, asking({kText}, "de", "en")).text(0) == expected);
    CHECK_FALSE(models.device().name.empty());
    models.lost(*before);
    CHECK(state_of(models, "en-de") == "loaded");
}

}  // namespace models_test
