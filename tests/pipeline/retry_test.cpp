// SPDX-License-Identifier: Apache-2.0
// Retries without a model or a device: their states, what a part inherits, and which translation stays.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "pipeline/run/retries.h"
#include "pipeline/value/model_input.h"
#include "spec/prompt.h"
#include "text/words.h"

namespace retry_test {

using namespace dragoman;
using namespace dragoman::pipeline;
using State = Retry::State;
using Decision = Retry::Decision;

namespace {

constexpr RetryKind kKinds[] = {RetryKind::capital,    RetryKind::recase,      RetryKind::unlabel, RetryKind::set_aside,
                                RetryKind::show_terms, RetryKind::carry_terms, RetryKind::protect, RetryKind::cover,
                                RetryKind::items,      RetryKind::split};

Sentence translated(const std::string& text, float likelihood = 0.0f) {
    Sentence sentence;
    sentence.hypotheses = {{.text = text}};
    sentence.likelihood = likelihood;
    sentence.finished = true;
    return sentence;
}

// The sentence with a retry whose parts are finished.
Sentence retried(RetryKind kind, Sentence whole, Sentences parts) {
    whole.retry.ask(kind, whole.attempt);
    for (Sentence& part : parts) part.attempt = {1, kind, nullptr};
    whole.retry.start(std::move(parts));
    return whole;
}

Sentences one(Sentence part) {
    Sentences parts;
    parts.push_back(std::move(part));
    return parts;
}

Sentences two() {
    Sentences parts = one(translated("a"));
    parts.push_back(translated("b"));
    return parts;
}

Sentence in_state(State state) {
    Sentence sentence = translated("a");
    if (state == State::none) return sentence;
    if (state != State::asked) sentence = retried(RetryKind::split, std::move(sentence), two());
    else sentence.retry.ask(RetryKind::split, sentence.attempt);
    if (state == State::judged) sentence.retry.judge(sentence);
    return sentence;
}

// A translation of a sentence whose last word was set aside.
Sentence set_aside(const std::string& text, const std::string& word, float likelihood) {
    Sentence part = translated(text, likelihood);
    auto model_input = std::make_shared<ModelInput>();
    model_input->placeholders = {{.text = {}, .original = " " + word}};
    part.model_input = std::move(model_input);
    return part;
}

}  // namespace

TEST_CASE("a retry goes from the wish to the decision") {
    Sentence sentence = translated("a");
    Retry& retry = sentence.retry;
    CHECK(retry.state() == State::none);
    CHECK_FALSE(retry.asked());
    retry.ask(RetryKind::split, sentence.attempt);
    CHECK(retry.state() == State::asked);
    CHECK(retry.kind() == RetryKind::split);
    Sentences parts = two();
    parts.back().finished = false;
    retry.start(std::move(parts));
    CHECK(retry.state() == State::at_work);
    CHECK_FALSE(retry.all_finished());
    retry.finish_part();
    CHECK(retry.all_finished());
    CHECK(retry.judge(sentence) == Decision::join);
    CHECK(retry.state() == State::judged);
    CHECK(retry.kind() == RetryKind::split);
}

TEST_CASE("steps out of order are faults") {
    const std::vector<std::pair<std::function<void(Sentence&)>, std::set<State>>> steps = {
        {[](Sentence& s) { s.retry.kind(); }, {State::asked, State::at_work, State::judged}},
        {[](Sentence& s) { s.retry.ask(RetryKind::recase, s.attempt); }, {State::none, State::asked}},
        {[](Sentence& s) { s.retry.withdraw(); }, {State::none, State::asked, State::judged}},
        {[](Sentence& s) { s.retry.start(two()); }, {State::asked}},
        {[](Sentence& s) { s.retry.judge(s); }, {State::at_work}},
        {[](Sentence& s) { s.retry.finish_part(); }, {}},  // all parts are finished from the start
    };
    for (std::size_t step = 0; step < steps.size(); ++step)
        for (const State state : {State::none, State::asked, State::at_work, State::judged}) {
            CAPTURE(step);
            CAPTURE(int(state));
            Sentence sentence = in_state(state);
            const auto& [act, allowed] = steps[step];
            if (allowed.contains(state)) CHECK_NOTHROW(act(sentence));
            else CHECK_THROWS_AS(act(sentence), Error);
        }
    Sentence sentence = in_state(State::asked);
    CHECK_THROWS_AS(sentence.retry.start({}), Error);
    Sentences parts = two();
    parts.front().finished = false;
    sentence.retry.start(std::move(parts));
    CHECK_THROWS_AS(sentence.retry.judge(sentence), Error);
    sentence.retry.finish_part();
    CHECK_THROWS_AS(sentence.retry.finish_part(), Error);
}

TEST_CASE("of two wishes the stronger one is followed, whichever comes first") {
    for (const RetryKind first : kKinds)
        for (const RetryKind second : kKinds) {
            Retry retry;
            retry.ask(first, {});
            retry.ask(second, {});
            CHECK(retry.kind() == std::max(first, second));
        }
}

TEST_CASE("a copied sentence has no retry, but may ask for one later") {
    Retry retry;
    retry.ask(RetryKind::split, {});
    retry.withdraw();
    CHECK(retry.state() == State::none);
    retry.ask(RetryKind::recase, {});
    CHECK(retry.kind() == RetryKind::recase);
}

TEST_CASE("parts are split three times at most, everything else is tried once") {
    for (const RetryKind kind : kKinds)
        for (uint32_t number = 0; number < 5; ++number) {
            const Attempt attempt{.number = number};
            CAPTURE(number);
            CHECK(attempt.allows(kind) == (number < (makes_parts(kind) ? 3u : 1u)));
            Retry retry;
            if (attempt.allows(kind)) CHECK_NOTHROW(retry.ask(kind, attempt));
            else CHECK_THROWS_AS(retry.ask(kind, attempt), Error);
        }
}

// A translation that reaches some words of its source: "x.x" reaches the first and the last of three.
Sentence covering(std::string_view reached) {
    Sentence sentence = translated("a");
    Coverage& coverage = sentence.hypotheses.front().coverage;
    coverage.measured = true;
    for (std::size_t w = 0; w < reached.size(); ++w) {
        coverage.words.push_back({2 * w, 2 * w + 1});
        coverage.reached.push_back(reached[w] == 'x');
    }
    return sentence;
}

Decision judged_for(std::string_view whole, std::initializer_list<std::string_view> parts, uint32_t flags = 0,
                    bool copied = false) {
    Sentences attempts;
    for (const std::string_view part : parts) attempts.push_back(covering(part));
    attempts.back().flags = flags;
    attempts.back().copied = copied;
    Sentence sentence = retried(RetryKind::cover, covering(whole), std::move(attempts));
    return sentence.retry.judge(sentence);
}

TEST_CASE("parts replace a translation that leaves out words if they leave out fewer") {
    CHECK(judged_for("xx....x", {"xx..", "xxx"}) == Decision::join);
    CHECK(judged_for("xx....x", {"xxxxx.x"}) == Decision::replace);
    CHECK(judged_for("xx....x", {"xx..", "..x"}) == Decision::keep);   // a shorter run, but no word more
    CHECK(judged_for("xx....x", {"....", "xxx"}) == Decision::keep);   // as long a run
    CHECK(judged_for("xx....x", {"xxxx", "xxx"}, SentenceFlags::repeated) == Decision::keep);
    CHECK(judged_for("xx....x", {"xxxx", "xxx"}, 0, true) == Decision::keep);
}

TEST_CASE("what followed a lack replaces the first translation") {
    for (const RetryKind kind : {RetryKind::protect, RetryKind::carry_terms, RetryKind::items, RetryKind::split}) {
        Sentence single = retried(kind, translated("a", -0.1f), one(translated("b", -9.0f)));
        CHECK(single.retry.judge(single) == Decision::replace);
        if (kind == RetryKind::carry_terms) continue;
        Sentence several = retried(kind, translated("a", -0.1f), two());
        CHECK(several.retry.judge(several) == Decision::join);
    }
}

TEST_CASE("a list's item without its number replaces one with an ordinal, unless it is a copy") {
    Sentence whole = retried(RetryKind::unlabel, translated("1st a", -0.1f), one(translated("1. a", -9.0f)));
    CHECK(whole.retry.judge(whole) == Decision::replace);
    Sentence copied = translated("1. a", 0.0f);
    copied.copied = true;
    Sentence kept = retried(RetryKind::unlabel, translated("1st a", -0.1f), one(std::move(copied)));
    CHECK(kept.retry.judge(kept) == Decision::keep);
}

TEST_CASE("what was shown otherwise must be likelier") {
    const auto decision = [](float first, Sentences parts) {
        Sentence whole = retried(RetryKind::recase, translated("a", first), std::move(parts));
        return whole.retry.judge(whole);
    };
    CHECK(decision(-0.5f, one(translated("b", -0.4f))) == Decision::replace);
    CHECK(decision(-0.4f, one(translated("b", -0.4f))) == Decision::keep);
    CHECK(decision(-0.4f, one(translated("b", -0.5f))) == Decision::keep);
    Sentence copied = translated("b", 0.0f);
    copied.copied = true;
    CHECK(decision(-0.5f, one(std::move(copied))) == Decision::keep);
    CHECK(decision(-0.5f, two()) == Decision::keep);  // they cannot be compared
}

TEST_CASE("of two attempts with terms, the one that read them stays if it is sure, otherwise the one with stand-ins") {
    const auto stays = [](float first, float shown, uint32_t flags_of_carried = 0, bool copied = false) -> std::string {
        Sentences parts = one(translated("shown", shown));
        parts.push_back(translated("carried", -0.2f));
        parts.back().flags = flags_of_carried;
        parts.back().copied = copied;
        Sentence whole = retried(RetryKind::show_terms, translated("first", first), std::move(parts));
        if (whole.retry.judge(whole) == Decision::keep) return "first";
        return whole.retry.parts().front().hypotheses.front().text;
    };
    CHECK(stays(-2.0f, -0.5f) == "shown");
    CHECK(stays(-2.0f, -1.2f) == "carried");
    CHECK(stays(-2.0f, -2.5f) == "carried");
    CHECK(stays(-2.0f, -1.2f, SentenceFlags::numbers) == "shown");
    CHECK(stays(-2.0f, -2.5f, SentenceFlags::repeated) == "first");
    CHECK(stays(-2.0f, -2.5f, 0, true) == "first");
}

TEST_CASE("a word at the end is set aside where that costs nothing, or gains much") {
    const auto decision = [](const std::string& first, Sentence part) {
        Sentence whole = retried(RetryKind::set_aside, translated(first, -0.5f), one(std::move(part)));
        return whole.retry.judge(whole);
    };
    // Both say the same around the word.
    CHECK(decision("das #ist gut", set_aside("das gut #ist", "#ist", -0.52f)) == Decision::replace);
    CHECK(decision("das #ist gut", set_aside("das gut #ist", "#ist", -0.54f)) == Decision::keep);
    // They say something else.
    CHECK(decision("das #ist gut", set_aside("alles gut #ist", "#ist", -0.36f)) == Decision::keep);
    CHECK(decision("das #ist gut", set_aside("alles gut #ist", "#ist", -0.34f)) == Decision::replace);
    CHECK(decision("das #ist gut", translated("das gut #ist", 0.0f)) == Decision::keep);  // no word was set aside
}

// The bindings name every fact: a new one does not compile until this test says what a part has of it.
TEST_CASE("a part has all facts of its sentence, for its own bytes") {
    Sentence whole = translated("a", -1.0f);
    Sentence another;
    {
        auto& [range, body, continues, index, prompt, language, language_probability, flags, target_language, matches,
               target_prefix, kept, protected_terms, attends, attempt] = static_cast<SentenceFacts&>(whole);
        range = {0, 20};
        body = {2, 20};
        continues = false;
        index = 3;
        prompt = std::make_shared<const spec::Prompt>();
        language = "en";
        language_probability = 0.5f;
        flags = SentenceFlags::carried;
        target_language = *spec::LanguageTag::find("de");
        matches.resize(1);
        target_prefix = {"x"};
        kept = {{4, 5}};
        protected_terms = {{.range = {3, 6}}, {.range = {9, 12}}, {.range = {14, 16}}};
        attends = true;
        attempt = {2, RetryKind::split, &another};
    }
    for (const bool first : {true, false}) {
        const Sentence part = part_of(whole, first ? text::Range{2, 10} : text::Range{11, 20}, first);
        const auto& [range, body, continues, index, prompt, language, language_probability, flags, target_language,
                     matches, target_prefix, kept, protected_terms, attends,
                     attempt] = static_cast<const SentenceFacts&>(part);
        CHECK(range == (first ? text::Range{0, 10} : text::Range{11, 20}));
        CHECK(body == (first ? text::Range{2, 10} : text::Range{11, 20}));
        CHECK(continues == !first);
        CHECK(index == 3);
        CHECK(prompt == whole.prompt);
        CHECK(language == "en");
        CHECK(language_probability == 0.5f);
        CHECK(flags == SentenceFlags::carried);
        CHECK(target_language == whole.target_language);
        CHECK(matches.size() == (first ? 1 : 0));
        CHECK(target_prefix.size() == (first ? 1 : 0));
        CHECK(kept == whole.kept);
        REQUIRE(protected_terms.size() == 1);
        CHECK(protected_terms.front().range == (first ? text::Range{3, 6} : text::Range{14, 16}));
        CHECK(attends);
        CHECK(attempt.number == 2);
        CHECK(attempt.is(RetryKind::split));
        CHECK(attempt.whole == &another);
        CHECK(part.hypotheses.empty());
        CHECK(part.likelihood == 0.0f);
        CHECK(part.retry.state() == State::none);
    }
}

namespace {

// A model that reads words and answers as it is told.
class Words final : public Stage {
public:
    using Reply = std::function<void(const std::string& text, Sentence&)>;
    explicit Words(Reply reply) : reply_(std::move(reply)) {}

