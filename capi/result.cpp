// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include "arguments.h"
#include "guard.h"
#include "handles.h"

namespace dragoman::capi {
namespace {

const Input& input_at(const dragoman_result* result, std::size_t input) {
    const std::vector<Input>& inputs = required(result, "result").inputs;
    if (input >= inputs.size()) {
        fail(Status::invalid_argument, "input: {} is out of range, there are {}", input, inputs.size());
    }
    return inputs[input];
}

const pipeline::TextHypothesis& hypothesis_at(const dragoman_result* result, std::size_t input,
                                              std::size_t hypothesis) {
    const std::vector<pipeline::TextHypothesis>& hypotheses = input_at(result, input).result.hypotheses;
    if (hypothesis >= hypotheses.size()) {
        fail(Status::invalid_argument, "hypothesis: {} is out of range, input {} has {}", hypothesis, input,
             hypotheses.size());
    }
    return hypotheses[hypothesis];
}

const Input::Lists& lists_at(const dragoman_result* result, std::size_t input, std::size_t hypothesis) {
    hypothesis_at(result, input, hypothesis);
    return result->inputs[input].hypotheses[hypothesis];
}

const AllTokens& source_at(const dragoman_result* result, std::size_t input, AllTokens::Part part) {
    const Input& from = input_at(result, input);
    const std::lock_guard lock(result->unpacking);
    return from.unpacked_source(part);
}

const AllTokens& tokens_at(const dragoman_result* result, std::size_t input, std::size_t hypothesis,
                           AllTokens::Part part) {
    hypothesis_at(result, input, hypothesis);
    const std::lock_guard lock(result->unpacking);
    return result->inputs[input].unpacked(hypothesis, part);
}

pipeline::TranslatedSentence sentence_at(const dragoman_result* result, std::size_t input, std::size_t hypothesis,
                                         std::size_t sentence) {
    const pipeline::TextHypothesis& found = hypothesis_at(result, input, hypothesis);
    if (const std::size_t count = result->inputs[input].sentences(); sentence >= count)
        fail(Status::invalid_argument, "sentence: {} is out of range, input {} has {}", sentence, input, count);
    return found.sentences[sentence];
}

dragoman_matrix view(const Matrix& matrix) {
    return {matrix.values.data(), matrix.rows, matrix.empty() ? 0 : matrix.cols};
}

dragoman_string view(const std::string& text) { return {text.c_str(), text.size()}; }

}  // namespace
}  // namespace dragoman::capi

using namespace dragoman;
using namespace dragoman::capi;

void dragoman_result_destroy(dragoman_result* result) { delete result; }

size_t dragoman_result_first(const dragoman_result* result) { return result ? result->first : 0; }

size_t dragoman_result_count(const dragoman_result* result) { return result ? result->inputs.size() : 0; }

size_t dragoman_result_hypothesis_count(const dragoman_result* result, size_t input) {
    return input < dragoman_result_count(result) ? result->inputs[input].hypotheses.size() : 0;
}

dragoman_status dragoman_result_source_tokens(const dragoman_result* result, size_t input, dragoman_tokens* tokens) {
    return guard([&] { required(tokens, "tokens") = source_at(result, input, AllTokens::Part::tokens).tokens(); });
}

dragoman_status dragoman_result_source_ranges(const dragoman_result* result, size_t input, dragoman_ranges* ranges) {
    return guard([&] { required(ranges, "ranges") = source_at(result, input, AllTokens::Part::ranges).ranges(); });
}

dragoman_status dragoman_result_ranges(const dragoman_result* result, size_t input, size_t hypothesis,
                                       dragoman_ranges* ranges) {
    return guard([&] {
        required(ranges, "ranges") = tokens_at(result, input, hypothesis, AllTokens::Part::ranges).ranges();
    });
}

dragoman_status dragoman_result_text(const dragoman_result* result, size_t input, size_t hypothesis,
                                     dragoman_string* text) {
    return guard([&] {
        required(text, "text");
        const std::string& value = hypothesis_at(result, input, hypothesis).text;
        if (!result->has_text) fail(Status::unsupported, "the model has no tokenizer: read the tokens");
        *text = view(value);
    });
}

