// SPDX-License-Identifier: Apache-2.0
// With a memory translations are what they are without; segments of translation memories come where they
// belong.
#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "convert/convert.h"
#include "pipeline/compare.h"
#include "pipeline/run/translator.h"
#include "support/same_results.h"
#include "support/temp_dir.h"
#include "text/glossary.h"
#include "tm/sqlite.h"

namespace translation_memory_test {

using namespace dragoman;
using pipeline::SentenceFlags;
using pipeline::TextOptions;
using pipeline::TextResult;
using pipeline::TranslateOptions;
using tm::Memory;

namespace {

std::shared_ptr<const pipeline::Model> load(const std::string& path) {
    return pipeline::Model::load(path, {.device = {}, .compute_type = pipeline::ComputeType::f32});
}

const std::shared_ptr<const pipeline::Model>& shipped() {
    static const auto loaded = load(DRAGOMAN_SHIPPED_MODEL);
    return loaded;
}

std::vector<TextResult> translated(const std::vector<std::string>& texts, const TextOptions& text,
                                   const TranslateOptions& options = {},
                                   const std::shared_ptr<const pipeline::Model>& model = shipped()) {
    std::vector<pipeline::Text> list;
    for (const std::string& one : texts) list.push_back({one, {}});
    return pipeline::Translator::create(model)->translate_texts(list, text, options);
}

// All of a result, floats by their bits.
std::string bytes_of(const std::vector<TextResult>& results) {
    std::string bytes;
    const auto number = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    const auto ranges = [&](const std::vector<text::Range>& all) {
        for (const text::Range& range : all) number(range.begin), number(range.end);
    };
    const auto tokens = [&](const pipeline::Tokens& all) {
        for (const std::string& token : all) bytes += token + '\n';
    };
    for (const TextResult& result : results) {
        for (const auto& sentence : result.sentences) {
            ranges({sentence.range});
            tokens(sentence.tokens());
            ranges(sentence.ranges());
            number(sentence.flags);
            number(sentence.matches.size());
        }
        for (const auto& hypothesis : result.hypotheses) {
            bytes += hypothesis.text + '\0' + hypothesis.plain + '\0';
            number(hypothesis.score);
            for (std::size_t s = 0; s < hypothesis.sentences.size(); ++s) {
                const auto& sentence = hypothesis.sentences[s];
                ranges({sentence.range()});
                tokens(hypothesis.tokens(s));
                number(float(sentence.score));
                for (const float weight : sentence.attention.values) number(weight);
                ranges(hypothesis.ranges(s));
                ranges(sentence.alignment.source);
                ranges(sentence.alignment.target);
                for (const float weight : sentence.alignment.weights) number(weight);
                ranges(sentence.quality.words);
                for (const float score : sentence.quality.scores) number(score);
                for (const auto& term : sentence.terms) ranges({term.source}), number(term.met);
            }
        }
    }
    return bytes;
}

// Sentences that come again, numbers, what the model cannot read, and raving.
std::vector<std::string> long_text() {
    std::vector<std::string> texts;
    const std::vector<std::string> parts = {"Where is the station? ",
                                            "The train leaves at 10:15 from platform 12. ",
                                            "I bought \u6771\u4eac tickets. ",
                                            "We saw three dogs and a cat. ",
                                            "WRITE TO info@example.com TODAY! ",
                                            "((((((((((((((((((((((((((((((((((((. ",
                                            "My brother lives in Berlin, but he works in Hamburg. ",
                                            "It costs \u20ac1.234,56. "};
    for (std::size_t i = 0; i < 5; ++i) {
        std::string text;
        for (std::size_t j = 0; j < 4; ++j) text += parts[(i * 5 + j * 3) % parts.size()];
        texts.push_back(text + "Item number " + std::to_string(i) + " is new.");
    }
    return texts;
}

std::shared_ptr<Memory> memory_of(tm::MemoryOptions options = {}) {
    return std::make_shared<Memory>(std::move(options));
}

}  // namespace

// What two searches of the same sentences find: the same bits on CPU devices. On GPUs a sentence whose neighbours the
// memory knows is searched in a smaller batch, maybe by the kernel for few rows, so scores may differ in their last bits.
void check_same(const std::vector<TextResult>& found, const std::vector<TextResult>& expected) {
    const vulkan::Context& context = shipped()->context();
    if (context.caps().is_cpu()) {
        CHECK(bytes_of(found) == bytes_of(expected));
        return;
    }
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        REQUIRE(found[i].hypotheses.size() == expected[i].hypotheses.size());
        for (std::size_t h = 0; h < found[i].hypotheses.size(); ++h) {
            const auto &one = found[i].hypotheses[h], &other = expected[i].hypotheses[h];
            CHECK(one.text == other.text);
            CHECK(test::same_result(context, float(one.score), float(other.score)));
            REQUIRE(one.sentences.size() == other.sentences.size());
            for (std::size_t s = 0; s < one.sentences.size(); ++s) {
                const auto &sentence = one.sentences[s], &same = other.sentences[s];
                CHECK(one.tokens(s) == other.tokens(s));
                CHECK(test::same_results(context, sentence.attention.values, same.attention.values));
                CHECK(test::same_results(context, sentence.quality.scores, same.quality.scores));
                CHECK(sentence.terms.size() == same.terms.size());
            }
        }
    }
}

