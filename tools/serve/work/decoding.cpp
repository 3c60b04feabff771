// SPDX-License-Identifier: Apache-2.0
#include "serve/work/decoding.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>

namespace serve::work {
namespace {

using Options = dragoman_translate_options;

struct Count {
    std::uint32_t Options::* member;
    std::uint32_t least, most;
};
struct Number {
    float Options::* member;
    double least, most;
    bool above_least = false, below_most = false;
};
struct Flag {
    std::int32_t Options::* member;
};
struct Choice {
    std::int32_t Options::* member;
    std::vector<const char*> values;
};
struct Option {
    const char* name;
    std::variant<Count, Number, Flag, Choice> kind;
};

constexpr double kAny = 1e6;
constexpr std::uint32_t kMostBeams = 32, kLongest = 1024;

const std::vector<Option>& options_table() {
    static const std::vector<Option> table{
        {"search", Choice{&Options::search, {"auto", "ctranslate2", "marian", "huggingface"}}},
        {"beam_size", Count{&Options::beam_size, 1, kMostBeams}},
        {"patience", Number{&Options::patience, 0, 4, true}},
        {"length_penalty", Number{&Options::length_penalty, -kAny, kAny}},
        {"word_penalty", Number{&Options::word_penalty, -kAny, kAny}},
        {"early_stopping", Choice{&Options::early_stopping, {"auto", "off", "on", "never"}}},
        {"coverage_penalty", Number{&Options::coverage_penalty, -kAny, kAny}},
        {"repetition_penalty", Number{&Options::repetition_penalty, 0, kAny, true}},
        {"no_repeat_ngram_size", Count{&Options::no_repeat_ngram_size, 0, 4096}},
        {"sampling", Choice{&Options::sampling, {"auto", "off", "on"}}},
        {"temperature", Number{&Options::temperature, 0, 1000, true}},
        {"top_k", Count{&Options::top_k, 0, 67108864}},
        {"top_p", Number{&Options::top_p, 0, 1}},
        {"min_p", Number{&Options::min_p, 0, 1}},
        {"seed", Count{&Options::seed, 0, UINT32_MAX}},
        {"disable_unk", Flag{&Options::disable_unk}},
        {"prefix_bias_beta", Number{&Options::prefix_bias_beta, 0, 1, false, true}},
        {"return_end_token", Flag{&Options::return_end_token}},
        {"max_input_length", Count{&Options::max_input_length, 1, 4096}},
        {"max_decoding_length", Count{&Options::max_decoding_length, 1, kLongest}},
        {"max_length_factor", Number{&Options::max_length_factor, 0, 1000}},
        {"min_decoding_length", Count{&Options::min_decoding_length, 0, kLongest}},
        {"num_hypotheses", Count{&Options::num_hypotheses, 1, 0}},  // its bound is the service's
        {"return_scores", Flag{&Options::return_scores}},
        {"return_attention", Flag{&Options::return_attention}},
        {"attention_layer", Count{&Options::attention_layer, 0, UINT32_MAX}},
        {"attention_head", Count{&Options::attention_head, 0, UINT32_MAX}},
        {"return_alternatives", Flag{&Options::return_alternatives}},
        {"min_alternative_expansion_prob", Number{&Options::min_alternative_expansion_prob, 0, 1}},
        {"replace_unknowns", Flag{&Options::replace_unknowns}},
        {"use_shortlist", Flag{&Options::use_shortlist}},
        {"split_sentences", Flag{&Options::split_sentences}},
        {"join_lines", Flag{&Options::join_lines}},
        {"max_segment_tokens", Count{&Options::max_segment_tokens, 0, kLongest}},
        {"keep_spans", Flag{&Options::keep_spans}},
        {"return_alignment", Flag{&Options::return_alignment}},
        {"return_quality", Flag{&Options::return_quality}},
        {"return_coverage", Flag{&Options::return_coverage}},
        {"max_uncovered_words", Count{&Options::max_uncovered_words, 0, UINT32_MAX}},
        {"quality_marks", Number{&Options::quality_marks, 0, 1}},
        {"min_quality", Number{&Options::min_quality, 0, 1}},
        {"raw", Flag{&Options::raw}},
    };
    return table;
}

// They have fields of their own, take tokens, or are the device's.
constexpr const char* kOfTheService[] = {"source_language",  "target_language", "glossary",           "memory",
                                         "markup",           "discard_tokens",  "suppress_sequences", "end_tokens",
                                         "max_batch_tokens", "max_batch_size"};

// Of what a client wrote, as much as a message needs; ASCII.
std::string excerpt(const Json& value) {
    const std::string whole = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    return whole.size() <= 80 ? whole : whole.substr(0, 80) + "...";
}

[[noreturn]] void refuse_option(const std::string& name, const std::string& expected, const Json& value) {
    throw Problem(Problem::Kind::bad_request, "option " + name + ": expected " + expected + ", got " + excerpt(value),
                  name);
}

std::string shown(double number) { return excerpt(number); }

struct SetOption {
    const std::string& name;
    const Json& value;
    Options& options;
    std::uint32_t most_hypotheses;