    void down(Document& document, Sentences& next) const override {
        for (Sentence& sentence : next) {
            sentence.ranges = text::words(text::part(document.text, sentence.body));
            for (text::Range& range : sentence.ranges)
                range = {range.begin + sentence.body.begin, range.end + sentence.body.begin};
            for (const text::Range& range : sentence.ranges)
                sentence.tokens.emplace_back(text::part(document.text, range));
            if (sentence.attempt.number == 0 || text::part(document.text, sentence.body).front() != '=') continue;
            sentence.hypotheses = {{.text = "copy", .score = {0.0f, 1}}};
            sentence.finished = sentence.copied = true;
        }
    }
    void up(const Document& document, Sentence& sentence) const override {
        const std::string text(text::part(document.text, sentence.body));
        sentence.hypotheses = {{.text = "<" + text + ">",
                                .tokens = {text},
                                .ranges = {{0, text.size() + 2}},
                                .score = {-1.0f, sentence.tokens.size()}}};
        reply_(text, sentence);
    }

private:
    const Reply reply_;
};

// A document of one sentence, and the attempts that wait for the model.
struct Desk {
    explicit Desk(std::string text, Words::Reply reply) {
        document.storage = std::move(text);
        document.text = document.storage;
        document.places.add({0, document.text.size()});
        stages.push_back(std::make_unique<Words>(std::move(reply)));
        down(stages, document);
    }