TEST_CASE("results with a memory are those without, the first and the second time, and remembered bit by bit") {
    const auto texts = long_text();
    const auto glossary = std::make_shared<const text::Glossary>(text::read_glossary("station\tHaltepunkt\n"));
    const auto memory = memory_of();
    const test::TempDir folder;
    const std::string path = (folder.path() / "memory.sqlite").string();
    struct Case {
        const char* name;
        TextOptions text;
        TranslateOptions options;
    };
    TranslateOptions scores{.return_scores = true};
    const Case cases[] = {
        {"plain", {}, scores},
        {"beam", {}, {.beam_size = 3, .num_hypotheses = 3, .return_scores = true}},
        {"attention", {}, {.return_scores = true, .return_attention = true}},
        {"alignment", {.return_alignment = true}, scores},
        {"quality", {.return_quality = true}, scores},
        {"terms", {.glossary = glossary}, scores},
        {"raw", {.raw = true}, scores},
        {"no tokens", {.return_tokens = false}, scores},
        {"alternatives", {}, {.num_hypotheses = 2, .return_scores = true, .return_alternatives = true}}};
    std::vector<pipeline::Text> list;
    for (const std::string& one : texts) list.push_back({one, {}});
    for (const Case& c : cases) {
        CAPTURE(c.name);
        uint64_t sentences_searched = 0;
        const auto translate = [&](std::shared_ptr<Memory> used) {
            TextOptions text = c.text;
            text.target_language = "de";
            text.memory = std::move(used);
            const auto translator = pipeline::Translator::create(shipped());
            auto results = translator->translate_texts(list, text, c.options);
            sentences_searched = translator->stats().sentences;
            return results;
        };
        const std::vector<TextResult> plain = translate(nullptr), found = translate(memory);
        check_same(found, plain);
        const tm::MemoryStats once = memory->stats();
        CHECK(bytes_of(translate(memory)) == bytes_of(found));
        CHECK(sentences_searched == 0);
        const tm::MemoryStats twice = memory->stats();
        CHECK(twice.misses == once.misses);
        CHECK(twice.hits > once.hits);
        CHECK(twice.entries == once.entries);
        // Another process, or this one later.
        const std::vector<TextResult> written = translate(memory_of({.path = path}));
        check_same(written, plain);
        const auto from_file = memory_of({.cache_bytes = 0, .path = path});
        CHECK(bytes_of(translate(from_file)) == bytes_of(written));
        CHECK(from_file->stats().misses == 0);
        CHECK(from_file->stats().file_hits > 0);
        CHECK(from_file->stats().entries == 0);
    }
}

TEST_CASE("what changes answers makes other questions") {
    const std::vector<std::string> texts = {"Where is the station?"};
    const auto memory = memory_of();
    uint64_t misses = 0;
    const auto misses_more = [&](TextOptions text, const TranslateOptions& options,
                                 const std::shared_ptr<const pipeline::Model>& model = shipped()) {
        text.memory = memory;
        const std::string found = bytes_of(translated(texts, text, options, model));
        text.memory = nullptr;
        CHECK(found == bytes_of(translated(texts, text, options, model)));
        return memory->stats().misses > std::exchange(misses, memory->stats().misses);
    };
    const TextOptions german{.target_language = "de"};
    CHECK(misses_more(german, {}));
    CHECK_FALSE(misses_more(german, {}));
    CHECK_FALSE(misses_more(german, {.max_batch_size = 3}));
    CHECK(misses_more({.target_language = "en"}, {}));
    CHECK(misses_more(german, {.beam_size = 2}));
    CHECK(misses_more(german, {.length_penalty = 0.3f}));
    CHECK(misses_more(german, {.max_decoding_length = 3}));
    CHECK(misses_more(german, {.return_attention = true}));
    CHECK(misses_more(german, {.suppress_sequences = {{"\u2581Wo"}}}));
    const auto terms = [](const char* table) {
        return std::make_shared<const text::Glossary>(text::read_glossary(table));
    };
    CHECK(misses_more({.target_language = "de", .glossary = terms("station\tHaltepunkt\n")}, {}));
    CHECK(misses_more({.target_language = "de", .glossary = terms("station\tHaltestelle\n")}, {}));
    CHECK_FALSE(misses_more({.target_language = "de", .glossary = terms("dog\tTerrier\n")}, {}));  // it has none
    CHECK_FALSE(misses_more(german, {}, load(DRAGOMAN_SHIPPED_MODEL)));
    const test::TempDir folder;
    const std::string other = (folder.path() / "model.gguf").string();  // the same with other weights
    convert::convert(DRAGOMAN_SHIPPED_MODEL, other, {.type = DType::q8});
    CHECK(misses_more(german, {}, load(other)));
    const auto before = memory->stats();
    TextOptions drawn = german;
    drawn.memory = memory;
    translated(texts, drawn, {.sampling = spec::Sampling::on});
    CHECK(memory->stats().misses == before.misses);
    CHECK(memory->stats().hits == before.hits);
    CHECK(memory->stats().entries == before.entries);
}