dragoman_status dragoman_result_plain_source(const dragoman_result* result, size_t input, dragoman_string* text) {
    return guard([&] { required(text, "text") = view(input_at(result, input).result.plain_source); });
}

dragoman_status dragoman_result_plain_text(const dragoman_result* result, size_t input, size_t hypothesis,
                                           dragoman_string* text) {
    return guard([&] { required(text, "text") = view(hypothesis_at(result, input, hypothesis).plain); });
}

dragoman_status dragoman_result_tokens(const dragoman_result* result, size_t input, size_t hypothesis,
                                       dragoman_tokens* tokens) {
    return guard([&] {
        required(tokens, "tokens") = tokens_at(result, input, hypothesis, AllTokens::Part::tokens).tokens();
    });
}

dragoman_status dragoman_result_score(const dragoman_result* result, size_t input, size_t hypothesis, float* score) {
    return guard([&] { required(score, "score") = hypothesis_at(result, input, hypothesis).score; });
}

dragoman_status dragoman_result_quality(const dragoman_result* result, size_t input, size_t hypothesis,
                                        float* quality) {
    return guard([&] { required(quality, "quality") = hypothesis_at(result, input, hypothesis).quality; });
}

dragoman_status dragoman_result_attention(const dragoman_result* result, size_t input, size_t hypothesis,
                                          dragoman_matrix* attention) {
    return guard([&] {
        const pipeline::TranslatedSentences& from = hypothesis_at(result, input, hypothesis).sentences;
        required(attention, "attention");
        if (const Input& of = result->inputs[input]; of.of_tokens) {
            *attention = view(of.of_source_tokens[hypothesis].attention);
            return;
        }
        if (from.size() > 1 && !from.front().attention.empty()) {
            fail(Status::unsupported, "input {}: has {} sentences; ask for the attention of each", input, from.size());
        }
        *attention = from.size() == 1 ? view(from.front().attention) : dragoman_matrix{};
    });
}

size_t dragoman_result_sentence_count(const dragoman_result* result, size_t input) {
    return input < dragoman_result_count(result) ? result->inputs[input].sentences() : 0;
}

dragoman_status dragoman_result_sentence(const dragoman_result* result, size_t input, size_t hypothesis,
                                         size_t sentence, dragoman_sentence* info) {
    return guard([&] {
        check_struct_size<dragoman_sentence>(required(info, "info").struct_size, "info");
        const pipeline::TranslatedSentence target = sentence_at(result, input, hypothesis, sentence);
        const pipeline::TextResult& all = result->inputs[input].result;
        const pipeline::SourceSentence source = all.sentences[sentence];
        const std::size_t source_begin = all.sentences.tokens_before(sentence);
        const std::size_t target_begin = all.hypotheses[hypothesis].sentences.tokens_before(sentence);
        dragoman_sentence to{};
        to.score = target.score;
        to.source_begin = source.range.begin;
        to.source_end = source.range.end;
        to.target_begin = target.range().begin;
        to.target_end = target.range().end;
        to.source_token_begin = source_begin;
        to.source_token_end = source_begin + source.packed.size();
        to.target_token_begin = target_begin;
        to.target_token_end = target_begin + target.packed.size();
        to.language = source.language.data();
        to.language_probability = source.language_probability;
        to.flags = source.flags;
        to.quality = target.quality.score;
        const pipeline::WordRun uncovered = target.coverage.longest_unreached();
        to.coverage = target.coverage.share();
        to.uncovered_words = uint32_t(uncovered.words);
        to.uncovered_begin = uncovered.range.begin;
        to.uncovered_end = uncovered.range.end;
        write_struct(info, info->struct_size, to, "info");
    });
}

