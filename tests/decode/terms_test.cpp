// SPDX-License-Identifier: Apache-2.0
// Terms that must come: the device's search against one written over whole hypotheses, and what it promises.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "bigram_model.h"
#include "decode/terms.h"
#include "nn/plain_transformer.h"
#include "nn/transformer.h"
#include "plain_terms.h"
#include "spec/random_model.h"
#include "support/blocking_search.h"
#include "support/device.h"
#include "support/sweep.h"

namespace terms_test {

using namespace dragoman;
using decode::SearchInput;
using decode::SearchRules;
using decode::Term;

namespace {

constexpr uint32_t kVocabulary = 37, kEnd = 2, kStart = 1;

struct Case {
    std::string name;
    SearchRules rules;
};

std::vector<Case> cases() {
    using spec::SearchStyle;
    std::vector<Case> list{
        {"greedy", {.beam_size = 1}},
        {"beam 4", {.beam_size = 4}},
        {"beam 9", {.beam_size = 9, .num_hypotheses = 5}},
        {"early exit", {.beam_size = 4, .early_exit = true}},
        {"patience", {.beam_size = 5, .patience = 1.6f, .num_hypotheses = 3}},
        {"marian", {.style = SearchStyle::marian, .beam_size = 4}},
        {"marian, all of the beam", {.style = SearchStyle::marian, .beam_size = 6, .num_hypotheses = 6}},
        {"marian, the widest beam", {.style = SearchStyle::marian, .beam_size = decode::kMaxTermBeam}},
        {"huggingface", {.style = SearchStyle::huggingface, .beam_size = 4}},
        {"huggingface, never",
         {.style = SearchStyle::huggingface,
          .beam_size = 5,
          .num_hypotheses = 5,
          .length_penalty = 0.7f,
          .early_stopping = spec::EarlyStopping::never}},
        {"huggingface, on",
         {.style = SearchStyle::huggingface,
          .beam_size = 4,
          .early_stopping = spec::EarlyStopping::on,
          .forced_end = kEnd}},
    };
    for (Case& c : list) c.rules.end_ids = {kEnd};
    list.push_back({"two end tokens", {.beam_size = 4, .end_ids = {kEnd, 9}}});
    for (Case& c : list) c.rules = with_terms(c.rules);
    return list;
}

std::vector<uint32_t> random_form(std::mt19937& random, uint32_t tokens, uint32_t different) {
    std::vector<uint32_t> form(1 + random() % tokens);
    for (uint32_t& token : form) token = 10 + random() % different;
    return form;
}

std::shared_ptr<const decode::TokenKinds> some_kinds() {
    auto kinds = std::make_shared<decode::TokenKinds>();
    for (uint32_t token = 3; token < kVocabulary; ++token) {
        if (token % 8 >= 4) decode::add_kind(*kinds, token, TOKEN_GLUED);
        if (token % 3 == 0) decode::add_kind(*kinds, token, TOKEN_OPEN);
        if (token % 5 == 0) decode::add_kind(*kinds, token, TOKEN_CLOSES);
    }
    return kinds;
}

// The terms have few different tokens, so that they share prefixes, contain each other and are equal.
std::vector<Term> random_terms(std::mt19937& random, uint32_t source) {
    const uint32_t different = random() % 2 ? 3 : 20;
    std::vector<Term> terms(1 + random() % 5);
    for (Term& term : terms) {
        for (uint32_t form = 0; form < 1 + random() % 3; ++form)
            term.forms.push_back(random_form(random, 4, different));
        if (random() % 3 && source > 0) {
            term.source_begin = random() % source;
            term.source_end = term.source_begin + 1 + random() % (source - term.source_begin);
        }
        term.whole = random() % 2;
        if (random() % 2 && source > 0) {
            term.stop = random() % source;
            term.stop_end = term.stop + 1 + random() % (source - term.stop);
        }
    }
    if (random() % 3 == 0) terms.push_back(terms.front());
    return terms;
}

// Whether each term from `next` on has a form in the tokens, where nothing is used twice.
bool has_terms(const std::vector<uint32_t>& tokens, const std::vector<Term>& terms, std::vector<bool> used,
               std::size_t next) {
    if (next == terms.size()) return true;
    for (const auto& form : terms[next].forms)
        for (std::size_t at = 0; at + form.size() <= tokens.size(); ++at) {
            if (!std::equal(form.begin(), form.end(), tokens.begin() + std::ptrdiff_t(at))) continue;
            std::vector<bool> taken = used;
            bool free = true;
            for (std::size_t i = at; i < at + form.size(); ++i) {
                free = free && !used[i];
                taken[i] = true;
            }
            if (free && has_terms(tokens, terms, taken, next + 1)) return true;
        }
    return false;
}

void check_terms_met(const decode::Hypothesis& hypothesis, const SearchInput& input) {
    std::vector<Term> met;
    for (std::size_t i = 0; i < input.terms.size(); ++i)
        if (hypothesis.terms_met >> i & 1) met.push_back(input.terms[i]);
    std::ranges::stable_sort(met, std::greater<>(), [](const Term& term) {  // those with fewest places first
        return std::ranges::min_element(term.forms, {}, &std::vector<uint32_t>::size)->size();
    });
    const std::vector<uint32_t> own(hypothesis.tokens.begin() + std::ptrdiff_t(input.context.size()),
                                    hypothesis.tokens.end());
    CHECK(has_terms(own, met, std::vector<bool>(own.size()), 0));
    if (met.size() < input.terms.size()) CHECK(hypothesis.tokens.size() == input.max_length);
}

void check_same(const std::vector<decode::Hypothesis>& found, const std::vector<decode::Hypothesis>& expected,
                float tolerance) {
    REQUIRE(found.size() == expected.size());
    for (const auto& hypothesis : expected)
        CHECK(std::ranges::any_of(found, [&](const decode::Hypothesis& h) {
            return h.tokens == hypothesis.tokens && h.terms_met == hypothesis.terms_met &&
                   std::abs(h.score - hypothesis.score) <= tolerance * (1.0f + std::abs(hypothesis.score));
        }));
}

std::vector<SearchInput> random_inputs(std::mt19937& random, uint32_t count, uint32_t longest, bool attention) {
    std::vector<SearchInput> list;
    for (uint32_t i = 0; i < count; ++i) {
        SearchInput input{.source = {}, .start_id = kStart, .max_length = longest, .min_length = 0};
        for (uint32_t length = 1 + random() % 8; length > 0; --length) input.source.push_back(3 + random() % 30);
        if (i % 7 == 3) input.context = {6, 10 + i % 9, 7};
        if (i % 7 == 5) input.prefix = {10 + i % 9, 5};
        input.terms = random_terms(random, attention ? uint32_t(input.source.size()) : 0);
        if (i % 11 == 7) input.max_length = 4 + i % 9;  // too short for some
        if (i % 11 == 9) input.terms.clear();
        list.push_back(input);
    }
    return list;
}

test::PlainTerms::Predict predict_with(const test::BigramModel& model) {
    return [&model](const std::vector<uint32_t>& fed) {
        test::PlainTerms::Prediction prediction;
        for (uint32_t token = 0; token < kVocabulary; ++token)
            prediction.logits.push_back(model.table[fed.back() * kVocabulary + token] +
                                        model.by_position[(fed.size() - 1) * kVocabulary + token]);
        return prediction;
    };
}

std::vector<decode::Hypothesis> hypotheses_of(test::BlockingSearch& search, const SearchInput& input,
                                              const SearchRules& rules) {
    return search.run(std::vector{input}, rules)[0].hypotheses;
}

std::string refused(const std::shared_ptr<vulkan::Context>& context, const SearchInput& input, SearchRules rules) {
    const test::BigramModel model(context, kVocabulary, 1);
    test::BlockingSearch search(context, model);
    rules.end_ids = {kEnd};
    try {
        search.run(std::vector{input}, with_terms(rules));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("the search for terms agrees with a plain one") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        std::mt19937 random(7);
        for (const uint32_t seed : {1u, 2u}) {
            test::BigramModel model(context, kVocabulary, seed);
            model.depend_on_position(40);
            test::BlockingSearch search(context, model);
            for (Case& c : cases()) {
                CAPTURE(c.name);
                CAPTURE(seed);
                if (seed == 2) c.rules.kinds = some_kinds();
                const auto batch = random_inputs(random, 33, 24, false);
                const auto outputs = search.run(batch, c.rules);
                for (std::size_t i = 0; i < batch.size(); ++i) {
                    CAPTURE(i);
                    check_same(outputs[i].hypotheses, test::PlainTerms(predict_with(model), c.rules, batch[i]).run(),
                               2e-5f);
                    for (const auto& hypothesis : outputs[i].hypotheses) check_terms_met(hypothesis, batch[i]);
                }
            }
        }
    });
}

TEST_CASE("terms begin where attention lies on their source tokens, as in a plain search") {
    // A model whose alignment is that of the token before: what its last layer attends to opens terms.
    bool apart = false;
    const auto check = [&](const std::shared_ptr<vulkan::Context>& context) {
        spec::TransformerConfig config{.d_model = 16,
                                       .encoder_ffn = 20,
                                       .decoder_ffn = 24,
                                       .source_vocabulary = kVocabulary,
                                       .target_vocabulary = kVocabulary,
                                       .encoder = {.layers = 1, .heads = 2, .head_dim = 8},
                                       .decoder = {.layers = 2, .heads = 2, .head_dim = 8, .final_norm = true}};
        const test::RandomModel random_model(config, {.seed = 5});
        config = random_model.config;
        config.alignment_layer = apart ? 0 : -1;
        config.alignment_first_head = 1;
        config.alignment_next_step = apart;
        const nn::Transformer network(context, config, random_model.weights, DType::f32);
        REQUIRE(network.info().gate_apart == apart);
        if (apart) config.alignment_layer = -1, config.alignment_heads = 0;
        const test::PlainTransformer plain(config, random_model.weights);
        test::BlockingSearch search(context, network);
        std::mt19937 random(11);
        uint32_t closed = 0;  // terms that came later than they could have
        for (Case& c : cases()) {
            if (c.rules.beam_size > 5) continue;
            CAPTURE(c.name);
            c.rules.kinds = some_kinds();
            c.rules.attention = c.name == "marian";  // the alignment, beside what opens terms
            const auto batch = random_inputs(random, 4, 12, true);
            const auto outputs = search.run(batch, c.rules);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                CAPTURE(i);
                std::map<std::vector<uint32_t>, test::PlainTerms::Prediction> known;
                const auto predict = [&](const std::vector<uint32_t>& fed) {
                    const auto [at, added] = known.try_emplace(fed);
                    if (added) {
                        const auto found = plain.predict(batch[i].source, fed);
                        at->second = {found.logits, found.attention};
                        for (const Term& term : batch[i].terms) {
                            double mass = 0;
                            for (uint32_t j = term.source_begin; j < term.source_end; ++j) mass += found.attention[j];
                            closed += term.source_begin < term.source_end && mass < 0.25;
                        }
                    }
                    return at->second;
                };
                check_same(outputs[i].hypotheses, test::PlainTerms(predict, c.rules, batch[i]).run(), 1e-4f);
            }
        }
        CHECK(closed > 100);
    };
    for (const bool of : {false, true}) {
        apart = of;
        test::for_every_held_device(check);
        test::for_every_held_device(check, true);
    }
}

