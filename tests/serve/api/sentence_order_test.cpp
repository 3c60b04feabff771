// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "serve/api/sentence_stream.h"

namespace sentence_order_test {
using namespace serve;
using serve::api::SentenceOrder;

work::Event sentence(std::size_t input, std::size_t number, std::size_t begin, std::size_t end, std::string_view text) {
    work::Event event;
    event.input = input;
    event.sentence = number;
    event.begin = begin;
    event.end = end;
    event.text = text;
    return event;
}

TEST_CASE("Sentences come in the order of their texts, with what is between them") {
    SentenceOrder order({"Eins. Zwei.\nDrei.", " Vier. "}, "|");
    CHECK(order.add(sentence(0, 1, 6, 11, "Two.")) == "");
    CHECK(order.add(sentence(1, 0, 1, 6, "Four.")) == "");
    CHECK(order.add(sentence(0, 0, 0, 5, "One.")) == "One. Two.");
    work::Event partial = sentence(0, 2, 12, 17, "Thr");
    partial.partial = true;
    CHECK(order.add(partial) == "");
    CHECK(order.add(sentence(0, 2, 12, 17, "Three.")) == "\nThree.| Four.");
    CHECK(order.rest({"One. Two.\nThree.", " Four. "}) == " ");
}

TEST_CASE("Without events all of it is the rest") {
    const SentenceOrder order({"Eins.", ""}, "|");
    CHECK(order.rest({"One.", ""}) == "One.|");
}

TEST_CASE("What was sent is not taken back") {
    SentenceOrder order({"Eins."}, "|");
    CHECK(order.add(sentence(0, 0, 0, 5, "One.")) == "One.");
    CHECK_THROWS_AS(order.rest({"Another."}), Problem);
}

TEST_CASE("A sentence that lies outside its text is left to the end") {
    SentenceOrder order({"Eins."}, "|");
    CHECK(order.add(sentence(0, 0, 0, 50, "One.")) == "");
    CHECK(order.add(sentence(7, 0, 0, 5, "One.")) == "");
    CHECK(order.rest({"One."}) == "One.");
}

}  // namespace sentence_order_test