// Another program may have written to the file: no translation fails of it.
TEST_CASE("answers of a file that are none") {
    const test::TempDir folder;
    const std::string path = (folder.path() / "memory.sqlite").string();
    const TranslateOptions options{.num_hypotheses = 2, .return_scores = true, .return_attention = true};
    const auto translate = [&] {
        TextOptions text{.target_language = "de", .return_alignment = true, .return_quality = true};
        text.memory = memory_of({.cache_bytes = 0, .path = path});
        return translated({"I have a dog."}, text, options);
    };
    const std::vector<TextResult> right = translate();
    tm::Database database(path, 1000);
    std::string answer;
    {
        tm::Statement read = database.prepare("SELECT answer FROM answers");
        REQUIRE(read.step());
        answer = read.bytes(0);
    }
    REQUIRE(answer.size() > 40);
    const auto put = [&](const std::string& bytes) {
        database.prepare("UPDATE answers SET answer = ?").bind(1, bytes).run();
    };
    const auto check = [&](const std::string& bytes) {
        put(bytes);
        const std::vector<TextResult> found = translate();
        REQUIRE(found.size() == 1);
        REQUIRE_FALSE(found[0].hypotheses.empty());
        const auto& sentence = found[0].hypotheses[0].sentences.at(0);
        CHECK(sentence.attention.values.size() ==
              found[0].hypotheses[0].packed_at(0).size() * found[0].sentences.at(0).packed.size());
    };
    for (std::size_t i = 0; i < std::min<std::size_t>(answer.size(), 24); ++i)
        for (const int value : {0, 1, 0x7f, 0xff}) {
            CAPTURE(i);
            CAPTURE(value);
            std::string changed = answer;
            changed[i] = char(value);
            check(changed);
        }
    for (const std::size_t size : {std::size_t(0), std::size_t(1), answer.size() / 2, answer.size() - 1})
        check(answer.substr(0, size));
    put(answer);
    CHECK(bytes_of(translate()) == bytes_of(right));
}

TEST_CASE("only what is new goes through the model") {
    const auto memory = memory_of();
    const auto translator = pipeline::Translator::create(shipped());
    const pipeline::Text first[] = {{"Good morning. Where is the station?", {}}};
    const pipeline::Text second[] = {{"Where is the station? I have a dog.", {}}};
    const TextOptions options{.target_language = "de", .memory = memory};
    translator->translate_texts(first, options, {});
    translator->translate_texts(second, options, {});
    CHECK(translator->stats().sentences == 3);
    std::size_t last = 0, all = 0;
    translator->translate_texts(second, options, {}, [&](std::size_t done, std::size_t total) {
        last = done, all = total;
        return true;
    });
    CHECK(translator->stats().sentences == 3);
    CHECK(last <= all);
}

