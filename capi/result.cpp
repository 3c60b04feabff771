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

const Hypothesis& hypothesis_at(const dragoman_result* result, std::size_t input, std::size_t hypothesis) {
    const std::vector<Hypothesis>& hypotheses = input_at(result, input).hypotheses;
    if (hypothesis >= hypotheses.size()) {
        fail(Status::invalid_argument, "hypothesis: {} is out of range, input {} has {}", hypothesis, input,
             hypotheses.size());
    }
    return hypotheses[hypothesis];
}

const TargetSentence& sentence_at(const dragoman_result* result, std::size_t input, std::size_t hypothesis,
                                  std::size_t sentence) {
    const std::vector<TargetSentence>& sentences = hypothesis_at(result, input, hypothesis).sentences;
    if (sentence >= sentences.size()) {
        fail(Status::invalid_argument, "sentence: {} is out of range, input {} has {}", sentence, input,
             sentences.size());
    }
    return sentences[sentence];
}

dragoman_matrix view(const Matrix& matrix) { return {matrix.values.data(), matrix.rows, matrix.cols}; }

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
    return guard([&] { required(tokens, "tokens") = input_at(result, input).source.view(); });
}

dragoman_status dragoman_result_source_ranges(const dragoman_result* result, size_t input, dragoman_ranges* ranges) {
    return guard([&] {
        const Ranges& from = input_at(result, input).source_ranges;
        required(ranges, "ranges") = {from.data(), from.size()};
    });
}

dragoman_status dragoman_result_ranges(const dragoman_result* result, size_t input, size_t hypothesis,
                                       dragoman_ranges* ranges) {
    return guard([&] {
        const Ranges& from = hypothesis_at(result, input, hypothesis).ranges;
        required(ranges, "ranges") = {from.data(), from.size()};
    });
}

dragoman_status dragoman_result_text(const dragoman_result* result, size_t input, size_t hypothesis,
                                     dragoman_string* text) {
    return guard([&] {
        required(text, "text");
        const std::string& value = hypothesis_at(result, input, hypothesis).text;
        if (!result->has_text) fail(Status::unsupported, "the model has no tokenizer: read the tokens");
        *text = {value.c_str(), value.size()};
    });
}

dragoman_status dragoman_result_plain_source(const dragoman_result* result, size_t input, dragoman_string* text) {
    return guard([&] {
        const std::string& value = input_at(result, input).plain_source;
        required(text, "text") = {value.c_str(), value.size()};
    });
}

dragoman_status dragoman_result_plain_text(const dragoman_result* result, size_t input, size_t hypothesis,
                                           dragoman_string* text) {
    return guard([&] {
        const std::string& value = hypothesis_at(result, input, hypothesis).plain;
        required(text, "text") = {value.c_str(), value.size()};
    });
}

dragoman_status dragoman_result_tokens(const dragoman_result* result, size_t input, size_t hypothesis,
                                       dragoman_tokens* tokens) {
    return guard([&] { required(tokens, "tokens") = hypothesis_at(result, input, hypothesis).tokens.view(); });
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
        const Hypothesis& from = hypothesis_at(result, input, hypothesis);
        required(attention, "attention");
        if (from.sentences.size() > 1 && from.sentences.front().attention.rows > 0) {
            fail(Status::unsupported, "input {}: has {} sentences; ask for the attention of each", input,
                 from.sentences.size());
        }
        *attention = view(from.sentences.size() == 1 ? from.sentences.front().attention : from.attention);
    });
}

size_t dragoman_result_sentence_count(const dragoman_result* result, size_t input) {
    return input < dragoman_result_count(result) ? result->inputs[input].sentences.size() : 0;
}

dragoman_status dragoman_result_sentence(const dragoman_result* result, size_t input, size_t hypothesis,
                                         size_t sentence, dragoman_sentence* info) {
    return guard([&] {
        check_struct_size<dragoman_sentence>(required(info, "info").struct_size, "info");
        const TargetSentence& target = sentence_at(result, input, hypothesis, sentence);
        const SourceSentence& source = result->inputs[input].sentences[sentence];
        dragoman_sentence to{};
        to.score = target.score;
        to.source_begin = source.begin;
        to.source_end = source.end;
        to.target_begin = target.place.begin;
        to.target_end = target.place.end;
        to.source_token_begin = source.token_begin;
        to.source_token_end = source.token_end;
        to.target_token_begin = target.place.token_begin;
        to.target_token_end = target.place.token_end;
        to.language = source.language.c_str();
        to.language_probability = source.language_probability;
        to.flags = source.flags;
        to.quality = target.quality;
        write_struct(info, info->struct_size, to, "info");
    });
}

size_t dragoman_result_term_count(const dragoman_result* result, size_t input, size_t hypothesis, size_t sentence) {
    if (hypothesis >= dragoman_result_hypothesis_count(result, input)) return 0;
    const auto& sentences = result->inputs[input].hypotheses[hypothesis].sentences;
    return sentence < sentences.size() ? sentences[sentence].terms.size() : 0;
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
    return result->inputs[input].sentences[sentence].matches.size();
}

dragoman_status dragoman_result_match(const dragoman_result* result, size_t input, size_t sentence, size_t index,
                                      dragoman_match* match) {
    return guard([&] {
        check_struct_size<dragoman_match>(required(match, "match").struct_size, "match");
        sentence_at(result, input, 0, sentence);
        const auto& matches = result->inputs[input].sentences[sentence].matches;
        if (index >= matches.size())
            fail(Status::invalid_argument, "index: {} is out of range, sentence {} has {} matches", index, sentence,
                 matches.size());
        const recall::Match& from = matches[index];
        dragoman_match to{};
        to.similarity = from.similarity;
        to.source = {from.source.c_str(), from.source.size()};
        to.target = {from.target.c_str(), from.target.size()};
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
        const Ranges& from = sentence_at(result, input, hypothesis, sentence).source_words;
        required(words, "words") = {from.data(), from.size()};
    });
}

dragoman_status dragoman_result_target_words(const dragoman_result* result, size_t input, size_t hypothesis,
                                             size_t sentence, dragoman_ranges* words) {
    return guard([&] {
        const Ranges& from = sentence_at(result, input, hypothesis, sentence).target_words;
        required(words, "words") = {from.data(), from.size()};
    });
}

dragoman_status dragoman_result_word_quality(const dragoman_result* result, size_t input, size_t hypothesis,
                                             size_t sentence, dragoman_matrix* quality) {
    return guard([&] {
        required(quality, "quality") = view(sentence_at(result, input, hypothesis, sentence).word_quality);
    });
}

dragoman_status dragoman_result_sentence_alignment(const dragoman_result* result, size_t input, size_t hypothesis,
                                                   size_t sentence, dragoman_matrix* alignment) {
    return guard([&] {
        required(alignment, "alignment") = view(sentence_at(result, input, hypothesis, sentence).alignment);
    });
}

dragoman_status dragoman_result_pharaoh(const dragoman_result* result, size_t input, size_t hypothesis,
                                        dragoman_string* links) {
    return guard([&] {
        const std::string& from = hypothesis_at(result, input, hypothesis).pharaoh;
        required(links, "links") = {from.c_str(), from.size()};
    });
}
