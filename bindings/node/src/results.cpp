// SPDX-License-Identifier: Apache-2.0
// Reading results and scores.
#include "addon.h"

namespace addon {
namespace {

struct Place {
    Shared<dragoman_result> result;
    std::size_t input, hypothesis, sentence;
    Place(napi_env env, const Arguments<4>& arguments) : result(handle<dragoman_result>(env, arguments[0])) {
        input = absent(env, arguments[1]) ? 0 : read_index(env, arguments[1], "input");
        hypothesis = absent(env, arguments[2]) ? 0 : read_index(env, arguments[2], "hypothesis");
        sentence = absent(env, arguments[3]) ? 0 : read_index(env, arguments[3], "sentence");
    }
};

// A function (result, input, hypothesis, sentence) of JavaScript.
template <auto Body>
napi_value read(napi_env env, napi_callback_info info) {
    return guard(env, [&] { return Body(env, Place(env, Arguments<4>(env, info))); });
}

napi_value count(napi_env env, const Place& at) {
    return number(env, static_cast<double>(dragoman_result_count(at.result.get())));
}

napi_value hypothesis_count(napi_env env, const Place& at) {
    return number(env, static_cast<double>(dragoman_result_hypothesis_count(at.result.get(), at.input)));
}

napi_value to_javascript(napi_env env, dragoman_string text) { return string(env, text); }
napi_value to_javascript(napi_env env, dragoman_tokens tokens) { return array(env, tokens); }
napi_value to_javascript(napi_env env, dragoman_ranges ranges) { return array(env, ranges); }
napi_value to_javascript(napi_env env, dragoman_matrix values) { return matrix(env, values); }
napi_value to_javascript(napi_env env, float value) { return number(env, value); }

// The value that a function of the C API returns for an input, a hypothesis or a sentence.
template <class T>
dragoman_status ask(dragoman_status (*function)(const dragoman_result*, size_t, T*), const Place& at, T* value) {
    return function(at.result.get(), at.input, value);
}
template <class T>
dragoman_status ask(dragoman_status (*function)(const dragoman_result*, size_t, size_t, T*), const Place& at,
                    T* value) {
    return function(at.result.get(), at.input, at.hypothesis, value);
}
template <class T>
dragoman_status ask(dragoman_status (*function)(const dragoman_result*, size_t, size_t, size_t, T*), const Place& at,
                    T* value) {
    return function(at.result.get(), at.input, at.hypothesis, at.sentence, value);
}

template <auto Function, class T>
napi_value value(napi_env env, const Place& at) {
    T value{};
    check(ask(Function, at, &value));
    return to_javascript(env, value);
}

napi_value pair(napi_env env, std::size_t begin, std::size_t end) {
    napi_value value;
    check(env, napi_create_array_with_length(env, 2, &value));
    check(env, napi_set_element(env, value, 0, number(env, static_cast<double>(begin))));
    check(env, napi_set_element(env, value, 1, number(env, static_cast<double>(end))));
    return value;
}

// Spans in bytes; lib/results.js makes them places in strings.
napi_value sentences(napi_env env, const Place& at) {
    napi_value list;
    const std::size_t count = dragoman_result_sentence_count(at.result.get(), at.input);
    check(env, napi_create_array_with_length(env, count, &list));
    for (std::size_t i = 0; i < count; ++i) {
        dragoman_sentence sentence;
        dragoman_sentence_init(&sentence);
        check(dragoman_result_sentence(at.result.get(), at.input, at.hypothesis, i, &sentence));
        const napi_value item = object(env);
        set(env, item, "score", number(env, sentence.score));
        set(env, item, "language", string(env, dragoman_str(sentence.language)));
        set(env, item, "languageProbability", number(env, sentence.language_probability));
        set(env, item, "flags", number(env, sentence.flags));
        set(env, item, "quality", number(env, sentence.quality));
        set(env, item, "coverage", number(env, sentence.coverage));
        set(env, item, "uncoveredWords", number(env, sentence.uncovered_words));
        set(env, item, "uncovered", pair(env, sentence.uncovered_begin, sentence.uncovered_end));
        set(env, item, "source", pair(env, sentence.source_begin, sentence.source_end));
        set(env, item, "target", pair(env, sentence.target_begin, sentence.target_end));
        set(env, item, "sourceTokens", pair(env, sentence.source_token_begin, sentence.source_token_end));
        set(env, item, "targetTokens", pair(env, sentence.target_token_begin, sentence.target_token_end));
        check(env, napi_set_element(env, list, static_cast<uint32_t>(i), item));
    }
    return list;
}

// [{begin, end, met}], in bytes
napi_value terms(napi_env env, const Place& at) {
    napi_value list;
    const std::size_t count = dragoman_result_term_count(at.result.get(), at.input, at.hypothesis, at.sentence);
    check(env, napi_create_array_with_length(env, count, &list));
    for (std::size_t i = 0; i < count; ++i) {
        dragoman_term term;
        dragoman_term_init(&term);
        check(dragoman_result_term(at.result.get(), at.input, at.hypothesis, at.sentence, i, &term));
        const napi_value item = object(env);
        napi_value met;
        check(env, napi_get_boolean(env, term.met == 1, &met));
        set(env, item, "begin", number(env, static_cast<double>(term.source_begin)));
        set(env, item, "end", number(env, static_cast<double>(term.source_end)));
        set(env, item, "met", met);
        check(env, napi_set_element(env, list, static_cast<uint32_t>(i), item));
    }
    return list;
}

// [{source, target, similarity}]
napi_value matches(napi_env env, const Place& at) {
    napi_value list;
    const std::size_t count = dragoman_result_match_count(at.result.get(), at.input, at.sentence);
    check(env, napi_create_array_with_length(env, count, &list));
    for (std::size_t i = 0; i < count; ++i) {
        dragoman_match match;
        dragoman_match_init(&match);
        check(dragoman_result_match(at.result.get(), at.input, at.sentence, i, &match));
        const napi_value item = object(env);
        set(env, item, "source", string(env, match.source));
        set(env, item, "target", string(env, match.target));
        set(env, item, "similarity", number(env, match.similarity));
        check(env, napi_set_element(env, list, static_cast<uint32_t>(i), item));
    }
    return list;
}

// scores(handle): [{tokens, logProbs, ranges}], ranges in bytes
napi_value scores(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Shared<dragoman_scores> scores = handle<dragoman_scores>(env, Arguments<1>(env, info)[0]);
        napi_value list;
        const std::size_t count = dragoman_scores_count(scores.get());
        check(env, napi_create_array_with_length(env, count, &list));
        for (std::size_t i = 0; i < count; ++i) {
            dragoman_tokens tokens{};
            dragoman_matrix log_probs{};
            dragoman_ranges ranges{};
            check(dragoman_scores_tokens(scores.get(), i, &tokens));
            check(dragoman_scores_log_probs(scores.get(), i, &log_probs));
            check(dragoman_scores_ranges(scores.get(), i, &ranges));
            const napi_value item = object(env);
            set(env, item, "ranges", array(env, ranges));
            set(env, item, "tokens", array(env, tokens));
            set(env, item, "logProbs", get(env, matrix(env, log_probs), "data"));
            check(env, napi_set_element(env, list, static_cast<uint32_t>(i), item));
        }
        return list;
    });
}

}  // namespace

