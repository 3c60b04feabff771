// SPDX-License-Identifier: Apache-2.0
// Attention, prefixes, partial results and scores of every family with its own languages, beside transformers.
#include <algorithm>
#include <fstream>
#include <map>

#include "families/families.h"
#include "pipeline/compare.h"
#include "pipeline/model/unsupported.h"
#include "spec/prompt.h"
#include "support/model_folder.h"

namespace features_test {

using namespace dragoman;
using nlohmann::json;

namespace {

json read_json(const std::string& path) {
    std::ifstream file(path);
    return json::parse(file);
}

pipeline::Tokens split(const std::string& text) {
    pipeline::Tokens tokens;
    std::istringstream words(text);
    for (std::string word; words >> word;) tokens.push_back(word);
    return tokens;
}

// A recorded greedy translation.
struct Case {
    std::string from, to, text, translation;
    pipeline::Tokens tokens;
};

// One of the recorded models with what transformers says of it.
class Family {
public:
    explicit Family(const std::string& name)
        : model_(name), folder_(model_.path()),
          translator_(pipeline::Translator::create(
              pipeline::Model::load(folder_, {.device = {}, .compute_type = pipeline::ComputeType::f32}))),
          features_(read_json(folder_ + "/features.json")) {
        if (name.starts_with("t5/")) read_t5(name != "t5/mt5" && name != "t5/umt5" && name != "t5/byt5");
        else read_translations();
    }

    const json& features() const { return features_; }
    const Case& translated(const json& row) const { return cases_.at(row.at("case").get<std::size_t>()); }
    pipeline::Translator& translator() const { return *translator_; }
    const pipeline::Model& model() const { return translator_->model(); }

    pipeline::TextOptions text_options(const Case& c) const {
        return {.split_sentences = false, .source_language = c.from, .target_language = c.to, .raw = true};
    }

    // The only sentence of the only hypothesis, and the tokens of the source.
    std::pair<pipeline::Translation, pipeline::Tokens> translate(const Case& c, pipeline::TranslateOptions options,
                                                                 const pipeline::Tokens& prefix = {}) const {
        options.beam_size = 1;
        options.max_decoding_length = 100;
        const pipeline::Text text{c.text, prefix};
        auto results = translator_->translate_texts({&text, 1}, text_options(c), options);
        REQUIRE(results.at(0).hypotheses.size() == 1);
        REQUIRE(results[0].hypotheses[0].sentences.size() == 1);
        return {results[0].hypotheses[0].sentence(0), results[0].sentences.at(0).tokens()};
    }

private:
    void read_translations() {
        const json recorded = read_json(folder_ + "/translations.json");
        for (const json& result : recorded.at("cases").at(0).at("results")) {
            const json& sentence = recorded.at("sentences").at(result.at(0).get<std::size_t>());
            cases_.push_back({sentence.at(0), sentence.at(1), sentence.at(2), result.at(1).at(1),
                              split(result[1].at(0))});
        }
    }
    void read_t5(bool languages) {
        const json recorded = read_json(folder_ + "/recorded.json");
        for (const json& item : recorded.at("cases").at(0).at("items"))
            cases_.push_back({languages ? item.at("from") : json(""), languages ? item.at("to") : json(""),
                              item.at("text"), item.at("texts").at(0), split(item.at("tokens").at(0))});
    }

    test::ModelFolder model_;
    std::string folder_;
    std::shared_ptr<pipeline::Translator> translator_;
    json features_;
    std::vector<Case> cases_;
};

const char* const kFamilies[] = {"huggingface/m2m100",
                                 "huggingface/nllb",
                                 "huggingface/mbart50",
                                 "huggingface/mbart25",
                                 "huggingface/bart",
                                 "huggingface/untied",
                                 "t5/t5",
                                 "t5/t5_v11",
                                 "t5/mt5",
                                 "t5/umt5",
                                 "t5/madlad",
                                 "t5/byt5"};

template <class F>
void for_each_family(F&& check) {
    for (const std::string name : kFamilies) {
        CAPTURE(name);
        const Family family(name);
        REQUIRE(family.features().size() == 4);
        for (const json& row : family.features()) {
            const Case& c = family.translated(row);
            CAPTURE(c.text);
            check(family, row, c);
        }
    }
}

// The largest difference; the columns of `target` that belong to no token of the source are left out.
double distance(const Matrix& found, const json& target, std::size_t first_column, std::size_t columns) {
    REQUIRE(found.rows == target.size());
    double largest = 0;
    for (std::size_t t = 0; t < found.rows; ++t) {
        REQUIRE(found[t].size() == columns);
        REQUIRE(target[t].size() >= first_column + columns);
        for (std::size_t s = 0; s < columns; ++s)
            largest = std::max(largest, std::abs(double(found[t][s]) - target[t][first_column + s].get<double>()));
    }
    return largest;
}

// Checks the scores of a text's tokens.
void check_log_probs(const std::vector<float>& found, const json& expected) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const float wanted = expected[i];
        CHECK(std::abs(found[i] - wanted) <= test::kScoreTolerance * std::max(1.0f, std::abs(wanted)));
    }
}

// The tokens that the model needs before the target's, for scores of tokens.
pipeline::Request request(const Family& family, const Case& c, const pipeline::Tokens& target) {
    const auto source = family.translate(c, {}).second;
    pipeline::Tokens tokens = family.model().prompt(c.from, c.to)->target_begin;
    tokens.insert(tokens.end(), target.begin(), target.end());
    return {source, tokens};
}

}  // namespace