// Thousands with full sweeps: a step of so many beams takes a CPU long.
TEST_CASE("hundreds of sentences have all their terms") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::BigramModel model(context, kVocabulary, 4);
        test::BlockingSearch search(context, model);
        std::mt19937 random(3);
        for (const Case& c : cases()) {
            CAPTURE(c.name);
            std::vector<SearchInput> batch(test::full_sweep() ? 150 : 50);
            for (SearchInput& input : batch) {
                input = {.source = {3, 4, 5}, .start_id = kStart, .max_length = 48, .min_length = 0};
                input.terms = random_terms(random, 0);
            }
            const auto outputs = search.run(batch, c.rules, {.slots = 64});
            for (std::size_t i = 0; i < batch.size(); ++i) {
                CAPTURE(i);
                for (const auto& hypothesis : outputs[i].hypotheses) {
                    CHECK(hypothesis.terms_met == (1u << batch[i].terms.size()) - 1);
                    check_terms_met(hypothesis, batch[i]);
                }
            }
        }
    });
}

TEST_CASE("where there is room for the terms only there is nothing else, and where there is less, that is said") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::BigramModel model(context, kVocabulary, 5);
        test::BlockingSearch search(context, model);
        for (const Case& c : cases()) {
            CAPTURE(c.name);
            const uint32_t room = 7 + (c.rules.forced_end ? 1 : 0);
            SearchInput input{.source = {3}, .start_id = kStart, .max_length = room, .min_length = 0};
            input.terms = {{.forms = {{11, 12, 13}}}, {.forms = {{20}}}, {.forms = {{11, 12, 14}}}};
            for (const auto& hypothesis : hypotheses_of(search, input, c.rules)) {
                CHECK(hypothesis.terms_met == 7);
                CHECK(hypothesis.tokens.size() == room);
            }
            input.max_length = 5;
            for (const auto& hypothesis : hypotheses_of(search, input, c.rules)) {
                CHECK(hypothesis.terms_met != 7);
                check_terms_met(hypothesis, input);
            }
        }
    });
}

