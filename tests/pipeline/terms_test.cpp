// SPDX-License-Identifier: Apache-2.0
// Translations of the model that comes with the library have the terms of a glossary, and the others stay as they are.
#include <algorithm>

#include "base/error.h"
#include "pipeline/compare.h"
#include "pipeline/run/translator.h"
#include "pipeline/shipped.h"
#include "text/glossary.h"

namespace terms_test {

using namespace dragoman;
using pipeline::TextOptions;
using pipeline::TextResult;

namespace {

std::shared_ptr<const text::Glossary> glossary(std::string_view table) {
    return std::make_shared<const text::Glossary>(text::read_glossary(table));
}

std::vector<TextResult> translated(const std::vector<std::string>& texts,
                                   const std::shared_ptr<const text::Glossary>& terms,
                                   const pipeline::TranslateOptions& options = {}) {
    std::vector<pipeline::Text> list;
    for (const std::string& text : texts) list.push_back({text, {}});
    return pipeline::Translator::create(test::shipped_model())
        ->translate_texts(list, {.target_language = "de", .glossary = terms}, options);
}

std::string text_of(const TextResult& result) { return result.hypotheses.at(0).text; }

bool has(const std::string& text, std::string_view part) {
    CAPTURE(text);
    CAPTURE(part);
    return text.find(part) != std::string::npos;
}

const std::vector<std::string> kTexts = {
    "The committee approved the report yesterday.", "The weather is nice today.",
    "Please send the report to the committee before Friday, and a copy of the report to me.",
    "The committee approved the report yesterday.", "Nobody knows."};

}  // namespace

TEST_CASE("translations have their terms, and sentences without any stay as they are") {
    const auto terms = glossary("report\tRechenschaftsbericht\ncommittee\tGremium|Gremiums|Gremien\n");
    for (const spec::SearchStyle style :
         {spec::SearchStyle::ctranslate2, spec::SearchStyle::marian, spec::SearchStyle::huggingface})
        for (const uint32_t beam : {1u, 4u, 6u}) {
            CAPTURE(int(style));
            CAPTURE(beam);
            const pipeline::TranslateOptions options{.search = style, .beam_size = beam};
            const auto plain = translated(kTexts, nullptr, options), found = translated(kTexts, terms, options);
            for (const std::size_t i : {1u, 4u}) CHECK(text_of(found[i]) == text_of(plain[i]));
            for (const std::size_t i : {0u, 2u, 3u}) {
                const std::string text = text_of(found[i]);
                CHECK(has(text, "Rechenschaftsbericht"));
                CHECK((has(text, "Gremium") || has(text, "Gremien")));
                const auto& uses = found[i].hypotheses[0].sentences.at(0).terms;
                REQUIRE(uses.size() == (i == 2 ? 3 : 2));
                for (const pipeline::TermUse& use : uses) CHECK(use.met);
            }
            CHECK(text_of(found[0]) == text_of(found[3]));
            // Twice in the source, twice in the translation.
            const std::string twice = text_of(found[2]);
            const std::size_t first = twice.find("Rechenschaftsbericht");
            CHECK(twice.find("Rechenschaftsbericht", first + 1) != std::string::npos);
        }
}

TEST_CASE("a term stands where its source is read") {
    const auto terms = glossary("dog\tTerrier\ncat\tPerser\n");
    const std::string text = text_of(translated({"The dog sleeps and the cat eats."}, terms)[0]);
    CAPTURE(text);
    REQUIRE(has(text, "Terrier"));
    REQUIRE(has(text, "Perser"));
    CHECK(text.find("Terrier") < text.find("Perser"));
}

TEST_CASE("nothing of the model's own word stays beside a term") {
    const auto german = glossary("Käufer\tcustomer\nVermieter\tlandlord\nAuftraggeber\tclient\nArzt\tphysician\n");
    const TextOptions to_english{.source_language = "de", .target_language = "en", .glossary = german};
    const auto english_of = [&](const std::string& text) {
        const std::vector<pipeline::Text> list{{text, {}}};
        return text_of(pipeline::Translator::create(test::shipped_model())->translate_texts(list, to_english, {})[0]);
    };
    CHECK(english_of("Der Käufer und der Vermieter sind hier.") == "The customer and the landlord are here.");
    CHECK(english_of("AUFTRAGGEBER") == "client");
    CHECK(english_of("Ist der Arzt im Haus?") == "Is the physician in the house?");
    CHECK(english_of("Käufer müssen zahlen.").starts_with("Customer"));

    const auto tenancy = glossary("Mieter\tlessee\nVermieter\tlessor\nVerkäufer\tvendor\n");
    const std::vector<pipeline::Text> talk{{"Der Mieter und der Vermieter sprechen mit dem Verkäufer.", {}}};
    const TextOptions with_tenancy{.source_language = "de", .target_language = "en", .glossary = tenancy};
    CHECK(text_of(pipeline::Translator::create(test::shipped_model())->translate_texts(talk, with_tenancy, {})[0]) ==
          "The lessee and the lessor talk to the vendor.");
    const auto pets = glossary("dog\tVierbeiner\nN/A\tk. A.\n");
    CHECK(text_of(translated({"My dog, your dog, his dog."}, pets)[0]) ==
          "Mein Vierbeiner, dein Vierbeiner, sein Vierbeiner.");
    CHECK(text_of(translated({"The price is N/A."}, pets)[0]) == "Der Preis ist k. A.");

    const auto english = glossary("wizard\tMagier\nroom (single)\tEinzelzimmer\nhouse\tAnwesen\n");
    CHECK(text_of(translated({"WIZARD WANTED"}, english)[0]).starts_with("MAGIER "));
    const std::string room = text_of(translated({"We need a room (single) for two nights."}, english)[0]);
    CAPTURE(room);
    CHECK(room.starts_with("Wir brauchen ein Einzelzimmer für zwei "));
}

TEST_CASE("names of several words that stay the same stand in one place") {
    const auto terms = glossary("apple tech news\tapple tech news\n");
    const std::string text = text_of(translated({"Read more in Apple Tech News every day."}, terms)[0]);
    CAPTURE(text);
    REQUIRE(has(text, "Apple Tech News"));
    const std::string rest = text.substr(text.find("Apple Tech News") + 15);
    CHECK(rest.find("ech") == std::string::npos);
}

TEST_CASE("no term is looked for in what stays as it is") {
    const auto terms = glossary("house\tAnwesen\n");
    const std::string text = text_of(translated({"The file house/notes.md is in the house."}, terms)[0]);
    CAPTURE(text);
    CHECK(has(text, "house/notes.md"));
    CHECK(text.find("Anwesen") == text.rfind("Anwesen"));
    CHECK(has(text, "Anwesen"));
}

TEST_CASE("several hypotheses all have the terms") {
    const auto terms = glossary("report\tRechenschaftsbericht\n");
    const auto result = translated({kTexts[0]}, terms, {.beam_size = 5, .num_hypotheses = 3})[0];
    REQUIRE(result.hypotheses.size() == 3);
    for (const auto& hypothesis : result.hypotheses) CHECK(has(hypothesis.text, "Rechenschaftsbericht"));
}

TEST_CASE("a term comes before the sentence is closed") {
    const auto terms = glossary("cat\tPerser\nbuilding\tGebäude\ntable\tPult\n");
    for (const char* source : {"The cat is in the building.", "The cat sits on the table in the building.",
                               "A cat was seen in the building! Was it a cat?"}) {
        const std::string text = text_of(translated({source}, terms)[0]);
        CAPTURE(text);
        CHECK(has(text, "Perser"));
        CHECK(std::string_view(".!?").find(text.back()) != std::string_view::npos);
        CHECK(std::ranges::count(text, '.') == std::ranges::count(std::string(source), '.'));
    }
}

TEST_CASE("terms that no search gives are carried: letters that the vocabulary lacks, and many") {
    const auto lacking = translated({kTexts[0]}, glossary("report\t報告書\n"))[0];
    REQUIRE(lacking.hypotheses[0].sentences.at(0).terms.size() == 1);
    CHECK(lacking.hypotheses[0].sentences[0].terms[0].met);
    CAPTURE(text_of(lacking));
    CHECK(has(text_of(lacking), "報告書"));

    std::string source = "We have", table;
    std::vector<std::string> targets;
    for (int i = 0; i < 36; ++i) {
        std::string word, target = "W";
        for (int left = i; word.size() < 3; left /= 4) word += char('a' + left % 4);
        for (int left = i; target.size() < 4; left /= 4) target += char('a' + left % 4);
        source += (i > 0 ? ", b" : " b") + word;
        table += "b" + word + "\t" + target + "\n";
        targets.push_back(target);
    }
    const auto many = translated({source + "."}, glossary(table))[0];
    const std::string text = text_of(many);
    CAPTURE(text);
    for (const std::string& target : targets) CHECK_MESSAGE(has(text, target), target);
    for (const pipeline::TermUse& use : many.hypotheses[0].sentences.at(0).terms) CHECK(use.met);
}

TEST_CASE("placeholders and addresses stay, each once") {
    const std::vector<std::string> texts = {
        "Hello {user_name}, you have %d new messages in {folder}.",
        "Write to support@example.com or see https://example.com/help?id=7 before you delete /var/log/x1.log.",
        "The function get_value() returns {result_9f3k} and not {a7Qz}."};
    const std::vector<std::vector<std::string>> kept = {{"{user_name}", "%d", "{folder}"},
                                                        {"support@example.com", "https://example.com/help?id=7",
                                                         "/var/log/x1.log"},
                                                        {"{result_9f3k}", "{a7Qz}"}};
    std::vector<pipeline::Text> list;
    for (const std::string& text : texts) list.push_back({text, {}});
    const auto results = pipeline::Translator::create(test::shipped_model())
                             ->translate_texts(list, {.target_language = "de", .keep_spans = true}, {});
    for (std::size_t i = 0; i < texts.size(); ++i)
        for (const std::string& part : kept[i]) {
            const std::string text = text_of(results[i]);
            CAPTURE(text);
            CAPTURE(part);
            CHECK(text.find(part) != std::string::npos);
            CHECK(text.find(part) == text.rfind(part));
        }
}

TEST_CASE("what does not go with terms is refused by name") {
    const auto refused = [](const pipeline::TranslateOptions& options) -> std::string {
        try {
            translated({kTexts[0]}, glossary("a\tb\n"), options);
        } catch (const Error& error) {
            CHECK(error.status() == Status::unsupported);
            return error.what();
        }
        return "";
    };
    CHECK(has(refused({.return_alternatives = true}), "return_alternatives"));
    CHECK(has(refused({.sampling = spec::Sampling::on}), "without sampling"));
    CHECK(has(refused({.beam_size = 20}), "at most 16, got 20"));
}

}  // namespace terms_test
