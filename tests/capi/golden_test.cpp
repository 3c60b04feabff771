// SPDX-License-Identifier: Apache-2.0
// tests/data/golden/golden.json, which the bindings run too, through the C API.
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "fixture.h"

namespace golden_test {

using namespace dragoman::test;
using nlohmann::json;

namespace {

struct Failure {
    std::string status, message;
};

void check_status(dragoman_status status) {
    if (status != DRAGOMAN_OK) throw Failure{dragoman_status_name(status), dragoman_last_error()};
}

std::string data_path(const std::string& name) { return std::string(DRAGOMAN_TEST_DATA) + "/" + name; }

// JSON lists of strings as the C API takes them.
class Texts {
public:
    explicit Texts(const json& list) : texts_(list.get<std::vector<std::string>>()) {
        for (const std::string& text : texts_) views_.push_back({text.data(), text.size()});
    }
    const dragoman_string* data() const { return views_.data(); }
    std::size_t size() const { return views_.size(); }

private:
    std::vector<std::string> texts_;
    std::vector<dragoman_string> views_;
};

class Lists {
public:
    explicit Lists(const json& lists) {
        for (const json& list : lists) lists_.push_back(std::make_unique<Texts>(list));
        for (const auto& list : lists_) views_.push_back({list->data(), list->size()});
    }
    const dragoman_tokens* data() const { return views_.empty() ? nullptr : views_.data(); }
    std::size_t size() const { return views_.size(); }

private:
    std::vector<std::unique_ptr<Texts>> lists_;
    std::vector<dragoman_tokens> views_;
};

// Options by their names in the header.
struct Options {
    dragoman_translate_options value;
    std::string language;
    Lists suppress{json::array()};
    Texts ends{json::array()};

    explicit Options(const json& options) {
        dragoman_translate_options_init(&value);
        const std::map<std::string, uint32_t*> counts{{"beam_size", &value.beam_size},
                                                      {"num_hypotheses", &value.num_hypotheses},
                                                      {"max_decoding_length", &value.max_decoding_length}};
        const std::map<std::string, int32_t*> flags{{"return_scores", &value.return_scores},
                                                    {"return_attention", &value.return_attention},
                                                    {"return_end_token", &value.return_end_token},
                                                    {"split_sentences", &value.split_sentences},
                                                    {"join_lines", &value.join_lines},
                                                    {"discard_tokens", &value.discard_tokens},
                                                    {"raw", &value.raw}};
        for (const auto& [name, option] : options.items()) {
            CAPTURE(name);
            if (counts.contains(name)) {
                *counts.at(name) = option;
            } else if (flags.contains(name)) {
                *flags.at(name) = option.get<bool>();
            } else if (name == "length_penalty") {
                value.length_penalty = option;
            } else if (name == "target_language") {
                language = option;
                value.target_language = language.c_str();
            } else if (name == "search") {
                REQUIRE(option == "ctranslate2");
                value.search = DRAGOMAN_SEARCH_CTRANSLATE2;
            } else if (name == "suppress_sequences") {
                suppress = Lists(option);
                value.suppress_sequences = suppress.data();
                value.suppress_sequence_count = suppress.size();
            } else if (name == "end_tokens") {
                ends = Texts(option);
                value.end_tokens = ends.data();
                value.end_token_count = ends.size();
            } else {
                FAIL("an option this test does not know");
            }
        }
    }
};

json list(dragoman_tokens tokens) {
    json result = json::array();
    for (std::size_t i = 0; i < tokens.count; ++i)
        result.push_back(std::string(tokens.data[i].data, tokens.data[i].size));
    return result;
}

json list(dragoman_ranges ranges) {
    json result = json::array();
    for (std::size_t i = 0; i < ranges.count; ++i) result.push_back({ranges.data[i].begin, ranges.data[i].end});
    return result;
}

json shape(dragoman_matrix matrix) { return {matrix.rows, matrix.cols}; }

class Runner {
public:
    json run(const json& c) {
        const std::string call = c.at("call");
        if (call == "describe") return describe(c);
        if (call == "score_tokens") return score<Lists>(c, dragoman_score_tokens);
        if (call == "score_texts") return score<Texts>(c, dragoman_score_texts);
        if (call == "tokenize") return tokenize(c);
        if (call == "detokenize") return detokenize(c);
        if (call == "split_sentences") return split(c);
        REQUIRE((call == "translate_texts" || call == "translate_tokens"));
        return translate(c, call == "translate_texts");
    }

private:
    dragoman_model* model(const std::string& name) {
        if (!models_.contains(name)) {
            dragoman_model_options options;
            dragoman_model_options_init(&options);
            options.compute_type = DRAGOMAN_COMPUTE_F32;
            dragoman_model* model = nullptr;
            check_status(dragoman_model_load(data_path(name).c_str(), &options, &model));
            models_[name] = ModelHandle(model);
        }
        return models_.at(name).get();
    }

