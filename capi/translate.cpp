// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include <iterator>
#include <memory>
#include <span>
#include <utility>

#include "arguments.h"
#include "base/os/process.h"
#include "guard.h"
#include "handles.h"
#include "options.h"
#include "pipeline/run/callback_scope.h"

namespace dragoman::capi {
namespace {

dragoman_score_options default_score_options() {
    return {sizeof(dragoman_score_options), pipeline::ScoreOptions().max_input_length, nullptr, nullptr};
}

// Words are counted over all sentences.
std::string pharaoh(const pipeline::TranslatedSentences& sentences) {
    std::vector<text::WordLink> all;
    std::size_t sources = 0, targets = 0;
    for (const pipeline::TranslatedSentence sentence : sentences) {
        for (const text::WordLink& link : text::links(sentence.alignment))
            all.push_back({link.source + sources, link.target + targets});
        sources += sentence.alignment.source.size();
        targets += sentence.alignment.target.size();
    }
    return text::pharaoh(all);
}

// Lets the translator know that the caller's function is running.
pipeline::Progress marked(const pipeline::Translator& translator, const pipeline::Progress& progress) {
    if (!progress) return {};
    return [&](std::size_t done, std::size_t total) {
        const pipeline::CallbackScope scope(&translator);
        return progress(done, total);
    };
}

}  // namespace

pipeline::Translator& waitable(const dragoman_translator* translator) {
    pipeline::Translator& used = *at_home(translator, "translator").translator;
    pipeline::CallbackScope::forbid(&used);
    return used;
}

void AllTokens::add(const pipeline::Tokens& tokens, std::span<const text::Range> ranges) {
    for (const std::string& token : tokens) views_.push_back({token.c_str(), token.size()});
    ranges_.insert(ranges_.end(), ranges.begin(), ranges.end());
    has_tokens_ = has_ranges_ = true;
}

template <class Sentences>
void AllTokens::unpack(const Sentences& sentences, Part part) {
    bool& has = part == Part::tokens ? has_tokens_ : has_ranges_;
    if (std::exchange(has, true)) return;
    std::size_t bytes = 0, count = 0, with_ranges = 0;
    for (const auto sentence : sentences) {
        bytes += sentence.packed.bytes();
        count += sentence.packed.size();
        with_ranges += sentence.packed.has_ranges() ? sentence.packed.size() : 0;
    }
    try {
        if (part == Part::ranges) {
            ranges_.reserve(with_ranges);
            for (const auto sentence : sentences)
                if (sentence.packed.has_ranges())
                    sentence.packed.each([&](std::string_view, text::Range range) { ranges_.push_back(range); });
            return;
        }
        views_.reserve(count);
        texts_.reserve(count > 0 ? bytes + count : 0);  // a packed token is not shorter than its text: views stay right
        for (const auto sentence : sentences)
            sentence.packed.each([&](std::string_view token, text::Range) {
                views_.push_back({texts_.data() + texts_.size(), token.size()});
                texts_.insert(texts_.end(), token.begin(), token.end());
                texts_.push_back('\0');
            });
    } catch (...) {
        has = false;
        throw;
    }
}

void Input::make_lists() {
    if (of_tokens) source.add(source_tokens, {});
    for (std::size_t h = 0; h < result.hypotheses.size(); ++h) {
        Lists& lists = hypotheses.emplace_back();
        if (of_tokens) lists.tokens.add(of_source_tokens[h].tokens, of_source_tokens[h].ranges);
        else lists.pharaoh = pharaoh(result.hypotheses[h].sentences);
    }
}

const AllTokens& Input::unpacked_source(AllTokens::Part part) const {
    source.unpack(result.sentences, part);
    return source;
}

const AllTokens& Input::unpacked(std::size_t hypothesis, AllTokens::Part part) const {
    hypotheses[hypothesis].tokens.unpack(result.hypotheses[hypothesis].sentences, part);
    return hypotheses[hypothesis].tokens;
}

namespace {

// An input's result with room for all that will be moved into it.
Input room_for(const pipeline::Result& from) {
    pipeline::TextResult result;
    result.hypotheses.resize(from.hypotheses.size());
    for (std::size_t i = 0; i < from.hypotheses.size(); ++i) {
        pipeline::TextHypothesis& hypothesis = result.hypotheses[i];
        hypothesis.score = from.hypotheses[i].score;
        hypothesis.text = from.hypotheses[i].text;
    }
    Input room(std::move(result), true);
    room.of_source_tokens.resize(from.hypotheses.size());
    return room;
}

// Changes places, which takes no memory: once more, and all is as it was.
void exchange(Input& input, pipeline::Tokens& source, pipeline::Result& result) noexcept {
    std::swap(input.source_tokens, source);
    for (std::size_t i = 0; i < result.hypotheses.size(); ++i)
        std::swap(input.of_source_tokens[i], result.hypotheses[i]);
}

}  // namespace

std::unique_ptr<dragoman_result> make_result(const pipeline::Model& model, std::vector<pipeline::Tokens>& sources,
                                             std::vector<pipeline::Result>& results) {
    DRAGOMAN_ASSERT(results.size() == sources.size());
    auto out = std::make_unique<dragoman_result>();
    out->has_text = model.info().has_tokenizer;
    out->inputs.reserve(results.size());
    for (const pipeline::Result& result : results) out->inputs.push_back(room_for(result));
    const auto exchange_all = [&] {
        for (std::size_t i = 0; i < results.size(); ++i) exchange(out->inputs[i], sources[i], results[i]);
    };
    exchange_all();
    try {
        for (Input& input : out->inputs) input.make_lists();
    } catch (...) {
        exchange_all();
        throw;
    }
    return out;
}

std::unique_ptr<dragoman_result> make_result(std::vector<pipeline::TextResult>& results) {
    auto out = std::make_unique<dragoman_result>();
    out->has_text = true;
    out->inputs.reserve(results.size());
    for (pipeline::TextResult& result : results) out->inputs.emplace_back(std::move(result), false);
    try {
        for (Input& input : out->inputs) input.make_lists();
    } catch (...) {
        for (std::size_t i = 0; i < results.size(); ++i) results[i] = std::move(out->inputs[i].result);
        throw;
    }
    return out;
}

namespace {

std::unique_ptr<dragoman_scores> make_scores(std::vector<pipeline::ScoreResult> results) {
    auto out = std::make_unique<dragoman_scores>();
    for (pipeline::ScoreResult& from : results) {
        out->pairs.push_back({TokenList(std::move(from.tokens)), std::move(from.log_probs), std::move(from.ranges)});
    }
    return out;
}

const Score& pair_at(const dragoman_scores* scores, std::size_t pair) {
    const std::vector<Score>& pairs = required(scores, "scores").pairs;
    if (pair >= pairs.size()) {
        fail(Status::invalid_argument, "pair: {} is out of range, there are {}", pair, pairs.size());
    }
    return pairs[pair];
}

}  // namespace
}  // namespace dragoman::capi