    Sentence& sentence() { return document.sentences.front(); }

    void answer(Sentence& of) {
        up(stages, document, of);
        retries.take(document, of);
    }
    void answer_all(bool last_first) {
        answer(sentence());
        while (!waiting.empty()) {
            const auto at = last_first ? std::prev(waiting.end()) : waiting.begin();
            Sentence& next = **at;
            waiting.erase(at);
            answer(next);
        }
    }

    Document document;
    Stages stages{};
    bool at_once = false;  // the answer is known when it is asked for
    std::vector<Sentence*> waiting{}, settled{};
    std::size_t asked = 0;
    const Retries retries{stages,
                          [](std::string_view part) { return text::words(part).size(); },
                          {.ask =
                               [this](Document&, Sentence& attempt) {
                                   ++asked;
                                   CHECK(attempt.attends);
                                   if (at_once) answer(attempt);
                                   else waiting.push_back(&attempt);
                               },
                           .settled = [this](Document&, Sentence& done) { settled.push_back(&done); }}};
};

std::string numbered(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? " w" : "w") + std::to_string(i);
    return text;
}

const std::string kHalves = numbered(9) + "; " + numbered(10);  // ten tokens each: the mark is one

// Counts the attempts and the leaves below a sentence.
void check_tree(const Sentence& whole, std::size_t& attempts, std::size_t& leaves) {
    if (whole.retry.parts().empty()) ++leaves;
    for (const Sentence& part : whole.retry.parts()) {
        ++attempts;
        CHECK(part.attempt.whole == &whole);
        CHECK(part.attempt.number == whole.attempt.number + 1);
        CHECK(part.attempt.is(RetryKind::split));
        check_tree(part, attempts, leaves);
    }
}

// Asks for a split of longer sentences.
Words::Reply split_above(std::size_t most) {
    return [most](const std::string&, Sentence& sentence) {
        if (sentence.tokens.size() > most) sentence.retry.ask(RetryKind::split, sentence.attempt);
    };
}

void check_settled_once(Desk& desk) {
    REQUIRE(desk.settled.size() == 1);
    CHECK(desk.settled.front() == &desk.sentence());
    CHECK(desk.waiting.empty());
}

}  // namespace