    dragoman_translator* translator(const std::string& name) {
        model(name);
        if (!translators_.contains(name)) translators_[name] = create_translator(models_.at(name));
        return translators_.at(name).get();
    }

    json translate(const json& c, bool texts) {
        const Options options(c.at("options"));
        const Lists prefixes(c.value("prefixes", json::array()));
        dragoman_result* raw = nullptr;
        if (texts) {
            const Texts inputs(c.at("inputs"));
            check_status(dragoman_translate_texts(translator(c.at("model")), inputs.data(), inputs.size(),
                                                  prefixes.data(), &options.value, &raw));
        } else {
            const Lists inputs(c.at("inputs"));
            check_status(dragoman_translate_tokens(translator(c.at("model")), inputs.data(), inputs.size(),
                                                   prefixes.data(), &options.value, &raw));
        }
        const ResultHandle result(raw);
        json found = json::array();
        for (std::size_t i = 0; i < dragoman_result_count(raw); ++i) {
            json hypotheses = json::array();
            for (std::size_t h = 0; h < dragoman_result_hypothesis_count(raw, i); ++h)
                hypotheses.push_back(hypothesis(raw, i, h, texts));
            dragoman_tokens source{};
            check_status(dragoman_result_source_tokens(raw, i, &source));
            found.push_back({{"source_tokens", list(source)}, {"hypotheses", hypotheses}});
        }
        return found;
    }

    static json hypothesis(dragoman_result* result, std::size_t i, std::size_t h, bool texts) {
        dragoman_tokens tokens{};
        float score = 0;
        dragoman_matrix attention{};
        check_status(dragoman_result_tokens(result, i, h, &tokens));
        check_status(dragoman_result_score(result, i, h, &score));
        json found{{"tokens", list(tokens)}, {"score", score}, {"sentences", json::array()}, {"attention", nullptr}};
        if (dragoman_result_attention(result, i, h, &attention) == DRAGOMAN_OK) found["attention"] = shape(attention);
        if (!texts) return found;
        dragoman_string text{};
        check_status(dragoman_result_text(result, i, h, &text));
        found["text"] = std::string(text.data, text.size);
        for (std::size_t s = 0; s < dragoman_result_sentence_count(result, i); ++s) {
            dragoman_sentence sentence;
            dragoman_sentence_init(&sentence);
            check_status(dragoman_result_sentence(result, i, h, s, &sentence));
            check_status(dragoman_result_sentence_attention(result, i, h, s, &attention));
            found["sentences"].push_back({{"source", {sentence.source_begin, sentence.source_end}},
                                          {"target", {sentence.target_begin, sentence.target_end}},
                                          {"source_tokens", {sentence.source_token_begin, sentence.source_token_end}},
                                          {"target_tokens", {sentence.target_token_begin, sentence.target_token_end}},
                                          {"score", sentence.score},
                                          {"attention", shape(attention)}});
        }
        return found;
    }

    template <class Inputs, class Function>
    json score(const json& c, Function function) {
        dragoman_score_options options;
        dragoman_score_options_init(&options);
        options.max_input_length = c.at("options").value("max_input_length", options.max_input_length);
        const std::string to = c.at("options").value("target_language", "");
        options.target_language = to.c_str();
        const Inputs sources(c.at("inputs")), targets(c.at("targets"));
        REQUIRE(sources.size() == targets.size());
        dragoman_scores* raw = nullptr;
        check_status(function(translator(c.at("model")), sources.data(), targets.data(), sources.size(), &options,
                              &raw));
        const ScoresHandle scores(raw);
        json found = json::array();
        for (std::size_t i = 0; i < dragoman_scores_count(raw); ++i) {
            dragoman_tokens tokens{};
            dragoman_matrix log_probs{};
            check_status(dragoman_scores_tokens(raw, i, &tokens));
            check_status(dragoman_scores_log_probs(raw, i, &log_probs));
            found.push_back({{"tokens", list(tokens)},
                             {"log_probs", std::vector<float>(log_probs.data, log_probs.data + log_probs.cols)}});
            dragoman_ranges ranges{};
            check_status(dragoman_scores_ranges(raw, i, &ranges));
            if constexpr (std::is_same_v<Inputs, Lists>) CHECK(ranges.count == 0);
            else found.back()["ranges"] = list(ranges);
        }
        return found;
    }