using namespace dragoman;
using namespace dragoman::capi;

dragoman_status dragoman_translator_create(const dragoman_model* model, dragoman_translator** translator) {
    return guard([&] {
        required(translator, "translator") = nullptr;
        *translator = new dragoman_translator{pipeline::Translator::create(at_home(model, "model").model)};
    });
}

namespace {

std::vector<pipeline::RouteStep> find_route(std::span<const pipeline::ModelInfo> models, const char* from,
                                            const char* to) {
    return pipeline::find_route(models, std::string(capi::text(dragoman_str(from), {"source_language"})),
                                std::string(capi::text(dragoman_str(to), {"target_language"})));
}

}  // namespace

dragoman_status dragoman_translator_create_route(const dragoman_model* const* models, size_t count,
                                                 const char* source_language, const char* target_language,
                                                 dragoman_translator** translator) {
    return guard([&] {
        required(translator, "translator") = nullptr;
        check_inputs(models, count, "models");
        std::vector<std::shared_ptr<const pipeline::Model>> used;
        std::vector<pipeline::ModelInfo> infos;
        for (size_t i = 0; i < count; ++i) {
            if (!models[i]) fail(Status::invalid_argument, "models[{}]: is NULL", i);
            used.push_back(at_home(models[i], "models[]").model);
            infos.push_back(models[i]->model->info());
        }
        const auto route = find_route(infos, source_language, target_language);
        *translator = new dragoman_translator{pipeline::Translator::create(used, route)};
    });
}