TEST_CASE("a shortlist lets the tokens of terms in") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::BigramModel model(context, kVocabulary, 6);
        test::BlockingSearch search(context, model);
        for (Case c : cases()) {
            CAPTURE(c.name);
            c.rules.allowed = {30, 31, 32, kEnd};
            SearchInput input{.source = {3}, .start_id = kStart, .max_length = 20, .min_length = 0};
            input.terms = {{.forms = {{11, 12}}}, {.forms = {{20}}}};
            for (const auto& hypothesis : hypotheses_of(search, input, c.rules)) {
                CHECK(hypothesis.terms_met == 3);
                for (const uint32_t token : hypothesis.tokens)
                    CHECK(std::ranges::count(std::vector<uint32_t>{30, 31, 32, 11, 12, 20, kEnd, 9}, token) == 1);
            }
        }
    });
}

TEST_CASE("sentences without terms are searched as ever beside those that have some") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::BigramModel model(context, kVocabulary, 8);
        test::BlockingSearch search(context, model);
        const SearchRules plain{.style = spec::SearchStyle::marian, .beam_size = 4, .end_ids = {kEnd}};
        std::vector<SearchInput> batch(6);
        for (uint32_t i = 0; i < batch.size(); ++i)
            batch[i] = {.source = {3}, .start_id = kStart + i, .max_length = 20, .min_length = 0};
        const auto expected = search.run(batch, plain);
        batch[2].terms = {{.forms = {{11, 12}}}};
        const auto found = search.run(batch, with_terms(plain));
        for (std::size_t i = 0; i < batch.size(); ++i)
            if (i != 2) CHECK(found[i].hypotheses[0].tokens == expected[i].hypotheses[0].tokens);
    });
}