TEST_CASE("the attention of every layer and head") {
    std::size_t compared = 0;
    for_each_family([&](const Family& family, const json& row, const Case& c) {
        const json& layers = row.at("attention");
        for (std::size_t layer = 0; layer < layers.size(); ++layer) {
            const std::size_t heads = layers[layer].size();
            CHECK(heads == family.model().info().decoder_heads);
            for (std::size_t head = 0; head < heads; ++head, ++compared) {
                CAPTURE(layer);
                CAPTURE(head);
                pipeline::TranslateOptions options{.return_end_token = true, .return_attention = true};
                options.attention_layer = uint32_t(layer + 1);
                options.attention_head = uint32_t(head + 1);
                const auto [found, source] = family.translate(c, options);
                CHECK(distance(found.attention, layers[layer][head], family.model().add_source_bos(), source.size()) <
                      1e-4);
            }
        }
    });
    CHECK(compared >= 12 * 4);
}

TEST_CASE("a prefix is forced, and the rest is what greedy search puts after it") {
    for_each_family([](const Family& family, const json& row, const Case& c) {
        pipeline::Tokens expected = row.at("prefix");
        for (const json& token : row.at("continued")) expected.push_back(token);
        CHECK(test::joined(family.translate(c, {}, row.at("prefix")).first.tokens) == test::joined(expected));
    });
}

TEST_CASE("log-probabilities of given tokens") {
    for_each_family([](const Family& family, const json& row, const Case& c) {
        pipeline::Tokens continued = row.at("prefix");
        for (const json& token : row.at("continued")) continued.push_back(token);
        const pipeline::Request requests[] = {request(family, c, c.tokens), request(family, c, continued)};
        const auto results = family.translator().score(requests);
        const json* const expected[] = {&row.at("log_probs"), &row.at("continued_log_probs")};
        for (std::size_t i = 0; i < 2; ++i) {
            std::vector<float> own = results.at(i).log_probs;
            own.erase(own.begin(), own.end() - std::ptrdiff_t(expected[i]->size()));  // the language's
            check_log_probs(own, *expected[i]);
        }
    });
}

TEST_CASE("log-probabilities of given texts") {
    std::size_t compared = 0;
    for_each_family([&](const Family& family, const json& row, const Case& c) {
        const pipeline::TextPair pair{c.text, c.translation};
        const auto result = family.translator().score_texts({&pair, 1},
                                                            {.source_language = c.from, .target_language = c.to});
        const pipeline::ScoreResult& score = result.at(0);
        REQUIRE(score.ranges.size() == score.tokens.size());
        CHECK(score.tokens.back() == family.model().eos_token());
        std::size_t begin = 0, end = 0;  // ranges are in order and cover the text; bytes have those of their character
        for (const text::Range range : score.ranges) {
            CHECK(range.begin >= begin);
            CHECK(range.end >= end);
            if (range.begin > end) CHECK(text::trim(c.translation, {end, range.begin}).size() == 0);
            begin = range.begin;
            end = range.end;
        }
        CHECK(end == c.translation.size());
        pipeline::Tokens own(score.tokens.begin(), score.tokens.end() - 1);
        if (own != c.tokens) return;  // the model wrote the text in other pieces than its tokenizer does
        check_log_probs(score.log_probs, row.at("log_probs"));
        ++compared;
    });
    CHECK(compared >= 24);  // of 48
}

TEST_CASE("partial results of greedy search grow to the translation") {
    std::size_t partials = 0;
    for_each_family([&](const Family& family, const json&, const Case& c) {
        std::vector<pipeline::Tokens> seen;
        pipeline::Tokens last;
        pipeline::JobOptions how;
        how.partials = true;
        how.on_event = [&](const pipeline::JobEvent& event) {
            pipeline::Tokens tokens(event.tokens.begin(), event.tokens.end());
            if (event.kind == pipeline::JobEvent::Kind::partial) seen.push_back(std::move(tokens));
            if (event.kind == pipeline::JobEvent::Kind::sentence) last = std::move(tokens);
        };
        pipeline::JobInput input{.documents = {{c.text}},
                                 .text = family.text_options(c),
                                 .options = {.beam_size = 1, .max_decoding_length = 100}};
        const auto job = family.translator().submit(std::move(input), how);
        CHECK(job->wait());
        job->take();
        CHECK(test::joined(last) == test::joined(c.tokens));
        for (const pipeline::Tokens& tokens : seen) {
            REQUIRE(tokens.size() <= last.size());
            CHECK(test::joined(tokens) == test::joined({last.begin(), last.begin() + std::ptrdiff_t(tokens.size())}));
        }
        partials += seen.size();
    });
    CHECK(partials >= 48);
}

TEST_CASE("what a model lacks is said") {
    const auto unsupported = [](const std::string& name) {
        return pipeline::unsupported(families::load(DRAGOMAN_TEST_DATA "/" + name));
    };
    using List = std::vector<std::string>;
    CHECK(unsupported("huggingface/nllb") == List{"shortlist"});
    CHECK(unsupported("huggingface/bart") == List{"names of languages", "shortlist"});
    CHECK(unsupported("random/m2m100").front() == "texts (no tokenizer: only tokens)");
    CHECK(unsupported("huggingface/gpt2") == List{"translation (a decoder-only model, which continues texts)",
                                                  "attention", "vectors of texts", "names of languages", "shortlist"});
    CHECK(unsupported("encoders/bert").front() == "translations (an encoder-only model: vectors of texts)");
    CHECK(unsupported("marian/s2s").front() == "vectors of texts");
}

}  // namespace features_test
