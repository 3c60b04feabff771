// SPDX-License-Identifier: Apache-2.0
#include "serve/api/sentence_stream.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "slow_client.h"

namespace sentence_stream_test {
using namespace serve;
using slow_client_test::SlowClient;

const std::vector<std::string> kTexts{"Eins. Zwei. Drei."};

api::SentenceForm form() {
    api::SentenceForm form;
    form.begin = [] { return std::string("<"); };
    form.piece = [](std::string_view piece) { return std::string(piece); };
    form.end = [](const work::Answer&) { return std::string(">"); };
    form.problem = [](const Problem& problem) { return "!" + std::string(problem.what()); };
    return form;
}

work::Event sentence(std::size_t number, std::size_t begin, std::size_t end, std::string_view text) {
    work::Event event;
    event.sentence = number;
    event.begin = begin;
    event.end = end;
    event.text = text;
    return event;
}

work::Answer answer() {
    work::Answer answer;
    answer.copies = {"One. Two. Three."};
    return answer;
}

TEST_CASE("A slow reader gets all of it") {
    const auto client = std::make_shared<SlowClient>(0);
    api::SentenceStream stream(client, kTexts, form(), nullptr);
    stream.event(sentence(0, 0, 5, "One."));
    stream.event(sentence(1, 6, 11, "Two."));
    CHECK(client->text().empty());
    client->read(1);
    stream.event(sentence(2, 12, 17, "Three."));
    CHECK(client->text() == "<One. Two. Three.");
    stream.finish(answer());
    CHECK(client->text() == "<One. Two. Three.>");
    CHECK(client->ended());
}

TEST_CASE("What a client had no room for is sent at the end") {
    const auto client = std::make_shared<SlowClient>(1), failed = std::make_shared<SlowClient>(1);
    api::SentenceStream stream(client, kTexts, form(), nullptr), failing(failed, kTexts, form(), nullptr);
    for (api::SentenceStream* each : {&stream, &failing}) {
        each->event(sentence(0, 0, 5, "One."));
        each->event(sentence(1, 6, 11, "Two."));
    }
    CHECK(client->text() == "<One.");
    stream.finish(answer());
    CHECK(client->text() == "<One. Two. Three.>");
    CHECK(client->ended());
    failing.fail(Problem(Problem::Kind::failed, "the device is lost"));
    CHECK(failed->text() == "<One. Two.!the device is lost");
    CHECK(failed->ended());
    stream.event(sentence(2, 12, 17, "Three."));  // what comes too late
    CHECK(client->text() == "<One. Two. Three.>");
}

}  // namespace sentence_stream_test