TEST_CASE("segments translate equal sentences, others are offered") {
    const auto memory = memory_of({.min_similarity = 0.6f, .record = true});
    memory->add({{"en", "Where is the station?"}, {"de-DE", "Wo liegt die Haltestelle?"}});
    memory->add({{"en", "It is late. We must go."}, {"de", "Es ist sp\u00e4t, wir m\u00fcssen los."}});
    const TextOptions options{.target_language = "de", .memory = memory};
    const std::string text = "Where is the  station? It is late. We must go. Where is the old station? I have a dog.";
    const auto results = translated({text}, options, {.return_scores = true});
    const TextResult& result = results.at(0);
    REQUIRE(result.sentences.size() == 4);
    const auto& targets = result.hypotheses.at(0).sentences;
    CHECK(result.hypotheses[0].text.starts_with("Wo liegt die Haltestelle? Es ist sp\u00e4t, wir m\u00fcssen los. "));
    const auto target = [&](std::size_t s) {
        return result.hypotheses[0].text.substr(targets[s].begin, targets[s].size);
    };
    CHECK(target(0) == "Wo liegt die Haltestelle?");
    CHECK(result.sentences[0].flags == SentenceFlags::from_memory);
    CHECK_FALSE(result.sentences[0].packed.empty());
    CHECK_FALSE(result.hypotheses[0].packed_at(0).empty());
    CHECK(target(1) == "Es ist sp\u00e4t, wir m\u00fcssen los.");
    CHECK(result.sentences[1].flags == SentenceFlags::from_memory);
    REQUIRE(result.sentences[2].matches.size() == 1);
    CHECK(result.sentences[2].matches[0].similarity == doctest::Approx(5.0 / 6));
    CHECK(result.sentences[2].matches[0].target == "Wo liegt die Haltestelle?");
    CHECK(result.sentences[2].flags == 0);
    const auto plain = translated({"Where is the old station? I have a dog."}, {.target_language = "de"});
    CHECK(result.hypotheses[0].text.ends_with(plain[0].hypotheses[0].text));
    CHECK(result.sentences[3].matches.empty());
    CHECK(memory->stats().recorded == 4);
    CHECK(memory->stats().exact == 2);
    // The other way, and a target that a text says itself.
    const auto back = translated({">>en<< Wo liegt die Haltestelle?"}, {.memory = memory});
    CHECK(back[0].hypotheses[0].text == "Where is the station?");
    CHECK(translated({"Where is the station?"}, {.target_language = "en", .memory = memory})[0].sentences[0].flags ==
          0);
    // Its tags go with equal words, else by their places.
    const auto html = translated({"<p>Where is the <b>station</b>?</p>"},
                                 {.target_language = "de", .markup = pipeline::Markup::html, .memory = memory});
    CHECK(html[0].hypotheses[0].text == "<p>Wo liegt die <b>Haltestelle</b>?</p>");
}

TEST_CASE("a segment is as long as it is, and needs no model") {
    std::string source = "First", target = "Zuerst";
    for (int i = 0; i < 300; ++i) source += " word" + std::to_string(i), target += " Wort" + std::to_string(i);
    const auto memory = memory_of();
    memory->add({{"en", source}, {"de", target}});
    const auto translator = pipeline::Translator::create(shipped());
    const pipeline::Text texts[] = {{source, {}}};
    for (const bool alignment : {false, true}) {
        const auto result = translator->translate_texts(
            texts, {.target_language = "de", .memory = memory, .return_alignment = alignment}, {})[0];
        CHECK(result.hypotheses.at(0).text == target);
        REQUIRE(result.sentences.size() == 1);
        const auto& words = result.hypotheses[0].sentences.at(0).alignment;
        CHECK(words.target.size() == (alignment ? 301 : 0));
        for (std::size_t w = 0; w < words.target.size(); ++w) {
            CHECK(words.at(w, w) == 1.0f);
            CHECK(std::accumulate(words.row(w).begin(), words.row(w).end(), 0.0f) == 1.0f);
        }
    }
    CHECK(translator->stats().sentences == 0);
}

TEST_CASE("on a route segments lead from the first language to the last, and answers are each model's own") {
    const std::vector<std::shared_ptr<const pipeline::Model>> models = {shipped(),
                                                                        load(DRAGOMAN_TEST_DATA "/huggingface/m2m100")};
    const std::vector<pipeline::RouteStep> route = {{0, "de", "en"}, {1, "en", "fr"}};
    const auto translator = pipeline::Translator::create(models, route);
    const auto memory = memory_of({.record = true});
    const pipeline::Text texts[] = {{"Wo ist der Bahnhof? Guten Morgen.", {}}};
    const auto translate = [&](std::shared_ptr<Memory> used) {
        return bytes_of(translator->translate_texts(texts, {.memory = std::move(used)}, {.return_scores = true}));
    };
    const std::string plain = translate(nullptr);
    CHECK(translate(memory) == plain);
    CHECK(memory->stats().recorded == 2);
    const auto misses = memory->stats().misses;
    CHECK(translate(memory) == plain);
    CHECK(memory->stats().misses == misses);
    CHECK(translate(memory) == plain);
    memory->add({{"de", "Guten Morgen."}, {"fr", "Bonjour."}, {"en", "Hello."}});
    memory->add({{"de", "Wo ist der Bahnhof?"}, {"fr", "O\u00f9 est la gare ?"}});
    const auto result = translator->translate_texts(texts, {.memory = memory}, {})[0];
    CHECK(result.hypotheses[0].text == "O\u00f9 est la gare ? Bonjour.");
}

}  // namespace translation_memory_test