TEST_CASE("a sentence that nobody wants once more is settled") {
    Desk desk("one two", [](const std::string&, Sentence&) {});
    desk.answer_all(false);
    check_settled_once(desk);
    CHECK(desk.asked == 0);
    CHECK(desk.sentence().hypotheses.front().text == "<one two>");
}

TEST_CASE("parts are joined in their order, in whatever order they are answered") {
    for (const int way : {0, 1, 2}) {
        CAPTURE(way);
        Desk desk(kHalves, split_above(10));
        desk.at_once = way == 2;
        desk.answer_all(way == 1);
        check_settled_once(desk);
        CHECK(desk.asked == 2);
        const Sentence& sentence = desk.sentence();
        REQUIRE(sentence.hypotheses.size() == 1);
        const Translation& all = sentence.hypotheses.front();
        const Sentences& parts = sentence.retry.parts();
        REQUIRE(parts.size() == 2);
        CHECK(all.text == "<" + std::string(text::part(desk.document.text, parts.front().body)) + "> <" +
                              std::string(text::part(desk.document.text, parts.back().body)) + ">");
        CHECK(all.tokens.size() == 2);
        CHECK(all.score.tokens() == 20);
        CHECK(all.score == -1.0f);
        REQUIRE(all.ranges.size() == 2);
        CHECK(all.ranges.back().end == all.text.size());
        CHECK(sentence.tokens.size() == 20);
        CHECK(sentence.ranges.back() == text::Range{desk.document.text.size() - 2, desk.document.text.size()});
        std::size_t attempts = 0, leaves = 0;
        check_tree(sentence, attempts, leaves);
        CHECK(leaves == 2);
    }
}