dragoman_status dragoman_find_route(const char* const* models, size_t count, const char* source_language,
                                    const char* target_language, size_t* path, size_t* length) {
    return guard([&] {
        required(length, "length") = 0;
        check_inputs(models, count, "models");
        if (count > 0) required(path, "path");
        std::vector<pipeline::ModelInfo> infos;
        for (size_t i = 0; i < count; ++i) {
            if (!models[i]) fail(Status::invalid_argument, "models[{}]: is NULL", i);
            infos.push_back(pipeline::Model::describe(capi::path_text(models[i], {"models", i})));
        }
        const auto route = find_route(infos, source_language, target_language);
        for (size_t i = 0; i < route.size(); ++i) path[i] = route[i].model;
        *length = route.size();
    });
}

void dragoman_translator_destroy(dragoman_translator* translator) { destroy(translator); }

dragoman_status dragoman_translate_texts(dragoman_translator* translator, const dragoman_string* texts, size_t count,
                                         const dragoman_tokens* prefixes, const dragoman_translate_options* options,
                                         dragoman_result** result) {
    return guard([&] {
        required(result, "result") = nullptr;
        pipeline::Translator& used = waitable(translator);
        check_inputs(texts, count, "texts");
        check_tokenizer(used.model());
        const Options checked = read(options);
        std::vector<pipeline::Text> inputs(count);
        for (size_t i = 0; i < count; ++i) {
            inputs[i].text = capi::text(texts[i], {"texts", i});
            if (prefixes) inputs[i].target_prefix = tokens(prefixes[i], {"prefixes", i});
        }
        const auto progress = marked(used, checked.progress);
        auto found = translate_texts(used, inputs, checked.text, checked.decoding, progress);
        *result = make_result(found).release();
    });
}

dragoman_status dragoman_translate_tokens(dragoman_translator* translator, const dragoman_tokens* sources, size_t count,
                                          const dragoman_tokens* prefixes, const dragoman_translate_options* options,
                                          dragoman_result** result) {
    return guard([&] {
        required(result, "result") = nullptr;
        pipeline::Translator& used = waitable(translator);
        check_inputs(sources, count, "sources");
        const Options checked = read(options);
        std::vector<pipeline::Request> requests(count);
        for (size_t i = 0; i < count; ++i) {
            requests[i].source = tokens(sources[i], {"sources", i});
            if (prefixes) requests[i].target_prefix = tokens(prefixes[i], {"prefixes", i});
        }
        auto results = used.translate(requests, checked.decoding, marked(used, checked.progress));
        std::vector<pipeline::Tokens> given;
        for (pipeline::Request& request : requests) given.push_back(std::move(request.source));
        *result = make_result(used.model(), given, results).release();
    });
}

dragoman_status dragoman_score_options_init_sized(dragoman_score_options* options, size_t struct_size) {
    return guard([&] { write_struct(options, struct_size, default_score_options(), "options"); });
}

dragoman_status dragoman_score_tokens(dragoman_translator* translator, const dragoman_tokens* sources,
                                      const dragoman_tokens* targets, size_t count,
                                      const dragoman_score_options* options, dragoman_scores** scores) {
    return guard([&] {
        required(scores, "scores") = nullptr;
        pipeline::Translator& used = waitable(translator);
        check_inputs(sources, count, "sources");
        check_inputs(targets, count, "targets");
        const dragoman_score_options checked = read_options(options, "options", default_score_options());
        std::vector<pipeline::Request> requests(count);
        for (size_t i = 0; i < count; ++i) {
            requests[i].source = tokens(sources[i], {"sources", i});
            requests[i].target_prefix = tokens(targets[i], {"targets", i});
        }
        *scores = make_scores(used.score(requests, checked.max_input_length)).release();
    });
}