size_t dragoman_result_term_count(const dragoman_result* result, size_t input, size_t hypothesis, size_t sentence) {
    if (hypothesis >= dragoman_result_hypothesis_count(result, input)) return 0;
    if (sentence >= result->inputs[input].sentences()) return 0;
    return sentence_at(result, input, hypothesis, sentence).terms.size();
}

dragoman_status dragoman_result_term(const dragoman_result* result, size_t input, size_t hypothesis, size_t sentence,
                                     size_t index, dragoman_term* term) {
    return guard([&] {
        check_struct_size<dragoman_term>(required(term, "term").struct_size, "term");
        const auto& terms = sentence_at(result, input, hypothesis, sentence).terms;
        if (index >= terms.size())
            fail(Status::invalid_argument, "index: {} is out of range, sentence {} has {} terms", index, sentence,
                 terms.size());
        dragoman_term to{};
        to.met = terms[index].met;
        to.source_begin = terms[index].source.begin;
        to.source_end = terms[index].source.end;
        write_struct(term, term->struct_size, to, "term");
    });
}

size_t dragoman_result_match_count(const dragoman_result* result, size_t input, size_t sentence) {
    if (sentence >= dragoman_result_sentence_count(result, input)) return 0;
    return result->inputs[input].result.sentences[sentence].matches.size();
}

dragoman_status dragoman_result_match(const dragoman_result* result, size_t input, size_t sentence, size_t index,
                                      dragoman_match* match) {
    return guard([&] {
        check_struct_size<dragoman_match>(required(match, "match").struct_size, "match");
        sentence_at(result, input, 0, sentence);
        const auto& matches = result->inputs[input].result.sentences[sentence].matches;
        if (index >= matches.size())
            fail(Status::invalid_argument, "index: {} is out of range, sentence {} has {} matches", index, sentence,
                 matches.size());
        const dragoman::tm::Match& from = matches[index];
        dragoman_match to{};
        to.similarity = from.similarity;
        to.source = view(from.source);
        to.target = view(from.target);
        write_struct(match, match->struct_size, to, "match");
    });
}

dragoman_status dragoman_result_sentence_attention(const dragoman_result* result, size_t input, size_t hypothesis,
                                                   size_t sentence, dragoman_matrix* attention) {
    return guard([&] {
        required(attention, "attention") = view(sentence_at(result, input, hypothesis, sentence).attention);
    });
}

dragoman_status dragoman_result_source_words(const dragoman_result* result, size_t input, size_t hypothesis,
                                             size_t sentence, dragoman_ranges* words) {
    return guard([&] {
        required(words, "words") = view(sentence_at(result, input, hypothesis, sentence).alignment.source);
    });
}

dragoman_status dragoman_result_target_words(const dragoman_result* result, size_t input, size_t hypothesis,
                                             size_t sentence, dragoman_ranges* words) {
    return guard([&] {
        const pipeline::TranslatedSentence from = sentence_at(result, input, hypothesis, sentence);
        required(words, "words") = view(from.alignment.target.empty() ? from.quality.words : from.alignment.target);
    });
}

dragoman_status dragoman_result_word_quality(const dragoman_result* result, size_t input, size_t hypothesis,
                                             size_t sentence, dragoman_matrix* quality) {
    return guard([&] {
        const std::vector<float>& from = sentence_at(result, input, hypothesis, sentence).quality.scores;
        required(quality, "quality") = {from.data(), from.empty() ? 0u : 1u, from.size()};
    });
}

dragoman_status dragoman_result_sentence_alignment(const dragoman_result* result, size_t input, size_t hypothesis,
                                                   size_t sentence, dragoman_matrix* alignment) {
    return guard([&] {
        const text::WordAlignment& from = sentence_at(result, input, hypothesis, sentence).alignment;
        required(alignment, "alignment") = {from.weights.data(), from.target.size(), from.source.size()};
    });
}

dragoman_status dragoman_result_pharaoh(const dragoman_result* result, size_t input, size_t hypothesis,
                                        dragoman_string* links) {
    return guard([&] { required(links, "links") = view(lists_at(result, input, hypothesis).pharaoh); });
}