TEST_CASE("parts are split further, down to the limit") {
    for (const bool last_first : {false, true}) {
        uint32_t deepest = 0;
        Desk desk(numbered(100), [&](const std::string&, Sentence& sentence) {
            deepest = std::max(deepest, sentence.attempt.number);
            if (sentence.attempt.allows(RetryKind::split)) sentence.retry.ask(RetryKind::split, sentence.attempt);
        });
        desk.answer_all(last_first);
        check_settled_once(desk);
        CHECK(deepest == 3);
        std::size_t attempts = 0, leaves = 0;
        check_tree(desk.sentence(), attempts, leaves);
        CHECK(desk.asked == attempts);
        CHECK(leaves >= 8);
        CHECK(desk.sentence().tokens.size() == 100);
        CHECK(desk.sentence().hypotheses.front().score.tokens() == 100);
        CHECK(desk.sentence().hypotheses.front().tokens.size() == leaves);
        CHECK(std::size_t(std::ranges::count(desk.sentence().hypotheses.front().text, '<')) == leaves);
    }
}

TEST_CASE("parts that the model need not be asked for") {
    // The first half begins with "=", so it is copied on the way down; then both do.
    Desk half("= " + numbered(8) + "; " + numbered(10), split_above(10));
    half.answer_all(false);
    check_settled_once(half);
    CHECK(half.asked == 1);
    CHECK_FALSE(half.sentence().copied);
    CHECK((half.sentence().flags & SentenceFlags::copied) == 0);
    CHECK(half.sentence().hypotheses.front().text.starts_with("copy <"));
    std::string both = "= " + numbered(10) + "; = " + numbered(10);
    Desk none(both, split_above(12));
    none.answer_all(false);
    check_settled_once(none);
    CHECK(none.asked == 0);
    CHECK(none.sentence().copied);
    CHECK((none.sentence().flags & SentenceFlags::copied) != 0);
    CHECK(none.sentence().hypotheses.front().text == "copy copy");
}