void add_results(napi_env env, napi_value exports) {
    add(env, exports, "resultCount", read<count>);
    add(env, exports, "resultHypothesisCount", read<hypothesis_count>);
    add(env, exports, "resultText", read<value<dragoman_result_text, dragoman_string>>);
    add(env, exports, "resultPlainText", read<value<dragoman_result_plain_text, dragoman_string>>);
    add(env, exports, "resultPlainSource", read<value<dragoman_result_plain_source, dragoman_string>>);
    add(env, exports, "resultTokens", read<value<dragoman_result_tokens, dragoman_tokens>>);
    add(env, exports, "resultSourceTokens", read<value<dragoman_result_source_tokens, dragoman_tokens>>);
    add(env, exports, "resultRanges", read<value<dragoman_result_ranges, dragoman_ranges>>);
    add(env, exports, "resultSourceRanges", read<value<dragoman_result_source_ranges, dragoman_ranges>>);
    add(env, exports, "resultScore", read<value<dragoman_result_score, float>>);
    add(env, exports, "resultAttention", read<value<dragoman_result_attention, dragoman_matrix>>);
    add(env, exports, "resultSentenceAttention", read<value<dragoman_result_sentence_attention, dragoman_matrix>>);
    add(env, exports, "resultSourceWords", read<value<dragoman_result_source_words, dragoman_ranges>>);
    add(env, exports, "resultTargetWords", read<value<dragoman_result_target_words, dragoman_ranges>>);
    add(env, exports, "resultAlignment", read<value<dragoman_result_sentence_alignment, dragoman_matrix>>);
    add(env, exports, "resultQuality", read<value<dragoman_result_quality, float>>);
    add(env, exports, "resultWordQuality", read<value<dragoman_result_word_quality, dragoman_matrix>>);
    add(env, exports, "resultPharaoh", read<value<dragoman_result_pharaoh, dragoman_string>>);
    add(env, exports, "resultTerms", read<terms>);
    add(env, exports, "resultMatches", read<matches>);
    add(env, exports, "resultSentences", read<sentences>);
    add(env, exports, "scores", scores);
}

}  // namespace addon