TEST_CASE("terms that no search can take are refused, with both numbers") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const auto has = [](const std::string& text, const char* part) {
            CAPTURE(text);
            CHECK(text.find(part) != std::string::npos);
        };
        SearchInput input{.source = {3, 4}, .start_id = kStart, .max_length = 20, .min_length = 0};
        input.terms = {{.forms = {{11, kEnd}}}};
        has(refused(context, input, {}), "term 0: token 2 ends sentences");
        input.terms = {{.forms = {{11}}}, {.forms = {{12}, {5}}}};
        has(refused(context, input, {.suppressed = {{5}}}), "term 1: token 5 must not come");
        input.terms = {{.forms = {{kVocabulary}}}};
        has(refused(context, input, {}), "token 37 is outside the target vocabulary of 37");
        input.terms = {{.forms = {{11}}, .source_begin = 1, .source_end = 3}};
        has(refused(context, input, {}), "expected a range of 2 source tokens, got 1 to 3");
        input.terms = {{.forms = {{}}}};
        has(refused(context, input, {}), "expected tokens in every form, got none");
        input.terms.assign(decode::kMaxTerms + 1, {.forms = {{11}}});
        has(refused(context, input, {}), "expected at most 32 in a sentence, got 33");
        input.terms = {{.forms = {std::vector<uint32_t>(decode::kMaxTermNodes + 3, 11)}}};
        has(refused(context, input, {}), "expected at most 512 different tokens in a sentence's terms, got 515");
        input.terms = {{.forms = {{11}}}};
        has(refused(context, input, {.beam_size = 17}), "expected a beam of at most 16, got 17");
        has(refused(context, input, {.prefix_bias_beta = 0.5f}), "without a biased prefix");
        has(refused(context, input, {.sampling = true}), "without sampling");
    });
}

}  // namespace terms_test