TEST_CASE("a likelier attempt replaces the whole outcome, another one nothing") {
    for (const float gain : {0.1f, -0.1f}) {
        Desk desk("One Two Three", [&](const std::string&, Sentence& sentence) {
            const bool first = sentence.attempt.number == 0;
            sentence.likelihood = first ? -0.5f : -0.5f + gain;
            sentence.prompt_tokens = first ? 0 : 1;
            sentence.flags |= first ? SentenceFlags::numbers : SentenceFlags::carried;
            if (first) return sentence.retry.ask(RetryKind::recase, sentence.attempt);
            sentence.tokens.push_back("more");
            sentence.hypotheses.front().text = "better";
        });
        desk.answer_all(false);
        check_settled_once(desk);
        const Sentence& sentence = desk.sentence();
        const bool better = gain > 0;
        CHECK(sentence.retry.parts().front().attempt.is(RetryKind::recase));
        CHECK(sentence.hypotheses.front().text == (better ? "better" : "<One Two Three>"));
        CHECK(sentence.tokens.size() == (better ? 4 : 3));
        CHECK(sentence.prompt_tokens == (better ? 1 : 0));
        CHECK(sentence.flags == (better ? SentenceFlags::carried : SentenceFlags::numbers));
        CHECK(sentence.likelihood == -0.5f);  // of the first attempt
        CHECK(sentence.finished);
    }
}

TEST_CASE("an attempt that repeats itself is split, and its parts compete with the first translation") {
    for (const float gain : {0.1f, -0.1f}) {
        Desk desk(kHalves, [&](const std::string&, Sentence& sentence) {
            sentence.likelihood = -0.5f + float(sentence.attempt.number) * gain;
            if (sentence.attempt.number == 0) sentence.retry.ask(RetryKind::recase, sentence.attempt);
            if (sentence.attempt.number == 1) sentence.retry.ask(RetryKind::split, sentence.attempt);
        });
        desk.answer_all(false);
        check_settled_once(desk);
        CHECK(desk.asked == 3);
        CHECK(std::ranges::count(desk.sentence().hypotheses.front().text, '<') == (gain > 0 ? 2 : 1));
    }
}

}  // namespace retry_test