    void operator()(const Count& count) const {
        const std::uint32_t most = count.most ? count.most : most_hypotheses;
        const std::string expected = "a whole number from " + std::to_string(count.least) + " to " +
                                     std::to_string(most);
        const bool whole = value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
        if (!whole) refuse_option(name, expected, value);
        const auto given = value.get<std::uint64_t>();
        if (given < count.least || given > most) refuse_option(name, expected, value);
        options.*count.member = static_cast<std::uint32_t>(given);
    }
    void operator()(const Number& number) const {
        const std::string expected = "a number " + std::string(number.above_least ? "above " : "from ") +
                                     shown(number.least) + (number.below_most ? " to below " : " to ") +
                                     shown(number.most);
        if (!value.is_number()) refuse_option(name, expected, value);
        const double given = value.get<double>();
        const bool low = number.above_least ? given <= number.least : given < number.least;
        const bool high = number.below_most ? given >= number.most : given > number.most;
        if (!std::isfinite(given) || low || high) refuse_option(name, expected, value);
        options.*number.member = static_cast<float>(given);
    }
    void operator()(const Flag& flag) const {
        const bool digit = value.is_number_integer() && (value == 0 || value == 1);
        if (!value.is_boolean() && !digit) refuse_option(name, "true or false", value);
        options.*flag.member = value.is_boolean() ? value.get<bool>() : value.get<int>();
    }
    void operator()(const Choice& choice) const {
        std::string expected;
        for (std::size_t i = 0; i < choice.values.size(); ++i) {
            if (value == choice.values[i]) {
                options.*choice.member = static_cast<std::int32_t>(i);
                return;
            }
            expected += (i ? ", " : "one of ") + std::string(choice.values[i]);
        }
        refuse_option(name, expected, value);
    }
};

}  // namespace

void set_options(const Json& named, dragoman::TranslateOptions& options, std::uint32_t most_hypotheses) {
    if (named.is_null()) return;
    if (!named.is_object())
        throw Problem(Problem::Kind::bad_request, "options: expected an object of names and values", "options");
    for (const auto& [name, value] : named.items()) {
        if (std::ranges::find(kOfTheService, name) != std::end(kOfTheService))
            throw Problem(Problem::Kind::bad_request, "option " + name + ": is set by the service", name);
        const auto option = std::ranges::find(options_table(), name, &Option::name);
        if (option == options_table().end())
            throw Problem(Problem::Kind::bad_request, "options: there is none called " + excerpt(name), "options");
        if (!value.is_null()) std::visit(SetOption{name, value, options, most_hypotheses}, option->kind);
    }
}

std::vector<std::string> options_of_clients() {
    std::vector<std::string> names;
    for (const Option& option : options_table()) names.emplace_back(option.name);
    return names;
}

std::vector<std::string> options_of_the_service() { return {std::begin(kOfTheService), std::end(kOfTheService)}; }

}  // namespace serve::work