    static json describe(const json& c) {
        dragoman_model_info info;
        dragoman_model_info_init(&info);
        check_status(dragoman_model_describe(data_path(c.at("model")).c_str(), &info));
        return {{"format", info.format},
                {"family", info.family},
                {"has_tokenizer", info.has_tokenizer == 1},
                {"d_model", info.d_model},
                {"heads", info.heads},
                {"encoder_layers", info.encoder_layers},
                {"decoder_layers", info.decoder_layers},
                {"source_vocabulary", info.source_vocabulary},
                {"target_vocabulary", info.target_vocabulary},
                {"parameters", info.parameters},
                {"stored_types", info.stored_types}};
    }

    static int32_t side(const json& c) {
        return c.at("side") == "source" ? DRAGOMAN_SIDE_SOURCE : DRAGOMAN_SIDE_TARGET;
    }

    json tokenize(const json& c) {
        const Texts texts(c.at("inputs"));
        dragoman_token_lists* raw = nullptr;
        check_status(dragoman_tokenize(model(c.at("model")), side(c), texts.data(), texts.size(), &raw));
        json found = json::array();
        for (std::size_t i = 0; i < dragoman_token_lists_count(raw); ++i) {
            dragoman_tokens tokens{};
            require_ok(dragoman_token_lists_get(raw, i, &tokens));
            found.push_back(list(tokens));
        }
        dragoman_token_lists_destroy(raw);
        return found;
    }

    json detokenize(const json& c) {
        const Lists sequences(c.at("inputs"));
        dragoman_text_list* raw = nullptr;
        check_status(dragoman_detokenize(model(c.at("model")), side(c), sequences.data(), sequences.size(), &raw));
        json found = json::array();
        for (std::size_t i = 0; i < dragoman_text_list_count(raw); ++i) {
            dragoman_string text{};
            require_ok(dragoman_text_list_get(raw, i, &text));
            found.push_back(std::string(text.data, text.size));
        }
        dragoman_text_list_destroy(raw);
        return found;
    }

    static json split(const json& c) {
        json found = json::array();
        for (const json& input : c.at("inputs")) {
            const std::string text = input;
            const dragoman_string view{text.data(), text.size()};
            const std::string language = c.at("options").value("language", "");
            dragoman_range_list* raw = nullptr;
            check_status(dragoman_split_sentences(&view, language.c_str(), c.at("options").value("join_lines", false),
                                                  &raw));
            json ranges = json::array();
            for (std::size_t i = 0; i < dragoman_range_list_count(raw); ++i) {
                const dragoman_range range = dragoman_range_list_data(raw)[i];
                ranges.push_back({range.begin, range.end});
            }
            dragoman_range_list_destroy(raw);
            found.push_back(ranges);
        }
        return found;
    }

    std::map<std::string, ModelHandle> models_;
    std::map<std::string, TranslatorHandle> translators_;
};

// "" when both are the same but for the last digits of numbers, else where they differ.
std::string difference(const json& found, const json& expected, const std::string& where) {
    const std::string both = where + ": found " + found.dump() + ", expected " + expected.dump();
    if (expected.is_number_float()) {
        const double a = found.get<double>(), b = expected.get<double>();
        return std::abs(a - b) <= 1e-3 * std::max(1.0, std::abs(b)) ? "" : both;
    }
    if (expected.is_structured()) {
        if (found.type() != expected.type() || found.size() != expected.size()) return both;
        for (const auto& [key, value] : expected.items()) {
            if (expected.is_object() && !found.contains(key)) return both;
            const json& other = expected.is_object() ? found.at(key) : found.at(std::stoul(key));
            if (std::string fault = difference(other, value, where + "/" + key); !fault.empty()) return fault;
        }
        return "";
    }
    return found == expected ? "" : both;
}

}  // namespace

TEST_CASE("the golden file") {
    std::ifstream file(data_path("golden/golden.json"));
    const json golden = json::parse(file).at("cases");
    CHECK(golden.size() >= 20);
    Runner runner;
    for (const json& c : golden) {
        const std::string name = c.at("name");
        CAPTURE(name);
        json found;
        try {
            found["expected"] = runner.run(c);
        } catch (const Failure& failure) {
            std::string message = failure.message;
            const std::string folder = data_path("");
            for (std::size_t at; (at = message.find(folder)) != std::string::npos;) message.erase(at, folder.size());
            found["error"] = {{"status", failure.status}, {"message", message}};
        }
        const std::string key = c.contains("error") ? "error" : "expected";
        REQUIRE_MESSAGE(found.contains(key), found.dump());
        CHECK(difference(found.at(key), c.at(key), key) == "");
    }
}

}  // namespace golden_test