dragoman_status dragoman_score_texts(dragoman_translator* translator, const dragoman_string* sources,
                                     const dragoman_string* targets, size_t count,
                                     const dragoman_score_options* options, dragoman_scores** scores) {
    return guard([&] {
        required(scores, "scores") = nullptr;
        pipeline::Translator& used = waitable(translator);
        check_inputs(sources, count, "sources");
        check_inputs(targets, count, "targets");
        check_tokenizer(used.model());
        const dragoman_score_options checked = read_options(options, "options", default_score_options());
        const std::string_view languages[] = {
            capi::text(dragoman_str(checked.source_language), {"options.source_language"}),
            capi::text(dragoman_str(checked.target_language), {"options.target_language"})};
        std::vector<pipeline::TextPair> pairs(count);
        for (size_t i = 0; i < count; ++i)
            pairs[i] = {capi::text(sources[i], {"sources", i}), capi::text(targets[i], {"targets", i})};
        const pipeline::ScoreOptions how{.max_input_length = checked.max_input_length,
                                         .source_language = std::string(languages[0]),
                                         .target_language = std::string(languages[1])};
        *scores = make_scores(used.score_texts(pairs, how)).release();
    });
}

void dragoman_scores_destroy(dragoman_scores* scores) { delete scores; }

size_t dragoman_scores_count(const dragoman_scores* scores) { return scores ? scores->pairs.size() : 0; }

dragoman_status dragoman_scores_tokens(const dragoman_scores* scores, size_t pair, dragoman_tokens* tokens) {
    return guard([&] { required(tokens, "tokens") = pair_at(scores, pair).tokens.view(); });
}

dragoman_status dragoman_scores_log_probs(const dragoman_scores* scores, size_t pair, dragoman_matrix* log_probs) {
    return guard([&] {
        const std::vector<float>& from = pair_at(scores, pair).log_probs;
        required(log_probs, "log_probs") = {from.data(), 1, from.size()};
    });
}

dragoman_status dragoman_scores_ranges(const dragoman_scores* scores, size_t pair, dragoman_ranges* ranges) {
    return guard([&] { required(ranges, "ranges") = view(pair_at(scores, pair).ranges); });
}

dragoman_status dragoman_translator_stats(const dragoman_translator* translator, dragoman_stats* stats) {
    return guard([&] {
        check_struct_size<dragoman_stats>(required(stats, "stats").struct_size, "stats");
        const pipeline::TranslatorStats from = waitable(translator).stats();
        dragoman_stats to{};
        to.sentences = from.sentences;
        to.source_tokens = from.source_tokens;
        to.target_tokens = from.target_tokens;
        to.batches = from.batches;
        to.decoder_steps = from.decoder_steps;
        to.dispatches_per_step = from.dispatches_per_step;
        to.padding_tokens = from.padding_tokens;
        to.submissions = from.device.submissions;
        to.host_waits = from.device.host_waits;
        to.dispatches = from.device.dispatches;
        to.memory_bytes = from.device.memory_bytes;
        to.memory_peak_bytes = from.device.memory_peak_bytes;
        to.host_peak_bytes = os::peak_resident_bytes();
        to.repeated_sentences = from.repeated_sentences;
        write_struct(stats, stats->struct_size, to, "stats");
    });
}

dragoman_status dragoman_translator_reset_stats(dragoman_translator* translator) {
    return guard([&] { waitable(translator).reset_stats(); });
}

dragoman_status dragoman_translator_trim(dragoman_translator* translator) {
    return guard([&] { waitable(translator).trim(); });
}
